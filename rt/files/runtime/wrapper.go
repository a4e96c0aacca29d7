//go:build taskinstr_runtime

// Method wrappers: functions made by the compiler so that a method can be called through
// an interface, as a value, or through a dictionary of type arguments. Their accesses do
// not occur in any source, so instrumented code passes the receiver of each such call to
// the functions below (internal/splice/dynamic.go). These record the accesses of the
// wrapper that belongs to the receiver's run-time type.
//
// A wrapper for receivers *T of a method with receiver T copies all of *T. A wrapper of a
// promoted method follows the path of embedded fields: it reads each embedded pointer,
// and reads an embedded interface and calls its method, which may lead to another
// wrapper. A method declared on *T has no wrapper.
//
// A value in an interface that is no pointer is a copy that is never written again. So
// accesses of the copy are omitted; pointers in it are followed.
//
// The path follows from the description of the type by Go's rule: the method at the least
// depth. It is computed once for each call and type, and cached. Each call also remembers
// the last type whose wrapper makes no access, which the instrumented code compares
// itself.

package runtime

import (
	"internal/abi"
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

// tr_call mirrors _ti_call of instrumented code.
type tr_call struct {
	last uintptr // the last type, or method table, whose wrapper makes no access
	site *uint32
	name string // of the method
}

// A tr_step is one access of a wrapper.
type tr_step struct {
	kind  uint8
	off   uintptr // in the value that the previous step reached
	size  uintptr
	site  uintptr
	owner *_type // the struct that contains the field; for tr_copies the type of the value
	field string
}

// A tr_wrapperSite is the site of a wrapper's access. Sites lie in the data segment.
type tr_wrapperSite struct {
	call *tr_call
	step *tr_step
}

// tr_wrapperSites are the sites in use. If all are used, the site of the call replaces
// further ones.
var tr_wrapperSites struct {
	n    uint32
	list [4096]tr_wrapperSite
}

const (
	tr_follows  = iota // reads an embedded pointer and continues at its target
	tr_switches        // reads an embedded interface and continues with its method
	tr_copies          // reads the whole value
)

// Paths contain at most tr_maxSteps accesses, and calls pass through at most tr_maxChain
// embedded interfaces; further accesses are not checked.
const (
	tr_maxSteps = 8
	tr_maxChain = 16
	tr_maxDepth = 16 // of embedding
)

// A tr_wrapper holds the accesses of a call's wrapper for a type.
type tr_wrapper struct {
	typ   *_type
	call  *tr_call
	n     int
	steps *[tr_maxSteps]tr_step
}

// tr_wrappers maps a call and a type to a wrapper: a table with open addressing that only
// grows. Readers take no lock: an entry is complete before it is published.
var tr_wrappers struct {
	lock  uint32
	used  uintptr
	mask  uintptr
	table unsafe.Pointer // [mask+1]*tr_wrapper, behind one word that holds the mask
}

//go:nosplit
func tr_wrapperHash(typ *_type, c *tr_call) uintptr {
	h := (uintptr(unsafe.Pointer(typ))>>4 ^ uintptr(unsafe.Pointer(c))<<7) * 0x9e3779b97f4a7c15
	return h >> 24
}

// tr_knownWrapper returns the wrapper of a call and a type if the table contains it.
//
//go:nosplit
func tr_knownWrapper(typ *_type, c *tr_call) *tr_wrapper {
	t := atomic.Loadp(unsafe.Pointer(&tr_wrappers.table))
	if t == nil {
		return nil
	}
	mask := *(*uintptr)(t)
	for i := tr_wrapperHash(typ, c); ; i++ {
		w := (*tr_wrapper)(atomic.Loadp(add(t, 8+(i&mask)*8)))
		if w == nil || w.typ == typ && w.call == c {
			return w
		}
	}
}

// tr_wrapperOf returns the wrapper of a call and a type. It runs on the system stack.
func tr_wrapperOf(typ *_type, c *tr_call) *tr_wrapper {
	if w := tr_knownWrapper(typ, c); w != nil {
		return w
	}
	var steps [tr_maxSteps]tr_step
	n := tr_resolve(typ, c.name, &steps)
	w := (*tr_wrapper)(persistentalloc(unsafe.Sizeof(tr_wrapper{}), 8, &memstats.other_sys))
	w.typ, w.call, w.n = typ, c, n
	if n > 0 {
		w.steps = (*[tr_maxSteps]tr_step)(persistentalloc(uintptr(n)*unsafe.Sizeof(tr_step{}), 8, &memstats.other_sys))
		for i := range n {
			w.steps[i] = steps[i]
			w.steps[i].site = tr_newWrapperSite(c, &w.steps[i])
		}
	}
	me_Lock(&tr_wrappers.lock)
	if known := tr_knownWrapper(typ, c); known != nil {
		w = known
	} else {
		tr_addWrapper(w)
	}
	me_Unlock(&tr_wrappers.lock)
	return w
}

// tr_addWrapper adds w to the table, which is locked.
func tr_addWrapper(w *tr_wrapper) {
	s := &tr_wrappers
	if s.used*2 >= s.mask {
		old, n := s.table, s.mask
		s.mask = max(1023, 2*n+1)
		t := tr_alloc(8 * (s.mask + 2))
		*(*uintptr)(t) = s.mask
		for i := uintptr(0); old != nil && i <= n; i++ {
			if w := *(**tr_wrapper)(add(old, 8+i*8)); w != nil {
				tr_placeWrapper(t, s.mask, w)
			}
		}
		// Readers may still use the old table, so it is not freed.
		atomic.StorepNoWB(unsafe.Pointer(&s.table), t)
	}
	s.used++
	tr_placeWrapper(s.table, s.mask, w)
}

func tr_placeWrapper(t unsafe.Pointer, mask uintptr, w *tr_wrapper) {
	i := tr_wrapperHash(w.typ, w.call)
	for *(*uintptr)(add(t, 8+(i&mask)*8)) != 0 {
		i++
	}
	atomic.StorepNoWB(add(t, 8+(i&mask)*8), unsafe.Pointer(w))
}

// tr_noteHarmless notes in the call that the wrapper of a type, or method table, makes no
// access.
//
//go:nosplit
func tr_noteHarmless(c *tr_call, word uintptr) {
	atomic.Storeuintptr(&c.last, word)
}

// taskinstr_icall records the accesses of the wrapper of a method that is about to be
// called through the interface at i, which has methods.
//
//go:linkname taskinstr_icall
//go:nosplit
func taskinstr_icall(i unsafe.Pointer, c *tr_call) {
	tab := (*iface)(i).tab
	if tab == nil {
		return // the call panics
	}
	tr_mediated(tab.Type, (*iface)(i).data, c, uintptr(unsafe.Pointer(tab)), sys.GetCallerPC(), getfp())
}

// taskinstr_mcall is taskinstr_icall for a receiver in an empty interface at e.
//
//go:linkname taskinstr_mcall
//go:nosplit
func taskinstr_mcall(e unsafe.Pointer, c *tr_call) {
	typ := (*eface)(e)._type
	if typ == nil {
		return
	}
	tr_mediated(typ, (*eface)(e).data, c, uintptr(unsafe.Pointer(typ)), sys.GetCallerPC(), getfp())
}

//go:nosplit
func tr_mediated(typ *_type, data unsafe.Pointer, c *tr_call, word, pc, fp uintptr) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if t == nil || gp != gp.m.curg {
		return
	}
	w := tr_knownWrapper(typ, c)
	if w == nil {
		systemstack(func() { w = tr_wrapperOf(typ, c) })
	}
	if w.n == 0 {
		tr_noteHarmless(c, word)
		return
	}
	if tr_engine.Alone(t) {
		return
	}
	if s := &w.steps[0]; w.n == 1 && s.kind != tr_switches && typ.Kind() == abi.Pointer {
		// Mostly a method with receiver T of a *T, for example of package heap's interface.
		if a := uintptr(data) + s.off; data == nil || !tr_wrapperReads(gp, a, s.size) || tr_checked(t, a, s.size) {
			return
		}
	}
	off := gp.stack.hi - fp
	t.Act++
	systemstack(func() {
		tr_walkWrapper(typ, data, c, func(a, n, s uintptr) {
			if tr_wrapperReads(gp, a, n) && !tr_checked(t, a, n) {
				tr_recordHere(gp, t, a, n, tr_read, 0, pc, off, (*uint32)(unsafe.Pointer(s)), tr_engine.Probe(t, a, n, tr_read))
			}
		})
	})
}

// tr_checked reports whether t's filter holds back a read.
//
//go:nosplit
func tr_checked(t *ti_Task, a, n uintptr) bool { return n < 64 && tr_filtered(t, a, n, tr_read) }

// tr_wrapperReads reports whether goroutines other than gp may access the memory.
func tr_wrapperReads(gp *g, a, n uintptr) bool {
	return a-gp.stack.lo >= gp.stack.hi-gp.stack.lo && tr_owned(a) && n != 0
}

// tr_walkWrapper calls read for each access of the wrapper that a call with a receiver of
// type typ reaches, and of the wrappers behind embedded interfaces.
func tr_walkWrapper(typ *_type, data unsafe.Pointer, c *tr_call, read func(a, n, site uintptr)) {
	for range tr_maxChain {
		w := tr_wrapperOf(typ, c)
		p, copied := uintptr(data), true
		switch {
		case typ.Kind() == abi.Pointer:
			copied = false
		case tr_pointerShaped(typ):
			p = uintptr(unsafe.Pointer(&data))
		}
		next := (*iface)(nil)
		for i := 0; i < w.n && p != 0; i++ {
			s := &w.steps[i]
			a := p + s.off
			if !copied {
				read(a, s.size, s.site)
			}
			switch s.kind {
			case tr_follows:
				p, copied = *(*uintptr)(unsafe.Pointer(a)), false
			case tr_switches:
				next = (*iface)(unsafe.Pointer(a))
			}
		}
		if next == nil || next.tab == nil {
			return // a wrapper that finds a nil pointer panics
		}
		typ, data = next.tab.Type, next.data
	}
}

// tr_pointerShaped reports whether an interface holds a value of type t directly, and not
// a pointer to a copy.
func tr_pointerShaped(t *_type) bool {
	switch t.Kind() {
	case abi.Pointer, abi.Chan, abi.Map, abi.Func, abi.UnsafePointer:
		return true
	case abi.Struct:
		if t.Size_ != 8 {
			return false
		}
		for _, f := range (*abi.StructType)(unsafe.Pointer(t)).Fields {
			if f.Typ.Size_ == 8 {
				return tr_pointerShaped(f.Typ)
			}
		}
	case abi.Array:
		a := (*abi.ArrayType)(unsafe.Pointer(t))
		return a.Len == 1 && tr_pointerShaped(a.Elem)
	}
	return false
}

// tr_newWrapperSite returns a site for a step of a wrapper that call c reaches.
func tr_newWrapperSite(c *tr_call, step *tr_step) uintptr {
	s := &tr_wrapperSites
	i := atomic.Xadd(&s.n, 1) - 1
	if i >= uint32(len(s.list)) {
		atomic.Store(&s.n, uint32(len(s.list)))
		return uintptr(unsafe.Pointer(c.site))
	}
	s.list[i] = tr_wrapperSite{c, step}
	return uintptr(unsafe.Pointer(&s.list[i]))
}

// tr_wrapperSiteAt returns the wrapper site at s, nil if s is the site of a table.
func tr_wrapperSiteAt(s uintptr) *tr_wrapperSite {
	lo := uintptr(unsafe.Pointer(&tr_wrapperSites.list))
	if s-lo >= unsafe.Sizeof(tr_wrapperSites.list) {
		return nil
	}
	return (*tr_wrapperSite)(unsafe.Pointer(s))
}

// tr_wrapperDecl is the text of the site described last. tr_reportLock guards it.
var tr_wrapperDecl [400]byte

// tr_describeWrapper is tr_site for the site s of a wrapper's access.
func tr_describeWrapper(s uintptr) (pos, expr, decl string, ok bool) {
	w := tr_wrapperSiteAt(s)
	if w == nil {
		return "", "", "", false
	}
	pos, expr, _, _ = tr_site(uintptr(unsafe.Pointer(w.call.site)))
	b := tr_wrapperDecl[:0]
	put := func(s string) {
		b = b[:len(b)+copy(b[len(b):cap(b)], s)]
	}
	if w.step.kind == tr_copies {
		put("the ")
		put(toRType(w.step.owner).string())
		put(" that method ")
		put(w.call.name)
		put(" copies as its receiver")
	} else {
		put("embedded field ")
		put(w.step.field)
		put(" of ")
		put(toRType(w.step.owner).string())
		put(", on the way to method ")
		put(w.call.name)
	}
	return pos, expr, unsafe.String(&tr_wrapperDecl[0], len(b)), true
}

// taskinstr_accesses reports whether the wrapper of a method of the receiver in the empty
// interface at e makes any access.
//
//go:linkname taskinstr_accesses
//go:nosplit
func taskinstr_accesses(e unsafe.Pointer, c *tr_call) bool {
	typ := (*eface)(e)._type
	return typ != nil && tr_accesses(typ, c, uintptr(unsafe.Pointer(typ)))
}

//go:nosplit
func tr_accesses(typ *_type, c *tr_call, word uintptr) bool {
	w := tr_knownWrapper(typ, c)
	if w == nil {
		systemstack(func() { w = tr_wrapperOf(typ, c) })
	}
	if w.n == 0 {
		tr_noteHarmless(c, word)
	}
	return w.n != 0
}

// taskinstr_bound returns the receiver in the method value f of an interface, nil if the
// wrapper of the method makes no access. The compiler stores the interface directly
// behind the function's address.
//
//go:linkname taskinstr_bound
//go:nosplit
func taskinstr_bound(f unsafe.Pointer, c *tr_call) unsafe.Pointer {
	r := add(*(*unsafe.Pointer)(f), 8)
	tab := (*iface)(r).tab
	if uintptr(unsafe.Pointer(tab)) == atomic.Loaduintptr(&c.last) || !tr_accesses(tab.Type, c, uintptr(unsafe.Pointer(tab))) {
		return nil
	}
	return r
}

// taskinstr_gocall makes the goroutine that the caller starts next begin with the
// accesses of the wrapper of a method of the receiver in the empty interface at e. The
// caller reads the receiver's path: until the goroutine has started, no event can be
// ordered in between.
//
//go:linkname taskinstr_gocall
//go:nosplit
func taskinstr_gocall(e unsafe.Pointer, c *tr_call) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	typ, data := (*eface)(e)._type, (*eface)(e).data
	if t == nil || typ == nil || gp != gp.m.curg || !tr_accesses(typ, c, uintptr(unsafe.Pointer(typ))) {
		return
	}
	systemstack(func() {
		w := tr_walkOf(t)
		if w.starts == nil {
			w.starts = (*tr_starts)(persistentalloc(unsafe.Sizeof(tr_starts{}), 8, &memstats.other_sys))
		}
		b := w.starts
		b.n = 0
		tr_walkWrapper(typ, data, c, func(a, n, s uintptr) {
			if tr_wrapperReads(gp, a, n) && b.n < len(b.reads) {
				b.reads[b.n] = tr_startRead{a, n, s}
				b.n++
			}
		})
	})
}

// tr_starts are the accesses with which a goroutine about to start begins.
type tr_starts struct {
	n     int
	reads [4]tr_startRead
}

type tr_startRead struct{ addr, size, site uintptr }

// tr_begins records the accesses with which task t begins, after parent has started it at
// pc.
func tr_begins(t, parent *ti_Task, pc uintptr) {
	w := (*tr_walk)(unsafe.Pointer(parent.Host))
	if w == nil || w.starts == nil || w.starts.n == 0 {
		return
	}
	for _, r := range w.starts.reads[:w.starts.n] {
		tr_engine.Access(t, r.addr, r.size, tr_read, r.site, pc, 0)
	}
	w.starts.n = 0
}

// tr_reflectValue mirrors reflect.Value.
type tr_reflectValue struct {
	typ  *_type
	ptr  unsafe.Pointer
	flag uintptr
}

// Parts of flag: whether the value is stored indirectly, and the index of the method.
const (
	tr_reflectIndirect    = 1 << 7
	tr_reflectMethodShift = 10
)

// operand returns the type and the data word of an interface with the value.
func (v *tr_reflectValue) operand() (*_type, unsafe.Pointer) {
	typ, data := v.typ, v.ptr
	if typ.Kind() == abi.Interface {
		if len((*abi.InterfaceType)(unsafe.Pointer(typ)).Methods) == 0 {
			return (*eface)(data)._type, (*eface)(data).data
		}
		tab := (*iface)(data).tab
		if tab == nil {
			return nil, nil
		}
		return tab.Type, (*iface)(data).data
	}
	if v.flag&tr_reflectIndirect != 0 && tr_pointerShaped(typ) {
		data = *(*unsafe.Pointer)(data)
	}
	return typ, data
}

// taskinstr_reflected records the accesses of the wrapper that package reflect is about
// to call: a method of rcvr, or else fn with the arguments in.
//
//go:linkname taskinstr_reflected
//go:nosplit
func taskinstr_reflected(method bool, rcvr *tr_reflectValue, fn unsafe.Pointer, in *[]tr_reflectValue) {
	pc, fp := sys.GetCallerPC(), getfp()
	var c *tr_call
	var typ *_type
	var data unsafe.Pointer
	systemstack(func() {
		name := ""
		if method {
			name = tr_reflectMethod(rcvr)
		} else {
			f := findfunc(*(*uintptr)(fn))
			if len(*in) == 0 || !f.valid() {
				return
			}
			rcvr = &(*in)[0]
			t := rcvr.typ
			if t.Kind() != abi.Pointer {
				return
			}
			name = tr_afterDot(funcname(f))
			if !tr_isMethod(funcname(f), (*abi.PtrType)(unsafe.Pointer(t)).Elem, name, true) {
				return
			}
		}
		c = tr_callOf(name)
		typ, data = rcvr.operand()
	})
	if typ != nil {
		tr_mediated(typ, data, c, 0, pc, fp)
	}
}

// tr_reflectMethod returns the name of the method that the value v represents.
func tr_reflectMethod(v *tr_reflectValue) string {
	i := int(v.flag >> tr_reflectMethodShift)
	if v.typ.Kind() == abi.Interface {
		t := (*abi.InterfaceType)(unsafe.Pointer(v.typ))
		return tr_methodName(v.typ, t.Methods[i].Name)
	}
	return tr_methodName(v.typ, toRType(v.typ).uncommon().ExportedMethods()[i].Name)
}

func tr_afterDot(s string) string {
	i := len(s)
	for i > 0 && s[i-1] != '.' {
		i--
	}
	return s[i:]
}

// tr_calls are the calls by name that package reflect has made.
var tr_calls struct {
	lock uint32
	list *tr_namedCall
}

type tr_namedCall struct {
	call tr_call
	next *tr_namedCall
}

// tr_callOf returns the call with a method name.
func tr_callOf(name string) *tr_call {
	s := &tr_calls
	for n := (*tr_namedCall)(atomic.Loadp(unsafe.Pointer(&s.list))); n != nil; n = n.next {
		if n.call.name == name {
			return &n.call
		}
	}
	me_Lock(&s.lock)
	n := (*tr_namedCall)(persistentalloc(unsafe.Sizeof(tr_namedCall{}), 8, &memstats.other_sys))
	n.call.name, n.next = name, s.list
	atomic.StorepNoWB(unsafe.Pointer(&s.list), unsafe.Pointer(n))
	me_Unlock(&s.lock)
	return &n.call
}

// The lines of the method value helpers that splicing adds to packages, and the mark of
// the records that their functions capture (internal/splice/dynamic.go).
const (
	tr_wrapperLine = 1_000_000
	tr_wrapperEnd  = 1_040_000 // the compiler counts lines up to 1,048,575
	tr_methodMagic = 0x7461736b696d6574
)

// tr_funcID returns the kind of a function that begins at a line: functions made by the
// helpers are wrappers, like the compiler's own.
func tr_funcID(id abi.FuncID, line int32) abi.FuncID {
	if tr_helperAt(line) {
		return abi.FuncIDWrapper
	}
	return id
}

// tr_helperAt reports whether a function that begins at a line is a helper of method
// values, or a literal in one. The names of such literals begin with the functions into
// which they were inlined.
func tr_helperAt(line int32) bool { return line >= tr_wrapperLine && line < tr_wrapperEnd }

// taskinstr_target returns the function behind a function value f made by a helper of
// method values, and f itself for other functions.
//
//go:linkname taskinstr_target
func taskinstr_target(f unsafe.Pointer) unsafe.Pointer {
	fn := findfunc(*(*uintptr)(f))
	if !fn.valid() || tr_funcID(fn.funcID, fn.startLine) == fn.funcID {
		return f
	}
	// A dictionary of type arguments may precede it.
	for i := uintptr(1); i <= 2; i++ {
		if m := *(*unsafe.Pointer)(add(f, 8*i)); *(*uint64)(m) == tr_methodMagic {
			return *(*unsafe.Pointer)(add(m, 8))
		}
	}
	return f
}
