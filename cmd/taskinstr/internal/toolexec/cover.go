package toolexec

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strings"
)

// Coverage counters are no part of the program. The files of a compile call hold
// counting statements of the cover tool. Without -covermode=atomic these race,
// harmlessly; with it they would order accesses that the program leaves unordered. So the
// statements are removed from the syntax trees before checks are spliced into the text:
// they stay in the text and get no checks.

// hideCounters removes the counter statements from the syntax trees. config is the file
// of -coveragecfg, which holds the prefix of their names.
func hideCounters(config string, files []*ast.File) error {
	text, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	var cover struct{ CounterPrefix string }
	if err := json.Unmarshal(text, &cover); err != nil {
		return fmt.Errorf("coverage configuration %s: %w", config, err)
	}
	if cover.CounterPrefix == "" {
		return nil // the package has no code to cover
	}
	counter := func(s ast.Stmt) bool { return isCounter(s, cover.CounterPrefix) }
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt:
				n.List = slices.DeleteFunc(n.List, counter)
			case *ast.CaseClause:
				n.Body = slices.DeleteFunc(n.Body, counter)
			case *ast.CommClause:
				n.Body = slices.DeleteFunc(n.Body, counter)
			}
			return true
		})
	}
	return nil
}

// isCounter recognizes prefix…[i] = x, prefix…[i]++ and
// _cover_atomic_.F(&prefix…[i], x).
func isCounter(s ast.Stmt, prefix string) bool {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.AssignStmt:
		x = s.Lhs[0]
	case *ast.IncDecStmt:
		x = s.X
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return false
		}
		if addr, ok := call.Args[0].(*ast.UnaryExpr); ok && addr.Op == token.AND {
			x = addr.X
		}
	}
	index, ok := x.(*ast.IndexExpr)
	if !ok {
		return false
	}
	name, ok := index.X.(*ast.Ident)
	return ok && strings.HasPrefix(name.Name, prefix)
}
