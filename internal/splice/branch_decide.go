package splice

import (
	"go/ast"
	"go/token"
	"strings"
)

// decision records the decisions of an if statement that is not simple, or whose sides have no
// accesses, if its condition has a formula.
func (f *file) decision(s *ast.IfStmt) {
	formula := f.decided(s.Cond)
	if !depends(formula) {
		return
	}
	id := f.decisionSite(s, s.Cond, formula)
	f.atStart(s.Body, layerInner, text(f.takes(id, 1)))
	switch no := s.Else.(type) {
	case nil:
		at := f.Offset(s.Body.Rbrace)
		f.add(at, at+1, layerInner, source(at, at+1), text(" else { "+f.takes(id, 0)+"}"))
	case *ast.BlockStmt:
		f.atStart(no, layerInner, text(f.takes(id, 0)))
	case *ast.IfStmt:
		f.enclose(no, layerHost, " }", text("{ "+f.takes(id, 0)))
	}
}

// depends reports whether a formula is known and has reads.
func depends(formula string) bool {
	return strings.Contains(formula, "@") && !strings.Contains(formula, unknownFormula)
}

// loopDecision records each decision of the condition of a loop, if the condition has a formula.
// It records nothing for a loop that break, goto or a labelled continue may leave.
func (f *file) loopDecision(s *ast.ForStmt) {
	if s.Cond == nil || breaks(s.Body) {
		return
	}
	formula := f.decided(s.Cond)
	if !depends(formula) {
		return
	}
	id := f.decisionSite(s, s.Cond, formula)
	f.atStart(s.Body, layerBehind, text(f.takes(id, 1))) // behind a condition that a rewriting has moved into the body
	at := f.Offset(s.Body.Rbrace)
	f.add(at, at+1, layerBehind, source(at, at+1), text("; "+strings.TrimSuffix(f.takes(id, 0), " ")))
}

// breaks reports whether a block has a statement that may leave the loop around it: break or
// goto, or continue with a label.
func breaks(b *ast.BlockStmt) (found bool) {
	ast.Inspect(b, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.BREAK || n.Tok == token.GOTO || n.Label != nil {
				found = true
			}
		}
		return !found
	})
	return found
}
