package frequency

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
)

// rangeTrips returns the trip count of a range statement.
func (g *graph) rangeTrips(s *ast.RangeStmt) (trips float64, known bool) {
	tv, ok := g.info.Types[s.X]
	if !ok {
		return UnknownTrips, false
	}
	if tv.Value != nil {
		switch tv.Value.Kind() {
		case constant.Int:
			n, _ := constant.Float64Val(tv.Value)
			return math.Max(n, 0), true
		case constant.String:
			return float64(len([]rune(constant.StringVal(tv.Value)))), true
		}
	}
	t := tv.Type.Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if a, ok := t.(*types.Array); ok {
		return float64(a.Len()), true
	}
	return UnknownTrips, false
}

// forTrips returns the trip count of a for statement that counts from one constant to
// another one in constant steps.
func (g *graph) forTrips(s *ast.ForStmt) (trips float64, known bool) {
	init, ok := s.Init.(*ast.AssignStmt)
	if !ok || len(init.Lhs) != 1 || len(init.Rhs) != 1 {
		return UnknownTrips, false
	}
	v, ok := init.Lhs[0].(*ast.Ident)
	if !ok {
		return UnknownTrips, false
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok {
		return UnknownTrips, false
	}
	if x, ok := cond.X.(*ast.Ident); !ok || x.Name != v.Name {
		return UnknownTrips, false
	}
	from, ok1 := g.number(init.Rhs[0])
	to, ok2 := g.number(cond.Y)
	step, ok3 := g.step(s.Post, v.Name)
	if !ok1 || !ok2 || !ok3 || step == 0 {
		return UnknownTrips, false
	}
	switch cond.Op {
	case token.LSS, token.GTR, token.NEQ:
	case token.LEQ:
		to++
	case token.GEQ:
		to--
	default:
		return UnknownTrips, false
	}
	return math.Max(math.Ceil((to-from)/step), 0), true
}

// step returns what a post statement adds to the variable.
func (g *graph) step(s ast.Stmt, name string) (step float64, ok bool) {
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if x, ok := s.X.(*ast.Ident); !ok || x.Name != name {
			return 0, false
		}
		if s.Tok == token.DEC {
			return -1, true
		}
		return 1, true
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 {
			return 0, false
		}
		if x, ok := s.Lhs[0].(*ast.Ident); !ok || x.Name != name {
			return 0, false
		}
		n, ok := g.number(s.Rhs[0])
		switch s.Tok {
		case token.ADD_ASSIGN:
			return n, ok
		case token.SUB_ASSIGN:
			return -n, ok
		}
	}
	return 0, false
}

// number returns the value of a numeric constant.
func (g *graph) number(e ast.Expr) (v float64, ok bool) {
	tv := g.info.Types[e]
	if tv.Value == nil || tv.Value.Kind() != constant.Int && tv.Value.Kind() != constant.Float {
		return 0, false
	}
	v, _ = constant.Float64Val(tv.Value)
	return v, true
}
