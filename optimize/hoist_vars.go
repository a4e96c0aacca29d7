package optimize

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A variable is what a file does to a local variable: whether its value can
// change behind the back of the statements at hand.
type variable struct {
	captured  bool     // used in a function literal that does not declare it
	addressed bool     // & of it or of a part, a pointer method, a slice of an array
	assigned  int      // assignments besides the declaration, those of parts included
	def       ast.Expr // of v := def or var v = def
}

// variables finds out about the local variables of a file or function.
func variables(part ast.Node, info *types.Info) map[*types.Var]*variable {
	vars := map[*types.Var]*variable{}
	owner := map[*types.Var]ast.Node{}
	of := func(v *types.Var) *variable {
		x := vars[v]
		if x == nil {
			x = &variable{}
			vars[v] = x
		}
		return x
	}
	assign := func(e ast.Expr) {
		if v := rootVar(info, e); v != nil {
			of(v).assigned++
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
			if v, ok := info.Defs[n].(*types.Var); ok {
				owner[v] = funcs[len(funcs)-1]
			} else if v, ok := info.Uses[n].(*types.Var); ok && owner[v] != nil && owner[v] != funcs[len(funcs)-1] {
				of(v).captured = true
			}
		case *ast.CaseClause:
			if v, ok := info.Implicits[n].(*types.Var); ok && len(funcs) > 0 {
				owner[v] = funcs[len(funcs)-1]
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				id, ok := l.(*ast.Ident)
				if v, isVar := info.Defs[id].(*types.Var); ok && isVar && n.Tok == token.DEFINE {
					if len(n.Lhs) == len(n.Rhs) {
						of(v).def = n.Rhs[i]
					}
					continue
				}
				assign(l)
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if v, ok := info.Defs[id].(*types.Var); ok && len(n.Names) == len(n.Values) {
					of(v).def = n.Values[i]
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
			if v := rootVar(info, n.X); n.Op == token.AND && v != nil {
				of(v).addressed = true
			}
		case *ast.SliceExpr:
			if v := rootVar(info, n.X); v != nil && isArray(info.TypeOf(n.X)) {
				of(v).addressed = true
			}
		case *ast.SelectorExpr:
			s := info.Selections[n]
			if v := rootVar(info, n.X); v != nil && s != nil && s.Kind() == types.MethodVal {
				if r := s.Obj().(*types.Func).Signature().Recv(); r != nil && isPointer(r.Type()) && !isPointer(info.TypeOf(n.X)) {
					of(v).addressed = true
				}
			}
		}
		return true
	})
	return vars
}

// resultsAssigned counts a return as an assignment of named results.
func resultsAssigned(t *ast.FuncType, info *types.Info, of func(*types.Var) *variable) {
	if t.Results == nil {
		return
	}
	for _, f := range t.Results.List {
		for _, id := range f.Names {
			if v, ok := info.Defs[id].(*types.Var); ok {
				of(v).assigned++
			}
		}
	}
}

// rootVar returns the variable that place e is a part of; nil where e is reached
// through a pointer, slice or map.
func rootVar(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := info.ObjectOf(e).(*types.Var); ok && !v.IsField() {
			return v
		}
	case *ast.SelectorExpr:
		s := info.Selections[e]
		if s == nil {
			v, _ := info.Uses[e.Sel].(*types.Var)
			return v
		}
		if s.Kind() == types.FieldVal && !s.Indirect() {
			return rootVar(info, e.X)
		}
	case *ast.IndexExpr:
		if isArray(info.TypeOf(e.X)) {
			return rootVar(info, e.X)
		}
	}
	return nil
}

func isArray(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Array)
	return ok
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isGlobal(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// inMemory reports whether statements of other functions or tasks may reach the
// variable: a global, one whose address was taken, or one that a function literal
// shares and somebody assigns to.
func (s *source) inMemory(v *types.Var) bool {
	if isGlobal(v) {
		return true
	}
	x := s.vars[v]
	return x != nil && (x.addressed || x.captured && x.assigned > 0)
}
