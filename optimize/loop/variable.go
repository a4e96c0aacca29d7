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
	u := uses{info: info, vars: map[*types.Var]*Variable{}, owner: map[*types.Var]ast.Node{}}
	var stack []ast.Node
	ast.Inspect(part, func(n ast.Node) bool {
		if n == nil {
			switch stack[len(stack)-1].(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				u.funcs = u.funcs[:len(u.funcs)-1]
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		u.node(n)
		return true
	})
	return u.vars
}

// uses collects the uses of variables in a walk over syntax.
type uses struct {
	info  *Info
	vars  map[*types.Var]*Variable
	owner map[*types.Var]ast.Node // the function that declares a variable
	funcs []ast.Node              // the functions around, innermost last
}

func (u *uses) of(v *types.Var) *Variable {
	x := u.vars[v]
	if x == nil {
		x = &Variable{}
		u.vars[v] = x
	}
	return x
}

// node notes the uses of variables by a node, without the nodes inside.
func (u *uses) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		u.funcs = append(u.funcs, n)
		u.results(n.Type)
	case *ast.FuncLit:
		u.funcs = append(u.funcs, n)
		u.results(n.Type)
	case *ast.Ident:
		u.name(n)
	case *ast.CaseClause:
		if v, ok := u.info.Implicit(n).(*types.Var); ok && len(u.funcs) > 0 {
			u.owner[v] = u.funcs[len(u.funcs)-1]
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			id, ok := l.(*ast.Ident)
			if v, isVar := u.info.Def(id).(*types.Var); ok && isVar && n.Tok == token.DEFINE {
				if len(n.Lhs) == len(n.Rhs) {
					u.of(v).Def = n.Rhs[i]
				}
				continue
			}
			u.assign(l)
		}
	case *ast.ValueSpec:
		for i, id := range n.Names {
			if v, ok := u.info.Def(id).(*types.Var); ok && len(n.Names) == len(n.Values) {
				u.of(v).Def = n.Values[i]
			}
		}
	case *ast.IncDecStmt:
		u.assign(n.X)
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			u.assign(n.Key)
			if n.Value != nil {
				u.assign(n.Value)
			}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			u.address(n.X)
		}
	case *ast.SliceExpr:
		if site.IsArray(u.info.TypeOf(n.X)) {
			u.address(n.X)
		}
	case *ast.SelectorExpr:
		if s := u.info.Selection(n); s != nil && s.Kind() == types.MethodVal {
			if r := s.Obj().(*types.Func).Signature().Recv(); r != nil && IsPointer(r.Type()) && !IsPointer(u.info.TypeOf(n.X)) {
				u.address(n.X)
			}
		}
	}
}

// name notes the function that declares a variable, and uses in other functions.
func (u *uses) name(id *ast.Ident) {
	if len(u.funcs) == 0 {
		return
	}
	around := u.funcs[len(u.funcs)-1]
	if v, ok := u.info.Def(id).(*types.Var); ok {
		u.owner[v] = around
	} else if v, ok := u.info.Use(id).(*types.Var); ok && u.owner[v] != nil && u.owner[v] != around {
		u.of(v).Captured = true
	}
}

// assign notes an assignment to place e.
func (u *uses) assign(e ast.Expr) {
	if v := RootVar(u.info, e); v != nil {
		u.of(v).Assigned++
	}
}

// address notes that the address of place e is taken.
func (u *uses) address(e ast.Expr) {
	if v := RootVar(u.info, e); v != nil {
		u.of(v).Addressed = true
	}
}

// results counts a return as an assignment to named results.
func (u *uses) results(t *ast.FuncType) {
	if t.Results == nil {
		return
	}
	for _, f := range t.Results.List {
		for _, id := range f.Names {
			if v, ok := u.info.Def(id).(*types.Var); ok {
				u.of(v).Assigned++
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
