package ssapass

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/ssapass/instrs"
)

// Functions of std that call back have no bodies in a unit: functions that sort, search or keep a
// heap. Calls of external code would make everything known to other tasks that the arguments lead
// to, and external code might run the callbacks at any time. A model is a body for such a function.
// A model makes every call and access that the function may make, in any order, and computes
// nothing. If the function may also leave out a call or access, the model makes it under a condition.
// The analysis treats a call of a model as a call in the unit. The files of folder models have the
// models. Each model is checked by itself, with the declarations of its package that it names in
// scope.

//go:embed models/*.go
var modelFiles embed.FS

// modelled maps the packages that have models to their files.
var modelled = map[string]string{
	"container/heap": "heap.go", "math/rand": "rand.go", "math/rand/v2": "rand.go", "slices": "slices.go", "sort": "sort.go",
}

// models has the models of a unit that were needed so far.
type models struct {
	p     *Program
	decls map[string]map[string]*ast.FuncDecl // by file, then by name of the function, or type and method
	taken map[*ssa.Function]*ssa.Function     // models of functions that are used as values; nil: has none
	is    map[*ssa.Function]bool
}

func newModels(p *Program) *models {
	return &models{p, map[string]map[string]*ast.FuncDecl{}, map[*ssa.Function]*ssa.Function{}, map[*ssa.Function]bool{}}
}

// replace lets f use models in place of the functions that they model. Each call gets a model of
// its own, so that the arguments of two calls do not meet. m may be nil.
func (m *models) replace(f *ssa.Function) {
	if m == nil {
		return
	}
	var buf [10]*ssa.Value
	for in := range instrs.Of(f) {
		ops := in.Operands(buf[:0])
		if c, ok := in.(ssa.CallInstruction); ok {
			if g, ok := c.Common().Value.(*ssa.Function); ok {
				m.call(c, g)
				ops = ops[1:] // the first operand is the function
			}
		}
		for _, o := range ops {
			if g, ok := (*o).(*ssa.Function); ok {
				h, done := m.taken[g]
				if !done {
					h = m.of(g, m.decl(g))
					m.taken[g] = h
				}
				if h != nil {
					*o = h
				}
			}
		}
	}
}

// call lets a call of f call a model, if there is one.
func (m *models) call(c ssa.CallInstruction, f *ssa.Function) {
	d := m.decl(f)
	if d == nil {
		return
	}
	h := m.of(f, d)
	if h == nil {
		h = m.ofSlice(c, f, d)
	}
	if h != nil {
		c.Common().Value = h
	}
}

// of returns a model of f with declaration d, or nil. d may be nil.
func (m *models) of(f *ssa.Function, d *ast.FuncDecl) *ssa.Function {
	if d == nil || len(f.TypeArgs()) != typeParams(d) {
		return nil
	}
	h := m.build(f, d, f.TypeArgs())
	if h == nil || !types.Identical(callType(f.Signature), h.Signature) {
		return nil // another version of Go
	}
	return h
}

// ofSlice is of for a call of sort.Slice, or of a function like it, whose first argument is a slice
// in an interface. The call passes the slice itself to the model.
func (m *models) ofSlice(c ssa.CallInstruction, f *ssa.Function, d *ast.FuncDecl) *ssa.Function {
	cc := c.Common()
	if typeParams(d) != 2 || len(f.TypeArgs()) > 0 {
		return nil
	}
	x, ok := cc.Args[0].(*ssa.MakeInterface)
	if !ok {
		return nil
	}
	s, ok := x.X.Type().Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	h := m.build(f, d, []types.Type{x.X.Type(), s.Elem()})
	if h == nil {
		return nil
	}
	cc.Args[0] = x.X
	uses := x.Referrers()
	*uses = slices.DeleteFunc(slices.Clone(*uses), func(u ssa.Instruction) bool { return u == c })
	if uses := x.X.Referrers(); uses != nil {
		*uses = append(*uses, c)
	}
	return h
}

// callType returns the type of a function whose first parameter is the receiver of sig.
func callType(sig *types.Signature) *types.Signature {
	r := sig.Recv()
	if r == nil {
		return sig
	}
	list := []*types.Var{r}
	for v := range sig.Params().Variables() {
		list = append(list, v)
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(list...), sig.Results(), sig.Variadic())
}

// decl returns the declaration of the model of f, or nil.
func (m *models) decl(f *ssa.Function) *ast.FuncDecl {
	pkg := packageOf(f)
	if pkg == nil || m.p.unit.has(pkg) || len(f.Blocks) > 0 {
		return nil
	}
	file := modelled[pkg.Path()]
	if file == "" {
		return nil
	}
	if m.decls[file] == nil {
		m.decls[file] = m.parse(file)
	}
	fn, ok := origin(f).Object().(*types.Func)
	if !ok {
		return nil
	}
	for _, t := range f.TypeArgs() {
		if parameterized(t) {
			return nil
		}
	}
	name := fn.Name()
	if r := fn.Signature().Recv(); r != nil {
		n, ok := types.Unalias(site.Elem(r.Type())).(*types.Named)
		if !ok {
			return nil
		}
		name = n.Obj().Name() + "." + name
	}
	return m.decls[file][name]
}

func (m *models) parse(file string) map[string]*ast.FuncDecl {
	list := map[string]*ast.FuncDecl{}
	text, err := modelFiles.ReadFile("models/" + file)
	if err != nil {
		return list
	}
	f, err := parser.ParseFile(m.p.Fset, "models/"+file, text, parser.SkipObjectResolution)
	if err != nil {
		return list
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			name := d.Name.Name
			if d.Recv != nil {
				name = d.Recv.List[0].Type.(*ast.StarExpr).X.(*ast.Ident).Name + "." + name
			}
			list[name] = d
		}
	}
	return list
}

// typeParams returns the number of the declaration's type parameters.
func typeParams(d *ast.FuncDecl) int { return d.Type.TypeParams.NumFields() }

// build makes the model of f with the type arguments args from its declaration. It returns nil if
// the declaration does not fit.
func (m *models) build(f *ssa.Function, d *ast.FuncDecl, args []types.Type) *ssa.Function {
	of := packageOf(f)
	pkg := types.NewPackage(of.Path(), of.Name())
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name != d.Name.Name {
			if o := of.Scope().Lookup(id.Name); o != nil && o.Exported() {
				pkg.Scope().Insert(o)
			}
		}
		return true
	})
	i := 0
	if list := d.Type.TypeParams; list != nil {
		for _, field := range list.List {
			for _, name := range field.Names {
				pkg.Scope().Insert(types.NewTypeName(token.NoPos, pkg, name.Name, args[i]))
				i++
			}
		}
	}
	// A declaration without type parameters, whose receiver is a parameter.
	typ, decl := *d.Type, *d
	typ.TypeParams = nil
	if d.Recv != nil {
		list := append(d.Recv.List[:1:1], typ.Params.List...)
		typ.Params = &ast.FieldList{List: list}
	}
	decl.Type, decl.Recv = &typ, nil
	info := NewInfo(0)
	file := &ast.File{Package: d.Pos(), Name: ast.NewIdent(of.Name()), Decls: []ast.Decl{&decl}, FileStart: d.Pos(), FileEnd: d.End()}
	conf := types.Config{Sizes: m.p.unit.Sizes, Error: func(error) {}}
	if err := types.NewChecker(&conf, m.p.Fset, pkg, info).Files([]*ast.File{file}); err != nil {
		return nil
	}
	s := m.p.SSA.CreatePackage(pkg, []*ast.File{file}, info, false)
	s.Build()
	h := s.Func(d.Name.Name)
	m.is[h] = true
	return h
}

// stays reports whether an interface goes nowhere but to models, which call its methods. m may be
// nil.
func (m *models) stays(v ssa.Value) bool {
	if m == nil {
		return false
	}
	for u := range instrs.Uses(v) {
		switch u := u.(type) {
		case *ssa.Return:
			if !m.is[u.Parent()] { // the callers of a model ask for its results
				return false
			}
		case *ssa.Call:
			f := u.Call.StaticCallee()
			if u.Call.IsInvoke() && !m.is[u.Parent()] {
				return false
			}
			for i, a := range u.Call.Args {
				if a == v && (!m.is[f] || !m.stays(f.Params[i]) || types.Identical(u.Type(), v.Type()) && !m.stays(u)) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
