package gather

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
	"taskinstr/optimize/loop"
	"taskinstr/optimize/step"
)

// eligible returns the loops of a file in which elements can be gathered, outer loops
// before inner ones.
func eligible(f *loop.File) (list []*loop.Loop) {
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				list = append(list, eligibleIn(f, n.Body)...)
			}
		case *ast.FuncLit:
			list = append(list, eligibleIn(f, n.Body)...)
		}
		return true
	})
	return list
}

// eligibleIn returns such loops of a function. Most functions have no loop: four fifths of std's. What the
// function around a loop needs is not examined for them.
func eligibleIn(f *loop.File, body *ast.BlockStmt) (list []*loop.Loop) {
	if !loops(body) || !site.Defers(body) {
		return nil
	}
	last, _ := site.Deferred(body)
	gotos := site.Gotos(body)
	if last != nil && len(gotos) > 0 {
		return nil // a goto must not jump over the declaration of a variable
	}
	targets := map[ast.Stmt]bool{} // of gotos, which cannot jump into the block around the loop and its check
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.LabeledStmt:
			targets[n.Stmt] = gotos[n.Label.Name]
			return true
		case *ast.RangeStmt:
			if !f.IsLoop(n) {
				return false // a range over a function, or over a channel
			}
		case *ast.ForStmt:
		default:
			return true
		}
		if targets[n.(ast.Stmt)] || last != nil && n.Pos() < last.End() {
			return true
		}
		l := f.Look(n.(ast.Stmt))
		if l.Obstacle == "" && l.Sync&step.Interrupts == 0 && !leavesByLabel(l.Stmt) && !divides(l) {
			list = append(list, l)
		}
		return true
	})
	return list
}

// loops reports whether a function with the given body has a for statement, outside of function
// literals.
func loops(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case ast.Expr:
			return false // statements in an expression belong to a function literal
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		}
		return !found
	})
	return found
}

// leavesByLabel reports whether a labelled jump may leave the loop for an outer one.
func leavesByLabel(stmt ast.Stmt) (found bool) {
	inside := map[string]bool{}
	ast.Inspect(stmt, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			inside[l.Label.Name] = true
		}
		return true
	})
	ast.Inspect(stmt, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Label != nil && !inside[b.Label.Name]
		return !found
	})
	return found
}

// divides reports whether the loop ends when a variable that it divides by a constant, or
// shifts to the right, is small: it writes the digits of a number, or a number in groups of
// bits. Such a loop has few iterations.
func divides(l *loop.Loop) (found bool) {
	f, ok := l.Stmt.(*ast.ForStmt)
	if !ok || f.Cond == nil {
		return false
	}
	limits := map[types.Object]bool{} // the variables of the condition that the loop assigns to
	ast.Inspect(f.Cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := l.Info.Use(id).(*types.Var); ok && l.Assigned[v] {
				limits[v] = true
			}
		}
		return true
	})
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && limits[l.Info.Use(id)]
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			found = found || (n.Op == token.QUO || n.Op == token.SHR) && is(n.X) && l.Info.Type(n.Y).Value != nil
		case *ast.AssignStmt:
			found = found || (n.Tok == token.QUO_ASSIGN || n.Tok == token.SHR_ASSIGN) && is(n.Lhs[0]) && l.Info.Type(n.Rhs[0]).Value != nil
		}
		return !found
	})
	return found
}
