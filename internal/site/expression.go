package site

import (
	"go/ast"
	"go/token"
	"go/types"
)

func (w *walk) values(list []ast.Expr) {
	for _, e := range list {
		w.value(e)
	}
}

// value visits an expression whose value the program uses.
func (w *walk) value(e ast.Expr) {
	tv := w.Info.Types[e]
	if tv.Value != nil || tv.IsType() || tv.IsBuiltin() {
		return
	}
	switch e := e.(type) {
	case *ast.Ident:
		if _, ok := w.Info.Uses[e].(*types.Var); ok {
			w.read(e)
		}
	case *ast.ParenExpr:
		w.value(e.X)
	case *ast.SelectorExpr:
		w.selector(e)
	case *ast.IndexExpr:
		w.index(e)
	case *ast.StarExpr:
		w.value(e.X)
		w.read(e)
	case *ast.UnaryExpr:
		w.unary(e)
	case *ast.BinaryExpr:
		w.binary(e)
	case *ast.CallExpr:
		w.call(e, now)
	case *ast.CompositeLit:
		w.composite(e, e.Type)
		w.elements(e)
	case *ast.FuncLit:
		w.literal(e)
	case *ast.SliceExpr:
		if IsArray(w.TypeOf(e.X)) {
			w.address(e.X)
		} else {
			w.value(e.X)
		}
		for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
			if i != nil {
				w.value(i)
			}
		}
	case *ast.TypeAssertExpr:
		w.value(e.X)
	case *ast.KeyValueExpr:
		w.value(e.Value)
	}
}

// read lists the read of place e. The walk has visited the operands of e.
func (w *walk) read(e ast.Expr) {
	if !w.skip && w.Storage(e) == Reachable && w.Size(w.TypeOf(e)) != 0 {
		w.whole(e, Read)
	}
}

func (w *walk) selector(e *ast.SelectorExpr) {
	sel := w.Info.Selections[e]
	if sel == nil { // qualified identifier
		if _, ok := w.Info.Uses[e.Sel].(*types.Var); ok {
			w.read(e)
		}
		return
	}
	switch sel.Kind() {
	case types.FieldVal:
		w.address(e)
		if w.Storage(e) != Temporary {
			w.read(e)
		}
	case types.MethodVal:
		w.receiver(e, sel)
		w.methodValue(e, sel)
	case types.MethodExpr:
		w.methodValue(e, sel)
	}
}

// methodValue lists the use of a method that the program does not call on the spot.
func (w *walk) methodValue(e *ast.SelectorExpr, sel *types.Selection) {
	if !w.checksMethods() || !w.Mediated(sel) || sel.Kind() == types.MethodVal && IsTypeParam(Elem(sel.Recv())) {
		return
	}
	if _, ok := w.TypeOf(e).(*types.Signature); ok {
		w.fixed(e, "method "+sel.Obj().Name(), Read, false)
	}
}

// checksMethods reports whether uses of methods are sites here.
func (w *walk) checksMethods() bool { return !w.skip && !w.fn.nosplit && w.DynamicSpelled() }

func (w *walk) index(e *ast.IndexExpr) {
	switch Core(w.TypeOf(e.X)).(type) {
	case *types.Signature: // an instantiation
		w.value(e.X)
	case nil:
		w.value(e.X)
		w.value(e.Index)
		if Textual(w.TypeOf(e.X)) && !w.skip && !w.fn.nosplit && w.TextSpelled() {
			w.fixed(e, w.elementOf(w.TypeOf(e.X)), Read, false)
		}
	case *types.Map:
		w.value(e.X)
		w.inPlace.AddKey(w.Package, e.Index)
		w.value(e.Index)
	case *types.Basic: // a string
		w.value(e.X)
		w.value(e.Index)
	default:
		if w.Storage(e) == Temporary {
			w.value(e.X)
			w.value(e.Index)
			return
		}
		w.address(e)
		w.read(e)
	}
}

func (w *walk) unary(e *ast.UnaryExpr) {
	if e.Op != token.AND {
		w.value(e.X)
		return
	}
	if l, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
		w.composite(l, l.Type)
		w.pointer(e)
		return
	}
	w.address(e.X)
}

// binary visits an operation with two operands. The program evaluates the right operand
// of && and || under a condition.
func (w *walk) binary(e *ast.BinaryExpr) {
	if e.Op != token.LAND && e.Op != token.LOR {
		w.inPlace.AddOperands(w.Package, e)
		w.value(e.X)
		w.value(e.Y)
		return
	}
	ctx := w.ctx
	w.ctx.root = e.X
	w.value(e.X)
	w.ctx = context{before: ctx.before && IsBool(w.TypeOf(e)), root: e.Y}
	w.value(e.Y)
	w.ctx = ctx
}

// address visits the operands of place e, which the program does not read here.
func (w *walk) address(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Ident:
	case *ast.ParenExpr:
		w.address(e.X)
	case *ast.SelectorExpr:
		sel := w.Info.Selections[e]
		if sel == nil {
			return
		}
		if sel.Kind() != types.FieldVal {
			w.value(e)
			return
		}
		w.path(e.X, sel)
	case *ast.IndexExpr:
		if _, array := Core(w.TypeOf(e.X)).(*types.Array); array {
			w.address(e.X)
		} else {
			w.value(e.X)
		}
		w.value(e.Index)
	case *ast.StarExpr:
		w.value(e.X)
	default:
		w.value(e)
	}
}

// A path is the way from an operand over embedded fields to a selected field or method.
type path struct {
	x       ast.Expr
	t       types.Type // of the place that the path has reached
	storage Storage
	names   string // of the fields so far
	pointer bool   // the last field, or the operand, is a pointer to the place
	hidden  bool   // this package cannot name a field on the way
}

// path visits x and follows the embedded fields of the selection. It lists the reads of
// embedded pointers.
func (w *walk) path(x ast.Expr, sel *types.Selection) *path {
	p := &path{x: x, t: sel.Recv()}
	if IsPointer(p.t) {
		w.value(x)
		p.storage, p.t, p.pointer = Reachable, Elem(p.t), true
	} else {
		w.address(x)
		p.storage = w.Storage(x)
	}
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		st, ok := p.t.Underlying().(*types.Struct)
		if !ok {
			p.hidden = true
			return p
		}
		v := st.Field(i)
		if !v.Exported() && v.Pkg() != w.Pkg {
			p.hidden = true
		}
		p.names += "." + v.Name()
		p.t, p.pointer = v.Type(), false
		if !IsPointer(p.t) {
			continue
		}
		if p.storage == Reachable {
			w.implicit(p, "", "embedded field "+v.Name())
		}
		p.storage, p.t, p.pointer = Reachable, Elem(p.t), true
	}
	return p
}

// implicit lists a read that the source does not spell out: of the place that a path has
// reached, or of its target if star is "*".
func (w *walk) implicit(p *path, star, what string) {
	if !w.skip && !p.hidden {
		w.add(p.x, star+w.TextOf(p.x)+p.names, what, Read, false)
	}
}

// receiver visits the receiver of the method value or call x.M. A method with a value
// receiver copies the whole place.
func (w *walk) receiver(e *ast.SelectorExpr, sel *types.Selection) {
	t := sel.Recv()
	recv := sel.Obj().(*types.Func).Signature().Recv().Type()
	embedded := len(sel.Index()) > 1
	switch {
	case IsTypeParam(Elem(t)) || !embedded && types.IsInterface(t):
		w.value(e.X)
	case !embedded && IsPointer(recv) && !IsPointer(t):
		w.address(e.X)
	case !embedded && IsPointer(recv) == IsPointer(t):
		w.value(e.X)
	default:
		p := w.path(e.X, sel)
		if IsPointer(recv) || p.storage != Reachable || w.Size(p.t) == 0 {
			return
		}
		star := ""
		if p.pointer {
			star = "*"
		}
		w.implicit(p, star, "value of type "+w.TypeName(p.t))
	}
}
