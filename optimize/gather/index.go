package gather

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"taskinstr/optimize/layout"
	"taskinstr/optimize/loop"
)

// lane returns an index without the constants that are added to it.
func lane(l *loop.Loop, index ast.Expr) string {
	if index == nil {
		return "" // a range clause without a key
	}
	if index = term(l, index); l.Info.Type(index).Value != nil {
		return ""
	}
	return types.ExprString(index)
}

// term returns the term of an index to which constants are added.
func term(l *loop.Loop, index ast.Expr) ast.Expr {
	for {
		index = ast.Unparen(index)
		e, ok := index.(*ast.BinaryExpr)
		switch {
		case !ok || e.Op != token.ADD && e.Op != token.SUB:
			return index
		case l.Info.Type(e.Y).Value != nil:
			index = e.X
		case l.Info.Type(e.X).Value != nil && e.Op == token.ADD:
			index = e.Y
		default:
			return index
		}
	}
}

// varies reports whether the value of an index may change in the loop.
func varies(l *loop.Loop, index ast.Expr) (found bool) {
	ast.Inspect(index, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
			found = found || l.Info.Type(n.(ast.Expr)).Value == nil
		case *ast.Ident:
			if o := l.Info.Use(n); o != nil && l.Info.Type(n).Value == nil {
				found = found || l.Inside(o)
				for v := range l.Assigned {
					found = found || v == o
				}
			}
		}
		return !found
	})
	return found
}

// descends reports whether the loop steps the index downwards, and never upwards.
func descends(l *loop.Loop, index ast.Expr) bool {
	up, down := steps(l, stepped(l, index))
	return down && !up
}

// stepped returns the variable of an index, to which constants may be added; nil if the
// index is no variable.
func stepped(l *loop.Loop, index ast.Expr) *types.Var {
	id, ok := term(l, index).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := l.Info.Use(id).(*types.Var)
	return v
}

// steps reports whether statements of the loop step the variable upwards or downwards.
func steps(l *loop.Loop, v *types.Var) (up, down bool) {
	if v == nil {
		return false, false
	}
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && l.Info.Use(id) == v
	}
	ast.Inspect(l.Stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if is(n.X) {
				up, down = up || n.Tok == token.INC, down || n.Tok == token.DEC
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 && is(n.Lhs[0]) {
				up, down = up || n.Tok == token.ADD_ASSIGN, down || n.Tok == token.SUB_ASSIGN
			}
		case *ast.RangeStmt:
			if id, ok := n.Key.(*ast.Ident); ok && (l.Info.Use(id) == v || l.Info.Def(id) == v) {
				up = true
			}
		}
		return true
	})
	return up, down
}

// tableBytes bounds the tables whose elements the filter of a task holds all at once, and
// tableIndexes the indexes of such a table.
const (
	tableBytes   = 4096
	tableIndexes = 512
)

// table reports whether e looks an element up in a small table, in no order. The filter
// then knows most elements, and its inline test costs less than a range.
func table(l *loop.Loop, e *ast.IndexExpr) bool {
	if up, down := steps(l, stepped(l, e.Index)); up || down {
		return false
	}
	if l.Info.Type(e.Index).Value != nil {
		return false
	}
	t := l.Info.TypeOf(e.X).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if a, ok := t.(*types.Array); ok {
		return layout.Concrete(a) && l.Pkg.TypesSizes.Sizeof(a) <= tableBytes
	}
	return small(l, e.Index)
}

// halves reports whether the index is computed by halving, as in a binary search: few
// elements are reached, far from each other.
func halves(l *loop.Loop, index ast.Expr) (found bool) {
	v := stepped(l, index)
	if v == nil {
		return false
	}
	ast.Inspect(l.Stmt, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, x := range a.Lhs {
			id, ok := ast.Unparen(x).(*ast.Ident)
			if !ok || l.Info.Object(id) != v {
				continue
			}
			ast.Inspect(a.Rhs[i], func(n ast.Node) bool {
				e, ok := n.(*ast.BinaryExpr)
				if !ok {
					return true
				}
				c := l.Info.Type(e.Y).Value
				found = found || c != nil && (e.Op == token.QUO && c.ExactString() == "2" || e.Op == token.SHR && c.ExactString() == "1")
				return !found
			})
		}
		return !found
	})
	return found
}

// small reports whether an index has at most tableIndexes values.
func small(l *loop.Loop, index ast.Expr) bool {
	index = ast.Unparen(index)
	if b, ok := l.Info.TypeOf(index).Underlying().(*types.Basic); ok && (b.Kind() == types.Uint8 || b.Kind() == types.Int8) {
		return true
	}
	limit := func(e ast.Expr) bool {
		c := l.Info.Type(e).Value
		return c != nil && constant.Compare(c, token.LEQ, constant.MakeInt64(tableIndexes))
	}
	switch e := index.(type) {
	case *ast.CallExpr:
		return l.Info.Type(e.Fun).IsType() && len(e.Args) == 1 && small(l, e.Args[0])
	case *ast.BinaryExpr:
		return e.Op == token.AND && (limit(e.X) || limit(e.Y)) || e.Op == token.REM && limit(e.Y)
	}
	return false
}
