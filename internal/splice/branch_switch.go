package splice

import "go/ast"

// switches records a simple switch statement: each clause begins with records of the accesses
// of the other clauses. The statement is one decision without a formula, and the other clauses
// are the other side of each clause.
func (f *file) switches(s *ast.SwitchStmt) {
	var clauses []*ast.CaseClause
	e, whole := s.Tag, false
	for _, c := range s.Body.List {
		c := c.(*ast.CaseClause)
		clauses = append(clauses, c)
		if whole = whole || c.List == nil; e == nil && c.List != nil {
			e = c.List[0]
		}
		for _, t := range c.Body {
			if b, ok := t.(*ast.BranchStmt); ok && b != nil {
				return // fallthrough, break
			}
		}
	}
	if len(clauses) == 0 || e == nil {
		return
	}
	records := make([][]part, len(clauses))
	note := f.noteBranch(s)
	for i, c := range clauses {
		for k, d := range clauses {
			if k != i {
				records[i] = append(records[i], f.otherSide(blockOfClause(c), blockOfClause(d), &note)...)
			}
		}
	}
	f.pkg.branchNotes = append(f.pkg.branchNotes, note)
	if note.Recorded == 0 {
		return
	}
	id := f.decisionSite(s, e, unknownFormula)
	if !whole { // it may be that no clause is taken
		ps := []part{text("default: " + f.takes(id, 1))}
		for _, c := range clauses {
			ps = append(ps, f.otherSide(nil, blockOfClause(c), &BranchNote{})...)
		}
		at := f.Offset(s.Body.Rbrace)
		f.add(at, at+1, layerInner, append(ps, source(at, at+1))...)
	}
	for i, c := range clauses {
		at := f.Offset(c.Colon)
		f.add(at, at+1, layerInner, append([]part{source(at, at+1), text(" " + f.takes(id, 1))}, records[i]...)...)
	}
}

// blockOfClause returns the statements of a clause as a block. The position of the
// block decides the objects that names denote.
func blockOfClause(c *ast.CaseClause) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: c.Colon, List: c.Body, Rbrace: c.End()}
}
