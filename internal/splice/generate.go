package splice

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// GeneratedName is the base name of the added file.
const GeneratedName = "_taskinstr.go"

// siteMagic marks the header before the site numbers.
const siteMagic = "0x7461736b696e7374"

// preamble mirrors the head of the detector's task and names the type of the
// runtime's check.
const preamble = `type _ti_task struct {
	key    uint64
	filter unsafe.Pointer
}

type _ti_checker = func(t *_ti_task, p unsafe.Pointer, n, kind uintptr, s *uint32)
`

// helpers holds the source of each helper. TestInlining keeps those on the fast
// path within the compiler's budget. #count, perhaps with a condition, stands where
// Config.Count has executed checks counted.
//
// A helper that is too large to be inlined calls _ti_value, not its parameter: what is
// handed to an unknown function escapes.
var helpers = map[string]string{
	"_ti_enter": `
//go:linkname _ti_enter runtime.taskinstr_enter
func _ti_enter() *_ti_task
`,
	"_ti_check": `
//go:noescape
//go:linkname _ti_check runtime.taskinstr_check
func _ti_check(t *_ti_task, p unsafe.Pointer, n uintptr, kind uintptr, s *uint32)
`,
	"_ti_value": `
// _ti_value is _ti_check as a value. That of a linknamed function is named after
// its target, so functions inlined from elsewhere would bring values of one
// name each, which the compiler writes in no fixed order.
func _ti_value(t *_ti_task, p unsafe.Pointer, n, kind uintptr, s *uint32) {
	_ti_check(t, p, n, kind, s)
}
`,
	"_ti_check1": `
//go:noescape
//go:linkname _ti_check1 runtime.taskinstr_check1
func _ti_check1(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32)
`,
	"_ti_checkn": `
//go:noescape
//go:linkname _ti_checkn runtime.taskinstr_checkn
func _ti_checkn(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32)
`,
	"_ti_rn": `
// _ti_rn checks a read of *p for a function marked go:nosplit.
//
//go:nosplit
func _ti_rn[T interface{}](p *T, s *uint32) *T {
	#count
	_ti_checkn(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	return p
}
`,
	"_ti_wn": `
// _ti_wn checks a write of *p for a function marked go:nosplit.
//
//go:nosplit
func _ti_wn[T interface{}](p *T, s *uint32) *T {
	#count
	_ti_checkn(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	return p
}
`,
	"_ti_count": `
//go:linkname _ti_count runtime.taskinstr_count
func _ti_count()
`,
	"_ti_atomic": `
//go:noescape
//go:linkname _ti_atomic runtime.taskinstr_atomic
func _ti_atomic(p unsafe.Pointer, n uintptr, op uintptr, s *uint32)
`,
	"_ti_r": `
// _ti_r checks a read of *p in a loop. The test of the filter is inlined: the compiler
// takes calls of a parameter for cheap, so the check comes as one.
func _ti_r[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	#count
	if unsafe.Sizeof(*p) >= 64 || (*(*uint64)(unsafe.Add(t.filter, (uintptr(unsafe.Pointer(p))^uintptr(unsafe.Pointer(p))<<9)&0xff8))^t.key^uint64(uintptr(unsafe.Pointer(p))))<<1 != uint64(unsafe.Sizeof(*p))<<49 {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}
`,
	"_ti_w": `
// _ti_w checks a write of *p in a loop.
func _ti_w[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	#count
	if unsafe.Sizeof(*p) >= 64 || *(*uint64)(unsafe.Add(t.filter, (uintptr(unsafe.Pointer(p))^uintptr(unsafe.Pointer(p))<<9)&0xff8))^t.key^uint64(uintptr(unsafe.Pointer(p))) != uint64(unsafe.Sizeof(*p))<<48|1<<63 {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}
`,
	"_ti_r0": `
// _ti_r0 checks a read of *p and leaves the filter to the runtime.
func _ti_r0[T interface{}](t *_ti_task, p *T, s *uint32) *T {
	#count
	_ti_check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	return p
}
`,
	"_ti_w0": `
// _ti_w0 checks a write of *p and leaves the filter to the runtime.
func _ti_w0[T interface{}](t *_ti_task, p *T, s *uint32) *T {
	#count
	_ti_check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	return p
}
`,
	"_ti_r1": `
// _ti_r1 checks a read of *p for a function that does not hold its task.
func _ti_r1[T interface{}](p *T, s *uint32) *T {
	#count
	_ti_check1(unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	return p
}
`,
	"_ti_w1": `
// _ti_w1 checks a write of *p for a function that does not hold its task.
func _ti_w1[T interface{}](p *T, s *uint32) *T {
	#count
	_ti_check1(unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	return p
}
`,
	"_ti_rf": `
// _ti_rf is _ti_r unless skip is set: a check before the loop stands for it.
func _ti_rf[T interface{}](t *_ti_task, check _ti_checker, skip bool, p *T, s *uint32) *T {
	#count !skip
	if !skip && (unsafe.Sizeof(*p) >= 64 || (*(*uint64)(unsafe.Add(t.filter, (uintptr(unsafe.Pointer(p))^uintptr(unsafe.Pointer(p))<<9)&0xff8))^t.key^uint64(uintptr(unsafe.Pointer(p))))<<1 != uint64(unsafe.Sizeof(*p))<<49) {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}
`,
	"_ti_wf": `
// _ti_wf is _ti_w unless skip is set.
func _ti_wf[T interface{}](t *_ti_task, check _ti_checker, skip bool, p *T, s *uint32) *T {
	#count !skip
	if !skip && (unsafe.Sizeof(*p) >= 64 || *(*uint64)(unsafe.Add(t.filter, (uintptr(unsafe.Pointer(p))^uintptr(unsafe.Pointer(p))<<9)&0xff8))^t.key^uint64(uintptr(unsafe.Pointer(p))) != uint64(unsafe.Sizeof(*p))<<48|1<<63) {
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}
`,
	"_ti_ro": `
// _ti_ro checks a read of *p in a loop once.
func _ti_ro[T interface{}](t *_ti_task, check _ti_checker, done *bool, p *T, s *uint32) *T {
	if !*done {
		#count
		*done = true
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 0, s)
	}
	return p
}
`,
	"_ti_wo": `
// _ti_wo checks a write of *p in a loop once.
func _ti_wo[T interface{}](t *_ti_task, check _ti_checker, done *bool, p *T, s *uint32) *T {
	if !*done {
		#count
		*done = true
		check(t, unsafe.Pointer(p), unsafe.Sizeof(*p), 1, s)
	}
	return p
}
`,
	"_ti_rx": `
// _ti_rx checks a read of *p and what is behind it, n bytes in all.
func _ti_rx[T interface{}](t *_ti_task, check _ti_checker, n uintptr, p *T, s *uint32) *T {
	#count
	check(t, unsafe.Pointer(p), n, 0, s)
	return p
}
`,
	"_ti_wx": `
// _ti_wx checks a write of *p and what is behind it, n bytes in all.
func _ti_wx[T interface{}](t *_ti_task, check _ti_checker, n uintptr, p *T, s *uint32) *T {
	#count
	check(t, unsafe.Pointer(p), n, 1, s)
	return p
}
`,
	"_ti_gather": `
// A _ti_gather is a range of elements that accesses in a loop have reached and that
// is yet to be checked, n bytes from p on, and the one before it. The last lone ranges
// were of one element each.
type _ti_gather struct {
	p, q unsafe.Pointer
	n, m uintptr
	lone uintptr
}

// A _ti_misser is _ti_gmiss. It comes as a parameter, since the compiler takes
// calls of one for cheap.
type _ti_misser = func(t *_ti_task, g *_ti_gather, p unsafe.Pointer, n uintptr) bool
`,
	"_ti_rg": `
// _ti_rg checks a read of *p in a loop together with its neighbours. The check is
// made here, so that all checks of a function have one calling context.
func _ti_rg[T interface{}](t *_ti_task, check _ti_checker, miss _ti_misser, g *_ti_gather, p *T, s *uint32) *T {
	if d := uintptr(unsafe.Pointer(p)) - uintptr(g.p); d == g.n && d-1 < 4095 {
		g.n += unsafe.Sizeof(*p)
	} else if d >= g.n && miss(t, g, unsafe.Pointer(p), unsafe.Sizeof(*p)) {
		#count
		check(t, g.q, g.m, 0, s)
	}
	return p
}
`,
	"_ti_wg": `
// _ti_wg checks a write of *p in a loop together with its neighbours.
func _ti_wg[T interface{}](t *_ti_task, check _ti_checker, miss _ti_misser, g *_ti_gather, p *T, s *uint32) *T {
	if d := uintptr(unsafe.Pointer(p)) - uintptr(g.p); d == g.n && d-1 < 4095 {
		g.n += unsafe.Sizeof(*p)
	} else if d >= g.n && miss(t, g, unsafe.Pointer(p), unsafe.Sizeof(*p)) {
		#count
		check(t, g.q, g.m, 1, s)
	}
	return p
}
`,
	"_ti_gmiss": `
// _ti_gmiss takes note of a read of n bytes at p that are not behind those of g. It
// reports whether they begin another range, and the one before, g.q, is to be
// checked.
//
//go:noinline
func _ti_gmiss(t *_ti_task, g *_ti_gather, p unsafe.Pointer, n uintptr) bool {
	if n < 64 && (*(*uint64)(unsafe.Add(t.filter, (uintptr(p)^uintptr(p)<<9)&0xff8))^t.key^uint64(uintptr(p)))<<1 == uint64(n)<<49 {
		#count
		return false
	}
	return _ti_gnext(g, p, n)
}
`,
	"_ti_gmissw": `
// _ti_gmissw is _ti_gmiss for a write.
//
//go:noinline
func _ti_gmissw(t *_ti_task, g *_ti_gather, p unsafe.Pointer, n uintptr) bool {
	if n < 64 && *(*uint64)(unsafe.Add(t.filter, (uintptr(p)^uintptr(p)<<9)&0xff8))^t.key^uint64(uintptr(p)) == uint64(n)<<48|1<<63 {
		#count
		return false
	}
	return _ti_gnext(g, p, n)
}
`,
	"_ti_gnext": `
func _ti_gnext(g *_ti_gather, p unsafe.Pointer, n uintptr) bool {
	// What g holds lives no longer than its function, and is a pointer to the
	// collector; the compiler need not take it for what escapes.
	x := uintptr(p)
	hidden := unsafe.Pointer(x ^ 0)
	if x+n == uintptr(g.p) && g.n-1 < 4095 {
		g.p = hidden
		g.n += n
		return false
	}
	if g.n > n {
		g.lone = 0
	} else if g.lone++; g.lone > 16 && g.lone%32 != 0 {
		// They are scattered: this one is checked alone, without the range.
		g.q, g.m = hidden, n
		return true
	}
	g.q, g.m = g.p, g.n
	g.p, g.n = hidden, n
	return g.m > 0
}
`,
	"_ti_gend": `
// _ti_gend checks what g has gathered.
func _ti_gend(t *_ti_task, check _ti_checker, g *_ti_gather, k uintptr, s *uint32) {
	if g.n > 0 {
		#count
		check(t, g.p, g.n, k, s)
		g.p, g.n = nil, 0
	}
}
`,
	"_ti_span": `
// _ti_span checks accesses of kind k to the elements [lo, hi) of v.
func _ti_span[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, v S, lo, hi int, k uintptr, s *uint32) {
	if lo < hi {
		#count
		check(t, unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), uintptr(lo)*unsafe.Sizeof(v[0])), uintptr(hi-lo)*unsafe.Sizeof(v[0]), k, s)
	}
}
`,
	"_ti_step": `
// _ti_step checks accesses of kind k to n elements of v, from lo on, each stride
// elements behind the one before.
func _ti_step[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, v S, lo, n, stride int, k uintptr, s *uint32) {
	for ; n > 0; n-- {
		#count
		check(t, unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), uintptr(lo)*unsafe.Sizeof(v[0])), unsafe.Sizeof(v[0]), k, s)
		lo += stride
	}
}
`,
	"_ti_part": `
// _ti_part checks accesses of kind k to size bytes at off of n elements of v, from lo
// on, each stride elements behind the one before.
func _ti_part[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, v S, lo, n, stride int, off, size, k uintptr, s *uint32) {
	for ; n > 0; n-- {
		#count
		check(t, unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), uintptr(lo)*unsafe.Sizeof(v[0])+off), size, k, s)
		lo += stride
	}
}
`,
	"_ti_through": `
// _ti_through is _ti_part of what the elements, pointers, point to.
func _ti_through[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, v S, lo, n, stride int, off, size, k uintptr, s *uint32) {
	for ; n > 0; n-- {
		#count
		p := (*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(v)), uintptr(lo)*unsafe.Sizeof(v[0])))
		check(t, unsafe.Add(*p, off), size, k, s)
		lo += stride
	}
}
`,
	"_ti_nil": `
// _ti_nil reports whether one of n elements of v, pointers, is nil.
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
`,
	"_ti_one": `
func _ti_one[T interface{}](p *T) []T { return unsafe.Slice(p, 1) }
`,
	"_ti_branch": `
//go:linkname _ti_branch runtime.taskinstr_branch
func _ti_branch(s *uint32, taken uintptr)
`,
	"_ti_maybe": `
//go:noescape
//go:linkname _ti_maybe runtime.taskinstr_possible
func _ti_maybe(p unsafe.Pointer, n, kind uintptr, s *uint32, a, b, c uintptr)
`,
	"_ti_possible": `
// _ti_possible records an access of *p that the other side of a branch would make,
// under locks at a, b and c (0: none).
func _ti_possible[T interface{}](p *T, kind uintptr, s *uint32, a, b, c uintptr) {
	_ti_maybe(unsafe.Pointer(p), unsafe.Sizeof(*p), kind, s, a, b, c)
}
`,
	"_ti_lock": `
// _ti_lock is the address of a lock, with bit 0 set if it is taken shared.
func _ti_lock[T interface{}](p *T, shared uintptr) uintptr { return uintptr(unsafe.Pointer(p)) | shared }
`,
	"_ti_min": `
func _ti_min(a int, more ...int) int {
	for _, b := range more {
		if b < a {
			a = b
		}
	}
	return a
}
`,
	"_ti_max": `
func _ti_max(a int, more ...int) int {
	for _, b := range more {
		if b > a {
			a = b
		}
	}
	return a
}
`,
	"_ti_floor": `
// _ti_floor is a/b rounded down, for b > 0.
func _ti_floor(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
`,
	"_ti_ceil": `
// _ti_ceil is a/b rounded up, for b > 0.
func _ti_ceil(a, b int) int {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}
`,
	"_ti_rl": `
// _ti_rl checks a read of the length of the slice or string *p.
func _ti_rl[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	#count
	check(t, unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(uintptr(0))), unsafe.Sizeof(uintptr(0)), 0, s)
	return p
}
`,
	"_ti_rc": `
// _ti_rc checks a read of the capacity of the slice *p.
func _ti_rc[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) *T {
	#count
	check(t, unsafe.Add(unsafe.Pointer(p), 2*unsafe.Sizeof(uintptr(0))), unsafe.Sizeof(uintptr(0)), 0, s)
	return p
}
`,
	"_ti_rm": `
// _ti_rm checks a read of the number of entries of map m, its first word.
func _ti_rm[M interface{}](t *_ti_task, check _ti_checker, s *uint32, m M) M {
	if p := *(*unsafe.Pointer)(unsafe.Pointer(&m)); uintptr(p) != 0 {
		#count
		check(t, p, unsafe.Sizeof(uint64(0)), 0, s)
	}
	return m
}
`,
	"_ti_rs": `
// _ti_rs checks a read of all elements of v.
func _ti_rs[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, s *uint32, v S) S {
	if len(v) > 0 {
		#count
		check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 0, s)
	}
	return v
}
`,
	"_ti_ws": `
// _ti_ws checks a write of all elements of v.
func _ti_ws[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, s *uint32, v S) S {
	if len(v) > 0 {
		#count
		check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 1, s)
	}
	return v
}
`,
	"_ti_ap": `
// _ti_ap checks the write of the last n elements of v, which append has added.
func _ti_ap[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, n int, s *uint32, v S) S {
	if n > 0 {
		#count
		check(t, unsafe.Pointer(&v[len(v)-n]), uintptr(n)*unsafe.Sizeof(v[0]), 1, s)
	}
	return v
}
`,
	"_ti_va": `
// _ti_va checks the write of the arguments that a call collects in a slice.
func _ti_va[E interface{}](t *_ti_task, check _ti_checker, s *uint32, v ...E) []E {
	#count
	check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(len(v))*unsafe.Sizeof(v[0]), 1, s)
	return v
}
`,
	"_ti_handover": `
//go:noescape
//go:linkname _ti_handover runtime.taskinstr_handover
func _ti_handover(p unsafe.Pointer, n uintptr, s *uint32)
`,
	"_ti_result": `
// _ti_result checks a read of the result *p when a function returns it.
func _ti_result[T interface{}](p *T, s *uint32) {
	#count
	_ti_handover(unsafe.Pointer(p), unsafe.Sizeof(*p), s)
}
`,
	"_ti_ra": `
// _ti_ra checks a read of the first n elements of v, which becomes an array.
func _ti_ra[S ~[]E, E interface{}](t *_ti_task, check _ti_checker, n int, s *uint32, v S) S {
	if n <= len(v) {
		#count
		check(t, unsafe.Pointer(unsafe.SliceData(v)), uintptr(n)*unsafe.Sizeof(v[0]), 0, s)
	}
	return v
}
`,
	"_ti_ri": `
// _ti_ri is v[i] with a check if v is a slice, whose third word makes it larger.
func _ti_ri[S ~string | ~[]byte](t *_ti_task, check _ti_checker, s *uint32, v S, i int) byte {
	b := v[i]
	if unsafe.Sizeof(v) > unsafe.Sizeof("") {
		#count
		check(t, unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(&v)), i), 1, 0, s)
	}
	return b
}
`,
	"_ti_rt": `
// _ti_rt checks a read of the bytes of v if it is a slice, which becomes a string.
func _ti_rt[S ~string | ~[]byte](t *_ti_task, check _ti_checker, s *uint32, v S) S {
	if unsafe.Sizeof(v) > unsafe.Sizeof("") {
		_ti_rb(t, check, s, v, len(v))
	}
	return v
}
`,
	"_ti_extend": `
// _ti_extend is append(v, make([]E, n)...) with a check of what it writes.
func _ti_extend[S ~[]E, E interface{}, N ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](t *_ti_task, _ _ti_checker, s *uint32, v S, n N) S {
	return _ti_ap(t, _ti_value, int(n), s, append(v, make([]E, n)...))
}
`,
	"_ti_append": `
// _ti_append is append(v, x...) with checks of what it reads and writes.
func _ti_append[S ~[]E, X ~[]E, E interface{}](t *_ti_task, _ _ti_checker, w, r *uint32, v S, x X) S {
	_ti_rs(t, _ti_value, r, x)
	return _ti_ap(t, _ti_value, len(x), w, append(v, x...))
}
`,
	"_ti_appends": `
// _ti_appends is _ti_append with a string.
func _ti_appends[S ~[]byte, X ~string | ~[]byte](t *_ti_task, _ _ti_checker, w, r *uint32, v S, x X) S {
	_ti_rb(t, _ti_value, r, x, len(x))
	return _ti_ap(t, _ti_value, len(x), w, append(v, x...))
}
`,
	"_ti_copy": `
// _ti_copy is copy(d, v) with checks of what it reads and writes.
func _ti_copy[D ~[]E, S ~[]E, E interface{}](t *_ti_task, _ _ti_checker, w, r *uint32, d D, v S) int {
	n := len(d)
	if n > len(v) {
		n = len(v)
	}
	_ti_ws(t, _ti_value, w, d[:n])
	_ti_rs(t, _ti_value, r, v[:n])
	return copy(d, v)
}
`,
	"_ti_copyw": `
// _ti_copyw is copy(d, v) with a check of what it writes.
func _ti_copyw[D ~[]E, S ~[]E, E interface{}](t *_ti_task, _ _ti_checker, w *uint32, d D, v S) int {
	n := len(d)
	if n > len(v) {
		n = len(v)
	}
	_ti_ws(t, _ti_value, w, d[:n])
	return copy(d, v)
}
`,
	"_ti_copyr": `
// _ti_copyr is copy(d, v) with a check of what it reads.
func _ti_copyr[D ~[]E, S ~[]E, E interface{}](t *_ti_task, _ _ti_checker, r *uint32, d D, v S) int {
	n := len(d)
	if n > len(v) {
		n = len(v)
	}
	_ti_rs(t, _ti_value, r, v[:n])
	return copy(d, v)
}
`,
	"_ti_appendw": `
// _ti_appendw is append(v, x...) with a check of what it writes.
func _ti_appendw[S ~[]E, X ~[]E, E interface{}](t *_ti_task, _ _ti_checker, w *uint32, v S, x X) S {
	return _ti_ap(t, _ti_value, len(x), w, append(v, x...))
}
`,
	"_ti_appendr": `
// _ti_appendr is append(v, x...) with a check of what it reads.
func _ti_appendr[S ~[]E, X ~[]E, E interface{}](t *_ti_task, _ _ti_checker, r *uint32, v S, x X) S {
	_ti_rs(t, _ti_value, r, x)
	return append(v, x...)
}
`,
	"_ti_copys": `
// _ti_copys is _ti_copy from a string.
func _ti_copys[D ~[]byte, S ~string | ~[]byte](t *_ti_task, _ _ti_checker, w, r *uint32, d D, v S) int {
	n := len(d)
	if n > len(v) {
		n = len(v)
	}
	_ti_ws(t, _ti_value, w, d[:n])
	_ti_rb(t, _ti_value, r, v, n)
	return copy(d, v)
}
`,
	"_ti_rb": `
// _ti_rb checks a read of the first n bytes of v, whose first word points to
// them.
func _ti_rb[S ~string | ~[]byte](t *_ti_task, check _ti_checker, s *uint32, v S, n int) {
	if n > 0 {
		#count
		check(t, *(*unsafe.Pointer)(unsafe.Pointer(&v)), uintptr(n), 0, s)
	}
}
`,
	"_ti_rh": `
// _ti_rh checks a read of the first word of *h, a reflect.SliceHeader or
// StringHeader.
func _ti_rh[H interface{}](t *_ti_task, check _ti_checker, s *uint32, h *H) *H {
	#count
	check(t, unsafe.Pointer(h), unsafe.Sizeof(uintptr(0)), 0, s)
	return h
}
`,
	"_ti_v": `
// _ti_v gives a checked value a place of its own.
func _ti_v[T interface{}](v T) T { return v }
`,
	"_ti_icall": `
//go:noescape
//go:linkname _ti_icall runtime.taskinstr_icall
func _ti_icall(i unsafe.Pointer, c *_ti_call)
`,
	"_ti_mcall": `
//go:noescape
//go:linkname _ti_mcall runtime.taskinstr_mcall
func _ti_mcall(e unsafe.Pointer, c *_ti_call)
`,
	"_ti_gocall": `
//go:noescape
//go:linkname _ti_gocall runtime.taskinstr_gocall
func _ti_gocall(e unsafe.Pointer, c *_ti_call)
`,
	"_ti_accesses": `
//go:noescape
//go:linkname _ti_accesses runtime.taskinstr_accesses
func _ti_accesses(e unsafe.Pointer, c *_ti_call) bool
`,
	"_ti_bound": `
// _ti_bound returns the receiver in the method value *f of an interface, nil if the
// method's wrapper accesses nothing.
//
//go:noescape
//go:linkname _ti_bound runtime.taskinstr_bound
func _ti_bound(f unsafe.Pointer, c *_ti_call) unsafe.Pointer
`,
	"_ti_target": `
//go:linkname _ti_target runtime.taskinstr_target
func _ti_target(f unsafe.Pointer) unsafe.Pointer
`,
	"_ti_reflected": `
//go:noescape
//go:linkname _ti_reflected runtime.taskinstr_reflected
func _ti_reflected(method bool, rcvr, fn, in unsafe.Pointer)
`,
	"_ti_i": `
// _ti_i checks what the wrapper of a method of interface i accesses. Nothing takes the
// address of i itself, so that the compiler still finds out what it holds.
func _ti_i[I interface{}](i I, c *_ti_call) I {
	e := i
	if *(*uintptr)(unsafe.Pointer(&e)) != c.last {
		_ti_icall(unsafe.Pointer(&e), c)
	}
	return i
}
`,
	"_ti_m": `
// _ti_m checks what the wrapper of a method of x accesses.
func _ti_m[T interface{}](x T, c *_ti_call) T {
	e := interface{}(x)
	if *(*uintptr)(unsafe.Pointer(&e)) != c.last {
		_ti_mcall(unsafe.Pointer(&e), c)
	}
	return x
}
`,
	"_ti_go": `
// _ti_go has the goroutine that starts next make the check of _ti_m.
func _ti_go[T interface{}](x T, c *_ti_call) T {
	e := interface{}(x)
	if *(*uintptr)(unsafe.Pointer(&e)) != c.last {
		_ti_gocall(unsafe.Pointer(&e), c)
	}
	return x
}
`,
	"_ti_has": `
// _ti_has reports whether the wrapper of a method of x accesses anything.
func _ti_has[T interface{}](x T, c *_ti_call) bool {
	e := interface{}(x)
	return *(*uintptr)(unsafe.Pointer(&e)) != c.last && _ti_accesses(unsafe.Pointer(&e), c)
}
`,
	"_ti_late": `
// _ti_late is _ti_m in a defer statement.
func _ti_late[T interface{}](x T, c *_ti_call) { _ti_m(x, c) }
`,
	"_ti_latercopy": `
// _ti_latercopy is _ti_copy in a go or defer statement.
func _ti_latercopy[D ~[]E, S ~[]E, E interface{}](w, r *uint32, d D, v S) {
	_ti_copy(_ti_enter(), _ti_value, w, r, d, v)
}
`,
	"_ti_latercopys": `
// _ti_latercopys is _ti_copys in a go or defer statement.
func _ti_latercopys[D ~[]byte, S ~string | ~[]byte](w, r *uint32, d D, v S) {
	_ti_copys(_ti_enter(), _ti_value, w, r, d, v)
}
`,
	"_ti_laterclear": `
// _ti_laterclear is clear in a go or defer statement.
func _ti_laterclear[S ~[]E, E interface{}](s *uint32, v S) {
	clear(_ti_ws(_ti_enter(), _ti_value, s, v))
}
`,
	"_ti_set": `
// _ti_set returns a function that checks a write of *p and does it.
func _ti_set[T interface{}](t *_ti_task, check _ti_checker, p *T, s *uint32) func(T) {
	return func(v T) { *_ti_w(t, check, p, s) = v }
}
`,
}

// needs lists what helpers call.
var needs = map[string][]string{
	"_ti_result":  {"_ti_handover"},
	"_ti_value":   {"_ti_check"},
	"_ti_r0":      {"_ti_check"},
	"_ti_w0":      {"_ti_check"},
	"_ti_rn":      {"_ti_checkn"},
	"_ti_wn":      {"_ti_checkn"},
	"_ti_r1":      {"_ti_check1"},
	"_ti_w1":      {"_ti_check1"},
	"_ti_append":  {"_ti_ap", "_ti_rs", "_ti_value"},
	"_ti_appends": {"_ti_ap", "_ti_rb", "_ti_value"},
	"_ti_copy":    {"_ti_ws", "_ti_rs", "_ti_value"},
	"_ti_copys":   {"_ti_ws", "_ti_rb", "_ti_value"},
	"_ti_copyw":   {"_ti_ws", "_ti_value"},
	"_ti_copyr":   {"_ti_rs", "_ti_value"},
	"_ti_appendw": {"_ti_ap", "_ti_value"},
	"_ti_appendr": {"_ti_rs", "_ti_value"},
	"_ti_set":     {"_ti_w"},
	"_ti_rt":      {"_ti_rb"},
	"_ti_rg":      {"_ti_gmiss"},
	"_ti_wg":      {"_ti_gmissw"},
	"_ti_gmiss":   {"_ti_gnext"},
	"_ti_gmissw":  {"_ti_gnext"},
	"_ti_gnext":   {"_ti_gather"},
	"_ti_gend":    {"_ti_gather"},

	"_ti_extend": {"_ti_ap", "_ti_value"},
	"_ti_i":      {"_ti_icall"},
	"_ti_m":      {"_ti_mcall"},
	"_ti_go":     {"_ti_gocall"},
	"_ti_has":    {"_ti_accesses"},
	"_ti_late":   {"_ti_m"},

	"_ti_latercopy":  {"_ti_copy", "_ti_enter", "_ti_value"},
	"_ti_latercopys": {"_ti_copys", "_ti_enter", "_ti_value"},
	"_ti_laterclear": {"_ti_ws", "_ti_enter", "_ti_value"},
}

// usable reports whether the package leaves the builtins alone that the helper
// needs.
func (p *pkg) usable(name string) bool {
	switch name {
	case "_ti_rl", "_ti_rc", "_ti_rm", "_ti_rh", "_ti_set":
		return true
	case "_ti_rs", "_ti_ws":
		return p.ElementsSpelled()
	case "_ti_ap", "_ti_ra":
		return p.AddedSpelled()
	case "_ti_extend":
		return p.ExtendSpelled()
	case "_ti_ri", "_ti_rt":
		return p.TextSpelled()
	}
	return p.BuiltinsSpelled()
}

// countMark matches a line of a helper where its check is counted.
var countMark = regexp.MustCompile(`(?m)^\t+#count(?: (.*))?\n`)

// helperText returns the source of a helper.
func helperText(name string, count, shadow bool) string {
	text := helpers[name]
	if s := shadowHelpers[name]; shadow && s != "" {
		text = s
	}
	if !count {
		return countMark.ReplaceAllString(text, "")
	}
	return countMark.ReplaceAllStringFunc(text, func(line string) string {
		if cond := countMark.FindStringSubmatch(line)[1]; cond != "" {
			return "\tif " + cond + " {\n\t\t_ti_count()\n\t}\n"
		}
		return "\t_ti_count()\n"
	})
}

// generate returns the added file, or nil where nothing refers to it.
func (p *pkg) generate() []byte {
	if len(p.sites) == 0 && len(p.atomics) == 0 {
		return nil
	}
	all := map[string]bool{}
	var add func(string)
	add = func(n string) {
		if helpers[n] == "" || all[n] {
			return
		}
		all[n] = true
		for _, m := range needs[n] {
			add(m)
		}
	}
	for n := range p.helpers {
		add(n)
	}
	if len(p.atomics) > 0 {
		add("_ti_atomic")
	}
	if p.cfg.Count {
		add("_ti_count")
	}
	var names []string
	for n := range all {
		names = append(names, n)
	}
	sort.Strings(names)

	var b strings.Builder
	fmt.Fprintf(&b, "// Code generated by taskinstr. DO NOT EDIT.\n\n//go:build go1.21\n\npackage %s\n\nimport (\n", p.cfg.Pkg.Name())
	if len(p.atomics) > 0 {
		b.WriteString("\t\"sync/atomic\"\n")
	}
	b.WriteString("\t\"unsafe\"\n)\n\n")
	if p.cfg.Shadow {
		b.WriteString(shadowPreamble)
	} else {
		b.WriteString(preamble)
	}
	for _, n := range names {
		b.WriteString(helperText(n, p.cfg.Count, p.cfg.Shadow))
	}
	if len(p.dynamics) > 0 {
		b.WriteString(callType)
	}
	if p.keep {
		b.WriteString(keeper)
	}
	b.WriteString(p.atomicWrappers())
	if len(p.bound) > 0 {
		fmt.Fprintf(&b, "\n//line %s:%d\n", GeneratedName, wrapperLine)
	}
	for _, n := range slices.Sorted(maps.Keys(p.bound)) {
		b.WriteString(boundHelper(n, p.bound[n]))
	}
	return []byte(b.String())
}

// addTables declares the table that turns the address of a site's number into
// its description, and that of the calls, in front of all other declarations: what
// initializers refer to has to come first, or the order of initialization changes.
func (f *file) addTables() {
	end := f.offset(f.ast.Name.End())
	for _, d := range f.ast.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			end = f.offset(g.End())
		}
	}
	tables := f.pkg.siteTable()
	if len(f.pkg.dynamics) > 0 {
		tables += f.pkg.callTable()
	}
	f.add(end-1, end, layerHost, source(end-1, end), text("; "+tables))
}

// keepTable has the program refer to a table without sites, which the linker would drop:
// a check of nothing, once.
func (p *pkg) keepTable() {
	p.sites = append(p.sites, Row{Also: noSite})
	p.helpers["_ti_check1"] = true
	p.keep = true
}

// noSite marks the row of a table without sites, whose check is of nothing.
const noSite = "none"

const keeper = `
func init() { _ti_check1(nil, 0, 0, &_ti_sites.idx[0]) }
`

// siteTable returns the declaration of the table, on one line.
func (p *pkg) siteTable() string {
	var b, blob strings.Builder
	for _, s := range p.sites {
		fmt.Fprintf(&blob, "%s\t%s\t%s", s.Position, s.Expr, s.What)
		if s.Also != "" {
			blob.WriteString("\t" + s.Also)
		}
		blob.WriteByte('\n')
	}
	for _, h := range p.unseen {
		fmt.Fprintf(&blob, "%s\t%s\t%s\t%s\n", h.Position, h.Expr, h.What, h.op)
	}
	n := len(p.sites)
	fmt.Fprintf(&b, "var _ti_sites = struct { magic uint64; path string; blob string; idx [%d]uint32 }{%s, %s, %s, [%d]uint32{",
		n, siteMagic, strconv.Quote(p.cfg.Path), strconv.Quote(blob.String()), n)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(i))
	}
	b.WriteString("}}")
	return b.String()
}
