package inline

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"taskinstr/internal/site"
)

// Unproven is a set of functions that bring conversions of unsafe pointers to other packages: the body of such a function
// is compiled there, and a conversion in it can fail. A function has the linker's name, without type arguments.
type Unproven map[string]bool

// Encode returns the names as text, a line each, in order.
func (u Unproven) Encode() []byte {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(u)) {
		b.WriteString(name)
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// Add adds encoded names.
func (u Unproven) Add(data []byte) {
	for line := range strings.Lines(string(data)) {
		u[strings.TrimSuffix(line, "\n")] = true
	}
}

// A prover looks for conversions of unsafe pointers that can fail.
type prover struct {
	*analysis
	known Unproven // of the imports, then of the package as well
}

// pointers decides about the package's conversions of unsafe pointers: it adds the package's functions to known,
// and says which declarations the compiler must instrument.
func (a *analysis) pointers(known Unproven) (instrument map[ast.Decl]bool) {
	if a.Path == "sync/atomic" {
		// Only Pointer[T] has conversions that the types do not prove, and it converts pointers that it has stored as *T.
		return nil
	}
	p := prover{a, known}
	instrument = map[ast.Decl]bool{}
	uses := map[ast.Decl][]*types.Func{} // of the other declarations
	for _, file := range a.Files {
		for _, d := range file.Decls {
			if p.fails(d) {
				instrument[d] = true
				p.list(d)
			} else {
				uses[d] = a.usedIn(d)
			}
		}
	}
	for more := true; more; {
		more = false
		for d, used := range uses {
			if slices.ContainsFunc(used, p.listed) {
				instrument[d] = true
				delete(uses, d)
				more = p.list(d) || more
			}
		}
	}
	return instrument
}

// list adds the declared function to the known ones if it is compiled elsewhere as well.
func (p *prover) list(d ast.Decl) bool {
	f := p.compiledElsewhere(d)
	if f != nil {
		p.known[site.LinkName(f, p.Path)] = true
	}
	return f != nil
}

// compiledElsewhere returns the function that d declares if its body becomes a part of other functions: the compiler inlines
// it, or it has type parameters.
func (a *analysis) compiledElsewhere(d ast.Decl) *types.Func {
	fd, ok := d.(*ast.FuncDecl)
	if !ok || fd.Body == nil {
		return nil
	}
	f, ok := a.Info.Defs[fd.Name].(*types.Func)
	if !ok {
		return nil
	}
	if _, inlined := a.inlined(f); !inlined && !hasTypeParams(f) {
		return nil
	}
	return f
}

func (a *analysis) usedIn(n ast.Node) (fs []*types.Func) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := a.Info.Uses[id].(*types.Func); ok {
				fs = append(fs, f)
			}
		}
		return true
	})
	return fs
}

func (p *prover) listed(f *types.Func) bool {
	f = f.Origin()
	if f.Pkg() == nil {
		return false
	}
	path := f.Pkg().Path()
	if f.Pkg() == p.Types {
		path = p.Path
	}
	return p.known[site.LinkName(f, path)]
}

// fails reports whether n contains a conversion of an unsafe pointer that is not known to succeed.
func (p *prover) fails(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			found = p.mayFail(call)
		}
		return !found
	})
	return found
}

func (p *prover) mayFail(call *ast.CallExpr) bool {
	if name := p.builtin(call); name != "" {
		return name == "Add" || (name == "Slice" || name == "String") && !p.whole(call)
	}
	to := p.Info.Types[call.Fun]
	if !to.IsType() || len(call.Args) != 1 {
		return false
	}
	from := p.typeOf(call.Args[0])
	if site.IsUnsafePointer(to.Type) {
		return site.IsUintptr(from) || site.IsTypeParam(from)
	}
	return site.IsUnsafePointer(from) && !site.IsUintptr(to.Type) && !p.fits(to.Type, call.Args[0])
}

// fits reports whether the pointer e, as a *T, points to memory of one variable: e comes from a pointer to a variable that is
// at least as large, and aligned at least as much.
func (p *prover) fits(to types.Type, e ast.Expr) bool {
	t, ok := under(to).(*types.Pointer)
	if !ok || site.IsTypeParam(to) {
		return false
	}
	if p.describesType(t.Elem()) {
		return true
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if ok && len(call.Args) == 1 && p.noEscape(call) {
		call, ok = ast.Unparen(call.Args[0]).(*ast.CallExpr)
	}
	if !ok || len(call.Args) != 1 || !p.Info.Types[call.Fun].IsType() {
		return false
	}
	s, ok := under(p.typeOf(call.Args[0])).(*types.Pointer)
	if !ok || !sized(t.Elem()) || !sized(s.Elem()) {
		return false
	}
	return p.Sizes.Sizeof(t.Elem()) <= p.Sizes.Sizeof(s.Elem()) && p.Sizes.Alignof(t.Elem()) <= p.Sizes.Alignof(s.Elem())
}

// describesType reports whether t is a description of a type, in a package that reads descriptions. The compiler and reflect make
// these, so their conversions succeed whatever the program does.
func (p *prover) describesType(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || !strings.HasSuffix(strings.ToLower(n.Obj().Name()), "type") {
		return false
	}
	switch p.Path {
	case "reflect", "internal/reflectlite", "internal/abi":
		path := n.Obj().Pkg().Path()
		return path == "internal/abi" || path == p.Path
	}
	return false
}

// noEscape reports whether the call returns its operand.
func (p *prover) noEscape(call *ast.CallExpr) bool {
	f := typeutil.StaticCallee(p.Info, call)
	return f != nil && f.Pkg() != nil && f.Pkg().Path() == "internal/abi" && f.Name() == "NoEscape"
}

// whole reports whether a call of unsafe.Slice or unsafe.String has the operands &v[0], unsafe.SliceData(v) or
// unsafe.StringData(v), and len(v).
func (p *prover) whole(call *ast.CallExpr) bool {
	length, ok := ast.Unparen(call.Args[1]).(*ast.CallExpr)
	if !ok || p.builtin(length) != "len" {
		return false
	}
	var v ast.Expr
	switch e := ast.Unparen(call.Args[0]).(type) {
	case *ast.CallExpr:
		if name := p.builtin(e); name != "SliceData" && name != "StringData" {
			return false
		}
		v = e.Args[0]
	case *ast.UnaryExpr:
		x, ok := ast.Unparen(e.X).(*ast.IndexExpr)
		if !ok {
			return false
		}
		if i := p.Info.Types[x.Index].Value; i == nil || i.ExactString() != "0" {
			return false
		}
		v = x.X
	default:
		return false
	}
	return isPath(v) && types.ExprString(v) == types.ExprString(length.Args[0])
}

// isPath reports whether e is a variable, or a field of one.
func isPath(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPath(e.X)
	}
	return false
}

// builtin returns the name of the function of the language or of package unsafe that is called, or "".
func (p *prover) builtin(call *ast.CallExpr) string {
	if b, ok := typeutil.Callee(p.Info, call).(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// sized reports whether the size of t does not depend on a type argument.
func sized(t types.Type) bool {
	if site.IsTypeParam(t) {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Array:
		return sized(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !sized(f.Type()) {
				return false
			}
		}
	}
	return true
}
