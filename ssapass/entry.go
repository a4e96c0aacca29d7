package ssapass

import (
	"go/ast"
	"go/types"
	"iter"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// The entries of a unit are the functions that other packages may call, with arguments of
// their own, in any task and any number of times at once:
//
//   - exported functions, and main.main, which the runtime calls;
//   - functions that a go:linkname or export directive, assembly, or the body of an exposed
//     generic function names (link, findJoined, findInGenerics);
//   - exported methods of open types;
//   - unexported methods of open types, if the package calls a method of this name through an
//     interface or names it in an exposed generic function. Another package can embed an open
//     type, and then the package calls the method on a value inside of a foreign one.
//
// A type is open if a declaration that the package exports leads to it, through any fields
// and methods, or if an interface or a type argument of foreign code may hold it: other
// packages can name such a type, or reflection finds it (handed.go). Values of all other types stay in
// the package, so that all calls of their methods are in sight. Functions that are used as
// values need no rule: they are entries once external code may know the value (package
// pointsto).
//
// A main package that no package imports (Unit.Main) exports nothing, in this sense.
//
// Everything else has all its callers in sight. This assumes that no other package pulls an
// unexported function or variable by a go:linkname directive of its own. The linker refuses
// such directives for symbols of the standard library that carry no directive themselves
// (cmd/link, checkLinkname; -checklinkname=0 permits them), but permits them for other
// packages; see Soundness in doc.go.

// enterUnit adds the entries of the unit, and all functions that they reach.
func (r *Reach) enterUnit(p *Program) {
	e := &entries{r: r, p: p, open: reached{done: map[types.Type]bool{}}, hidden: map[string][]*types.Selection{}}
	for _, m := range p.unit.list {
		scope := m.Pkg.Scope()
		names := scope.Names()
		if p.unit.Main {
			names = []string{"main"}
		}
		for _, name := range names {
			o := scope.Lookup(name)
			if f, ok := o.(*types.Func); ok && !generic(f) && (f.Exported() || name == "main" && m.Pkg.Name() == "main") {
				e.function(p.SSA.Package(m.Pkg).Func(name))
			}
			if o != nil && o.Exported() {
				e.open.walk(o.Type())
			}
		}
	}
	e.opaque(p.unit)
	for again := true; again; {
		r.drain()
		again = e.types() || len(r.work) > 0
	}
}

// opaque enters the opaque instances. Of a type it enters the unexported methods, too: functions that no
// opaque instance represents may call them.
func (e *entries) opaque(u *unit) {
	enter := func(f *ssa.Function) {
		e.function(f)
		u.represented[f.Origin()] = true
	}
	for _, f := range u.opaqueFuncs {
		enter(f)
	}
	for _, t := range u.opaqueTypes {
		e.open.walk(t)
		ms := e.r.prog.MethodSets.MethodSet(types.NewPointer(t))
		for i := range ms.Len() {
			if m := ms.At(i); len(m.Index()) == 1 {
				f := e.r.prog.MethodValue(m)
				if f.Origin() == nil { // the wrapper of a method with a value as its receiver
					f = e.r.prog.MethodValue(e.r.prog.MethodSets.MethodSet(t).Lookup(m.Obj().Pkg(), m.Obj().Name()))
				}
				enter(f)
			}
		}
	}
}

// entries finds the entries of a unit while Reach finds the functions that may run.
type entries struct {
	r       *Reach
	p       *Program
	open    reached
	handed  int                           // types of Reach.handed that were visited
	named   int                           // types of open.named that were visited
	hidden  map[string][]*types.Selection // unexported methods of open types by id
	invoked int                           // ids of Reach.invoked when the methods of hidden were looked at
}

func (e *entries) function(f *ssa.Function) {
	if f == nil || e.r.isEntry[f] {
		return
	}
	e.r.isEntry[f] = true
	e.r.entered = append(e.r.entered, f)
	if f.Signature.Recv() == nil && f.Synthetic == "" && !e.p.unit.Main {
		e.r.take(f) // other packages may use it as a value
	}
	e.r.add(f)
}

// types visits new open types and new calls through interfaces. It reports whether there
// were any.
func (e *entries) types() (found bool) {
	for ; e.handed < len(e.r.handed.types); e.handed++ {
		e.open.walk(e.r.handed.types[e.handed])
		found = true
	}
	for ; e.named < len(e.open.all); e.named++ {
		e.methods(e.open.all[e.named])
		found = true
	}
	if n := len(e.r.invoked); n != e.invoked {
		e.invoked, found = n, true
		for _, id := range slices.Sorted(maps.Keys(e.hidden)) {
			if e.r.invoked[id] {
				e.enter(e.hidden[id])
				delete(e.hidden, id)
			}
		}
	}
	return found
}

// methods enters the exported methods of an open type and of pointers to it.
func (e *entries) methods(n *types.Named) {
	if types.IsInterface(n) {
		e.r.handed.show(n)
		return
	}
	if n.TypeParams().Len() > n.TypeArgs().Len() {
		return
	}
	for a := range n.TypeArgs().Types() {
		if parameterized(a) {
			return
		}
	}
	for _, t := range []types.Type{n, types.NewPointer(n)} {
		ms := e.r.prog.MethodSets.MethodSet(t)
		for i := range ms.Len() {
			m := ms.At(i)
			id := m.Obj().(*types.Func).Id()
			if m.Obj().Exported() || e.p.unit.inGenerics[id] {
				e.enter([]*types.Selection{m})
				continue
			}
			e.hidden[id] = append(e.hidden[id], m)
			e.invoked = -1
		}
	}
}

// parameterized reports whether t is a type parameter, or a type made of one. The declaration of a type is not looked into, unless
// it may be in a generic function.
func parameterized(t types.Type) bool {
	done := map[types.Type]bool{}
	var is func(types.Type) bool
	is = func(t types.Type) bool {
		t = types.Unalias(t)
		if done[t] {
			return false
		}
		done[t] = true
		for u := range components(t) {
			if is(u) {
				return true
			}
		}
		switch t := t.(type) {
		case *types.TypeParam:
			return true
		case *types.Named:
			o := t.Obj()
			return o.Pkg() != nil && o.Parent() != o.Pkg().Scope() && is(t.Underlying())
		}
		return false
	}
	return is(t)
}

func (e *entries) enter(list []*types.Selection) {
	for _, m := range list {
		e.function(e.r.prog.MethodValue(m))
	}
}

// exposed reports whether another package may instantiate f, or the function around f: the
// body of that instance is not in sight. It may call other methods, and have values of other
// sizes, than the instances here.
func (p *Program) exposed(f *ssa.Function) bool {
	if p.unit == nil {
		return false
	}
	o := outermost(f).Origin()
	if o == nil {
		return false
	}
	fn, ok := o.Object().(*types.Func)
	return !ok || p.unit.exposed(fn)
}

// unrepresented reports whether f is exposed, and no opaque instance represents the instances of
// other packages.
func (p *Program) unrepresented(f *ssa.Function) bool {
	return p.exposed(f) && !p.unit.represented[outermost(f).Origin()]
}

// exposed reports whether another package may instantiate the generic function: it is
// exported, a method, or an exposed function names it.
func (u *unit) exposed(f *types.Func) bool {
	return generic(f) && !u.Main && (f.Exported() || f.Signature().Recv() != nil || u.generics[f.Origin()])
}

// generics returns the generic functions and methods of a member that have a body, with their
// declarations.
func (m *Unit) generics() iter.Seq2[*types.Func, *ast.FuncDecl] {
	return func(yield func(*types.Func, *ast.FuncDecl) bool) {
		for _, f := range m.Files {
			for _, d := range f.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Body == nil {
					continue
				}
				if fn, ok := m.Info.Defs[d.Name].(*types.Func); ok && generic(fn) && !yield(fn, d) {
					return
				}
			}
		}
	}
}

// findInGenerics opens the functions and variables that bodies of exposed generic functions
// name.
func (p *Program) findInGenerics(m *Unit) {
	u, s := p.unit, p.SSA.Package(m.Pkg)
	bodies := map[*types.Func]*ast.FuncDecl{}
	var work []*types.Func
	for fn, d := range m.generics() {
		bodies[fn] = d
		if u.exposed(fn) {
			work = append(work, fn)
		}
	}
	for fn := range drain(&work) {
		d := bodies[fn]
		if d == nil {
			continue
		}
		delete(bodies, fn)
		ast.Inspect(d.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch o := m.Info.Uses[id].(type) {
			case *types.Func:
				switch {
				case o.Pkg() != m.Pkg:
				case generic(o.Origin()):
					u.generics[o.Origin()] = true
					work = append(work, o.Origin())
				default:
					u.inGenerics[o.Id()] = true // as a method of an interface or of a type parameter
					p.enter(p.SSA.FuncValue(o))
				}
			case *types.Var:
				if g, ok := s.Members[o.Name()].(*ssa.Global); ok && g.Object() == o {
					u.open[g] = true
				}
			}
			return true
		})
	}
}

// symbols returns the functions of the unit that a linker symbol of a go:linkname directive
// names, such as path.f, path.T.m or path.(*T).m: one for each variant of the package.
func (p *Program) symbols(name string) (list []*ssa.Function) {
	for _, m := range p.unit.named(pathOf(name)) {
		if f := p.symbolIn(m, name[len(m.Path)+1:]); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// symbolIn returns the function of a member of the unit that a symbol names behind the
// package's path. It returns nil if there is none.
func (p *Program) symbolIn(m *Unit, name string) *ssa.Function {
	s := p.SSA.Package(m.Pkg)
	recv, method, ok := strings.Cut(name, ").")
	if !ok {
		recv, method, ok = strings.Cut(name, ".")
	}
	if !ok {
		return s.Func(name)
	}
	t := s.Type(strings.TrimPrefix(recv, "(*"))
	if t == nil || types.IsInterface(t.Type()) {
		return nil
	}
	sel := p.SSA.MethodSets.MethodSet(types.NewPointer(t.Type())).Lookup(m.Pkg, method)
	if sel == nil {
		return nil // a symbol that the directive makes
	}
	return p.SSA.MethodValue(sel)
}
