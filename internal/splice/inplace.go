package splice

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// string(b) copies b through the runtime, whose hook reports the read. In some
// places the compiler lets the string share b's bytes instead
// (cmd/compile/internal/walk: OBYTES2STRTMP), and then no hook is called. So
// exactly there a check is spliced in: one access, one report.

// binaryInPlace marks the operands of e that are such conversions: those of
// comparisons, and of concatenations with a constant that is not empty.
func (f *file) binaryInPlace(e *ast.BinaryExpr) {
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		f.noCopy[ast.Unparen(e.X)] = true
		f.noCopy[ast.Unparen(e.Y)] = true
	case token.ADD:
		list := f.concatenated(e, nil)
		for _, x := range list {
			v := f.pkg.cfg.Info.Types[x].Value
			if v == nil || v.Kind() != constant.String || constant.StringVal(v) == "" {
				continue
			}
			for _, y := range list {
				f.noCopy[y] = true
			}
			return
		}
	}
}

// concatenated appends the operands of a chain of additions to list.
func (f *file) concatenated(e ast.Expr, list []ast.Expr) []ast.Expr {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.ADD && f.constFree(b) {
		return f.concatenated(b.Y, f.concatenated(b.X, list))
	}
	return append(list, e)
}

// keyInPlace marks the key of a map entry that is read: a conversion, or those
// in the literal of a struct or an array.
func (f *file) keyInPlace(e ast.Expr) {
	e = ast.Unparen(e)
	f.noCopy[e] = true
	l, ok := e.(*ast.CompositeLit)
	if !ok {
		return
	}
	switch core(f.pkg.typeOf(l)).(type) {
	case *types.Struct, *types.Array:
	default:
		return
	}
	for _, x := range l.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			x = kv.Value
		}
		f.keyInPlace(x)
	}
}

// constantCases reports whether all case expressions of a switch are constants:
// its operand need not outlast them.
func constantCases(info *types.Info, body *ast.BlockStmt) bool {
	for _, c := range body.List {
		for _, e := range c.(*ast.CaseClause).List {
			if info.Types[e].Value == nil {
				return false
			}
		}
	}
	return true
}

// mapValueLimit is the size of map elements above which the compiler hands
// keys of every type over by address (cmd/compile/internal/walk, mapfast).
const mapValueLimit = 128

// mapKey visits the key of a map operation. The runtime's hook reports the read
// of a key that it is given by address; so of one that has been checked here it
// gets a copy.
func (f *file) mapKey(e ast.Expr, m *types.Map) {
	f.rvalue(e)
	if f.skip || f.storageOf(e) != reachable || f.byValue(m) {
		return
	}
	f.pkg.helpers["_ti_v"] = true
	a, b := f.offset(e.Pos()), f.offset(e.End())
	f.add(a, b, layerWrap, text("_ti_v("), source(a, b), text(")"))
}

// byValue reports whether the operations on m take keys by value.
func (f *file) byValue(m *types.Map) bool {
	if n := f.pkg.size(m.Elem()); n < 0 || n > mapValueLimit {
		return false
	}
	switch k := m.Key().Underlying().(type) {
	case *types.Pointer, *types.Chan:
		return true
	case *types.Basic:
		n := f.pkg.size(k)
		return k.Info()&types.IsString != 0 || k.Info()&types.IsInteger != 0 && (n == 4 || n == 8) || k.Kind() == types.UnsafePointer
	}
	return false
}
