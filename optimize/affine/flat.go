package affine

import (
	"go/ast"
	"go/token"

	"taskinstr/internal/site"
	"taskinstr/optimize/builder"
	"taskinstr/optimize/step"
	"taskinstr/polyhedral"
)

// Accesses of neighbouring elements by statements in a row, such as
//
//	v := uint32(b[i]) | uint32(b[i+1])<<8 | uint32(b[i+2])<<16
//
// are analysed like those of a nest. The statements are executed once, all of them, under
// the same conditions. The scan is a range, in front of the first statement.

// maxRow bounds the number of statements in a row.
const maxRow = 40

// flatRuns looks for such statements in all blocks of a file. It leaves out loops whose
// neighbouring elements another pass checks together.
func (s *file) flatRuns() {
	ast.Inspect(s.Syntax, func(x ast.Node) bool {
		if x != nil && s.Builder.Claim(x) != builder.Unclaimed {
			return false
		}
		switch x := x.(type) {
		case *ast.FuncDecl: // nothing may be declared where a goto jumps over it
			return x.Body == nil || len(site.Gotos(x.Body)) == 0
		case *ast.FuncLit:
			return len(site.Gotos(x.Body)) == 0
		case *ast.BlockStmt:
			s.flatList(x.List)
		case *ast.CaseClause:
			s.flatList(x.Body)
		case *ast.CommClause:
			s.flatList(x.Body)
		}
		return true
	})
}

// flatList looks for such statements in one block.
func (s *file) flatList(list []ast.Stmt) {
	for i := 0; i < len(list); i++ {
		if !straight(list[i]) || !s.anyOpen(list[i]) || s.row(list[i:i+1]) == nil {
			continue
		}
		j, last := i+1, i+1
		for j < len(list) && j-i < maxRow && straight(list[j]) && s.row(list[j:j+1]) != nil {
			if j++; s.anyOpen(list[j-1]) {
				last = j
			}
		}
		// The first statements may change values that the later ones use.
		for ; last > i; last-- {
			n := s.row(list[i:last])
			if n == nil {
				continue
			}
			in := s.InsertBefore(list[i])
			in.Flat = true
			if n.scan(in) == "" {
				i = last - 1
				break
			}
		}
	}
}

// straight reports whether control goes from the statement to the next one.
func straight(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.ExprStmt:
		return true
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		return ok && d.Tok == token.VAR
	}
	return false
}

// row returns statements in a row as a nest, nil if they cannot be analysed.
func (s *file) row(list []ast.Stmt) *nest {
	l := s.Look(&ast.BlockStmt{Lbrace: list[0].Pos(), List: list, Rbrace: list[len(list)-1].End() - 1})
	if l.Obstacle != "" || l.Sync&step.Interrupts != 0 || !l.Unshadowed() {
		return nil
	}
	n := newNest(s, l, "")
	n.flat = true
	if n.try(func() {
		n.stmts(state{doms: []polyhedral.Domain{polyhedral.NewDomain()}, exact: true}, list...)
	}) != "" {
		return nil
	}
	return n
}
