package site

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"taskinstr/internal/atomics"
)

// Method returns the selection of the method that e names, nil for other expressions.
func (p *Package) Method(e ast.Expr) (*ast.SelectorExpr, *types.Selection) {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	sel := p.Info.Selections[s]
	if sel == nil || sel.Kind() == types.FieldVal {
		return nil, nil
	}
	return s, sel
}

// Mediated reports whether a call of the selected method reaches it through a wrapper
// that may access memory. The compiler calls the methods of other receivers directly.
func (p *Package) Mediated(sel *types.Selection) bool {
	m := sel.Obj().(*types.Func)
	recv := m.Signature().Recv().Type()
	if types.IsInterface(recv) || IsTypeParam(Elem(sel.Recv())) {
		return true
	}
	if sel.Kind() == types.MethodVal {
		return p.hiddenPointer(sel)
	}
	if IsPointer(sel.Recv()) && !IsPointer(recv) {
		return true
	}
	t := Elem(sel.Recv())
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return true
		}
		if t = st.Field(i).Type(); IsPointer(t) {
			return true
		}
	}
	return false
}

// hiddenPointer reports whether the selection reads a pointer between the operand and
// the receiver that this package cannot name: a field of another package.
func (p *Package) hiddenPointer(sel *types.Selection) bool {
	t, hidden := Elem(sel.Recv()), false
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		st, ok := Elem(t).Underlying().(*types.Struct)
		if !ok {
			return false
		}
		v := st.Field(i)
		hidden = hidden || !v.Exported() && v.Pkg() != p.Pkg
		if t = v.Type(); hidden && IsPointer(t) {
			return true
		}
	}
	return false
}

// DynamicSpelled reports whether the package leaves the predeclared names alone that the
// checks of methods need.
func (p *Package) DynamicSpelled() bool { return p.Shadows("any", "bool", "string", "uintptr") == 0 }

// AtomicFunc returns the sync/atomic function that e names, or nil.
func (p *Package) AtomicFunc(e ast.Expr) *types.Func {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); p.Info.Selections[e] != nil || ok && x.Name == coverAtomic {
			return nil
		}
		id = e.Sel
	default:
		return nil
	}
	fn, ok := p.Info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || fn.Signature().Recv() != nil || atomics.OpOf(fn.Name()) == atomics.None {
		return nil
	}
	if p.Shadows("int32", "int64", "bool") > 0 {
		return nil
	}
	return fn
}

// IsMake reports whether e is a call of make.
func (p *Package) IsMake(e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !p.Info.Types[c.Fun].IsBuiltin() {
		return false
	}
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	return ok && id.Name == "make"
}

// Fresh reports whether nobody else can know the elements of slice e: it is a literal,
// a new slice, or nil converted.
func (p *Package) Fresh(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.CallExpr:
		return p.Info.Types[e.Fun].IsType() && IsNil(p.TypeOf(e.Args[0])) || p.IsMake(e)
	case *ast.Ident:
		return IsNil(p.TypeOf(e))
	}
	return false
}

// passesAddress reports whether a pointer becomes an integer among the arguments: a
// directive of the function may say that the call keeps alive the memory behind it.
func (p *Package) passesAddress(args []ast.Expr) bool {
	for _, e := range args {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		if ok && p.Info.Types[c.Fun].IsType() && IsUintptr(p.TypeOf(c)) && IsUnsafePointer(p.TypeOf(c.Args[0])) {
			return true
		}
	}
	return false
}

// HeaderData returns the field Data of a reflect.SliceHeader or StringHeader that x
// selects in memory that others may reach, nil if x is another expression.
func (p *Package) HeaderData(x ast.Expr) *ast.SelectorExpr {
	s, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok || s.Sel.Name != "Data" || p.Info.Selections[s] == nil || len(p.Info.Selections[s].Index()) != 1 {
		return nil
	}
	switch types.TypeString(Elem(p.Info.Selections[s].Recv()), nil) {
	case "reflect.SliceHeader", "reflect.StringHeader":
	default:
		return nil
	}
	if p.Storage(s) != Reachable {
		return nil
	}
	return s
}

// A Directive is a mark on a function that changes its checks.
type Directive uint8

const (
	NoDirective Directive = iota
	NoRace                // go:norace: no checks
	NoSplit               // go:nosplit: checks that never block, of one kind only
	Cgo                   // cgo made the function: no checks
)

// DirectiveOf returns the mark on function d.
func DirectiveOf(d *ast.FuncDecl) Directive {
	switch {
	case cgoFunc(d.Name.Name):
		return Cgo
	case marked(d, "//go:norace"):
		return NoRace
	case IsNoSplit(d):
		return NoSplit
	}
	return NoDirective
}

// IsNoSplit reports whether function d is marked go:nosplit, whatever other marks it has.
func IsNoSplit(d *ast.FuncDecl) bool { return marked(d, "//go:nosplit") }

func marked(d *ast.FuncDecl, directive string) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool {
		first, _, _ := strings.Cut(c.Text, " ")
		return strings.TrimSpace(first) == directive
	})
}

// cgoFunc reports whether cgo made the function called name.
func cgoFunc(name string) bool {
	return strings.HasPrefix(name, "_cgo") || strings.HasPrefix(name, "_Cfunc_") ||
		strings.HasPrefix(name, "_Cgo_") || strings.HasPrefix(name, "_cgoexp")
}
