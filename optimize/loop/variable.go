package loop

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
)

// A Variable holds the uses of a local variable in its file. They tell whether its value
// may change other than by the assignments of a loop.
type Variable struct {
	Captured  bool     // a function literal uses it that does not declare it
	Addressed bool     // the operator &, a method with a pointer receiver, or a slice of an array takes the address of it or of a part
	Assigned  int      // the number of assignments to it or a part, besides the declaration
	Def       ast.Expr // the initial value, of v := def or var v = def
}

// Variables returns the uses of the local variables of a file or function.
func Variables(part ast.Node, info *Info) map[*types.Var]*Variable {
	vars := map[*types.Var]*Variable{}
	owner := map[*types.Var]ast.Node{}
	of := func(v *types.Var) *Variable {
		x := vars[v]
		if x == nil {
			x = &Variable{}
			vars[v] = x
		}
		return x
	}
	assign := func(e ast.Expr) {
		if v := RootVar(info, e); v != nil {
			of(v).Assigned++
		}
	}
	var funcs []ast.Node
	var stack []ast.Node
	ast.Inspect(part, func(n ast.Node) bool {
		if n == nil {
			switch stack[len(stack)-1].(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				funcs = funcs[:len(funcs)-1]
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncDecl:
			funcs = append(funcs, n)
			resultsAssigned(n.Type, info, of)
		case *ast.FuncLit:
			funcs = append(funcs, n)
			resultsAssigned(n.Type, info, of)
		case *ast.Ident:
			if len(funcs) == 0 {
				break
			}
			if v, ok := info.Def(n).(*types.Var); ok {
				owner[v] = funcs[len(funcs)-1]
			} else if v, ok := info.Use(n).(*types.Var); ok && owner[v] != nil && owner[v] != funcs[len(funcs)-1] {
				of(v).Captured = true
			}
		case *ast.CaseClause:
			if v, ok := info.Implicit(n).(*types.Var); ok && len(funcs) > 0 {
				owner[v] = funcs[len(funcs)-1]
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				id, ok := l.(*ast.Ident)
				if v, isVar := info.Def(id).(*types.Var); ok && isVar && n.Tok == token.DEFINE {
					if len(n.Lhs) == len(n.Rhs) {
						of(v).Def = n.Rhs[i]
					}
					continue
				}
				assign(l)
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if v, ok := info.Def(id).(*types.Var); ok && len(n.Names) == len(n.Values) {
					of(v).Def = n.Values[i]
				}
			}
		case *ast.IncDecStmt:
			assign(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				assign(n.Key)
				if n.Value != nil {
					assign(n.Value)
				}
			}
		case *ast.UnaryExpr:
			if v := RootVar(info, n.X); n.Op == token.AND && v != nil {
				of(v).Addressed = true
			}
		case *ast.SliceExpr:
			if v := RootVar(info, n.X); v != nil && site.IsArray(info.TypeOf(n.X)) {
				of(v).Addressed = true
			}
		case *ast.SelectorExpr:
			s := info.Selection(n)
			if v := RootVar(info, n.X); v != nil && s != nil && s.Kind() == types.MethodVal {
				if r := s.Obj().(*types.Func).Signature().Recv(); r != nil && IsPointer(r.Type()) && !IsPointer(info.TypeOf(n.X)) {
					of(v).Addressed = true
				}
			}
		}
		return true
	})
	return vars
}

// resultsAssigned counts a return as an assignment to named results.
func resultsAssigned(t *ast.FuncType, info *Info, of func(*types.Var) *Variable) {
	if t.Results == nil {
		return
	}
	for _, f := range t.Results.List {
		for _, id := range f.Names {
			if v, ok := info.Def(id).(*types.Var); ok {
				of(v).Assigned++
			}
		}
	}
}

// RootVar returns the variable that place e is a part of, nil if e is reached through a
// pointer, slice or map.
func RootVar(info *Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := info.Object(e).(*types.Var); ok && !v.IsField() {
			return v
		}
	case *ast.SelectorExpr:
		s := info.Selection(e)
		if s == nil {
			v, _ := info.Use(e.Sel).(*types.Var)
			return v
		}
		if s.Kind() == types.FieldVal && !s.Indirect() {
			return RootVar(info, e.X)
		}
	case *ast.IndexExpr:
		if site.IsArray(info.TypeOf(e.X)) {
			return RootVar(info, e.X)
		}
	}
	return nil
}

// inMemory reports whether statements of other functions or tasks may reach the variable.
func (x *Variable) inMemory() bool {
	return x != nil && (x.Addressed || x.Captured && x.Assigned > 0)
}
