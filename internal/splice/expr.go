package splice

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
)

// rvalue rewrites an expression whose value the program uses.
func (f *file) rvalue(e ast.Expr) {
	tv := f.Info.Types[e]
	if tv.Value != nil || tv.IsType() || tv.IsBuiltin() {
		return
	}
	switch e := e.(type) {
	case *ast.Ident:
		switch o := f.Info.Uses[e].(type) {
		case *types.Var:
			f.read(e)
		case *types.Func:
			f.atomicValue(e, o)
		}
	case *ast.ParenExpr:
		f.rvalue(e.X)
	case *ast.SelectorExpr:
		f.selector(e)
	case *ast.IndexExpr:
		f.index(e)
	case *ast.StarExpr:
		f.rvalue(e.X)
		f.read(e)
	case *ast.UnaryExpr:
		f.unary(e)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			f.shortCircuit(e)
			return
		}
		f.noCopy.AddOperands(f.Package, e)
		f.rvalue(e.X)
		f.rvalue(e.Y)
	case *ast.CallExpr:
		f.callExpr(e, inExpr)
	case *ast.CompositeLit:
		f.composite(e, e.Type)
		f.literalElements(e, "")
	case *ast.FuncLit:
		f.funcLit(e)
	case *ast.SliceExpr:
		m := f.seq.mark()
		if site.IsArray(f.TypeOf(e.X)) {
			f.address(e.X)
		} else {
			f.rvalue(e.X)
		}
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				f.rvalue(i)
			}
		}
		f.operation(e, m)
	case *ast.TypeAssertExpr:
		m := f.seq.mark()
		f.rvalue(e.X)
		f.operation(e, m)
	case *ast.KeyValueExpr:
		f.rvalue(e.Value)
	}
}

func (f *file) selector(e *ast.SelectorExpr) {
	sel := f.Info.Selections[e]
	if sel == nil { // qualified identifier
		switch o := f.Info.Uses[e.Sel].(type) {
		case *types.Var:
			f.read(e)
		case *types.Func:
			f.atomicValue(e, o)
		}
		return
	}
	switch sel.Kind() {
	case types.FieldVal:
		f.address(e)
		if f.Storage(e) != site.Temporary {
			f.read(e)
		}
	case types.MethodVal:
		f.receiver(e, sel)
		f.methodValue(e, sel)
	case types.MethodExpr:
		f.methodValue(e, sel)
	}
}

func (f *file) index(e *ast.IndexExpr) {
	switch t := site.Core(f.TypeOf(e.X)).(type) {
	case *types.Signature: // an instantiation
		f.rvalue(e.X)
	case nil:
		if site.Textual(f.TypeOf(e.X)) {
			f.textOrBytes(e)
			break
		}
		f.rvalue(e.X)
		f.rvalue(e.Index)
	case *types.Map:
		f.rvalue(e.X)
		f.noCopy.AddKey(f.Package, e.Index)
		f.mapKey(e.Index, t)
	case *types.Basic: // a string
		f.rvalue(e.X)
		f.rvalue(e.Index)
	default:
		if f.Storage(e) == site.Temporary {
			f.rvalue(e.X)
			f.rvalue(e.Index)
			return
		}
		f.address(e)
		f.read(e)
	}
}

func (f *file) unary(e *ast.UnaryExpr) {
	switch e.Op {
	case token.AND:
		if l, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
			f.composite(l, l.Type)
			f.literalAddress(e, "")
			return
		}
		f.address(e.X)
	case token.ARROW:
		m := f.seq.mark()
		f.rvalue(e.X)
		f.call(e, m)
	default:
		f.rvalue(e.X)
	}
}
