package optimize

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
)

// panicFacts says whether a call of a function returns: it cannot panic, as
// long as these parameters are not nil. A function is taken to end.
type panicFacts struct {
	returns bool
	nonNil  map[int]bool // by index among the parameters of the SSA function
}

// stops is what keeps a call from returning, or moves what follows into another
// step.
const stops = ssapass.MayRelease | ssapass.MayAcquire | ssapass.MaySpawn | ssapass.MayBlock | ssapass.MayLock |
	ssapass.MayGoexit | ssapass.MayExit | ssapass.CallsUnseen

// panicFree finds out about f. Recursive functions are given up.
func (p *program) panicFree(f *ssa.Function) *panicFacts {
	if x, ok := p.panics[f]; ok {
		return x
	}
	x := &panicFacts{nonNil: map[int]bool{}}
	p.panics[f] = x // until the end it says no, so that recursion does
	body := f
	if len(f.Blocks) == 0 {
		if body = p.m.a.Program().Body(f); body == nil {
			x.returns = p.m.a.Summary(f).Sync == 0
			return x
		}
	}
	if sum := p.m.a.Summary(f); sum.Sync&stops != 0 || sum.NeverReturns || body.Recover != nil {
		return x
	}
	w := &panicWalk{program: p, f: body, need: map[int]bool{}}
	for _, b := range body.Blocks {
		for _, in := range b.Instrs {
			if !w.safe(in) {
				return x
			}
		}
	}
	x.returns, x.nonNil = true, w.need
	return x
}

type panicWalk struct {
	*program
	f    *ssa.Function
	need map[int]bool
}

// pointer reports whether v is not nil, if the parameters needed are not.
func (w *panicWalk) pointer(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
		return true // what computed it would have panicked
	case *ssa.Convert:
		return w.pointer(v.X)
	case *ssa.ChangeType:
		return w.pointer(v.X)
	case *ssa.Parameter:
		for i, p := range w.f.Params {
			if p == v {
				w.need[i] = true
			}
		}
		return true
	}
	return false
}

// safe reports whether the instruction cannot panic.
func (w *panicWalk) safe(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Alloc, *ssa.Phi, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.DebugRef, *ssa.Extract, *ssa.Field,
		*ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.Convert, *ssa.MakeClosure:
		return true
	case *ssa.UnOp:
		return in.Op != token.ARROW && (in.Op != token.MUL || w.pointer(in.X))
	case *ssa.Store:
		return w.pointer(in.Addr)
	case *ssa.FieldAddr:
		return w.pointer(in.X)
	case *ssa.IndexAddr:
		if p, ok := in.X.Type().Underlying().(*types.Pointer); ok && w.pointer(in.X) {
			return below(in.Index, p.Elem().Underlying().(*types.Array).Len())
		}
	case *ssa.Index:
		if a, ok := in.X.Type().Underlying().(*types.Array); ok {
			return below(in.Index, a.Len())
		}
	case *ssa.BinOp:
		return safeOp(in.Op, in.X.Type(), in.Y)
	case *ssa.TypeAssert:
		return in.CommaOk
	case *ssa.Call:
		return w.safeCall(in)
	}
	return false
}

func (w *panicWalk) safeCall(in *ssa.Call) bool {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "min", "max", "real", "imag", "complex", "append", "copy":
			return true
		}
		return false
	}
	if in.Call.StaticCallee() == nil {
		return false
	}
	list, unseen := w.m.a.Callees(in)
	for _, g := range list {
		x := w.panicFree(g)
		if !x.returns {
			return false
		}
		for i := range x.nonNil {
			if i >= len(in.Call.Args) || !w.pointer(in.Call.Args[i]) {
				return false
			}
		}
	}
	return !unseen && len(list) > 0
}

// below reports whether v is certain to be an index of n elements.
func below(v ssa.Value, n int64) bool {
	switch v := v.(type) {
	case *ssa.Const:
		k := v.Int64()
		return 0 <= k && k < n
	case *ssa.Convert:
		return below(v.X, n)
	case *ssa.BinOp:
		if c, ok := v.Y.(*ssa.Const); ok && v.Op == token.AND && isInteger(c.Type()) {
			return 0 <= c.Int64() && c.Int64() < n
		}
	}
	return fits(v.Type(), n)
}

// fits reports whether all values of type t are below n.
func fits(t types.Type, n int64) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Uint8 && n >= 1<<8 || b.Kind() == types.Uint16 && n >= 1<<16)
}

func safeOp(op token.Token, t types.Type, y ssa.Value) bool {
	switch op {
	case token.QUO, token.REM:
		if !isInteger(t) {
			return true
		}
		c, ok := y.(*ssa.Const)
		return ok && c.Value != nil && c.Int64() != 0
	case token.SHL, token.SHR:
		if b, ok := y.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
			return true
		}
		c, ok := y.(*ssa.Const)
		return ok && c.Int64() >= 0
	case token.EQL, token.NEQ:
		return comparesSafely(t)
	}
	return true
}

// comparesSafely reports whether == of two values of type t cannot panic.
func comparesSafely(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Interface:
		return false
	case *types.Array:
		return comparesSafely(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if !comparesSafely(t.Field(i).Type()) {
				return false
			}
		}
	}
	return true
}

// call visits a call that is no conversion and no builtin.
func (n *nest) call(c *ast.CallExpr, st state) {
	if n.within(c, st) {
		return
	}
	recv := n.operands(c, st)
	for _, in := range n.calls[c.Lparen] {
		list, unseen := n.m.a.Callees(in)
		if unseen || len(list) == 0 {
			n.fail("a call of code that is not seen")
		}
		for _, g := range list {
			x := n.panicFree(g)
			if !x.returns {
				n.fail("a call of " + g.Name() + ", which may panic")
			}
			for i := range x.nonNil {
				if recv != nil {
					if i--; i < 0 {
						if isPointer(n.info.TypeOf(recv)) {
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

// operands visits what a call evaluates before the function begins, and returns
// the receiver.
func (n *nest) operands(c *ast.CallExpr, st state) (recv ast.Expr) {
	switch f := ast.Unparen(c.Fun).(type) {
	case *ast.SelectorExpr:
		sel := n.info.Selections[f]
		switch {
		case sel == nil: // a function of another package
		case sel.Kind() == types.MethodVal && !embeddedMethod(sel):
			if types.IsInterface(sel.Recv()) {
				n.fail("a method of an interface, which may be nil")
			}
			recv = f.X
			copied := !isPointer(sel.Obj().(*types.Func).Signature().Recv().Type())
			switch pointer := isPointer(n.info.TypeOf(f.X)); {
			case !copied:
				n.operand(f.X, st)
			case pointer && n.inl != nil:
				star := n.star(f.X)
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
			if _, ok := n.info.Uses[id].(*types.Func); !ok {
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

// embeddedMethod is embeddedPointer for the way to a method.
func embeddedMethod(sel *types.Selection) bool { return len(sel.Index()) > 1 }
