package ssapass

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// The objects of pooled types own arrays, too: those that lie in their fields, and those to which slices in their fields point, as
// the bytes that a printer has printed. The elements hold no pointers but strings. Such an array belongs to the object's owner, as long as the slices of it
// stay on the owner's stack or in fields of the object. A list is a slice of such an array.
//
// A list comes from a field of the object, from a slice of an array in the object, and from other lists by slicing, append
// and phis. It is used for its elements, its length, copies to strings and to other slices, stores in fields of the same
// object, and as an argument that the callee neither keeps nor returns. Any other use is a leak, behind which all lists of
// the type have checks. So is the store of another slice in such a field.

type list struct {
	members []ssa.Value
	objects map[ssa.Value]*types.TypeName // from which the slices come, see pooling.root, with the type that has the array
	params  []*ssa.Parameter
	types   []*types.TypeName // see typesOf
	other   bool              // a member may be a slice of memory that others know
}

// listAt reports whether addr is the address of a slice that is a candidate, or a field of one, and whose elements hold no pointers but
// strings.
func (w *pooling) listAt(addr ssa.Value) bool {
	p, ok := addr.Type().Underlying().(*types.Pointer)
	return ok && isList(p.Elem()) && w.has(addr) != nil
}

// has returns the candidate type of which the address is, or of a field of which; nil if there is none.
func (w *pooling) has(addr ssa.Value) *types.TypeName {
	if f, ok := addr.(*ssa.FieldAddr); ok && w.of(addr) == 0 {
		addr = f.X
	}
	if w.of(addr) == 0 {
		return nil
	}
	return pointee(addr)
}

// isList reports whether t is a type of slices whose elements hold no pointers but strings.
func isList(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && numbers(s.Elem())
}

// arrayOf returns the address of the array that is sliced if it is a field of a candidate, nil otherwise.
func (w *pooling) arrayOf(v *ssa.Slice) *ssa.FieldAddr {
	if a, ok := v.X.(*ssa.FieldAddr); ok && isList(v.Type()) && isArray(a.Type()) && w.of(a) == 0 && w.has(a) != nil {
		return a
	}
	return nil
}

func isArray(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if ok {
		_, ok = p.Elem().Underlying().(*types.Array)
	}
	return ok
}

// isMade reports whether v is a new slice of constant length.
func isMade(v *ssa.Slice) bool {
	a, ok := v.X.(*ssa.Alloc)
	return ok && a.Comment == "makeslice"
}

// trackLists finds the lists of all functions, and their leaks.
func (w *pooling) trackLists() {
	w.listed, w.leaky, w.listLeaks = map[ssa.Value][]*types.TypeName{}, map[*types.TypeName]bool{}, nil
	for t := range w.kinds {
		for _, f := range fieldsOf(t.Type()) {
			if w.whole[t] && isList(f.Type()) || w.known[f] && (isList(f.Type()) || w.sliced[f]) {
				w.leaky[t] = true
			}
		}
	}
	w.owned, w.may = map[*ssa.Parameter]bool{}, map[*ssa.Parameter]map[*types.TypeName]bool{}
	var funcs []*ssa.Function
	for _, f := range w.funcs {
		if !ofDetector(f) && len(f.Blocks) > 0 {
			funcs = append(funcs, f)
		}
		calls, all := w.a.Callers(f)
		for _, c := range calls {
			all = all && w.near(c) == f
		}
		for _, p := range f.Params {
			w.owned[p] = all
		}
	}
	w.groups = map[*ssa.Function][]*list{}
	for _, f := range funcs {
		w.groups[f] = w.listsOf(f)
	}
	for again := true; again; {
		again = false
		for _, f := range funcs {
			for _, l := range w.groups[f] {
				again = w.handOn(l) || again
			}
		}
	}
	for _, f := range funcs {
		w.groups[f] = slices.DeleteFunc(w.groups[f], func(l *list) bool {
			l.types = w.typesOf(l)
			return len(l.types) == 0
		})
		for _, l := range w.groups[f] {
			w.leaksOf(l)
			if w.owns(l) {
				for _, v := range l.members {
					w.listed[v] = l.types
				}
			}
		}
		w.stored(f)
	}
}

// leaksOf notes the leaks of a group.
func (w *pooling) leaksOf(l *list) {
	for _, v := range l.members {
		for _, u := range *v.Referrers() {
			if w.usesList(u, v, l) {
				continue
			}
			for _, t := range l.types {
				w.leakLists(Leak{Pos: useAt(u, v), Type: t, Lists: true, Write: givesWriter(u)})
			}
		}
	}
}

// typesOf returns the types of objects of which the slices of the group may be lists.
func (w *pooling) typesOf(l *list) (list []*types.TypeName) {
	add := func(t *types.TypeName) {
		if !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	for _, t := range l.objects {
		add(t)
	}
	for _, p := range l.params {
		for t := range w.may[p] {
			add(t)
		}
	}
	slices.SortFunc(list, func(x, y *types.TypeName) int { return cmp.Compare(x.Id(), y.Id()) })
	return list
}

// owns reports whether all members of the group are lists, or new memory.
func (w *pooling) owns(l *list) bool {
	for _, p := range l.params {
		if !w.owned[p] {
			return false
		}
	}
	return !l.other
}

// handOn notes what callees get from the group. It reports whether they get more than is known.
func (w *pooling) handOn(l *list) (more bool) {
	types, owns := w.typesOf(l), w.owns(l)
	for _, v := range l.members {
		for _, u := range *v.Referrers() {
			c, ok := u.(ssa.CallInstruction)
			if !ok {
				continue
			}
			f := w.near(c)
			if f == nil {
				continue
			}
			for i, a := range c.Common().Args {
				if a != v || i >= len(f.Params) {
					continue
				}
				p := f.Params[i]
				for _, t := range types {
					more = w.mayBe(p, t) || more
				}
				if w.owned[p] && (len(types) == 0 || !owns) {
					w.owned[p], more = false, true
				}
			}
		}
	}
	return more
}

// mayBe notes that a parameter may be a list of a type. It reports whether that is new.
func (w *pooling) mayBe(p *ssa.Parameter, t *types.TypeName) bool {
	if w.may[p] == nil {
		w.may[p] = map[*types.TypeName]bool{}
	}
	old := w.may[p][t]
	w.may[p][t] = true
	return !old
}

// near returns the callee of the same package whose body is in sight, nil if it is not.
func (w *pooling) near(c ssa.CallInstruction) *ssa.Function {
	if f := w.callee(c); f != nil && packageOf(f) == packageOf(c.Parent()) && !ofDetector(f) {
		return f
	}
	return nil
}

// listsOf returns the groups of slices in f that may be slices of one array, as far as their elements hold no pointers but strings.
func (w *pooling) listsOf(f *ssa.Function) (groups []*list) {
	u := &unions{parent: map[ssa.Value]ssa.Value{}}
	for _, p := range f.Params {
		if isList(p.Type()) {
			u.find(p)
		}
	}
	for _, p := range f.FreeVars {
		if isList(p.Type()) {
			u.find(p)
		}
	}
	for in := range instrs.Of(f) {
		if v, ok := in.(ssa.Value); ok && isList(v.Type()) {
			u.find(v)
			from, _ := w.sources(v)
			for _, x := range from {
				if _, ok := x.(*ssa.Const); !ok {
					u.union(v, x)
				}
			}
		}
		if s, ok := in.(*ssa.Store); ok && isList(s.Val.Type()) && isCell(s.Addr) {
			if _, ok := s.Val.(*ssa.Const); !ok {
				u.union(s.Addr, s.Val)
			}
		}
	}
	of := map[ssa.Value]*list{}
	for _, v := range u.order {
		l := of[u.find(v)]
		if l == nil {
			l = &list{objects: map[ssa.Value]*types.TypeName{}}
			of[u.find(v)] = l
			groups = append(groups, l)
		}
		w.begin(l, v)
	}
	return groups
}

// sources returns the slices and local variables from which v comes: a slice, or a local variable of one. ok is false if it may come from elsewhere, but for
// new memory and candidates' objects.
func (w *pooling) sources(v ssa.Value) (from []ssa.Value, ok bool) {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.MakeSlice:
		return nil, true
	case *ssa.Alloc:
		return nil, isCell(v)
	case *ssa.Phi:
		return v.Edges, true
	case *ssa.ChangeType:
		return []ssa.Value{v.X}, true
	case *ssa.Slice:
		if isList(v.X.Type()) {
			return []ssa.Value{v.X}, true
		}
		return nil, isMade(v) || w.arrayOf(v) != nil
	case *ssa.UnOp:
		if v.Op == token.MUL && isCell(v.X) {
			return []ssa.Value{v.X}, true
		}
		return nil, v.Op == token.MUL && w.listAt(v.X)
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return v.Call.Args[:1], true
		}
		k := w.contractOf(v)
		if k == nil || len(k.Results) != 1 || !k.Results[0].Known {
			return nil, false
		}
		ok = true
		for i, a := range v.Call.Args {
			switch {
			case k.Results[0].From>>i&1 == 0:
			case isList(a.Type()):
				from = append(from, a)
			default:
				ok = false
			}
		}
		return from, ok
	}
	return nil, false
}

// begin adds v to the group, with the memory to which v alone points.
func (w *pooling) begin(l *list, v ssa.Value) {
	_, known := w.sources(v)
	l.other = l.other || !known
	addr := ssa.Value(nil) // of the slice or array in an object
	switch v := v.(type) {
	case *ssa.Alloc:
		return // a local variable is no slice
	case *ssa.Parameter:
		l.params = append(l.params, v)
	case *ssa.UnOp:
		if v.Op == token.MUL && !isCell(v.X) && w.listAt(v.X) {
			addr = v.X
		}
	case *ssa.Slice:
		if a := w.arrayOf(v); a != nil {
			addr = a
		}
	}
	if addr != nil {
		l.objects[w.root(addr)] = w.has(addr)
	}
	l.members = append(l.members, v)
}

// usesList reports whether an instruction may use v, a slice of the group, if it is a list.
func (w *pooling) usesList(in ssa.Instruction, v ssa.Value, l *list) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.Phi, *ssa.Slice, *ssa.ChangeType, *ssa.BinOp:
		return true
	case *ssa.IndexAddr:
		return in.X == v && len(publishing(in)) == 0
	case *ssa.Convert:
		return in.Type().Underlying() == types.Typ[types.String]
	case *ssa.Store:
		if in.Val == v && isCell(in.Addr) {
			return true
		}
		return in.Val == v && w.listAt(in.Addr) && w.owns(l) && len(l.params) == 0 && w.sameList(l, in.Addr)
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok {
			switch b.Name() {
			case "len", "cap", "append", "copy", "clear":
				return true
			}
			return false
		}
		if w.near(in) != nil {
			return true
		}
		return w.lends(in, v)
	}
	return false
}

// contractOf returns the contract of the function that a call runs, nil if it has none.
func (w *pooling) contractOf(c *ssa.Call) *contract {
	if f, ok := c.Call.Value.(*ssa.Function); ok {
		return w.a.contractOf(w.a.prog.bodyOr(f))
	}
	return nil
}

// sameList reports whether all lists of the group are of the object in which addr is.
func (w *pooling) sameList(l *list, addr ssa.Value) bool {
	for o := range l.objects {
		if o != w.root(addr) {
			return false
		}
	}
	return true
}

// lends reports whether the callee neither keeps v nor stores it.
func (w *pooling) lends(c *ssa.Call, v ssa.Value) bool {
	k := w.contractOf(c)
	if k == nil {
		return false
	}
	for i, a := range c.Call.Args {
		if a != v {
			continue
		}
		if i >= len(k.Params) || k.Params[i]&pointsto.Keeps != 0 {
			return false
		}
		for _, r := range k.Results {
			if r.Known && r.From>>i&1 != 0 && !isList(c.Type()) {
				return false
			}
		}
	}
	return true
}

// stored notes stores of other slices than lists in fields of candidates' objects.
func (w *pooling) stored(f *ssa.Function) {
	for in := range instrs.Of(f) {
		s, ok := in.(*ssa.Store)
		if !ok || !isList(s.Val.Type()) || !w.listAt(s.Addr) {
			continue
		}
		t := w.has(s.Addr)
		if _, ok := s.Val.(*ssa.Const); !ok && w.listed[s.Val] == nil && !isNew(s) {
			w.leakLists(Leak{Pos: in.Pos(), Type: t, Lists: true})
		}
	}
}

// isNew reports whether the store is the only use of a slice of new memory, in the block that makes it.
func isNew(in *ssa.Store) bool {
	switch v := in.Val.(type) {
	case *ssa.MakeSlice:
	case *ssa.Slice:
		if !isMade(v) {
			return false
		}
	default:
		return false
	}
	for _, u := range *in.Val.Referrers() {
		if _, ok := u.(*ssa.DebugRef); !ok && u != ssa.Instruction(in) {
			return false
		}
	}
	return in.Val.(ssa.Instruction).Block() == in.Block()
}

// useAt returns a position in the statement that uses v, or in an earlier one that computes v; none if there is none.
func useAt(in ssa.Instruction, v ssa.Value) token.Pos {
	if in.Pos().IsValid() {
		return in.Pos()
	}
	switch v.(type) {
	case *ssa.Phi, *ssa.Parameter, *ssa.FreeVar:
		return token.NoPos
	}
	return v.Pos()
}

// leakLists notes a leak of lists.
func (w *pooling) leakLists(l Leak) {
	if !l.Pos.IsValid() {
		w.leaky[l.Type] = true
		return
	}
	w.listLeaks = append(w.listLeaks, l)
}

// givesWriter reports whether an instruction calls the method of an io.Writer in an interface.
func givesWriter(in ssa.Instruction) bool {
	c, ok := in.(*ssa.Call)
	if !ok || !c.Call.IsInvoke() || c.Call.Method.Name() != "Write" {
		return false
	}
	sig := c.Call.Signature()
	return sig.Params().Len() == 1 && sig.Results().Len() == 2 && types.Identical(sig.Params().At(0).Type(), types.NewSlice(types.Typ[types.Byte]))
}

// joinLists puts the lists of f together with the objects to whose owner they belong.
func (w *pooling) joinLists(u *unions, f *ssa.Function) {
	for _, l := range w.groups[f] {
		for _, v := range l.members {
			u.union(l.members[0], v)
		}
		for o := range l.objects {
			u.union(l.members[0], o)
		}
	}
}

// concludeLists names the lists that are left.
func (w *pooling) concludeLists() {
	leaky := map[*types.TypeName]bool{}
	for t := range w.leaky {
		leaky[w.names[t]] = true
	}
	w.lists = map[ssa.Value]*types.TypeName{}
	for v, of := range w.listed {
		n := w.names[of[0]]
		if n != nil && !leaky[n] && !slices.ContainsFunc(of, func(t *types.TypeName) bool { return w.names[t] != n }) {
			w.lists[v] = n
		}
	}
	for t, n := range w.names {
		for _, f := range fieldsOf(t.Type()) {
			if w.sliced[f] && leaky[n] {
				w.known[f] = true
			}
		}
	}
	w.leaks = slices.DeleteFunc(w.leaks, func(l Leak) bool { return l.Lists && leaky[l.Type] })
}

// appendsValues reports whether a call of a builtin function is an append of single values.
func appendsValues(c *ssa.Call) bool {
	if len(c.Call.Args) < 2 {
		return false
	}
	s, ok := c.Call.Args[1].(*ssa.Slice)
	if !ok {
		return false
	}
	a, ok := s.X.(*ssa.Alloc)
	return ok && a.Comment == "varargs"
}

// ListOf returns the type that stands for the pooled types to whose objects the elements belong that are accessed, nil if they belong
// to none.
func (p *Pooled) ListOf(c Access) *types.TypeName {
	if isList(c.Addr.Type()) {
		if v, ok := c.Instr.(*ssa.Call); ok && !appendsValues(v) {
			if _, ok := v.Call.Value.(*ssa.Builtin); ok {
				return p.lists[c.Addr]
			}
		}
		return nil
	}
	addr := inside(c.Addr)
	for f := range fieldsAround(c.Addr) {
		switch {
		case p.known[f]:
			return nil
		case p.sliced[f]:
			return p.names[pointee(addr)]
		}
	}
	if x, ok := addr.(*ssa.IndexAddr); ok {
		return p.lists[x.X]
	}
	return nil
}
