package ssapass

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/ssapass/instrs"
)

// A struct type is pooled if each object of it belongs to one task at a time: to the one that made it, or that took it from a
// sync.Pool, until this task puts it into the pool. The pool orders the task's accesses before those of the next
// owner, so no two of them race.
//
// A pooled type is an unexported struct type of a package, whose objects the package takes from a pool in an unexported
// variable. Each pointer to such an object, and to a part of it whose type is declared in the package, stays on the owner's stack:
//
//   - it comes from an allocation, from the pool, from the address of a part, or from the result of a function of the package that has it
//     from there;
//   - it is used for loads, stores, addresses of parts, comparisons, as an argument of calls of the package's functions by
//     name, as the operand of Put, and as a result if all callers are known;
//   - it is stored in memory only in a field of the same object, as a pointer to a part may be (a self field);
//   - the function that hands an object to Put, or to a function that does, uses none of its pointers to it afterwards.
//
// An object becomes known to other code where it becomes a value of an interface, as the operand of a method call
// that the package does not see. This is a leak. A program sets a variable in front of it, and then makes the checks of these types.
// Accesses before that precede the leak, or lie before an earlier Put.
//
// Other fields whose address is used in another way, as of an array that is sliced, are excepted: Pooled.known.
//
// Other packages must not have such objects of their own. So a pooled type, and the type of a part, is no field but as a part, and stands in no
// package variable, type argument, exported type, parameter or result of an exported function but as a pointer. No value of it becomes the value of
// an interface.

// A Pooled has the pooled types of a program.
type Pooled struct {
	names map[*types.TypeName]*types.TypeName // of a pooled type, or of a part: the type that stands for all that share parts
	known map[*types.Var]bool                 // fields whose address other code may know
	leaks []Leak

	lists  map[ssa.Value]*types.TypeName // slices of arrays that belong to pooled objects (poollists.go), with the type as in names
	sliced map[*types.Var]bool           // arrays in such objects of which there are slices
}

// A Leak is a place where an object of a pooled type, or a list of one, becomes known to other code.
type Leak struct {
	Pos   token.Pos
	Type  *types.TypeName // stands for the types whose accesses need checks from there on
	Lists bool            // only accesses of their lists do
	// Write: Pos is that of a call x.Write(list), where x is an interface. It is no leak if the method copies the bytes.
	Write bool
}

// Leaks returns the places at which objects of pooled types become known to other code.
func (p *Pooled) Leaks() []Leak { return p.leaks }

// TypeOf returns the type that stands for the pooled type of the object that an instruction accesses, nil if the object has none, or
// if other code may know the part that is accessed.
func (p *Pooled) TypeOf(in ssa.Instruction) *types.TypeName {
	addr := ssa.Value(nil)
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL {
			addr = in.X
		}
	case *ssa.Store:
		addr = in.Addr
	}
	if addr == nil {
		return nil
	}
	for f := range fieldsAround(addr) {
		if p.known[f] || p.sliced[f] {
			return nil
		}
	}
	if p.hasKnown(site.Elem(addr.Type())) {
		return nil
	}
	return p.names[pointee(inside(addr))]
}

// hasKnown reports whether a value of type t contains a field whose address other code may know.
func (p *Pooled) hasKnown(t types.Type) bool {
	if u, ok := t.Underlying().(*types.Array); ok {
		return p.hasKnown(u.Elem())
	}
	return slices.ContainsFunc(fieldsOf(t), func(f *types.Var) bool { return p.known[f] || p.sliced[f] || p.hasKnown(f.Type()) })
}

// inside returns the value of which addr is the address of a field, or of an element of an array.
func inside(addr ssa.Value) ssa.Value {
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			if _, ok := x.X.Type().Underlying().(*types.Pointer); !ok {
				return addr
			}
			addr = x.X
		default:
			return addr
		}
	}
}

// pointee returns the declaration of the type to which v points, nil if there is none.
func pointee(v ssa.Value) *types.TypeName { return target(v.Type()) }

// target returns the declaration of the type to which values of type t point, nil if there is none.
func target(t types.Type) *types.TypeName {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return declared(p.Elem())
	}
	return nil
}

// declared returns the declaration of a type, nil if it has none.
func declared(t types.Type) *types.TypeName {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// Pooled finds the pooled types of the planned packages, by import path.
func (a *Analysis) Pooled(planned func(path string) bool) *Pooled {
	p := &Pooled{names: map[*types.TypeName]*types.TypeName{}, known: map[*types.Var]bool{}, sliced: map[*types.Var]bool{}}
	w := &pooling{
		Pooled: p, a: a, kinds: map[*types.TypeName]kind{}, pools: map[*ssa.Global]bool{}, self: map[*types.Var]bool{},
		mentioned: map[types.Type]bool{}, whole: map[*types.TypeName]bool{}, consumes: map[*ssa.Parameter]bool{}, places: Places{},
	}
	for _, f := range a.prog.funcs {
		w.candidates(f, planned)
	}
	if len(w.kinds) == 0 {
		return p
	}
	w.collect()
	w.mentions()
	for w.changed = true; w.changed; {
		w.changed, p.leaks = false, nil
		for _, f := range w.funcs {
			w.function(f)
		}
		w.wholes()
		w.trackLists()
		w.owners()
	}
	for _, l := range w.leaks { // of an object are leaks of its lists, too
		l.Lists = true
		w.listLeaks = append(w.listLeaks, l)
	}
	w.leaks = append(w.leaks, w.listLeaks...)
	w.conclude()
	w.concludeLists()
	return p
}

// A kind tells how a type takes part.
type kind uint8

const (
	handle kind = 1 + iota // a pooled type
	part                   // the type of a part of it
)

// pooling finds the pooled types: of the candidates those that nothing contradicts.
type pooling struct {
	*Pooled
	a         *Analysis
	kinds     map[*types.TypeName]kind // of the candidates that are left
	pools     map[*ssa.Global]bool     // of handles
	self      map[*types.Var]bool      // fields that hold pointers to parts of their own object
	mentioned map[types.Type]bool      // types that mention has visited
	whole     map[*types.TypeName]bool // candidates whose values are copied as a whole
	consumes  map[*ssa.Parameter]bool  // whether the function hands the argument to a pool
	funcs     []*ssa.Function          // of the packages that declare candidates
	places    Places
	groups    map[*ssa.Function][]*list
	listed    map[ssa.Value][]*types.TypeName             // lists, with the types that may have the array
	may       map[*ssa.Parameter]map[*types.TypeName]bool // of which types parameters may be lists
	owned     map[*ssa.Parameter]bool                     // parameters for which all arguments are lists
	leaky     map[*types.TypeName]bool                    // types that have no lists
	listLeaks []Leak
	changed   bool // a candidate or self field has been dropped, or a field is known
}

// of returns the kind of the object to which v points, 0 if it is no candidate.
func (w *pooling) of(v ssa.Value) kind { return w.kinds[pointee(v)] }

func (w *pooling) drop(t *types.TypeName) {
	if w.kinds[t] != 0 {
		delete(w.kinds, t)
		w.changed = true
	}
}

// candidates adds the pools from which f takes objects, the types of these, and the types of their parts.
func (w *pooling) candidates(f *ssa.Function, planned func(path string) bool) {
	for in := range instrs.Of(f) {
		x, ok := in.(*ssa.TypeAssert)
		if !ok {
			continue
		}
		g, t := poolOf(x.X), target(x.AssertedType)
		if g == nil || t == nil || t.Exported() || t.Pkg() != g.Pkg.Pkg || g.Object() == nil || g.Object().Exported() || !planned(t.Pkg().Path()) {
			continue
		}
		if _, ok := t.Type().Underlying().(*types.Struct); ok && plain(t) {
			w.kinds[t], w.pools[g] = handle, true
			w.parts(t)
		}
	}
}

// plain reports whether t is a type of a package, without type parameters.
func plain(t *types.TypeName) bool {
	n, ok := t.Type().(*types.Named)
	return ok && n.TypeParams() == nil && t.Parent() == t.Pkg().Scope()
}

// collect finds the functions that may have pointers to candidates, and drops the pools that these use in other ways than for Get and Put.
func (w *pooling) collect() {
	declaring := w.declaring()
	for _, f := range w.a.prog.funcs {
		if declaring[packageOf(f)] {
			w.funcs = append(w.funcs, f)
		}
	}
	if u := w.a.prog.unit; u != nil {
		for _, m := range u.list {
			w.funcs = slices.AppendSeq(w.funcs, declaredGenerics(w.a.prog, m))
		}
		for g := range u.open {
			delete(w.pools, g)
		}
	}
	for in := range instrs.All(w.funcs) {
		for _, o := range in.Operands(nil) {
			if g, ok := (*o).(*ssa.Global); ok && w.pools[g] && !w.usesPool(in, g) {
				delete(w.pools, g)
			}
		}
	}
}

// declaring returns the packages that declare candidates.
func (w *pooling) declaring() map[*types.Package]bool {
	set := map[*types.Package]bool{}
	for t := range w.kinds {
		set[t.Pkg()] = true
	}
	return set
}

// fieldsOf returns the fields of a struct type, nil for others.
func fieldsOf(t types.Type) []*types.Var {
	if s, ok := t.Underlying().(*types.Struct); ok {
		return slices.Collect(s.Fields())
	}
	return nil
}

// parts adds the types of the parts of a struct.
func (w *pooling) parts(of *types.TypeName) {
	for _, f := range fieldsOf(of.Type()) {
		t := declared(f.Type())
		if t != nil && t.Pkg() == of.Pkg() && !t.Exported() && w.kinds[t] == 0 && plain(t) && !types.IsInterface(t.Type()) {
			w.kinds[t] = part
			w.parts(t)
		}
	}
}

// poolOf returns the variable from whose pool v is taken, nil if it is not.
func poolOf(v ssa.Value) *ssa.Global {
	if c, ok := v.(*ssa.Call); ok && poolMethod(c) == "Get" {
		g, _ := c.Call.Args[0].(*ssa.Global)
		return g
	}
	return nil
}

// poolMethod returns the name of the method of sync.Pool that is called, "" if it is none.
func poolMethod(c ssa.CallInstruction) string {
	f := c.Common().StaticCallee()
	if f == nil || f.Signature.Recv() == nil {
		return ""
	}
	if t := target(f.Signature.Recv().Type()); t == nil || t.Name() != "Pool" || t.Pkg() == nil || t.Pkg().Path() != "sync" {
		return ""
	}
	return f.Name()
}

// usesPool reports whether the instruction uses the pool for Get and Put, or to set the function that makes objects.
func (w *pooling) usesPool(in ssa.Instruction, g *ssa.Global) bool {
	switch in := in.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Store: // of its first value
		x, ok := in.Val.(*ssa.UnOp)
		return ok && in.Addr == ssa.Value(g) && poolWith(x.X) == g
	case *ssa.Call:
		switch poolMethod(in) {
		case "Get":
			return in.Call.Args[0] == ssa.Value(g) && onlyAsserted(in)
		case "Put":
			return in.Call.Args[0] == ssa.Value(g)
		}
	case *ssa.Defer:
		return poolMethod(in) == "Put" && in.Call.Args[0] == ssa.Value(g)
	}
	return false
}

// onlyAsserted reports whether a value is only compared, and asserted to be of other types.
func onlyAsserted(v ssa.Value) bool {
	for _, u := range *v.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef, *ssa.BinOp:
		case *ssa.TypeAssert:
			if types.IsInterface(u.AssertedType) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// mentions drops the candidates that occur in the source where other packages may come by an object of their own.
func (w *pooling) mentions() {
	fields := map[*types.Var]bool{}
	declaring := w.declaring()
	for t := range w.kinds {
		for _, f := range fieldsOf(t.Type()) {
			fields[f] = true
			if w.kinds[target(f.Type())] == part {
				w.self[f] = true
			}
		}
	}
	for _, p := range w.a.prog.Packages {
		if !declaring[p.Types] {
			continue
		}
		delete(declaring, p.Types)
		if p.TypesInfo == nil {
			clear(w.kinds)
			return
		}
		for _, o := range p.TypesInfo.Defs {
			v, ok := o.(*types.Var)
			switch {
			case !ok:
				w.exports(o)
			case w.self[v] || fields[v] && w.kinds[declared(v.Type())] == part:
			case v.IsField() || v.Parent() == p.Types.Scope():
				w.mention(v.Type())
			}
		}
		for _, i := range p.TypesInfo.Instances {
			for t := range i.TypeArgs.Types() {
				w.mention(t)
			}
		}
	}
	if len(declaring) > 0 {
		clear(w.kinds)
	}
}

// exports drops the candidates that an exported type, or the signature of an exported function, leads to, but for pointers in signatures.
func (w *pooling) exports(o types.Object) {
	if o == nil || !o.Exported() {
		return
	}
	switch o := o.(type) {
	case *types.TypeName:
		if o.IsAlias() {
			w.mention(o.Type())
		} else {
			w.mention(o.Type().Underlying())
		}
	case *types.Func:
		for _, list := range []*types.Tuple{o.Signature().Params(), o.Signature().Results()} {
			for v := range list.Variables() {
				if w.kinds[target(v.Type())] == 0 {
					w.mention(v.Type())
				}
			}
		}
	}
}

// mention drops the candidates that occur in a type. Fields of structs are mentioned where they are declared.
func (w *pooling) mention(t types.Type) {
	if w.mentioned[t] {
		return
	}
	w.mentioned[t] = true
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		w.drop(u.Origin().Obj())
		w.mention(u.Underlying())
		for t := range u.TypeArgs().Types() {
			w.mention(t)
		}
	case *types.Map:
		w.mention(u.Key())
		w.mention(u.Elem())
	case *types.Signature:
		for _, list := range []*types.Tuple{u.Params(), u.Results()} {
			for v := range list.Variables() {
				w.mention(v.Type())
			}
		}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		w.mention(u.Elem())
	}
}

// function looks at the instructions of f that make or use pointers to candidates.
func (w *pooling) function(f *ssa.Function) {
	if ofDetector(f) {
		return
	}
	for _, v := range f.FreeVars {
		w.drop(pointee(v))
	}
	var room [8]*ssa.Value
	for in := range instrs.Of(f) {
		if v, ok := in.(ssa.Value); ok {
			if w.of(v) != 0 && !w.makes(v) {
				w.drop(pointee(v))
			}
			w.interior(in)
		}
		if x, ok := in.(*ssa.MakeInterface); ok && w.of(x.X) != handle {
			w.mention(x.X.Type())
		}
		for _, o := range in.Operands(room[:0]) {
			if *o == nil || w.of(*o) == 0 {
				continue
			}
			if _, ok := (*o).(*ssa.Global); ok || !w.uses(in, *o) {
				w.drop(pointee(*o))
			}
		}
	}
}

// ofDetector reports whether f is one of the functions that the detector adds to std. They hand objects on, and access none.
func ofDetector(f *ssa.Function) bool {
	return strings.HasPrefix(f.Name(), "taskinstr_") && norace(f)
}

// makes reports whether v is a pointer to a candidate's object that the owner may have.
func (w *pooling) makes(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Phi:
		return true
	case *ssa.TypeAssert:
		return w.of(v) == handle && w.pools[poolOf(v.X)]
	case *ssa.Call:
		return w.callee(v) != nil
	case *ssa.Extract:
		switch x := v.Tuple.(type) {
		case *ssa.Call:
			return w.callee(x) != nil
		case *ssa.TypeAssert:
			return w.of(v) == handle && w.pools[poolOf(x.X)]
		}
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return w.of(v) == part && w.of(inside(v)) != 0
	case *ssa.UnOp:
		return v.Op == token.MUL && (isCell(v.X) || w.ofSelf(v) != nil)
	}
	return false
}

// callee returns the function that a call runs, if it is called by name and its body is in sight; otherwise nil.
func (w *pooling) callee(c ssa.CallInstruction) *ssa.Function {
	if _, ok := c.(*ssa.Go); ok {
		return nil
	}
	f := c.Common().StaticCallee()
	if f == nil {
		return nil
	}
	if f = w.a.prog.bodyOr(f); len(f.Blocks) == 0 {
		return nil
	}
	return f
}

// isCell reports whether v is a local variable that only loads and stores use.
func isCell(v ssa.Value) bool {
	x, ok := v.(*ssa.Alloc)
	return ok && len(publishing(x)) == 0
}

// ofSelf returns the address of the self field from which a value is loaded, nil if it is not.
func (w *pooling) ofSelf(v ssa.Value) *ssa.FieldAddr {
	if x, ok := v.(*ssa.UnOp); ok && x.Op == token.MUL {
		if a, ok := x.X.(*ssa.FieldAddr); ok && w.self[fieldAt(a.X.Type(), a.Field)] && w.of(inside(a)) != 0 {
			return a
		}
	}
	return nil
}

// uses reports whether the owner may use o, a pointer to a candidate's object, in this way.
func (w *pooling) uses(in ssa.Instruction, o ssa.Value) bool {
	switch in := in.(type) {
	case *ssa.DebugRef, *ssa.FieldAddr, *ssa.Phi:
		return true
	case *ssa.IndexAddr:
		return in.X == o
	case *ssa.BinOp:
		return in.Op == token.EQL || in.Op == token.NEQ
	case *ssa.UnOp:
		w.copied(in.Type())
		return w.of(o) == part
	case *ssa.Store:
		return w.stores(in, o)
	case *ssa.Call, *ssa.Defer:
		return w.callee(in.(ssa.CallInstruction)) != nil && slices.Contains(in.(ssa.CallInstruction).Common().Args, o)
	case *ssa.Return:
		calls, all := w.a.Callers(in.Parent())
		for _, c := range calls {
			all = all && w.callee(c) == in.Parent()
		}
		return all && w.of(o) == handle
	case *ssa.MakeInterface:
		return w.of(o) == handle && w.boxed(in)
	}
	return false
}

// stores reports whether a store that has o, as its address or its value, is one that the owner may do.
func (w *pooling) stores(in *ssa.Store, o ssa.Value) bool {
	if in.Addr == o {
		if _, ok := in.Val.(*ssa.Const); !ok {
			w.copied(in.Val.Type())
			if w.of(o) != part {
				return false
			}
		}
	}
	if in.Val != o || isCell(in.Addr) {
		return true
	}
	a, ok := in.Addr.(*ssa.FieldAddr)
	if !ok {
		return false
	}
	f := fieldAt(a.X.Type(), a.Field)
	if !w.self[f] {
		return false
	}
	if !w.sameObject(a, o) {
		w.self[f], w.changed = false, true
		return false
	}
	return true
}

// root returns the value from which an address inside of an object is computed.
func (w *pooling) root(v ssa.Value) ssa.Value {
	for {
		v = inside(v)
		a := w.ofSelf(v)
		if a == nil {
			return v
		}
		v = a
	}
}

// sameObject reports whether both addresses are in the same object: of one value, or of two parameters for which all callers have
// addresses of one value.
func (w *pooling) sameObject(x, y ssa.Value) bool {
	x, y = w.root(x), w.root(y)
	if x == y {
		return true
	}
	p, ok := x.(*ssa.Parameter)
	q, also := y.(*ssa.Parameter)
	if !ok || !also {
		return false
	}
	f := p.Parent()
	i, j := slices.Index(f.Params, p), slices.Index(f.Params, q)
	calls, all := w.a.Callers(f)
	for _, c := range calls {
		if !all || w.callee(c) != f || w.root(c.Common().Args[i]) != w.root(c.Common().Args[j]) {
			return false
		}
	}
	return all
}

// interior looks at the uses of the address of a part of a candidate's object. The uses of parts that are candidates are looked at as such.
func (w *pooling) interior(in ssa.Instruction) {
	switch in.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
	default:
		return
	}
	addr := in.(ssa.Value)
	root := inside(addr)
	if w.of(root) == 0 || w.of(addr) != 0 {
		return
	}
	for _, u := range *addr.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef, *ssa.FieldAddr:
			continue
		case *ssa.Slice:
			if a := w.arrayOf(u); a != nil {
				w.sliced[fieldAt(a.X.Type(), a.Field)] = true
				continue
			}
		case *ssa.IndexAddr:
			if u.X == addr {
				continue
			}
		case *ssa.UnOp:
			w.copied(u.Type())
			continue
		case *ssa.Store:
			if u.Addr == addr {
				if _, ok := u.Val.(*ssa.Const); !ok {
					w.copied(u.Val.Type())
				}
				continue
			}
		case *ssa.Convert, *ssa.ChangeType:
			w.drop(pointee(root))
			continue
		}
		w.leave(addr)
	}
}

// leave notes that other code may know the address of a part.
func (w *pooling) leave(addr ssa.Value) {
	for f := range fieldsAround(addr) {
		if !w.known[f] {
			w.known[f], w.changed = true, true
		}
		return
	}
	w.drop(pointee(inside(addr))) // an array
}

// copied notes that a value of type t is copied.
func (w *pooling) copied(t types.Type) {
	if n := declared(t); n != nil {
		w.whole[n] = true
	}
	if u, ok := t.Underlying().(*types.Array); ok {
		w.copied(u.Elem())
	}
	for _, f := range fieldsOf(t) {
		w.copied(f.Type())
	}
}

// wholes drops what whole copies contradict: self fields in the copied values.
func (w *pooling) wholes() {
	for t := range w.whole {
		for _, f := range fieldsOf(t.Type()) {
			if w.self[f] {
				w.self[f], w.changed = false, true
			}
		}
	}
}

// boxed reports whether a pointer to a candidate's object that becomes the value of an interface is put into a pool. It notes other such
// values as leaks, but for the object that a pool's function New returns.
func (w *pooling) boxed(in *ssa.MakeInterface) bool {
	for _, u := range *in.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
			continue
		case ssa.CallInstruction:
			if poolMethod(u) == "Put" && u.Common().Args[1] == ssa.Value(in) {
				if g, ok := u.Common().Args[0].(*ssa.Global); ok && w.pools[g] {
					continue
				}
			}
		case *ssa.Return:
			if _, ok := in.X.(*ssa.Alloc); ok && w.makesObjects(in.Parent()) {
				continue
			}
		}
		pos := in.Pos()
		if !pos.IsValid() {
			pos = u.Pos()
		}
		w.leaks = append(w.leaks, Leak{Pos: pos, Type: pointee(in.X)})
		return pos.IsValid()
	}
	return true
}

// makesObjects reports whether f is only the function New of a pool.
func (w *pooling) makesObjects(f *ssa.Function) bool {
	if f.Parent() == nil {
		return false
	}
	stored := 0
	for _, u := range *f.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			a, ok := u.Addr.(*ssa.FieldAddr)
			if !ok || !w.pools[poolWith(a.X)] {
				return false
			}
			stored++
		default:
			return false
		}
	}
	return stored == 1
}

// poolWith returns the package variable whose pool gets its first value from variable v; nil if none does, or if v is used in another way.
func poolWith(v ssa.Value) (pool *ssa.Global) {
	if _, ok := v.(*ssa.Alloc); !ok {
		return nil
	}
	for _, u := range *v.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.FieldAddr:
			if fieldAt(u.X.Type(), u.Field).Name() != "New" || len(publishing(u)) > 0 {
				return nil
			}
		case *ssa.UnOp:
			for _, u := range *u.Referrers() {
				switch u := u.(type) {
				case *ssa.DebugRef:
				case *ssa.Store:
					g, ok := u.Addr.(*ssa.Global)
					if !ok || pool != nil {
						return nil
					}
					pool = g
				default:
					return nil
				}
			}
		default:
			return nil
		}
	}
	return pool
}
