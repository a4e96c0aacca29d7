package splice

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"taskinstr/internal/site"
)

// makesChecks compares the table of a package that was rewritten without flags with the
// text: each site is an operand of one call, and the called helper makes a check of the
// kind that the table says.
func makesChecks(t *testing.T, name string, r *Result) {
	t.Helper()
	if r.Generated == nil || len(r.Sites) == 0 {
		return
	}
	m := &madeChecks{decls: map[string]*ast.FuncDecl{}, kinds: map[string][]string{}, made: make([][]string, len(r.Sites))}
	for i, text := range append(slices.Clone(r.Files), r.Generated) {
		if text == nil {
			continue
		}
		a, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		m.files = append(m.files, a)
		if i == len(r.Files) {
			for _, d := range a.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					m.decls[d.Name.Name] = d
				}
			}
		}
	}
	for _, a := range m.files {
		ast.Inspect(a, m.visit)
	}
	for i, s := range r.Sites {
		want := [...]string{site.Read: "read", site.Write: "write", site.Atomic: "atomic"}[s.Kind]
		if s.Wrapper {
			want = "wrapper"
		}
		if got := m.made[i]; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %s: the table has a %s of %s, the text makes %q", name, s.Position, want, s.Expr, got)
			return
		}
	}
}

// A madeChecks finds the checks in the rewritten text. It follows each site into the helper
// that has it as an argument, down to the function of the runtime.
type madeChecks struct {
	files []*ast.File
	decls map[string]*ast.FuncDecl // helpers by name
	kinds map[string][]string      // by helper, the kind of the check that it makes with each parameter, "" for none
	made  [][]string               // kinds by site
}

// visit notes the checks that n makes, if n is a call or the table of calls.
func (m *madeChecks) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CompositeLit:
		t, ok := n.Type.(*ast.ArrayType)
		if !ok || calledName(t.Elt) != callHelper {
			break
		}
		for _, e := range n.Elts {
			m.note(e.(*ast.CompositeLit).Elts[0].(*ast.KeyValueExpr).Value, "wrapper")
		}
	case *ast.CallExpr:
		name := calledName(n.Fun)
		if m.decls[name] == nil {
			break
		}
		if name == "_ti_check" || name == "_ti_check1" { // as a statement
			m.note(n.Args[len(n.Args)-1], m.argument(n, len(n.Args)-1))
			break
		}
		for i, x := range n.Args {
			if kinds := m.of(name); i < len(kinds) {
				m.note(x, kinds[i])
			} else {
				m.note(x, fmt.Sprintf("argument %d of %s", i, name))
			}
		}
	}
	return true
}

// calledName returns the name of a type or function without its type arguments.
func calledName(e ast.Expr) string {
	if x, ok := e.(*ast.IndexExpr); ok {
		e = x.X
	}
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// note notes a check of this kind if x is &_ti_sites.idx[n].
func (m *madeChecks) note(x ast.Expr, kind string) {
	u, ok := x.(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return
	}
	i, ok := u.X.(*ast.IndexExpr)
	if !ok {
		return
	}
	if s, ok := i.X.(*ast.SelectorExpr); !ok || s.Sel.Name != "idx" {
		return
	}
	n, err := strconv.Atoi(i.Index.(*ast.BasicLit).Value)
	if err != nil || n >= len(m.made) {
		panic(fmt.Sprintf("site %d of %d: %v", n, len(m.made), err))
	}
	m.made[n] = append(m.made[n], kind)
}

// of returns the kind of the check that a helper makes with each of its parameters.
func (m *madeChecks) of(name string) []string {
	if k, ok := m.kinds[name]; ok {
		return k
	}
	d := m.decls[name]
	var params []string
	for _, f := range d.Type.Params.List {
		for _, n := range f.Names {
			params = append(params, n.Name)
		}
	}
	kinds := make([]string, len(params))
	m.kinds[name] = kinds
	if d.Body == nil {
		return kinds
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		for i, x := range c.Args {
			a, ok := x.(*ast.Ident)
			if !ok {
				continue
			}
			if j := slices.Index(params, a.Name); j >= 0 {
				if k := m.argument(c, i); k != "" {
					kinds[j] = k
				}
			}
		}
		return true
	})
	return kinds
}

// argument returns the kind of the check that call c in a helper makes with argument i.
func (m *madeChecks) argument(c *ast.CallExpr, i int) string {
	callee, last := calledName(c.Fun), i == len(c.Args)-1
	switch callee {
	case "_ti_atomic":
		if last {
			return "atomic"
		}
		return ""
	case "_ti_handover":
		if last {
			return "read"
		}
		return ""
	case "check", "each", "_ti_value", "_ti_check", "_ti_checks", "_ti_check1", "_ti_checkn":
		if !last {
			return ""
		}
		return literalKind(c.Args[i-1])
	}
	if m.decls[callee] == nil {
		return ""
	}
	if k := m.of(callee); i < len(k) {
		return k[i]
	}
	return ""
}

// literalKind returns the kind of access that a helper's argument names, "" if that is a parameter.
// The bits from 8 on are a distance.
func literalKind(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		return map[string]string{"0": "read", "1": "write"}[x.Value]
	case *ast.UnaryExpr:
		return "read" // ^(d<<8 - 1) is -d<<8
	case *ast.BinaryExpr:
		switch x.Op {
		case token.OR:
			return literalKind(x.Y)
		case token.SHL:
			return "read"
		}
	}
	return ""
}
