package escape

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/splice"
	"taskinstr/optimize/accessor"
	"taskinstr/optimize/builder"
	"taskinstr/ssapass/instrs"
)

const (
	// maxLent is the greatest number of bytes in the text of a function that gets a copy.
	maxLent = 1 << 15
	// perCheck is the greatest number of bytes in the text for each check that a copy lacks, with those that the copies
	// lack which it calls: compiling the others costs more than they save.
	perCheck = 400
)

// A lender finds the functions that get copies, and the calls that go to the copies. A copy serves callers
// whose task alone reaches the memory of the first operand.
type lender struct {
	b      *builder.Builder
	funcs  map[*ssa.Function]*lendable // nil: no copy
	list   []*lendable                 // in the order of the program
	syntax map[token.Pos]*ast.CallExpr // by opening parenthesis
}

// A lendable is a function that may get a copy.
type lendable struct {
	fn    *ssa.Function
	name  *ast.Ident
	sites []int  // whose checks the copy lacks
	calls []lent // that hand on memory of the operand
	text  int    // the number of bytes
	gain  int    // the number of checks that the copy lacks, with those of the copies that it calls
	made  bool
}

// A lent is a call that may go to a copy.
type lent struct {
	from *ssa.Function
	to   *lendable // nil: of another package, which has the copy
	at   token.Pos // of the called name
}

// lend makes the copies and has calls go to them.
func lend(b *builder.Builder) {
	l := &lender{b: b, funcs: map[*ssa.Function]*lendable{}}
	l.findCalls()
	l.findFunctions()
	var own []lent // calls whose operand the task of the caller owns in any case
	for in := range instrs.All(b.Analysis.Program().Functions()) {
		if c, ok := in.(*ssa.Call); ok && l.spelled(c.Parent()) && len(c.Call.Args) > 0 {
			to, ok := l.call(c)
			if !ok {
				continue
			}
			if !b.Analysis.SharedAt(b.Analysis.Points.Points(c.Call.Args[0])) {
				own = append(own, to)
			} else if x := l.funcs[c.Parent()]; x != nil && root(c.Call.Args[0]) == x.fn.Params[0] {
				x.calls = append(x.calls, to)
			}
		}
	}
	l.weigh()
	for _, x := range l.list {
		if x.useful() && exported(x.fn) && !b.Analysis.Keeps(x.fn, 0) {
			l.make(x)
		}
	}
	for _, c := range own {
		if !c.useful() {
			continue
		}
		l.make(c.to)
		b.Lend(builder.Lent{Pkg: c.from.Pkg.Pkg.Path(), File: l.file(c.at), At: b.At(c.at)})
	}
	for _, x := range l.list {
		if x.made {
			l.add(x)
		}
	}
}

// make marks a copy, and the copies that it calls.
func (l *lender) make(x *lendable) {
	if x == nil || x.made {
		return
	}
	x.made = true
	for _, c := range x.calls {
		if c.useful() {
			l.make(c.to)
		}
	}
}

// add adds a copy to the plan.
func (l *lender) add(x *lendable) {
	o := builder.Borrower{Pkg: x.fn.Pkg.Pkg.Path(), File: l.file(x.name.Pos()), Func: l.b.At(x.name.Pos()), Sites: x.sites}
	for _, c := range x.calls {
		if c.useful() {
			o.Lent = append(o.Lent, l.b.At(c.at))
		}
	}
	l.b.Borrow(o)
}

// file returns the name of the file with a position.
func (l *lender) file(p token.Pos) string {
	return l.b.Analysis.Program().Fset.PositionFor(p, false).Filename
}

// exported reports whether other packages may call the function by its name.
func exported(fn *ssa.Function) bool {
	obj := fn.Object()
	return obj != nil && obj.Exported() && fn.Pkg.Pkg.Name() != "main"
}

// findCalls finds the calls in the source.
func (l *lender) findCalls() {
	l.syntax = map[token.Pos]*ast.CallExpr{}
	for _, p := range l.b.Analysis.Program().Packages {
		if !l.b.InScope(p.PkgPath) {
			continue
		}
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					l.syntax[c.Lparen] = c
				}
				return true
			})
		}
	}
}

// findFunctions finds the functions that may get copies.
func (l *lender) findFunctions() {
	for _, fn := range l.b.Analysis.Program().Functions() {
		if d, ok := fn.Syntax().(*ast.FuncDecl); ok && l.spelled(fn) && l.fits(fn, d) {
			x := &lendable{fn: fn, name: d.Name, text: int(d.End() - d.Pos())}
			l.funcs[fn] = x
			l.list = append(l.list, x)
		}
	}
}

// root is accessor.Root, also for a parameter that function literals capture.
func root(addr ssa.Value) *ssa.Parameter {
	switch v := accessor.Base(addr).(type) {
	case *ssa.Parameter:
		return v
	case *ssa.UnOp:
		if a, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			return captured(a)
		}
	}
	return nil
}

// captured returns the parameter in variable a, which function literals capture. It returns nil if the variable has another
// assignment, or another use than loads.
func captured(a *ssa.Alloc) (p *ssa.Parameter) {
	for u := range instrs.Uses(a) {
		switch u := u.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			x, ok := u.Val.(*ssa.Parameter)
			if !ok || p != nil {
				return nil
			}
			p = x
		case *ssa.MakeClosure:
			for i, b := range u.Bindings {
				if b != a {
					continue
				}
				for w := range instrs.Uses(u.Fn.(*ssa.Function).FreeVars[i]) {
					if _, load := w.(*ssa.UnOp); !load {
						return nil
					}
				}
			}
		default:
			return nil
		}
	}
	return p
}

// spelled reports whether the function, or the one that a literal is in, has one instance, whose text the plan decides
// about.
func (l *lender) spelled(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Synthetic == "" && accessor.Single(l.b, fn)
}

// fits reports whether the function can have a copy, and a task is likely to own what its first operand
// points to.
func (l *lender) fits(fn *ssa.Function, d *ast.FuncDecl) bool {
	if len(fn.Params) == 0 || !accessor.Copyable(l.b, d, maxLent) {
		return false
	}
	p, ok := fn.Params[0].Type().Underlying().(*types.Pointer)
	if !ok || synchronizes(p.Elem(), map[types.Type]bool{}) || d.Recv != nil && !named(d.Type.Params) {
		return false
	}
	ok = true
	ast.Inspect(d.Body, func(n ast.Node) bool {
		_, is := n.(*ast.TypeSpec) // the copy would declare another type
		ok = ok && !is
		return ok
	})
	return ok
}

// named reports whether the parameters have names.
func named(l *ast.FieldList) bool {
	return !slices.ContainsFunc(l.List, func(f *ast.Field) bool { return len(f.Names) == 0 })
}

// synchronizes reports whether values of the type hold locks, atomic numbers or channels: several
// tasks mostly share such a value.
func synchronizes(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil {
		switch n.Obj().Pkg().Path() {
		case "sync", "sync/atomic", "internal/sync", "internal/poll":
			return true
		}
	}
	switch t := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Array:
		return synchronizes(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if synchronizes(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// call returns the copy to which a call may go.
func (l *lender) call(c *ssa.Call) (to lent, ok bool) {
	fn := c.Call.StaticCallee()
	if fn == nil || len(l.b.Calls(c.Call.Pos())) != 1 {
		return to, false
	}
	name := accessor.Called(l.b, l.syntax[c.Call.Pos()], fn)
	if name == nil {
		return to, false
	}
	if x := l.funcs[fn]; x != nil {
		return lent{c.Parent(), x, name.Pos()}, true
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil || l.b.InScope(obj.Pkg().Path()) || !splice.ImportsBorrower(obj) {
		return to, false
	}
	return lent{c.Parent(), nil, name.Pos()}, true
}

// useful reports whether the copy is worth its text.
func (x *lendable) useful() bool { return x.gain*perCheck >= x.text }

// useful reports whether the call saves checks.
func (c lent) useful() bool { return c.to == nil || c.to.useful() }

// weigh counts the checks that the copies lack. A copy of another package counts as one check.
func (l *lender) weigh() {
	for i := range l.b.Analysis.Sites.List {
		if fn := l.owns(i); fn != nil {
			x := l.funcs[fn]
			x.sites = append(x.sites, i)
		}
	}
	const (
		rounds  = 8       // recursion ends, and so do long chains of calls
		maxGain = maxLent // of recursive functions
	)
	for range rounds {
		for _, x := range l.list {
			x.gain = len(x.sites)
			for _, c := range x.calls {
				switch {
				case c.to == nil:
					x.gain++
				case c.to.useful():
					x.gain = min(x.gain+c.to.gain, maxGain)
				}
			}
		}
	}
}

// owns returns the function whose copy lacks the check of site i, nil if there is none.
func (l *lender) owns(i int) *ssa.Function {
	s, fate := l.b.Analysis.Sites.List[i], l.b.Fate(i)
	if len(s.Accesses) != 1 || !l.b.Checked(i) || fate.Kind == builder.Removed || fate.Gather || s.Key.Elems {
		return nil
	}
	c := s.Accesses[0]
	x := l.funcs[c.Fn]
	if x == nil || s.Pkg.Path() != c.Fn.Pkg.Pkg.Path() || root(c.Addr) != c.Fn.Params[0] {
		return nil
	}
	return c.Fn
}
