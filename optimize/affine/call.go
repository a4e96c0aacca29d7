package affine

import (
	"go/ast"
	"go/types"

	"taskinstr/optimize/loop"
)

// call visits a call that is no conversion and no builtin.
func (n *nest) call(c *ast.CallExpr, st state) {
	if n.visitCallee(c, st) {
		return
	}
	k, ok := n.Info.Contract(c)
	if k.Accessor != "" { // the receiver, a variable of no bytes, is not accessed
		for _, a := range c.Args {
			n.expr(a, st)
		}
		n.contract(c, k, st)
		return
	}
	recv := n.operands(c, st)
	if ok {
		n.contract(c, k, st)
		return
	}
	for _, in := range n.Calls(c) {
		list, external := n.Builder.Analysis.Callees(in)
		if external || len(list) == 0 {
			n.fail("a call of external code")
		}
		for _, g := range list {
			x := n.file.panicFree(g)
			if !x.returns {
				n.fail("a call of " + g.Name() + ", which may panic")
			}
			for i := range x.nonNil {
				if recv != nil {
					if i--; i < 0 {
						if loop.IsPointer(n.Info.TypeOf(recv)) {
							n.nonNil(recv, st)
						}
						continue
					}
				}
				if i >= len(c.Args) || g.Signature.Variadic() {
					n.fail("a call of " + g.Name() + " with an argument that may be nil")
				}
				n.nonNil(c.Args[i], st)
			}
		}
	}
}

// operands visits the expressions that a call evaluates before the function begins, and
// returns the receiver.
func (n *nest) operands(c *ast.CallExpr, st state) (recv ast.Expr) {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.SelectorExpr:
		sel := n.Info.Selection(f)
		switch {
		case sel == nil: // a function of another package
		case sel.Kind() == types.MethodVal && !embeddedMethod(sel):
			if types.IsInterface(sel.Recv()) {
				n.fail("a method of an interface, which may be nil")
			}
			recv = f.X
			copied := !loop.IsPointer(sel.Obj().(*types.Func).Signature().Recv().Type())
			switch pointer := loop.IsPointer(n.Info.TypeOf(f.X)); {
			case !copied:
				n.operand(f.X, st)
			case pointer && n.inl != nil:
				star := n.inl.star(f.X)
				n.expr(star, st)
				n.receiver(star, st)
			case pointer:
				n.operand(f.X, st)
				n.nonNil(f.X, st)
			default:
				n.expr(f.X, st)
				n.receiver(f.X, st)
			}
		default:
			n.fail("a call of a value")
		}
	case *ast.Ident, *ast.IndexExpr, *ast.IndexListExpr:
		if id, ok := f.(*ast.Ident); ok {
			if _, ok := n.Info.Use(id).(*types.Func); !ok {
				n.fail("a call of a value")
			}
		}
	default:
		n.fail("a call of a value")
	}
	for _, a := range c.Args {
		n.expr(a, st)
	}
	return recv
}

// embeddedMethod reports whether the selection of a method passes an embedded field.
func embeddedMethod(sel *types.Selection) bool { return len(sel.Index()) > 1 }
