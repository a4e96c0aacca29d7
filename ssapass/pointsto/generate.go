package pointsto

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/ssapass/instrs"
)

// function adds the constraints of one instance.
func (g *generator) function(in *instance) {
	f := in.fn
	if f.Blocks == nil {
		return // the call instructions have its constraints
	}
	if g.modelled(in) {
		return
	}
	for _, p := range f.Params {
		g.opaque(in, p)
	}
	for _, v := range f.FreeVars {
		g.opaque(in, v)
	}
	for i := range instrs.Of(f) {
		g.instr(in, i)
		v, ok := i.(ssa.Value)
		if !ok {
			continue
		}
		g.opaque(in, v)
		switch i := i.(type) {
		case *ssa.ChangeInterface, *ssa.MakeInterface:
			if g.Opaque((*i.Operands(nil)[0]).Type()) {
				g.unknownValue(g.val(in, v), v.Type())
			}
		}
	}
}

// inOpaque reports whether f, or the function around it, has opaque type arguments.
func (g *generator) inOpaque(f *ssa.Function) bool {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if len(f.TypeArgs()) == 0 {
		return false
	}
	found, known := g.opaques[f]
	if !known {
		found = slices.ContainsFunc(f.TypeArgs(), g.mentionsOpaque)
		g.opaques[f] = found
	}
	return found
}

// mentionsOpaque reports whether t is an opaque type, or made of one.
func (g *generator) mentionsOpaque(t types.Type) bool {
	if g.Opaque(t) {
		return true
	}
	switch u := types.Unalias(t).(type) {
	case *types.Named:
		for a := range u.TypeArgs().Types() {
			if g.mentionsOpaque(a) {
				return true
			}
		}
		return false
	case *types.Map:
		return g.mentionsOpaque(u.Key()) || g.mentionsOpaque(u.Elem())
	case *types.Pointer, *types.Slice, *types.Array, *types.Chan:
		return g.mentionsOpaque(elem(u))
	case *types.Basic:
		return false
	}
	return true // a struct or function type may mention one
}

// opaque makes v unknown if its type is opaque.
func (g *generator) opaque(in *instance, v ssa.Value) {
	if g.Opaque(v.Type()) {
		g.unknownValue(g.val(in, v), v.Type())
	}
}

// elem returns the element type of a pointer, slice, array or channel, nil for other types.
func elem(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Map:
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return u.Elem()
	}
	return nil
}

func (g *generator) instr(in *instance, i ssa.Instruction) {
	switch i := i.(type) {
	case *ssa.Alloc:
		t := elem(i.Type())
		g.point(g.val(in, i), g.newObject(Variable, t, i, in.fn, g.ls.of(t)).Base)
	case *ssa.MakeSlice:
		g.point(g.val(in, i), g.newArray(in, i, elem(i.Type())).Base)
	case *ssa.MakeMap:
		m := i.Type().Underlying().(*types.Map)
		g.point(g.val(in, i), g.newObject(Map, i.Type(), i, in.fn, g.ls.headed(g.ls.key(m), m.Key(), m.Elem())).Base)
	case *ssa.MakeChan:
		t := elem(i.Type())
		g.point(g.val(in, i), g.newObject(Channel, t, i, in.fn, g.ls.headed(g.ls.key(i.Type()), t)).Base)
	case *ssa.MakeClosure:
		f := i.Fn.(*ssa.Function)
		o := g.newObject(Func, f.Signature, i, f, g.ls.headed(g.ls.key(f.Signature)))
		g.point(g.val(in, i), o.Base)
		c := g.anonymous(in, f)
		for k, b := range i.Bindings {
			g.assign(c.vals[f.FreeVars[k]], g.val(in, b), b.Type())
		}
	case *ssa.MakeInterface:
		g.makeInterface(in, i)
	case *ssa.Phi:
		for _, e := range i.Edges {
			g.assign(g.val(in, i), g.val(in, e), i.Type())
		}
	case *ssa.ChangeType:
		g.changeType(in, i)
	case *ssa.ChangeInterface, *ssa.SliceToArrayPointer:
		g.same(in, i.(ssa.Value), g.val(in, *i.Operands(nil)[0]))
	case *ssa.Convert:
		g.convert(in, i)
	case *ssa.MultiConvert:
		g.escapeValue(g.val(in, i.X), i.X.Type())
		g.unknownValue(g.val(in, i), i.Type())
	case *ssa.Slice:
		if g.holds(i.Type()) {
			g.same(in, i, g.val(in, i.X))
		}
	case *ssa.FieldAddr:
		st := elem(i.X.Type())
		g.constrain(g.val(in, i.X), constraint{kind: offset, node: g.val(in, i), off: g.ls.of(st).field[i.Field]})
	case *ssa.IndexAddr:
		g.constrain(g.val(in, i.X), constraint{kind: offset, node: g.val(in, i), off: 1})
	case *ssa.Field:
		if x := g.val(in, i.X); x != noNode && g.holds(i.Type()) {
			g.same(in, i, x+uint32(g.ls.of(i.X.Type()).field[i.Field]))
		}
	case *ssa.Index:
		if x := g.val(in, i.X); x != noNode && g.holds(i.Type()) {
			g.same(in, i, x+1)
		}
	case *ssa.Extract:
		if x := g.val(in, i.Tuple); x != noNode && g.holds(i.Type()) {
			g.same(in, i, x+uint32(g.ls.of(i.Tuple.Type()).field[i.Index]))
		}
	case *ssa.UnOp:
		switch i.Op {
		case token.MUL:
			if printed(i) {
				n := g.node()
				g.load(n, g.val(in, i.X), 0, i.Type())
				g.constrain(n, constraint{kind: unlessData, node: g.val(in, i)})
				return
			}
			g.load(g.val(in, i), g.val(in, i.X), 0, i.Type())
		case token.ARROW:
			g.load(g.val(in, i), g.val(in, i.X), 1, elem(i.X.Type()))
		}
	case *ssa.Store:
		g.store(g.val(in, i.Addr), 0, g.val(in, i.Val), i.Val.Type())
	case *ssa.Send:
		g.store(g.val(in, i.Chan), 1, g.val(in, i.X), i.X.Type())
	case *ssa.MapUpdate:
		m := i.Map.Type().Underlying().(*types.Map)
		g.store(g.val(in, i.Map), 1, g.val(in, i.Key), m.Key())
		g.store(g.val(in, i.Map), 1+int32(g.ls.of(m.Key()).width()), g.val(in, i.Value), m.Elem())
	case *ssa.Lookup:
		if m, ok := i.X.Type().Underlying().(*types.Map); ok {
			g.load(g.val(in, i), g.val(in, i.X), 1+int32(g.ls.of(m.Key()).width()), m.Elem())
		}
	case *ssa.Next:
		g.next(in, i)
	case *ssa.Select:
		g.selectInstr(in, i)
	case *ssa.TypeAssert:
		g.assert(g.val(in, i), g.val(in, i.X), i.AssertedType)
	case *ssa.Panic:
		g.copy(panicNode, g.val(in, i.X))
	case *ssa.Return:
		t := in.fn.Signature.Results()
		for k, r := range i.Results {
			g.assign(in.results+uint32(g.ls.of(t).field[k]), g.val(in, r), r.Type())
		}
	case ssa.CallInstruction:
		if i, ok := i.(*ssa.Go); ok {
			g.tasks = append(g.tasks, goStatement{in, i})
		}
		g.call(in, i)
	}
}

// printed reports whether i loads an operand of a print function from the list of
// operands. Package fmt reads an operand that is data, by reflection if necessary, but
// does not keep it or pass it on. So such operands end at this load and do not escape.
func printed(i *ssa.UnOp) bool {
	f := i.Parent()
	if f.Pkg == nil || f.Pkg.Pkg.Path() != "fmt" || !types.IsInterface(i.Type()) {
		return false
	}
	if r := f.Signature.Recv(); r != nil && site.IsPointer(r.Type()) && types.TypeString(elem(r.Type()), nil) == "fmt.ss" {
		return false // fmt.ss scans: it stores through its operands
	}
	a, ok := i.X.(*ssa.IndexAddr)
	return ok && types.Identical(a.X.Type(), types.NewSlice(types.NewInterfaceType(nil, nil)))
}

// newArray makes the array object of a slice.
func (g *generator) newArray(in *instance, site ssa.Value, t types.Type) *Object {
	return g.newObject(Array, t, site, in.fn, g.ls.headed(g.ls.arrayKey(t), t))
}

// same gives v the nodes from n on, since nothing else flows into v. If v has nodes already,
// because a phi in an earlier block uses v, they get copies.
func (g *generator) same(in *instance, v ssa.Value, n uint32) {
	if n == noNode {
		return
	}
	if old, ok := in.vals[v]; ok {
		g.assign(old, n, v.Type())
		return
	}
	in.vals[v] = n
}

// holds reports whether values of type t hold pointers.
func (g *generator) holds(t types.Type) bool { return len(g.ls.of(t).ptr) > 0 }

// makeInterface adds the constraints of a conversion to an interface type. The
// interface has the points-to set of a pointer, and points to a box for any other
// value.
func (g *generator) makeInterface(in *instance, i *ssa.MakeInterface) {
	t := i.X.Type()
	if site.IsPointer(t) {
		g.same(in, i, g.val(in, i.X))
		return
	}
	o := g.newObject(Box, t, i, in.fn, g.ls.headed(g.ls.id(t), t))
	base := o.Base
	g.point(g.val(in, i), base)
	g.assign(base+1, g.val(in, i.X), t)
}

// assert adds the constraints of an assertion that interface x holds a value of type t.
func (g *generator) assert(to, x uint32, t types.Type) {
	switch {
	case to == noNode || x == noNode:
	case types.IsInterface(t):
		g.copy(to, x)
	case site.IsPointer(t):
		g.constrain(x, constraint{kind: asserted, node: to, key: g.ls.key(elem(t))})
	default:
		for _, o := range g.ls.of(t).ptr {
			g.constrain(x, constraint{kind: unboxed, node: to + uint32(o), off: 1 + o, key: g.ls.id(t)})
		}
	}
}

func (g *generator) changeType(in *instance, i *ssa.ChangeType) {
	x := g.val(in, i.X)
	if site.IsPointer(i.Type()) && g.ls.key(elem(i.Type())) != g.ls.key(elem(i.X.Type())) {
		// The types differ in the tags of their fields.
		g.copy(escNode, x)
		g.copy(g.val(in, i), unkNode)
		return
	}
	g.same(in, i, x)
}

func (g *generator) convert(in *instance, i *ssa.Convert) {
	n, x := g.val(in, i), g.val(in, i.X)
	to, from := i.Type().Underlying(), i.X.Type().Underlying()
	switch {
	case isUnsafe(to) && isUnsafe(from), isUnsafe(to) && site.IsPointer(from):
		g.copy(n, x)
	case isUnsafe(from) && site.IsPointer(to):
		g.constrain(x, constraint{kind: cast, node: n, key: g.ls.key(elem(to))})
	case isUnsafe(to):
		g.copy(n, unkNode)
	case isUnsafe(from):
		g.copy(allNode, x)
	default:
		if s, ok := to.(*types.Slice); ok { // conversion of a string
			g.point(n, g.newArray(in, i, s.Elem()).Base)
		} else if x != noNode && n != noNode {
			g.changePointer(n, x, to, from)
		}
	}
}

// changePointer adds the constraints of a conversion between pointer types that differ
// in tags.
func (g *generator) changePointer(n, x uint32, to, from types.Type) {
	if site.IsPointer(to) && site.IsPointer(from) && g.ls.key(elem(to)) == g.ls.key(elem(from)) {
		g.copy(n, x)
		return
	}
	g.escapeValue(x, from)
	g.unknownValue(n, to)
}

func isUnsafe(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

func (g *generator) next(in *instance, i *ssa.Next) {
	r, ok := i.Iter.(*ssa.Range)
	if !ok || i.IsString {
		return
	}
	m, ok := r.X.Type().Underlying().(*types.Map)
	n, x := g.val(in, i), g.val(in, r.X)
	if !ok || n == noNode {
		return
	}
	l := g.ls.of(i.Type())
	t := i.Type().(*types.Tuple)
	// A component that the program ignores has the invalid type.
	if types.Identical(t.At(1).Type(), m.Key()) {
		g.load(n+uint32(l.field[1]), x, 1, m.Key())
	}
	if types.Identical(t.At(2).Type(), m.Elem()) {
		g.load(n+uint32(l.field[2]), x, 1+int32(g.ls.of(m.Key()).width()), m.Elem())
	}
}

func (g *generator) selectInstr(in *instance, i *ssa.Select) {
	l := g.ls.of(i.Type())
	n := g.val(in, i)
	k := 2
	for _, s := range i.States {
		if s.Dir == types.SendOnly {
			g.store(g.val(in, s.Chan), 1, g.val(in, s.Send), s.Send.Type())
			continue
		}
		if n != noNode {
			g.load(n+uint32(l.field[k]), g.val(in, s.Chan), 1, elem(s.Chan.Type()))
		}
		k++
	}
}
