package ssapass

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// A header is a field of slice type that alone leads to the elements behind its length: each
// array of the field was new when the field got it, the field never becomes shorter except
// together with its array, and other code gets strings of the elements in front of the length
// at most. An append to a header that is stored back writes elements that no other code knows:
// every access to these elements, in any task, loads the header of the append or a longer
// one, and does so after the append has stored it.
//
// In a unit all functions that name an unexported field are in sight. A copy of the struct
// would be a second header of the same array, and other packages may make copies. So the
// struct must be one whose methods stop the program if a copy appends (selfChecked). Copies
// in the unit are none.

// selfChecked has the types, by package path and name, whose methods panic before they
// append to a copy of a value that has an array.
var selfChecked = map[[2]string]bool{
	{"strings", "Builder"}: true, // by copyCheck
}

// Behind reports whether the access is the write of an append to elements that no other
// code knows yet, because a header alone leads to them.
func (a *Analysis) Behind(c Access) bool {
	if a.behind == nil {
		a.findBehind()
	}
	call, ok := c.Instr.(*ssa.Call)
	return ok && a.behind[call] && c.Addr == call.Call.Args[0]
}

// findBehind collects the appends to headers.
func (a *Analysis) findBehind() {
	a.behind = map[*ssa.Call]bool{}
	if a.prog.unit == nil {
		return
	}
	for key := range selfChecked {
		list := a.prog.unit.named(key[0])
		if len(list) != 1 {
			continue
		}
		m := list[0]
		name, ok := m.Pkg.Scope().Lookup(key[1]).(*types.TypeName)
		if !ok {
			continue
		}
		s, ok := name.Type().Underlying().(*types.Struct)
		if named, isNamed := name.Type().(*types.Named); !ok || !isNamed || named.TypeParams().Len() > 0 {
			continue
		}
		for f := range s.Fields() {
			if isSlice(f.Type()) && !f.Exported() {
				h := headers{a: a, member: m, owner: s, field: f}
				if h.verify() {
					for _, c := range h.appends {
						a.behind[c] = true
					}
				}
			}
		}
	}
}

// headers verifies one field.
type headers struct {
	a       *Analysis
	member  *Unit
	owner   *types.Struct
	field   *types.Var
	appends []*ssa.Call
}

// verify reports whether the field is a header in all values of its struct.
func (h *headers) verify() bool {
	if len(h.member.Other) > 0 {
		return false // assembly may name the field
	}
	h.a.findContracts()
	for _, f := range h.a.prog.funcs {
		if packageOf(f) != h.member.Pkg {
			continue
		}
		if norace(f) {
			return false // it may publish strings, or pointers to the struct, without a check
		}
		for _, p := range f.Params {
			if h.copied(p.Type()) {
				return false
			}
		}
		for in := range instrs.Of(f) {
			if !h.instr(in) {
				return false
			}
		}
	}
	return true
}

// copied reports whether a value of type t contains the struct.
func (h *headers) copied(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Struct:
		if t == h.owner {
			return true
		}
		for f := range t.Fields() {
			if h.copied(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return h.copied(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if h.copied(v.Type()) {
				return true
			}
		}
	}
	return false
}

// leads reports whether a value of type t points to memory that contains the struct.
func (h *headers) leads(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice:
		return h.copied(pointsto.Target(t))
	}
	return false
}

// instr reports whether the instruction leaves the field a header.
func (h *headers) instr(in ssa.Instruction) bool {
	if v, ok := in.(ssa.Value); ok && h.copied(v.Type()) {
		return false
	}
	switch in := in.(type) {
	case *ssa.FieldAddr:
		s, ok := pointsto.Target(in.X.Type()).Underlying().(*types.Struct)
		return !ok || s.Field(in.Field) != h.field || h.address(in)
	case *ssa.ChangeType:
		return !h.leads(in.X.Type()) && !h.leads(in.Type())
	case *ssa.Convert:
		if h.leads(in.X.Type()) {
			return h.hidden(in)
		}
		if h.leads(in.Type()) {
			c, ok := in.X.(*ssa.Call)
			return ok && hides(c)
		}
	case *ssa.MultiConvert, *ssa.SliceToArrayPointer:
		return !h.leads(in.(ssa.Value).Type())
	case ssa.CallInstruction:
		if b, ok := in.Common().Value.(*ssa.Builtin); ok && (b.Name() == "append" || b.Name() == "copy") {
			return !h.leads(in.Common().Args[0].Type())
		}
	}
	return true
}

// hidden reports whether a pointer to the struct that becomes an unsafe.Pointer becomes a
// pointer of the same type again.
func (h *headers) hidden(in *ssa.Convert) bool {
	for u := range instrs.Uses(in) {
		c, ok := u.(*ssa.Call)
		if !ok || !hides(c) {
			return false
		}
		for w := range instrs.Uses(c) {
			if back, ok := w.(*ssa.Convert); !ok || !types.Identical(back.Type(), in.X.Type()) {
				return false
			}
		}
	}
	return true
}

// hides reports whether the call returns its argument, and hides that from the compiler.
func hides(c *ssa.Call) bool {
	f := c.Call.StaticCallee()
	return f != nil && f.String() == "internal/abi.NoEscape"
}

// address reports whether the address of the field serves to load and to store the field only.
func (h *headers) address(x *ssa.FieldAddr) bool {
	for u := range instrs.Uses(x) {
		switch u := u.(type) {
		case *ssa.UnOp:
			if u.Op != token.MUL || !h.loaded(u, x.X) {
				return false
			}
		case *ssa.Store:
			if u.Addr != x || !h.stored(u.Val, x.X, u) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// load reports whether v is the value of the field of the struct at base.
func (h *headers) load(v ssa.Value, base ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	if !ok || u.Op != token.MUL {
		return false
	}
	x, ok := u.X.(*ssa.FieldAddr)
	return ok && h.of(x, base)
}

// of reports whether x is the address of the field of the struct at base.
func (h *headers) of(x *ssa.FieldAddr, base ssa.Value) bool {
	s, ok := pointsto.Target(x.X.Type()).Underlying().(*types.Struct)
	return ok && x.X == base && s.Field(x.Field) == h.field
}

// loaded reports whether the uses of v, the value of the field of the struct at base, give no
// other code a way to the elements behind the length of v.
func (h *headers) loaded(v *ssa.UnOp, base ssa.Value) bool {
	for u := range instrs.Uses(v) {
		switch u := u.(type) {
		case *ssa.BinOp:
		case *ssa.IndexAddr:
			if !accessed(u) {
				return false
			}
		case *ssa.Convert:
			if !isString(u.Type()) {
				return false
			}
		case *ssa.Slice:
			if u.High != nil || u.Max != nil || !h.read(u) {
				return false
			}
		case *ssa.Call:
			if !h.passed(u, v, base) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// accessed reports whether the address of an element serves to load and to store it only.
func accessed(x *ssa.IndexAddr) bool {
	for u := range instrs.Uses(x) {
		switch u := u.(type) {
		case *ssa.UnOp:
			if u.Op != token.MUL {
				return false
			}
		case *ssa.Store:
			if u.Addr != x {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// read reports whether a slice of the field is only read, by builtin functions and
// conversions.
func (h *headers) read(v *ssa.Slice) bool {
	for u := range instrs.Uses(v) {
		switch u := u.(type) {
		case *ssa.Convert:
			if !isString(u.Type()) {
				return false
			}
		case *ssa.Call:
			switch builtin(u) {
			case "len", "cap":
			case "copy", "append":
				if u.Call.Args[0] == v {
					return false
				}
			default:
				return false
			}
		default:
			return false
		}
	}
	return true
}

// builtin returns the name of the builtin function that the call runs, or "".
func builtin(c *ssa.Call) string {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	return ""
}

// passed is loaded for one call that gets v.
func (h *headers) passed(c *ssa.Call, v *ssa.UnOp, base ssa.Value) bool {
	switch builtin(c) {
	case "len", "cap", "copy", "clear":
		return true
	case "append":
		if c.Call.Args[0] != v {
			return true
		}
		if !h.back(c, base) {
			return false
		}
		h.appends = append(h.appends, c)
		return true
	case "SliceData":
		for u := range instrs.Uses(c) {
			s, ok := u.(*ssa.Call)
			if !ok || builtin(s) != "String" || !h.length(s.Call.Args[1], base, v) {
				return false
			}
		}
		return true
	}
	k := h.contract(c)
	if k == nil {
		return false
	}
	for i, arg := range c.Call.Args {
		if arg != v {
			continue
		}
		if i >= len(k.Params) || k.Params[i]&(pointsto.Keeps|pointsto.KeepsInner|pointsto.Stores) != 0 {
			return false
		}
		for _, r := range k.Results {
			if r.From>>i&1 != 0 && (len(k.Results) > 1 || !h.back(c, base)) {
				return false
			}
		}
	}
	return true
}

// contract returns the contract of the function that c calls, or nil if there is none or if
// the function may order this task and another: its accesses to the elements must be in the
// steps of the load and the store of the header.
func (h *headers) contract(c *ssa.Call) *contract {
	f := c.Call.StaticCallee()
	if f == nil || c.Call.Value != ssa.Value(f) ||
		h.a.CallSync(c)&(acquire|MayRelease|MaySpawn|MayLock|MayGoexit|MayExit|MayRecover|CallsUnseen) != 0 {
		return nil
	}
	f = h.a.prog.bodyOr(f)
	return h.a.contractOf(f)
}

// length reports whether n is the length of the field of the struct at base, loaded beside v.
func (h *headers) length(n ssa.Value, base ssa.Value, v *ssa.UnOp) bool {
	c, ok := n.(*ssa.Call)
	if !ok || builtin(c) != "len" || !h.load(c.Call.Args[0], base) {
		return false
	}
	return straight(v, c.Call.Args[0].(*ssa.UnOp))
}

// back reports whether the result of c is stored in the field of the struct at base, at once,
// and has no other use.
func (h *headers) back(c *ssa.Call, base ssa.Value) bool {
	var store *ssa.Store
	for u := range instrs.Uses(c) {
		s, ok := u.(*ssa.Store)
		if !ok || store != nil || s.Val != c {
			return false
		}
		x, ok := s.Addr.(*ssa.FieldAddr)
		if !ok || !h.of(x, base) {
			return false
		}
		store = s
	}
	return store != nil && straight(c, store)
}

// straight reports whether control goes from one instruction to the other, in one block,
// without a call, a store or an operation that orders tasks.
func straight(from, to ssa.Instruction) bool {
	b := from.Block()
	i, j := slices.Index(b.Instrs, from), slices.Index(b.Instrs, to)
	if to.Block() != b || j < i {
		return false
	}
	for _, in := range b.Instrs[i+1 : max(i+1, j)] {
		switch in := in.(type) {
		case *ssa.Call:
			switch builtin(in) {
			case "len", "cap", "SliceData":
				continue
			}
			return false
		case *ssa.Store, *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Defer, *ssa.MapUpdate, *ssa.RunDefers:
			return false
		case *ssa.UnOp:
			if in.Op == token.ARROW {
				return false
			}
		}
	}
	return true
}

// stored reports whether v may become the value of the field of the struct at base: nil, what
// an append to the same field returns, or a new array.
func (h *headers) stored(v ssa.Value, base ssa.Value, st *ssa.Store) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.Call:
		if builtin(v) == "append" {
			return h.load(v.Call.Args[0], base)
		}
		if k := h.contract(v); k != nil && len(k.Results) == 1 && k.Results[0].Known && k.Results[0].From != 0 {
			for i, arg := range v.Call.Args {
				if k.Results[0].From>>i&1 != 0 && !h.load(arg, base) {
					return false
				}
			}
			return true
		}
	}
	return h.made(v, st)
}

// made reports whether v is a new array, or the beginning of one, to which st stores the only
// pointer that is used from then on.
func (h *headers) made(v ssa.Value, st *ssa.Store) bool {
	for {
		for _, u := range *v.Referrers() {
			switch u := u.(type) {
			case *ssa.DebugRef:
				continue
			case *ssa.Store:
				if u != st {
					return false
				}
			case *ssa.Slice:
			case *ssa.Call:
				switch builtin(u) {
				case "len", "cap", "copy":
				default:
					return false
				}
			default:
				return false
			}
			if u.Block() != st.Block() || slices.Index(st.Block().Instrs, u) > slices.Index(st.Block().Instrs, ssa.Instruction(st)) {
				return false
			}
		}
		switch x := v.(type) {
		case *ssa.MakeSlice:
			return true
		case *ssa.Call:
			return h.fresh(x)
		case *ssa.Slice:
			if x.Low != nil || !isSlice(x.X.Type()) {
				return false
			}
			v = x.X
		default:
			return false
		}
	}
}

// fresh reports whether the call returns new memory only.
func (h *headers) fresh(c *ssa.Call) bool {
	f := c.Call.StaticCallee()
	if f == nil || c.Call.Value != ssa.Value(f) {
		return false
	}
	f = h.a.prog.bodyOr(f)
	k := h.a.contractOf(f)
	return k != nil && len(k.Results) == 1 && k.Results[0].Known && k.Results[0].Fresh && k.Results[0].From == 0
}
