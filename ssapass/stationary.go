package ssapass

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// A field is stationary if only first values are written to it: the values that new memory gets before anybody else knows
// the memory. A task that reads such a field of a shared object has the pointer to the object from
// somewhere. If nothing orders the read after the first value, then nothing orders the read of the pointer after
// the store that published it, and this pair is a race, too (package fresh).
//
// Only unexported fields of named structs are stationary. A field is not if code of its package
//
//   - writes the field of memory that other tasks may know. They do not know a function's own memory (Owned,
//     Private, literals, and variables whose address nobody takes), nor new memory, until the function
//     releases something after it has made the address known;
//   - uses the address of the field, or of a part of it, for anything but loads and stores;
//   - overwrites a whole struct that has the field, directly or inside of other structs and arrays: with
//     an assignment, copy, append or clear, or as an argument of a generic type or function, whose body may
//     contain these (functions of package slices write to elements of their first argument, if at all);
//   - converts pointers to such a struct to or from unsafe.Pointer or pointers to other types, hands one to
//     a function without body, or makes an interface value of a slice or array of such structs, whose
//     elements reflection may exchange;
//   - makes an interface value of a pointer to such a struct, in a package that sets values by reflection.
//
// Other packages cannot name the field. They may overwrite a whole struct in the same ways: Overwritten
// lists the types of imports whose values the program's packages overwrite. Structs that a package gets in interfaces
// from another one, and overwrites by reflection, are not seen, but for elements of slices; nor are slices in other values (docs/use/limitations.md).
//
// Atomic operations on a field, whose address is used for nothing else, do not keep its atomic loads from being as good: Loads lists them.
//
// Source: stationary fields of Java (Unkel and Lam, POPL 2008), whose writes all precede their
// reads. Departure: other packages are not in sight. The analysis finds the writes of the field's own package, and
// the linker the packages that overwrite whole structs.

// A Stationary has the stationary fields of a program.
type Stationary struct {
	owners  map[*types.Var]*types.TypeName // unexported fields, with the type that declares them
	written map[*types.Var]token.Pos       // the first place of each other field that keeps it from being one
	whole   map[*types.TypeName]bool       // types whose values are overwritten
	plainly map[*types.Var]bool            // fields that something else than atomic operations writes besides first values, or may write
	loads   []atomicLoad
	planned func(path string) bool // the packages that may have such fields
}

// TypeOf returns the struct type that declares the field from which the instruction loads, or of a part of which it loads. t is nil if
// the field is not stationary; then why is the position that keeps it from being so, if there is one.
func (s *Stationary) TypeOf(in ssa.Instruction) (t *types.TypeName, why token.Pos) {
	load, ok := in.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, token.NoPos
	}
	for f := range fieldsAround(load.X) {
		at, written := s.written[f]
		if t = s.owners[f]; t != nil && !written {
			return t, token.NoPos
		}
		if !why.IsValid() {
			why = at
		}
	}
	return nil, why
}

// An atomicLoad is a call of an atomic load of a field.
type atomicLoad struct {
	pos   token.Pos // of its parenthesis
	field *types.Var
}

// Loads returns the atomic loads, by the positions of their parentheses, of fields of the loading package that only first values and atomic operations
// write, with the struct types that declare the fields. Such a load races with nothing, as a read of a stationary field does not.
func (s *Stationary) Loads() map[token.Pos]*types.TypeName {
	loads := map[token.Pos]*types.TypeName{}
	for _, l := range s.loads {
		if t := s.owners[l.field]; t != nil && !s.plainly[l.field] {
			loads[l.pos] = t
		}
	}
	return loads
}

// fieldsAround returns the fields in which an address is, without following pointers: from the inner to the outer.
func fieldsAround(addr ssa.Value) iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) {
		for {
			switch x := addr.(type) {
			case *ssa.FieldAddr:
				if !yield(fieldAt(x.X.Type(), x.Field).Origin()) {
					return
				}
				addr = x.X
			case *ssa.IndexAddr:
				if _, ok := x.X.Type().Underlying().(*types.Pointer); !ok {
					return // an element of a slice
				}
				addr = x.X
			default:
				return
			}
		}
	}
}

// Overwritten returns the types of other packages whose values the planned packages overwrite, as PATH.NAME, sorted. The planned
// packages are one for this purpose.
func (s *Stationary) Overwritten() []string {
	list := []string{}
	for t := range s.whole {
		if t.Pkg() != nil && !s.planned(t.Pkg().Path()) && hasHidden(t) {
			list = append(list, t.Pkg().Path()+"."+t.Name())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// hasHidden reports whether a type is a struct with a field that other packages cannot name.
func hasHidden(t *types.TypeName) bool {
	return slices.ContainsFunc(fieldsOf(t.Type()), func(f *types.Var) bool { return !f.Exported() })
}

// Stationary finds the stationary fields of the planned packages, by import path. All packages have checks. The result is nil if the
// type information of such a package is freed.
func (a *Analysis) Stationary(planned func(path string) bool) *Stationary {
	s := &Stationary{owners: map[*types.Var]*types.TypeName{}, written: map[*types.Var]token.Pos{}, whole: map[*types.TypeName]bool{}, plainly: map[*types.Var]bool{}, planned: planned}
	w := &fieldWrites{Stationary: s, a: a, seen: map[types.Type]bool{}, places: Places{}, released: map[ssa.Value]func(ssa.Instruction) bool{}, unchecked: map[*types.Package]bool{}, sets: map[*types.Package]bool{}}
	for _, f := range a.prog.funcs {
		w.function(f)
	}
	if a.prog.unit != nil {
		for _, u := range a.prog.unit.list {
			for f := range declaredGenerics(a.prog, u) {
				w.function(f)
			}
		}
	}
	var list []*types.Package
	for _, p := range a.prog.Packages {
		if !planned(p.PkgPath) {
			continue
		}
		if p.TypesInfo == nil {
			return nil
		}
		// In this order, since reasons name the first place.
		for _, id := range slices.SortedFunc(maps.Keys(p.TypesInfo.Instances), func(a, b *ast.Ident) int { return cmp.Compare(a.Pos(), b.Pos()) }) {
			w.at = id.Pos()
			w.instance(p.TypesInfo.Uses[id], p.TypesInfo.Instances[id])
		}
		list = append(list, p.Types)
	}
	for _, h := range w.handed {
		if w.sets[h.by] {
			w.at = h.at
			w.overwrite(h.elem)
		}
	}
	for _, p := range list {
		if !w.unchecked[p] {
			s.collect(p)
		}
	}
	return s
}

// collect adds the unexported fields of a package.
func (s *Stationary) collect(pkg *types.Package) {
	several := map[*types.Var]bool{} // fields that several types have, since one is declared as another
	for _, name := range pkg.Scope().Names() {
		t, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || t.IsAlias() {
			continue
		}
		u, ok := t.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range u.Fields() {
			f = f.Origin()
			several[f] = several[f] || s.owners[f] != nil
			if f.Pkg() == pkg && !f.Exported() && f.Name() != "_" {
				s.owners[f] = t
			}
		}
	}
	maps.DeleteFunc(s.owners, func(f *types.Var, _ *types.TypeName) bool { return several[f] })
}

// declaredGenerics returns the generic functions of a member, with the literals in them, whose instances in other packages no
// instance here represents.
func declaredGenerics(p *Program, u *Unit) iter.Seq[*ssa.Function] {
	return func(yield func(*ssa.Function) bool) {
		for fn := range u.generics() {
			f := p.SSA.FuncValue(fn)
			if f == nil || p.unit.represented[f] {
				continue
			}
			work := []*ssa.Function{f}
			for f := range drain(&work) {
				if !yield(f) {
					return
				}
				work = append(work, f.AnonFuncs...)
			}
		}
	}
}

// fieldWrites collects what functions write besides first values.
type fieldWrites struct {
	*Stationary
	a         *Analysis
	at        token.Pos           // of the instruction or instance at hand
	seen      map[types.Type]bool // types that overwrite has visited
	places    Places
	released  map[ssa.Value]func(ssa.Instruction) bool // see releasedAfter
	unchecked map[*types.Package]bool                  // members with functions that make no checks
	handed    []inInterface                            // pointers in interfaces
	sets      map[*types.Package]bool                  // packages that set values by reflection
	releasing struct {                                 // see releases
		f    *ssa.Function
		list []ssa.Instruction
	}
}

// An inInterface is the type of the structs to which a package has pointers in interfaces.
type inInterface struct {
	elem types.Type
	by   *types.Package
	at   token.Pos
}

func (w *fieldWrites) function(f *ssa.Function) {
	if norace(f) {
		w.unchecked[packageOf(f)] = true
	}
	for in := range instrs.Of(f) {
		w.at = in.Pos()
		w.elements(in)
		switch in := in.(type) {
		case *ssa.Store:
			w.store(in)
		case *ssa.FieldAddr:
			w.address(in)
		case *ssa.MakeInterface:
			w.overwrite(exchangeable(in.X.Type()))
			if p, ok := in.X.Type().Underlying().(*types.Pointer); ok {
				w.handed = append(w.handed, inInterface{p.Elem(), packageOf(f), in.Pos()})
			}
		case *ssa.Convert:
			w.convert(in.X.Type(), in.Type())
		case *ssa.ChangeType:
			w.convert(in.X.Type(), in.Type())
		case ssa.CallInstruction:
			w.call(in)
		}
	}
}

// store notes a store of anything but a first value.
func (w *fieldWrites) store(in *ssa.Store) {
	if w.first(in, in.Addr) || w.a.fills(in) {
		return
	}
	for f := range fieldsAround(in.Addr) {
		w.write(f)
	}
	w.overwrite(in.Val.Type())
}

// first reports whether an instruction writes to memory at addr that no other task knows.
func (w *fieldWrites) first(in ssa.Instruction, addr ssa.Value) bool {
	if w.a.Owned(Access{Instr: in, Addr: addr}) || w.a.Private(in) {
		return true
	}
	v := base(addr)
	if x, ok := v.(*ssa.Alloc); ok && !x.Heap {
		return true
	}
	switch v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice:
	default:
		return false
	}
	return !w.releasedAfter(v, in.Parent())(in) || w.ofNewElement(in, addr)
}

// releasedAfter returns a predicate: whether other tasks may know new memory at the argument, an instruction of the same function. They
// may behind an instruction that releases something after another one has made the address known, and behind one that may do both.
func (w *fieldWrites) releasedAfter(v ssa.Value, f *ssa.Function) func(ssa.Instruction) bool {
	if r := w.released[v]; r != nil {
		return r
	}
	made := publishing(v)
	known := reachedAfter(v, nil, made, w.places)
	var released []ssa.Instruction
	for _, in := range w.releases(f) {
		if known(in) || slices.Contains(made, in) {
			released = append(released, in)
		}
	}
	w.released[v] = reachedAfter(v, nil, released, w.places)
	return w.released[v]
}

// releases returns the instructions of f, the function at hand, that may release something.
func (w *fieldWrites) releases(f *ssa.Function) []ssa.Instruction {
	if w.releasing.f != f {
		w.releasing.f, w.releasing.list = f, nil
		for in := range instrs.Of(f) {
			if w.a.InstrSync(in)&(MayRelease|MaySpawn|CallsUnseen) != 0 {
				w.releasing.list = append(w.releasing.list, in)
			}
		}
	}
	return w.releasing.list
}

// ofNewElement reports whether addr is in an element of a new slice whose elements the function makes known one by one, in the
// order of their indexes, and this one not yet.
func (w *fieldWrites) ofNewElement(in ssa.Instruction, addr ssa.Value) bool {
	for {
		x, ok := addr.(*ssa.FieldAddr)
		if !ok {
			break
		}
		addr = x.X
	}
	x, ok := addr.(*ssa.IndexAddr)
	if !ok {
		return false
	}
	s, ok := x.X.(*ssa.MakeSlice)
	start := loopStart(x.Index)
	if !ok || start == nil || reachedAfter(s, nil, []ssa.Instruction{x}, w.places)(start) {
		return false
	}
	for _, u := range *s.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.IndexAddr:
			if u != x {
				return false
			}
		default:
			return false
		}
	}
	return !reachedAfter(x, nil, publishing(x), w.places)(in)
}

// loopStart returns the end of the block from which a loop begins whose variable v is, with a greater value in each iteration; nil if v is
// no such variable.
func loopStart(v ssa.Value) (start ssa.Instruction) {
	if next, ok := v.(*ssa.BinOp); ok && next.Op == token.ADD { // as of a range clause, which adds before the body
		if _, ok := next.Y.(*ssa.Const); ok {
			v = next.X
		}
	}
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return nil
	}
	for i, e := range phi.Edges {
		switch e := e.(type) {
		case *ssa.Const:
			if start != nil {
				return nil
			}
			b := phi.Block().Preds[i]
			start = b.Instrs[len(b.Instrs)-1]
		case *ssa.BinOp:
			if k, ok := e.Y.(*ssa.Const); !ok || e.Op != token.ADD || e.X != ssa.Value(phi) || k.Int64() <= 0 {
				return nil
			}
		default:
			return nil
		}
	}
	return start
}

// address notes a field whose address, or that of a part of it, is used for anything but loads and stores.
func (w *fieldWrites) address(f *ssa.FieldAddr) {
	uses := publishing(f)
	if len(uses) == 0 {
		return
	}
	field := fieldAt(f.X.Type(), f.Field).Origin()
	if slices.ContainsFunc(uses, func(u ssa.Instruction) bool { return !atomicUse(u, f) }) {
		w.write(field)
		return
	}
	w.note(field)
	for _, u := range uses {
		if c := u.(ssa.CallInstruction).Common(); c.Args[0] == ssa.Value(f) && loadsAtomically(c.StaticCallee()) && packageOf(f.Parent()) == field.Pkg() {
			w.loads = append(w.loads, atomicLoad{c.Pos(), field})
		}
	}
}

// atomicUse reports whether an instruction makes an atomic operation on the field at f or a part of it, and does nothing else with the address.
func atomicUse(in ssa.Instruction, f *ssa.FieldAddr) bool {
	call, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	if p := packageOf(fn); p == nil || p.Path() != "sync/atomic" {
		return false
	}
	for i, v := range call.Call.Args {
		if within(v, f) != (i == 0) {
			return false
		}
	}
	return true
}

// within reports whether v is the address f, or the address of a part of this field.
func within(v ssa.Value, f *ssa.FieldAddr) bool {
	for v != nil && v != ssa.Value(f) {
		v = whole(v)
	}
	return v != nil
}

// loadsAtomically reports whether a function of sync/atomic loads a value of one word.
func loadsAtomically(f *ssa.Function) bool {
	recv := f.Signature.Recv()
	return strings.HasPrefix(f.Name(), "Load") && (recv == nil || declared(recv.Type().(*types.Pointer).Elem()).Name() != "Value")
}

// publishing returns the uses of an address, and of the addresses of its parts, besides loads and stores.
func publishing(addr ssa.Value) (list []ssa.Instruction) {
	for _, u := range *addr.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.UnOp:
			if u.Op == token.MUL {
				continue
			}
		case *ssa.Store:
			if u.Addr == addr && u.Val != addr {
				continue
			}
		case *ssa.FieldAddr:
			list = append(list, publishing(u)...)
			continue
		case *ssa.IndexAddr:
			if u.X == addr {
				list = append(list, publishing(u)...)
				continue
			}
		}
		list = append(list, u)
	}
	return list
}

// convert notes structs whose memory a conversion makes accessible as another type.
func (w *fieldWrites) convert(from, to types.Type) {
	x, pointer := from.Underlying().(*types.Pointer)
	y, also := to.Underlying().(*types.Pointer)
	if pointer && also && types.Identical(x.Elem(), y.Elem()) {
		return
	}
	if pointer {
		w.overwrite(x.Elem())
	}
	if also {
		w.overwrite(y.Elem())
	}
}

// call notes structs that a builtin function overwrites, or a function without body, which may be assembly.
func (w *fieldWrites) call(in ssa.CallInstruction) {
	c := in.Common()
	switch f := c.Value.(type) {
	case *ssa.Builtin:
		switch f.Name() {
		case "copy", "append", "clear":
			if s, ok := c.Args[0].Type().Underlying().(*types.Slice); ok && !w.first(in, c.Args[0]) {
				w.overwrite(s.Elem())
			}
		}
	case *ssa.Function:
		pkg := packageOf(f)
		if pkg != nil && pkg.Path() == "reflect" && reflectSetters[f.Name()] {
			w.sets[packageOf(in.Parent())] = true
		}
		if f.Blocks == nil && pkg != nil && w.planned(pkg.Path()) && pkg.Path() != "slices" {
			for _, v := range c.Args {
				if p, ok := v.Type().Underlying().(*types.Pointer); ok {
					w.overwrite(p.Elem())
				}
				w.overwrite(exchangeable(v.Type()))
			}
		}
	}
}

// elements notes the elements that functions of package slices overwrite which in calls, or uses as values.
func (w *fieldWrites) elements(in ssa.Instruction) {
	var buf [10]*ssa.Value
	for _, o := range in.Operands(buf[:0]) {
		f, ok := (*o).(*ssa.Function)
		if !ok || !writesElements(f) {
			continue
		}
		if c, ok := in.(*ssa.Call); ok && o == &c.Call.Value && w.first(c, c.Call.Args[0]) {
			continue
		}
		w.overwrite(exchangeable(f.Signature.Params().At(0).Type()))
	}
}

// reflectSetters are the functions and methods of package reflect that overwrite values of any type.
var reflectSetters = map[string]bool{"Set": true, "SetZero": true, "SetIterKey": true, "SetIterValue": true, "Copy": true, "Swapper": true, "Clear": true}

// keepers are packages whose generic types and functions overwrite no values of their type arguments that have addresses.
var keepers = map[string]bool{"cmp": true, "iter": true, "maps": true, "runtime": true, "sync/atomic": true, "weak": true}

// elementWriters are the functions of package slices that write to elements of their first argument. The others read their
// arguments, and write to new memory alone.
var elementWriters = map[string]bool{"AppendSeq": true, "Compact": true, "CompactFunc": true, "Delete": true, "DeleteFunc": true, "Grow": true,
	"Insert": true, "Replace": true, "Reverse": true, "Sort": true, "SortFunc": true, "SortStableFunc": true}

// writesElements reports whether f is an instance of one of elementWriters without a model.
func writesElements(f *ssa.Function) bool {
	if f == nil || len(f.Blocks) > 0 || f.Parent() != nil || f.Signature.Recv() != nil || f.Origin() == nil {
		return false
	}
	p := packageOf(f)
	return p != nil && p.Path() == "slices" && elementWriters[f.Origin().Name()]
}

// instance notes structs among the type arguments of o.
func (w *fieldWrites) instance(o types.Object, i types.Instance) {
	if o != nil && o.Pkg() != nil && (keepers[o.Pkg().Path()] || o.Pkg().Path() == "slices") { // for slices see elements
		return
	}
	for t := range i.TypeArgs.Types() {
		w.overwrite(t)
		w.overwrite(exchangeable(t))
	}
}

// exchangeable returns the type of the innermost elements of a slice or array, or of one that t points to, nil if there are none.
func exchangeable(t types.Type) (elem types.Type) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	for range maxNested {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		default:
			return elem
		}
		elem = t
	}
	return nil // a type that has itself as elements, and no structs
}

// maxNested is more than the number of slices in slices that programs have.
const maxNested = 64

// write notes that a field is not stationary.
func (w *fieldWrites) write(f *types.Var) {
	w.plainly[f] = true
	w.note(f)
}

// note notes that a field is not stationary, perhaps since atomic operations write it.
func (w *fieldWrites) note(f *types.Var) {
	if _, ok := w.written[f]; !ok {
		w.written[f] = w.at
	}
}

// overwrite notes that values of type t are overwritten, with all that they contain. t may be nil.
func (w *fieldWrites) overwrite(t types.Type) {
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	if n := declared(t); n != nil {
		w.whole[n] = true
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			w.write(f.Origin())
			w.overwrite(f.Type())
		}
	case *types.Array:
		w.overwrite(u.Elem())
	}
}
