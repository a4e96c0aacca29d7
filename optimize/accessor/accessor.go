package accessor

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/optimize/builder"
	"taskinstr/ssapass/instrs"
)

// maxText is the greatest number of bytes in the text of an accessor.
const maxText = 400

// An Accessor is such a function.
type Accessor struct {
	Fn   *ssa.Function
	Name *ast.Ident // in the declaration
	// Straight: the function has one block.
	Straight bool
	sites    []int
}

// A Finder finds accessors and their calls.
type Finder struct {
	b     *builder.Builder
	found map[*ssa.Function]*Accessor // nil: no accessor
	sites map[*ssa.Function][]int
	calls map[*token.File]map[token.Pos]*ast.CallExpr // by opening parenthesis
	taken map[site.Pos]bool                           // calls that go to copies, some only in one version of a loop
	gone  map[site.Pos]bool                           // those that always do
}

// NewFinder returns a finder for the packages of the plan.
func NewFinder(b *builder.Builder) *Finder {
	f := &Finder{b: b, found: map[*ssa.Function]*Accessor{}, sites: map[*ssa.Function][]int{}, calls: map[*token.File]map[token.Pos]*ast.CallExpr{}, taken: map[site.Pos]bool{}, gone: map[site.Pos]bool{}}
	for i, s := range b.Analysis.Sites.List {
		for _, c := range s.Accesses {
			f.sites[c.Fn] = append(f.sites[c.Fn], i)
		}
	}
	for _, in := range b.Inserts() {
		for _, c := range in.Calls {
			f.taken[c.At] = true
		}
	}
	for _, r := range b.Redirects() {
		f.taken[r.Call.At], f.gone[r.Call.At] = true, true
	}
	return f
}

// Gone reports whether the call goes to a copy without checks.
func (f *Finder) Gone(c *ssa.Call) bool {
	_, r, _ := f.Call(c)
	return f.gone[r.Call.At]
}

// Of returns the accessor fn, nil if fn is none.
func (f *Finder) Of(fn *ssa.Function) *Accessor {
	x, ok := f.found[fn]
	if !ok {
		x = f.find(fn)
		f.found[fn] = x
	}
	return x
}

func (f *Finder) find(fn *ssa.Function) *Accessor {
	d, ok := fn.Syntax().(*ast.FuncDecl)
	if !ok || !Single(f.b, fn) || fn.Recover != nil || !Copyable(f.b, d, maxText) {
		return nil
	}
	for in := range instrs.Of(fn) {
		if !accesses(in) {
			return nil
		}
	}
	for _, i := range f.sites[fn] {
		s := f.b.Analysis.Sites.List[i]
		if len(s.Accesses) != 1 || s.Pkg.Path() != fn.Pkg.Pkg.Path() || s.Key.Elems {
			return nil
		}
	}
	return &Accessor{Fn: fn, Name: d.Name, Straight: len(fn.Blocks) == 1, sites: f.sites[fn]}
}

// Single reports whether the plan decides about the text of fn, which is no instance and no generic function.
func Single(b *builder.Builder, fn *ssa.Function) bool {
	return fn.Pkg != nil && b.InScope(fn.Pkg.Pkg.Path()) && fn.Origin() == nil && len(fn.TypeArgs()) == 0 && fn.TypeParams().Len() == 0
}

// Copyable reports whether the text of a function, of at most most bytes, can be copied as it stands.
func Copyable(b *builder.Builder, d *ast.FuncDecl, most int) bool {
	return d.Body != nil && int(d.End()-d.Pos()) <= most && !builder.Directed(d.Doc) && d.Name.Name != "_" && d.Name.Name != "init" && !b.HasLineDirective(d.Pos())
}

// accesses reports whether the instruction computes, or accesses memory of a parameter.
func accesses(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.DebugRef, *ssa.BinOp, *ssa.Field, *ssa.ChangeType:
		return true
	case *ssa.Convert:
		return basic(in.Type()) && basic(in.X.Type())
	case *ssa.FieldAddr:
		return Root(in) != nil
	case *ssa.IndexAddr:
		return Root(in) != nil
	case *ssa.UnOp:
		return in.Op != token.ARROW && (in.Op != token.MUL || Root(in.X) != nil)
	case *ssa.Store:
		return Root(in.Addr) != nil
	case *ssa.Call:
		b, ok := in.Call.Value.(*ssa.Builtin)
		if !ok {
			return false
		}
		switch b.Name() {
		case "len", "cap":
			_, isMap := in.Call.Args[0].Type().Underlying().(*types.Map)
			_, isChan := in.Call.Args[0].Type().Underlying().(*types.Chan)
			return !isMap && !isChan
		case "min", "max":
			return basic(in.Type())
		}
	}
	return false
}

// basic reports whether t is a type of numbers or truth values.
func basic(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

// Root returns the parameter from which an address selects fields and elements of arrays, nil if
// there is none.
func Root(addr ssa.Value) *ssa.Parameter {
	p, _ := Base(addr).(*ssa.Parameter)
	return p
}

// Base returns the value from which an address selects fields and elements of arrays.
func Base(addr ssa.Value) ssa.Value {
	for {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
		case *ssa.IndexAddr:
			if _, slice := v.X.Type().Underlying().(*types.Slice); slice {
				return v
			}
			addr = v.X
		default:
			return v
		}
	}
}

// Argument returns the value that call c hands to parameter p of its callee.
func Argument(c *ssa.Call, p *ssa.Parameter) ssa.Value {
	return c.Call.Args[slices.Index(p.Parent().Params, p)]
}

// Checks returns the sites whose checks a call of the accessor makes. ok is false if a check
// depends on more than the call.
func (f *Finder) Checks(x *Accessor) (list []int, ok bool) {
	for _, i := range x.sites {
		switch fate := f.b.Fate(i); {
		case !f.b.Checked(i) || fate.Kind == builder.Removed: // what covers it is here, too, or in all callers
		case fate.Kind == builder.Kept:
			list = append(list, i)
		default:
			return nil, false
		}
	}
	return list, true
}

// Call returns the accessor that c calls, and the call for the plan. ok is false if the call
// cannot go to a copy.
func (f *Finder) Call(c *ssa.Call) (x *Accessor, r builder.Redirect, ok bool) {
	fn := c.Call.StaticCallee()
	if fn == nil || c.Parent().Pkg != fn.Pkg || c.Parent().Synthetic != "" {
		return nil, r, false
	}
	if x = f.Of(fn); x == nil {
		return nil, r, false
	}
	pos := c.Call.Pos()
	fset := f.b.Analysis.Program().Fset
	file := fset.File(pos)
	if file == nil || len(f.b.Calls(pos)) != 1 {
		return nil, r, false
	}
	name := Called(f.b, f.callsOf(fn.Pkg.Pkg.Path(), file)[pos], fn)
	if name == nil {
		return nil, r, false
	}
	r = builder.Redirect{Pkg: fn.Pkg.Pkg.Path(), File: file.Name(), Wide: -1, With: -1}
	r.Call = splice.Call{At: f.b.At(name.Pos()), Func: f.b.At(x.Name.Pos())}
	return x, r, !f.taken[r.Call.At]
}

// Called returns the name of fn in a call of it, for a plan. It returns nil if there is no call, if the call does not name
// fn, and where a line directive may give several calls one position.
func Called(b *builder.Builder, call *ast.CallExpr, fn *ssa.Function) *ast.Ident {
	if call == nil {
		return nil
	}
	var name *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	}
	if name == nil || name.Name != fn.Name() || b.HasLineDirective(name.Pos()) {
		return nil
	}
	return name
}

// Redirect has the call go to a copy.
func (f *Finder) Redirect(r builder.Redirect) {
	f.taken[r.Call.At], f.gone[r.Call.At] = true, r.Wide < 0
	f.b.Redirect(r)
}

// callsOf returns the calls in a file of a package, but those of go and defer statements.
func (f *Finder) callsOf(pkg string, file *token.File) map[token.Pos]*ast.CallExpr {
	m, ok := f.calls[file]
	if ok {
		return m
	}
	m = map[token.Pos]*ast.CallExpr{}
	f.calls[file] = m
	prog := f.b.Analysis.Program()
	for _, p := range prog.Packages {
		if p.PkgPath != pkg {
			continue
		}
		for _, s := range p.Syntax {
			if prog.Fset.File(s.FileStart) != file {
				continue
			}
			ast.Inspect(s, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					m[c.Lparen] = c
				}
				return true
			})
		}
	}
	return m
}
