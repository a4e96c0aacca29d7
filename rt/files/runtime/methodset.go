//go:build taskinstr_runtime

// The path from a receiver to a promoted method, found in the descriptions of types.

package runtime

import (
	"internal/abi"
	"unsafe"
)

// tr_resolve finds the accesses that the wrapper of method name makes for receivers of
// type typ. It returns their number.
func tr_resolve(typ *_type, name string, steps *[tr_maxSteps]tr_step) (n int) {
	// The current value has type t and lies at offset off of the value that the last step
	// reached.
	t, off, pointed := typ, uintptr(0), false
	if typ.Kind() == abi.Pointer {
		t, pointed = (*abi.PtrType)(unsafe.Pointer(typ)).Elem, true
	}
	// A method that only *T has is reached without an access: T declares it for pointers,
	// or embeds, not by pointer, a type that does.
	for depth := 0; depth < tr_maxDepth && tr_hasMethod(t, name); depth++ {
		f := tr_promotes(t, name)
		if f == nil || tr_declares(t, name) {
			// Only the interface owns its copy of a value, and the parts reached inside
			// it.
			if pointed && t.Size_ != 0 && n < len(steps) {
				steps[n] = tr_step{kind: tr_copies, off: off, size: t.Size_, owner: t}
				n++
			}
			return n
		}
		s := tr_step{off: off + f.Offset, size: f.Typ.Size_, owner: t, field: f.Name.Name()}
		switch f.Typ.Kind() {
		case abi.Interface:
			s.kind = tr_switches
		case abi.Pointer:
			s.kind = tr_follows
		default:
			t, off = f.Typ, s.off
			continue
		}
		if n == len(steps) {
			return n
		}
		steps[n] = s
		n++
		if s.kind == tr_switches {
			return n
		}
		t, off, pointed = (*abi.PtrType)(unsafe.Pointer(f.Typ)).Elem, 0, true
	}
	return n
}

// tr_promotes returns the embedded field of t that provides method name at the least
// depth, nil if none does.
func tr_promotes(t *_type, name string) *abi.StructField {
	f, _ := tr_provider(t, name, 0)
	return f
}

// tr_provider is tr_promotes with the depth of the method: 1 if the field's type declares
// it.
func tr_provider(t *_type, name string, level int) (best *abi.StructField, depth int) {
	if t.Kind() != abi.Struct || level == tr_maxDepth {
		return nil, 0
	}
	st := (*abi.StructType)(unsafe.Pointer(t))
	for i := range st.Fields {
		f := &st.Fields[i]
		if !f.Name.IsEmbedded() || !tr_provides(f.Typ, name) {
			continue
		}
		d := 1
		e := f.Typ
		if e.Kind() == abi.Pointer {
			e = (*abi.PtrType)(unsafe.Pointer(e)).Elem
		}
		if inner, more := tr_provider(e, name, level+1); inner != nil && !tr_declares(e, name) {
			d += more
		}
		if best == nil || d < depth {
			best, depth = f, d
		}
	}
	return best, depth
}

// tr_provides reports whether an embedded field of type t adds method name to the method
// set of the struct.
func tr_provides(t *_type, name string) bool {
	if t.Kind() != abi.Interface {
		return tr_hasMethod(t, name)
	}
	i := (*abi.InterfaceType)(unsafe.Pointer(t))
	for k := range i.Methods {
		if tr_methodName(t, i.Methods[k].Name) == name {
			return true
		}
	}
	return false
}

func tr_methodName(t *_type, off nameOff) string { return toRType(t).nameOff(off).Name() }

// tr_methodOf returns the method of t with a name, nil if there is none.
func tr_methodOf(t *_type, name string) *abi.Method {
	u := toRType(t).uncommon()
	if u == nil {
		return nil
	}
	list := u.Methods()
	for i := range list {
		if tr_methodName(t, list[i].Name) == name {
			return &list[i]
		}
	}
	return nil
}

func tr_hasMethod(t *_type, name string) bool { return tr_methodOf(t, name) != nil }

// tr_declares reports whether the program declares method name for t, a struct that has
// the method and may also embed a type that has it. A method whose code is no wrapper is
// declared. If the linker has dropped the code from the description of the type, or a
// wrapper only adds a dictionary, the table of functions decides.
func tr_declares(t *_type, name string) bool {
	typ := tr_typeName(t)
	if typ == "" || tr_promotes(t, name) == nil {
		return typ != ""
	}
	m := tr_methodOf(t, name)
	if m == nil {
		return true // only pointers have the method
	}
	if m.Tfn > 0 {
		fn := findfunc(uintptr(toRType(t).textOff(m.Tfn)))
		if fn.valid() && funcname(fn) != "runtime.unreachableMethod" && (fn.funcID != abi.FuncIDWrapper || typ[len(typ)-1] != ']') {
			return fn.funcID != abi.FuncIDWrapper
		}
	}
	return tr_namesMethod(t, name)
}

func tr_typeName(t *_type) string {
	if t.TFlag&abi.TFlagNamed == 0 {
		return ""
	}
	return toRType(t).name()
}

// tr_namesMethod reports whether the table of functions contains a method declared for t,
// perhaps inlined into its wrappers. It searches all functions.
func tr_namesMethod(t *_type, name string) bool {
	for md := &firstmoduledata; md != nil; md = md.next {
		for i := 0; i+1 < len(md.ftab); i++ {
			fn := funcInfo{(*_func)(unsafe.Pointer(&md.pclntable[md.ftab[i].funcoff])), md}
			value := tr_isMethod(funcname(fn), t, name, false)
			if !value && !tr_isMethod(funcname(fn), t, name, true) {
				continue
			}
			if value && fn.funcID != abi.FuncIDWrapper {
				return true
			}
			for pc, end := fn.entry(), md.textAddr(md.ftab[i+1].entryoff); pc < end; pc++ {
				u, f := newInlineUnwinder(fn, pc)
				for ; u.isInlined(f); f = u.next(f) {
					if tr_isMethod(u.srcFunc(f).name(), t, name, false) {
						return true
					}
				}
			}
		}
	}
	return false
}

// tr_isMethod reports whether fn is the linker's name of a method of the named type t, or
// of *t if pointer is set: path.Type.Method, path.(*Type).Method. Type arguments are
// abbreviated to [...].
func tr_isMethod(fn string, t *_type, name string, pointer bool) bool {
	typ := tr_typeName(t)
	path := toRType(t).pkgpath()
	fn, ok := tr_cutSuffix(fn, name)
	if !ok || typ == "" {
		return false
	}
	before, behind := ".", "."
	if pointer {
		before, behind = ".(*", ")."
	}
	if fn, ok = tr_cutSuffix(fn, behind); !ok {
		return false
	}
	for i := 0; i < len(typ); i++ {
		if typ[i] == '[' {
			if fn, ok = tr_cutSuffix(fn, "[...]"); !ok {
				return false
			}
			typ = typ[:i]
		}
	}
	if fn, ok = tr_cutSuffix(fn, typ); !ok {
		return false
	}
	if fn, ok = tr_cutSuffix(fn, before); !ok {
		return false
	}
	// The linker writes some bytes of paths as %xx.
	for i := 0; i < len(fn); i++ {
		c := fn[i]
		if c == '%' && i+2 < len(fn) {
			c = tr_unhex(fn[i+1])<<4 | tr_unhex(fn[i+2])
			i += 2
		}
		if path == "" || path[0] != c {
			return false
		}
		path = path[1:]
	}
	return path == ""
}

func tr_unhex(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

func tr_cutSuffix(s, suffix string) (string, bool) {
	if n := len(s) - len(suffix); n >= 0 && s[n:] == suffix {
		return s[:n], true
	}
	return s, false
}
