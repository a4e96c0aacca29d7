//go:build taskinstr_helpers

// The helpers are small functions that make the checks of instrumented code. Each generated
// file gets the helpers that its package needs (helper.go of package splice). No build
// contains these files themselves, hence their build tags. The comment of a declaration
// goes along into the generated file; comments apart from declarations, such as this one,
// do not.
//
// This file has the helpers that all detectors share. Two more files declare the same
// names, one for each way to test inline whether a check is needed: filter.go, and
// shadow.go under the tag taskinstr_shadow.
//
// Three names have a meaning in these files alone:
//
//   - A statement that calls _ti_count or _ti_countn, or an if statement around nothing else,
//     goes along only with Config.Count, which makes the program count the checks that it
//     executes.
//   - A call of _ti_entry becomes the expression of that function. The compiler's budget
//     for inlining users' functions counts calls, inlined ones too.
//   - Every generated file has _ti_task and _ti_checker.
//
// The compiler instruments conversions of unsafe pointers in the user's code (checkptr), also in
// what it inlines there. A helper on the fast path therefore neither calls unsafe.Add nor converts
// an unsafe.Pointer, except to a pointer to an array of bytes, which needs no instrumentation. The
// bytes that a check names may begin elsewhere than at p: kind has the distance, p less their
// address, from bit 8 on. Other helpers are marked go:nocheckptr, which keeps the compiler from
// inlining them. TestInlining sees to both.
//
// A helper that is not inlined calls _ti_value and not its parameter: the
// compiler assumes that an unknown function lets its operands escape. TestInlining keeps
// the helpers on the fast path within the compiler's budget.

package helpers

import "unsafe"

// _ti_begin is the first thing that a function with checks does, see tr_callsBegin in the runtime.
//
//go:linkname _ti_begin runtime.taskinstr_begin
func _ti_begin() *_ti_task

//go:linkname _ti_enter runtime.taskinstr_enter
func _ti_enter() *_ti_task

//go:noescape
//go:linkname _ti_check runtime.taskinstr_check
func _ti_check(t *_ti_task, p unsafe.Pointer, n uintptr, kind uintptr, s *uint32)

// _ti_value is _ti_check as a value. The value of a linknamed function has the name of the
// function's target. Functions inlined from several packages would bring such values along,
// all of one name, and the compiler writes these in no fixed order.
func _ti_value(t *_ti_task, p unsafe.Pointer, n, kind uintptr, s *uint32) {
	_ti_check(t, p, n, kind, s)
}

//go:noescape
//go:linkname _ti_checks runtime.taskinstr_checks
func _ti_checks(t *_ti_task, p unsafe.Pointer, n, stride, count, kind uintptr, s *uint32)

// _ti_each is _ti_checks as a value; see _ti_value.
func _ti_each(t *_ti_task, p unsafe.Pointer, n, stride, count, kind uintptr, s *uint32) {
	_ti_checks(t, p, n, stride, count, kind, s)
}

//go:noescape
//go:linkname _ti_check1 runtime.taskinstr_check1
func _ti_check1(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32)

type _ti_checker1 = func(p unsafe.Pointer, n, kind uintptr, s *uint32)

// _ti_value1 is _ti_check1 as a value; see _ti_value.
func _ti_value1(p unsafe.Pointer, n, kind uintptr, s *uint32) {
	_ti_check1(p, n, kind, s)
}

//go:noescape
//go:linkname _ti_checkn runtime.taskinstr_checkn
func _ti_checkn(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32)

// A _ti_repeater checks count accesses of n bytes each, stride bytes apart, from p on.
type _ti_repeater = func(t *_ti_task, p unsafe.Pointer, n, stride, count, kind uintptr, s *uint32)

// _ti_rn checks a read of *p in a function marked go:nosplit.
//
//go:nosplit
func _ti_rn[T interface{}](p *T, s *uint32) *T {
	_ti_countn(s)
	_ti_checkn(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	return p
}

// _ti_wn checks a write of *p in a function marked go:nosplit.
//
//go:nosplit
func _ti_wn[T interface{}](p *T, s *uint32) *T {
	_ti_countn(s)
	_ti_checkn(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	return p
}

//go:noescape
//go:linkname _ti_count runtime.taskinstr_count
func _ti_count(p unsafe.Pointer, n, kind uintptr, s *uint32)

//go:linkname _ti_countn runtime.taskinstr_countn
func _ti_countn(s *uint32)

// _ti_r0 checks a read of *p. The runtime tests the filter.
func _ti_r0[T interface{}](t *_ti_task, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	_ti_check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	return p
}

// _ti_w0 checks a write of *p. The runtime tests the filter.
func _ti_w0[T interface{}](t *_ti_task, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	_ti_check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	return p
}

// _ti_r1 checks a read of *p in a function that has not fetched its task. Its parameter check is
// _ti_value1: the budget for inlining has a call of a parameter at a third of the price.
func _ti_r1[T interface{}](check _ti_checker1, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	check(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	return p
}

// _ti_w1 checks a write of *p in a function that has not fetched its task.
func _ti_w1[T interface{}](check _ti_checker1, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	check(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	return p
}

// _ti_ru checks a read of *p, unless skip is set: no other task writes *p.
func _ti_ru[T interface{}](check _ti_checker1, skip bool, p *T, s *uint32) *T {
	if !skip {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
		check(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}

// _ti_wu checks a write of *p, unless skip is set: no other task accesses *p.
func _ti_wu[T interface{}](check _ti_checker1, skip bool, p *T, s *uint32) *T {
	if !skip {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
		check(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}

// _ti_ro checks a read of *p in a loop, unless *done is set, and sets *done.
func _ti_ro[T interface{}](t *_ti_task, check _ti_checker, done *bool, p *T, s *uint32) *T {
	if !*done {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
		*done = true
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}

// _ti_wo checks a write of *p in a loop, unless *done is set, and sets *done.
func _ti_wo[T interface{}](t *_ti_task, check _ti_checker, done *bool, p *T, s *uint32) *T {
	if !*done {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
		*done = true
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}

// _ti_rx checks a read of n bytes, from the byte on that lies back bytes before *p.
func _ti_rx[T interface{}](t *_ti_task, back, n uintptr, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), n, back<<8, s)
	_ti_check(t, unsafe.Pointer(p), n, back<<8, s)
	return p
}

// _ti_rx1 is _ti_rx in a function that has not fetched its task.
func _ti_rx1[T interface{}](check _ti_checker1, back, n uintptr, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), n, back<<8, s)
	check(unsafe.Pointer(p), n, back<<8, s)
	return p
}

// _ti_wx checks a write of n bytes, from the byte on that lies back bytes before *p.
func _ti_wx[T interface{}](t *_ti_task, back, n uintptr, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), n, back<<8|1, s)
	_ti_check(t, unsafe.Pointer(p), n, back<<8|1, s)
	return p
}

// _ti_wx1 is _ti_wx in a function that has not fetched its task.
func _ti_wx1[T interface{}](check _ti_checker1, back, n uintptr, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), n, back<<8|1, s)
	check(unsafe.Pointer(p), n, back<<8|1, s)
	return p
}

// A _ti_gather collects the elements that accesses of one kind in a loop reach. It has two
// ranges that are not yet checked: n bytes from p on, the range that grew last, and m bytes
// from q on. A range becomes due when a third range begins: l bytes from c on. The loop may
// have told the array of all elements: size bytes from array on. Then marks, if not nil,
// has the elements of the ranges that were due. lone is the number of due ranges of one
// element in a row, and small the number of due ranges of a few elements.
type _ti_gather struct {
	p, q, c, array unsafe.Pointer
	n, m, l, size  uintptr
	lone, small    uintptr
	marks          *_ti_marks
}

// A _ti_marks has a bit for each element of an array. Elements have unit bytes, which is
// 1<<shift if shift is not 0. The elements in front of next are checked.
type _ti_marks struct {
	bits        []uint64
	unit, shift uintptr
	next        uintptr
}

// _ti_misser is the type of _ti_gmiss. Callers pass the function as an argument, since the
// compiler regards calls of parameters as cheap.
type _ti_misser = func(t *_ti_task, g *_ti_gather, p unsafe.Pointer, n uintptr) bool

// _ti_rg adds a read of *p in a loop to g. It makes the check of a range that is due itself,
// so that all checks of a function have one calling context.
func _ti_rg[T interface{}](t *_ti_task, check _ti_checker, miss _ti_misser, g *_ti_gather, p *T, s *uint32) *T {
	if d := uintptr(unsafe.Pointer(p)) - uintptr(g.p); d == g.n && d-1 < 4095 {
		g.n += unsafe.Sizeof(*p)
	} else if d >= g.n && miss(t, g, unsafe.Pointer(p), unsafe.Sizeof(*p)) {
		_ti_count(g.c, g.l, 0, s)
		check(t, g.c, g.l, 0, s)
	}
	return p
}

// _ti_wg adds a write of *p in a loop to g.
func _ti_wg[T interface{}](t *_ti_task, check _ti_checker, miss _ti_misser, g *_ti_gather, p *T, s *uint32) *T {
	if d := uintptr(unsafe.Pointer(p)) - uintptr(g.p); d == g.n && d-1 < 4095 {
		g.n += unsafe.Sizeof(*p)
	} else if d >= g.n && miss(t, g, unsafe.Pointer(p), unsafe.Sizeof(*p)) {
		_ti_count(g.c, g.l, 1, s)
		check(t, g.c, g.l, 1, s)
	}
	return p
}

// _ti_rgd is _ti_rg for an access that mostly reaches the element below the previous one. It
// copies the address into g.p as bytes: see the head of this file, and _ti_gnext.
func _ti_rgd[T interface{}](t *_ti_task, check _ti_checker, miss _ti_misser, g *_ti_gather, p *T, s *uint32) *T {
	if x := uintptr(unsafe.Pointer(p)); x+unsafe.Sizeof(*p) == uintptr(g.p) {
		*(*_ti_word)(unsafe.Pointer(&g.p)) = *(*_ti_word)(unsafe.Pointer(&x))
		g.n += unsafe.Sizeof(*p)
	} else if x-uintptr(g.p) >= g.n && miss(t, g, unsafe.Pointer(p), unsafe.Sizeof(*p)) {
		_ti_count(g.c, g.l, 0, s)
		check(t, g.c, g.l, 0, s)
	}
	return p
}

// _ti_wgd is _ti_wg for such an access.
func _ti_wgd[T interface{}](t *_ti_task, check _ti_checker, miss _ti_misser, g *_ti_gather, p *T, s *uint32) *T {
	if x := uintptr(unsafe.Pointer(p)); x+unsafe.Sizeof(*p) == uintptr(g.p) {
		*(*_ti_word)(unsafe.Pointer(&g.p)) = *(*_ti_word)(unsafe.Pointer(&x))
		g.n += unsafe.Sizeof(*p)
	} else if x-uintptr(g.p) >= g.n && miss(t, g, unsafe.Pointer(p), unsafe.Sizeof(*p)) {
		_ti_count(g.c, g.l, 1, s)
		check(t, g.c, g.l, 1, s)
	}
	return p
}

// A _ti_number is a type of numbers that a loop counts.
type _ti_number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// _ti_put is *p = n, for an n that a loop over a number has counted.
func _ti_put[T, N _ti_number](p *T, n N) { *p = T(n) }

// _ti_putm is m[k] = n, for such an n.
func _ti_putm[M ~map[K]T, K comparable, T, N _ti_number](m M, k K, n N) { m[k] = T(n) }

// A _ti_word is the bytes of an address.
type _ti_word = [unsafe.Sizeof(uintptr(0))]byte

// _ti_garray tells g that all its elements are elements of v.
//
//go:nocheckptr
func _ti_garray[S ~[]E, E interface{}](g *_ti_gather, v S) {
	x := uintptr(unsafe.Pointer(unsafe.SliceData(v)))
	g.array = unsafe.Pointer(x ^ 0) // see _ti_gnext
	g.size = uintptr(len(v)) * unsafe.Sizeof(v[0])
}

// _ti_gnext adds n bytes at p to g; g.p and g.n do not contain them. It reports whether
// g.l bytes at g.c are due.
//
//go:nocheckptr
func _ti_gnext(g *_ti_gather, p unsafe.Pointer, n uintptr) bool {
	// The pointers in g live no longer than the function that declares g, and the collector
	// sees them. So the compiler need not let p escape.
	x := uintptr(p)
	hidden := unsafe.Pointer(x ^ 0)
	if g.n == 0 {
		g.p, g.n = hidden, n
		return false
	}
	if g.m > 0 && g.n+g.m < 4096 {
		// The two ranges may have met.
		if uintptr(g.p)+g.n == uintptr(g.q) {
			g.n, g.m = g.n+g.m, 0
		} else if uintptr(g.q)+g.m == uintptr(g.p) {
			g.p, g.n, g.m = g.q, g.n+g.m, 0
		}
	}
	d := x - uintptr(g.p)
	if d < g.n {
		return false
	}
	if d == g.n && g.n < 4096 {
		g.n += n
		return false
	}
	if x+n == uintptr(g.p) && g.n < 4096 {
		g.p, g.n = hidden, g.n+n
		return false
	}
	if g.m > 0 {
		e := x - uintptr(g.q)
		if e < g.m {
			return false
		}
		if e == g.m && g.m < 4096 {
			g.p, g.q, g.n, g.m = g.q, g.p, g.m+n, g.n
			return false
		}
		if x+n == uintptr(g.q) && g.m < 4096 {
			g.q, g.m = hidden, g.m+n
			return false
		}
	}
	if g.marks == nil && g.lone > 16 && g.lone%32 != 0 {
		// The accesses are scattered: check this one alone, outside the ranges.
		g.lone++
		g.small++
		_ti_gmark(g, n)
		g.c, g.l = hidden, n
		return true
	}
	c, l := g.q, g.m
	if d-g.n < 64 {
		g.q, g.m = hidden, n // the range at p will soon reach it
	} else {
		g.p, g.q, g.n, g.m = hidden, g.p, n, g.n
	}
	if l == 0 || g.marks != nil && _ti_gput(g, c, l) {
		return false
	}
	if l > n {
		g.lone = 0
	} else {
		g.lone++
	}
	if l < 8*n {
		g.small++
		_ti_gmark(g, n)
	}
	g.c, g.l = c, l
	return true
}

// _ti_gmark decides whether g marks elements of n bytes from now on. Marks cost the time to
// clear and to scan them, which g has spent on small ranges by then.
func _ti_gmark(g *_ti_gather, n uintptr) {
	if g.small <= 32 || g.marks != nil || g.size>>9 > g.small*n || g.size > n<<26 {
		return
	}
	m := &_ti_marks{bits: make([]uint64, (g.size/n+63)/64), unit: n}
	if n&(n-1) == 0 {
		for 1<<m.shift < n {
			m.shift++
		}
	}
	g.marks = m
}

// _ti_gset marks the element of n bytes at address p. It reports whether g has marks and the
// element is one of the array that g knows.
func _ti_gset(g *_ti_gather, p, n uintptr) bool {
	m, o := g.marks, p-uintptr(g.array)
	if m == nil || o >= g.size || n != m.unit {
		return false
	}
	i := o >> m.shift
	if n != 1<<m.shift {
		i = o / n
	}
	// Many accesses reach marked elements; a store would delay the next load.
	if w := &m.bits[i>>6]; *w>>(i&63)&1 == 0 {
		*w |= 1 << (i & 63)
	}
	return true
}

// _ti_gput marks the elements of l bytes at c. It reports whether they are elements of the
// array that g knows.
func _ti_gput(g *_ti_gather, c unsafe.Pointer, l uintptr) bool {
	o := uintptr(c) - uintptr(g.array)
	if o >= g.size || l > g.size-o {
		return false
	}
	m := g.marks
	i, n := o>>m.shift, l>>m.shift
	if m.unit != 1<<m.shift {
		i, n = o/m.unit, l/m.unit
	}
	for i&63+n > 64 {
		k := 64 - i&63
		m.bits[i>>6] |= ^uint64(0) << (i & 63)
		i += k
		n -= k
	}
	m.bits[i>>6] |= ^uint64(0) >> (64 - n) << (i & 63)
	return true
}

// _ti_gtake takes a range out of g. It reports whether there was one: g.l bytes at g.c.
//
//go:noinline
//go:nocheckptr
func _ti_gtake(g *_ti_gather) bool {
	for g.n > 0 {
		g.c, g.l = g.p, g.n
		g.p, g.n, g.m = g.q, g.m, 0
		if g.marks == nil || !_ti_gput(g, g.c, g.l) {
			return true
		}
	}
	if m := g.marks; m != nil {
		i, end := m.next, uintptr(len(m.bits))*64
		for i < end {
			w := m.bits[i>>6] >> (i & 63)
			if w&1 != 0 {
				break
			}
			switch {
			case w == 0:
				i = (i | 63) + 1
			case w&0xff == 0:
				i += 8
			default:
				i++
			}
		}
		j := i
		for j < end {
			w := ^m.bits[j>>6] >> (j & 63)
			if w&1 != 0 {
				break
			}
			switch {
			case w == 0:
				j = (j | 63) + 1
			case w&0xff == 0:
				j += 8
			default:
				j++
			}
		}
		if i < j {
			m.next = j
			g.c, g.l = unsafe.Add(g.array, i*m.unit), (j-i)*m.unit
			return true
		}
	}
	*g = _ti_gather{}
	return false
}

// _ti_gend checks the elements of g. Its parameter take is _ti_gtake; see _ti_misser.
func _ti_gend(t *_ti_task, check _ti_checker, take func(*_ti_gather) bool, g *_ti_gather, k uintptr, s *uint32) {
	if g.n > 0 {
		for take(g) {
			_ti_count(g.c, g.l, k, s)
			check(t, g.c, g.l, k, s)
		}
	}
}

// _ti_span checks accesses of kind k to the elements [lo, hi) of v.
func _ti_span[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, v S, lo, hi int, k uintptr, s *uint32) {
	if lo < hi {
		_ti_count(unsafe.Pointer(unsafe.SliceData(v)), uintptr(hi-lo)*unsafe.Sizeof(v[0]), k-uintptr(lo)*unsafe.Sizeof(v[0])<<8, s)
		check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(hi-lo)*unsafe.Sizeof(v[0]), k-uintptr(lo)*unsafe.Sizeof(v[0])<<8, s)
	}
}

// _ti_step checks accesses of kind k to n elements of v, from lo on, stride elements apart.
func _ti_step[S ~[]E, E interface{}](t *_ti_task, each _ti_repeater, v S, lo, n, stride int, k uintptr, s *uint32) {
	_ti_part(t, each, v, lo, n, stride, 0, unsafe.Sizeof(v[0]), k, s)
}

// _ti_part checks accesses of kind k to n elements of v, from lo on, stride elements apart:
// to size bytes at offset off of each.
func _ti_part[S ~[]E, E interface{}](t *_ti_task, each _ti_repeater, v S, lo, n, stride int, off, size, k uintptr, s *uint32) {
	for i := 0; i < n; i++ {
		_ti_count(unsafe.Pointer(unsafe.SliceData(v)), size, k-(uintptr(lo+i*stride)*unsafe.Sizeof(v[0])+off)<<8, s)
	}
	if n > 0 {
		each(t, unsafe.Pointer(unsafe.SliceData(v)), size, uintptr(stride)*unsafe.Sizeof(v[0]), uintptr(n), k-(uintptr(lo)*unsafe.Sizeof(v[0])+off)<<8, s)
	}
}

// _ti_through is _ti_part for the targets of the elements, which are pointers.
//
//go:nocheckptr
func _ti_through[S ~[]E, E interface{}](t *_ti_task, _ _ti_checker, v S, lo, n, stride int, off, size, k uintptr, s *uint32) {
	for ; n > 0; n-- {
		p := (*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), uintptr(lo)*unsafe.Sizeof(v[0])))
		_ti_count(unsafe.Add(*p, off), size, k, s)
		_ti_value(t, unsafe.Add(*p, off), size, k, s)
		lo += stride
	}
}

// _ti_nil reports whether one of n elements of v is nil, from lo on, stride elements apart.
// The elements are pointers.
//
//go:nocheckptr
func _ti_nil[S ~[]E, E interface{}](v S, lo, n, stride int) bool {
	for ; n > 0; n-- {
		p := (*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), uintptr(lo)*unsafe.Sizeof(v[0])))
		if uintptr(*p) == 0 {
			return true
		}
		lo += stride
	}
	return false
}

// _ti_one returns a slice of *p alone.
//
//go:nocheckptr
func _ti_one[T interface{}](p *T) []T { return unsafe.Slice(p, 1) }

//go:linkname _ti_branch runtime.taskinstr_branch
func _ti_branch(s *uint32, taken uintptr)

//go:noescape
//go:linkname _ti_maybe runtime.taskinstr_possible
func _ti_maybe(p unsafe.Pointer, n, kind uintptr, s *uint32, a, b, c uintptr)

// _ti_possible records an access of *p that the other side of a branch would make, under
// the locks at a, b and c (0: none).
func _ti_possible[T interface{}](p *T, kind uintptr, s *uint32, a, b, c uintptr) {
	_ti_maybe(unsafe.Pointer(p), unsafe.Sizeof(*p), kind, s, a, b, c)
}

// _ti_lock returns the address of a lock; bit 0 of mode marks a shared lock, bit 1 a lock
// that the branch gives up.
func _ti_lock[T interface{}](p *T, mode uintptr) uintptr {
	return uintptr(unsafe.Pointer(p)) | mode
}

func _ti_min(a int, more ...int) int {
	for _, b := range more {
		if b < a {
			a = b
		}
	}
	return a
}

func _ti_max(a int, more ...int) int {
	for _, b := range more {
		if b > a {
			a = b
		}
	}
	return a
}

// _ti_floor returns a/b rounded down, for b > 0.
func _ti_floor(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// _ti_ceil returns a/b rounded up, for b > 0.
func _ti_ceil(a, b int) int {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

// _ti_rl checks a read of the length of the slice or string *p.
func _ti_rl[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(uintptr(0)), ^(unsafe.Sizeof(uintptr(0))<<8 - 1), s)
	check(t, unsafe.Pointer(p), unsafe.Sizeof(uintptr(0)), ^(unsafe.Sizeof(uintptr(0))<<8 - 1), s)
	return p
}

// _ti_rlu is _ti_rl, unless skip is set: nobody writes *p.
func _ti_rlu[T interface{}](check _ti_checker1, skip bool, p *T, s *uint32) *T {
	if !skip {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(uintptr(0)), ^(unsafe.Sizeof(uintptr(0))<<8 - 1), s)
		check(unsafe.Pointer(p), unsafe.Sizeof(uintptr(0)), ^(unsafe.Sizeof(uintptr(0))<<8 - 1), s)
	}
	return p
}

// _ti_rcu is _ti_rc, unless skip is set.
func _ti_rcu[T interface{}](check _ti_checker1, skip bool, p *T, s *uint32) *T {
	if !skip {
		_ti_count(unsafe.Pointer(p), unsafe.Sizeof(uintptr(0)), ^(2*unsafe.Sizeof(uintptr(0))<<8 - 1), s)
		check(unsafe.Pointer(p), unsafe.Sizeof(uintptr(0)), ^(2*unsafe.Sizeof(uintptr(0))<<8 - 1), s)
	}
	return p
}

// _ti_rc checks a read of the capacity of the slice *p.
func _ti_rc[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(uintptr(0)), ^(2*unsafe.Sizeof(uintptr(0))<<8 - 1), s)
	check(t, unsafe.Pointer(p), unsafe.Sizeof(uintptr(0)), ^(2*unsafe.Sizeof(uintptr(0))<<8 - 1), s)
	return p
}

// _ti_rm checks a read of the number of entries of map m, its first word.
//
//go:nocheckptr
func _ti_rm[M interface{}](t *_ti_task, _ _ti_checker, s *uint32, m M) M {
	if p := *(*unsafe.Pointer)(unsafe.Pointer(&m)); uintptr(p) != 0 {
		_ti_count(p, unsafe.Sizeof(uint64(0)), 0, s)
		_ti_value(t, p, unsafe.Sizeof(uint64(0)), 0, s)
	}
	return m
}

// _ti_rs checks a read of all elements of v.
func _ti_rs[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, s *uint32, v S) S {
	if len(v) > 0 {
		_ti_count(unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 0, s)
		check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 0, s)
	}
	return v
}

// _ti_ws checks a write of all elements of v.
func _ti_ws[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, s *uint32, v S) S {
	if len(v) > 0 {
		_ti_count(unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 1, s)
		check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 1, s)
	}
	return v
}

// _ti_ap checks the write of the last n elements of v, which append has added.
func _ti_ap[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, n int, s *uint32, v S) S {
	if n > 0 {
		_ti_count(unsafe.Pointer(&v[len(v)-n]), uintptr(n)*unsafe.Sizeof(v[0]), 1, s)
		check(t, unsafe.Pointer(&v[len(v)-n]), uintptr(n)*unsafe.Sizeof(v[0]), 1, s)
	}
	return v
}

// _ti_va checks the write of the arguments that a call collects in a slice.
func _ti_va[E interface{}](t *_ti_task, check _ti_checker, s *uint32, v ...E) []E {
	_ti_count(unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 1, s)
	check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 1, s)
	return v
}

//go:noescape
//go:linkname _ti_handover runtime.taskinstr_handover
func _ti_handover(p unsafe.Pointer, n uintptr, s *uint32)

// _ti_result checks a read of the result *p when a function returns it.
func _ti_result[T interface{}](p *T, s *uint32) {
	_ti_count(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	_ti_handover(unsafe.Pointer(p), unsafe.Sizeof(*p), s)
}

// _ti_ra checks a read of the first n elements of v, which becomes an array.
func _ti_ra[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, n int, s *uint32, v S) S {
	if n <= len(v) {
		_ti_count(unsafe.Pointer(unsafe.SliceData(v)), uintptr(n)*unsafe.Sizeof(v[0]), 0, s)
		check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(n)*unsafe.Sizeof(v[0]), 0, s)
	}
	return v
}

// _ti_ri returns v[i], with a check if v is a slice. A slice has three words and a string
// two.
//
//go:nocheckptr
func _ti_ri[S ~string | ~[]byte](t *_ti_task, _ _ti_checker, s *uint32, v S, i int) byte {
	b := v[i]
	if unsafe.Sizeof(v) > unsafe.Sizeof("") {
		_ti_count(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&v)), i), 1, 0, s)
		_ti_value(t, unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&v)), i), 1, 0, s)
	}
	return b
}

// _ti_rt checks a read of the bytes of v if v is a slice.
func _ti_rt[S ~string | ~[]byte](t *_ti_task, check _ti_checker, s *uint32, v S) S {
	if unsafe.Sizeof(v) > unsafe.Sizeof("") {
		_ti_rb(t, check, s, v, len(v))
	}
	return v
}

// _ti_extend is append(v, make([]E, n)...) with a check of the write.
func _ti_extend[S ~[]E, E interface{}, N ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](t *_ti_task, _ _ti_checker, s *uint32, v S, n N) S {
	return _ti_ap(t, _ti_value, int(n), s, append(v, make([]E, n)...))
}

// _ti_copies reports whether the method Write of w keeps no argument, see the runtime.
//
//go:linkname _ti_copies runtime.taskinstr_copies
func _ti_copies(w interface{}) bool

// _ti_when is the site s, or none if ok is not set.
func _ti_when(ok bool, s *uint32) *uint32 {
	if ok {
		return s
	}
	return nil
}

// _ti_append is append(v, x...) with checks of the write at w and of the read at r. A check
// without a site is left out.
func _ti_append[S ~[]E, X ~[]E, E interface{}](t *_ti_task, _ _ti_checker, w, r *uint32, v S, x X) S {
	if r != nil {
		_ti_rs(t, _ti_value, r, x)
	}
	v = append(v, x...)
	if w != nil {
		_ti_ap(t, _ti_value, len(x), w, v)
	}
	return v
}

// _ti_appends is _ti_append of a string.
func _ti_appends[S ~[]byte, X ~string | ~[]byte](t *_ti_task, _ _ti_checker, w, r *uint32, v S, x X) S {
	if r != nil {
		_ti_rb(t, _ti_value, r, x, len(x))
	}
	v = append(v, x...)
	if w != nil {
		_ti_ap(t, _ti_value, len(x), w, v)
	}
	return v
}

// _ti_copy is copy(d, v) with checks of the write at w and of the read at r. A check without a
// site is left out.
func _ti_copy[D ~[]E, S ~[]E, E interface{}](t *_ti_task, _ _ti_checker, w, r *uint32, d D, v S) int {
	n := len(d)
	if n > len(v) {
		n = len(v)
	}
	if w != nil {
		_ti_ws(t, _ti_value, w, d[:n])
	}
	if r != nil {
		_ti_rs(t, _ti_value, r, v[:n])
	}
	return copy(d, v)
}

// _ti_copys is _ti_copy of a string.
func _ti_copys[D ~[]byte, S ~string | ~[]byte](t *_ti_task, _ _ti_checker, w, r *uint32, d D, v S) int {
	n := len(d)
	if n > len(v) {
		n = len(v)
	}
	if w != nil {
		_ti_ws(t, _ti_value, w, d[:n])
	}
	if r != nil {
		_ti_rb(t, _ti_value, r, v, n)
	}
	return copy(d, v)
}

// _ti_rb checks a read of the first n bytes of v. The first word of v points to the bytes.
//
//go:nocheckptr
func _ti_rb[S ~string | ~[]byte](t *_ti_task, _ _ti_checker, s *uint32, v S, n int) {
	if n > 0 {
		_ti_count(*(*unsafe.Pointer)(unsafe.Pointer(&v)), uintptr(n), 0, s)
		_ti_value(t, *(*unsafe.Pointer)(unsafe.Pointer(&v)), uintptr(n), 0, s)
	}
}

// _ti_rh checks a read of the first word of *h, a reflect.SliceHeader or
// StringHeader.
func _ti_rh[H interface{}](t *_ti_task, check _ti_checker, s *uint32, h *H) *H {
	_ti_count(unsafe.Pointer(h), unsafe.Sizeof(uintptr(0)), 0, s)
	check(t, unsafe.Pointer(h), unsafe.Sizeof(uintptr(0)), 0, s)
	return h
}

// _ti_v returns v, so that its operand is a copy of a checked value.
func _ti_v[T interface{}](v T) T { return v }

//go:noescape
//go:linkname _ti_icall runtime.taskinstr_icall
func _ti_icall(i unsafe.Pointer, c *_ti_call)

//go:noescape
//go:linkname _ti_mcall runtime.taskinstr_mcall
func _ti_mcall(e unsafe.Pointer, c *_ti_call)

//go:noescape
//go:linkname _ti_gocall runtime.taskinstr_gocall
func _ti_gocall(e unsafe.Pointer, c *_ti_call)

//go:noescape
//go:linkname _ti_accesses runtime.taskinstr_accesses
func _ti_accesses(e unsafe.Pointer, c *_ti_call) bool

// _ti_bound returns the receiver in the method value *f of an interface, or nil if the
// method's wrapper makes no accesses.
//
//go:noescape
//go:linkname _ti_bound runtime.taskinstr_bound
func _ti_bound(f unsafe.Pointer, c *_ti_call) unsafe.Pointer

//go:linkname _ti_target runtime.taskinstr_target
func _ti_target(f unsafe.Pointer) unsafe.Pointer

//go:noescape
//go:linkname _ti_reflected runtime.taskinstr_reflected
func _ti_reflected(method bool, rcvr, fn, in unsafe.Pointer)

// _ti_i checks the accesses of the wrapper of a method of interface i. No code takes the
// address of i itself, so the compiler still finds out the dynamic type of i.
func _ti_i[I interface{}](i I, c *_ti_call) I {
	e := i
	if *(*[unsafe.Sizeof(c.site)]byte)(unsafe.Pointer(&e)) != c.last {
		_ti_icall(unsafe.Pointer(&e), c)
	}
	return i
}

// _ti_m checks the accesses of the wrapper of a method of x.
func _ti_m[T interface{}](x T, c *_ti_call) T {
	e := interface{}(x)
	if *(*[unsafe.Sizeof(c.site)]byte)(unsafe.Pointer(&e)) != c.last {
		_ti_mcall(unsafe.Pointer(&e), c)
	}
	return x
}

// _ti_go makes the goroutine that starts next make the check of _ti_m.
func _ti_go[T interface{}](x T, c *_ti_call) T {
	e := interface{}(x)
	if *(*[unsafe.Sizeof(c.site)]byte)(unsafe.Pointer(&e)) != c.last {
		_ti_gocall(unsafe.Pointer(&e), c)
	}
	return x
}

// _ti_has reports whether the wrapper of a method of x makes accesses.
func _ti_has[T interface{}](x T, c *_ti_call) bool {
	e := interface{}(x)
	return *(*[unsafe.Sizeof(c.site)]byte)(unsafe.Pointer(&e)) != c.last && _ti_accesses(unsafe.Pointer(&e), c)
}

// _ti_late is _ti_m in a defer statement.
func _ti_late[T interface{}](x T, c *_ti_call) { _ti_m(x, c) }

// _ti_latercopy is _ti_copy in a go or defer statement.
func _ti_latercopy[D ~[]E, S ~[]E, E interface{}](w, r *uint32, d D, v S) {
	_ti_copy(_ti_enter(), _ti_value, w, r, d, v)
}

// _ti_latercopys is _ti_copys in a go or defer statement.
func _ti_latercopys[D ~[]byte, S ~string | ~[]byte](w, r *uint32, d D, v S) {
	_ti_copys(_ti_enter(), _ti_value, w, r, d, v)
}

// _ti_laterclear is clear in a go or defer statement.
func _ti_laterclear[S ~[]E, E interface{}](s *uint32, v S) {
	clear(_ti_ws(_ti_enter(), _ti_value, s, v))
}

// _ti_set returns a function that checks a write of *p and makes the write.
func _ti_set[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) func(T) {
	return func(v T) { *_ti_w(t, check, p, s) = v }
}

// A _ti_call is a call that may lead to a method wrapper.
type _ti_call struct {
	last [unsafe.Sizeof(uintptr(0))]byte // the last type, or method table, whose wrapper makes no accesses
	site *uint32
	name string // the method's name
}

// The copies of the methods of encoding/binary, see accessor.go of package splice.

// _ti_le16 is the little-endian number at the start of b.
func _ti_le16(b []byte) uint16 {
	_ = b[1]
	return uint16(b[0]) | uint16(b[1])<<8
}

// _ti_le32 is the little-endian number at the start of b.
func _ti_le32(b []byte) uint32 {
	_ = b[3]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// _ti_le64 is the little-endian number at the start of b.
func _ti_le64(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// _ti_be16 is the big-endian number at the start of b.
func _ti_be16(b []byte) uint16 {
	_ = b[1]
	return uint16(b[0])<<8 | uint16(b[1])
}

// _ti_be32 is the big-endian number at the start of b.
func _ti_be32(b []byte) uint32 {
	_ = b[3]
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// _ti_be64 is the big-endian number at the start of b.
func _ti_be64(b []byte) uint64 {
	_ = b[7]
	return uint64(b[0])<<56 | uint64(b[1])<<48 | uint64(b[2])<<40 | uint64(b[3])<<32 | uint64(b[4])<<24 | uint64(b[5])<<16 | uint64(b[6])<<8 | uint64(b[7])
}

// _ti_putle16 writes v to the start of b as a little-endian number.
func _ti_putle16(b []byte, v uint16) {
	_ = b[1]
	b[0] = byte(v)
	b[1] = byte(v >> 8)
}

// _ti_putle32 writes v to the start of b as a little-endian number.
func _ti_putle32(b []byte, v uint32) {
	_ = b[3]
	b[0] = byte(v)
	b[1] = byte(v >> 8)
	b[2] = byte(v >> 16)
	b[3] = byte(v >> 24)
}

// _ti_putle64 writes v to the start of b as a little-endian number.
func _ti_putle64(b []byte, v uint64) {
	_ = b[7]
	b[0] = byte(v)
	b[1] = byte(v >> 8)
	b[2] = byte(v >> 16)
	b[3] = byte(v >> 24)
	b[4] = byte(v >> 32)
	b[5] = byte(v >> 40)
	b[6] = byte(v >> 48)
	b[7] = byte(v >> 56)
}

// _ti_putbe16 writes v to the start of b as a big-endian number.
func _ti_putbe16(b []byte, v uint16) {
	_ = b[1]
	b[0] = byte(v >> 8)
	b[1] = byte(v)
}

// _ti_putbe32 writes v to the start of b as a big-endian number.
func _ti_putbe32(b []byte, v uint32) {
	_ = b[3]
	b[0] = byte(v >> 24)
	b[1] = byte(v >> 16)
	b[2] = byte(v >> 8)
	b[3] = byte(v)
}

// _ti_putbe64 writes v to the start of b as a big-endian number.
func _ti_putbe64(b []byte, v uint64) {
	_ = b[7]
	b[0] = byte(v >> 56)
	b[1] = byte(v >> 48)
	b[2] = byte(v >> 40)
	b[3] = byte(v >> 32)
	b[4] = byte(v >> 24)
	b[5] = byte(v >> 16)
	b[6] = byte(v >> 8)
	b[7] = byte(v)
}
