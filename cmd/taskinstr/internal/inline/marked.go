package inline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// directive marks a function of the detector whose calls the compiler should inline although the function
// is larger than the budget. A check passes a dozen small functions: servers take 0.93 of the time if these are inlined
// (docs/design/decisions.md).
const directive = "//taskinstr:inline"

// Marked makes a profile of the calls of marked functions in the files of a package, given as text. It goes by
// names alone, without types: an unmarked function with the name of a marked one stays within the budget,
// because no edge names it as a callee. It returns nil if no function is marked.
func Marked(path string, files [][]byte) ([]byte, error) {
	m := marking{fset: token.NewFileSet(), marked: map[string][]*ast.FuncDecl{}, lines: map[string][]int{}}
	var decls []*ast.FuncDecl
	for _, data := range files {
		f, err := parser.ParseFile(m.fset, "", data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				decls = append(decls, d)
				if hasDirective(d) {
					m.marked[d.Name.Name] = append(m.marked[d.Name.Name], d)
				}
			}
		}
	}
	if len(m.marked) == 0 {
		return nil, nil
	}
	w := &writer{seen: map[edge]bool{}}
	w.out.WriteString(header)
	for _, d := range decls {
		name := path + "." + declName(d)
		if hasDirective(d) {
			w.edge(edge{name, name, 0})
		}
		for _, l := range m.linesIn(d) {
			w.edge(edge{name, nobody, l - m.line(d.Name.Pos())})
		}
	}
	return w.out.Bytes(), nil
}

func hasDirective(d *ast.FuncDecl) bool {
	return d.Doc != nil && slices.ContainsFunc(d.Doc.List, func(c *ast.Comment) bool { return c.Text == directive })
}

// declName returns the name that the linker gives a function after the path of its package.
func declName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	switch t := d.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		if n, ok := t.X.(*ast.Ident); ok {
			return "(*" + n.Name + ")." + d.Name.Name
		}
	case *ast.Ident:
		return t.Name + "." + d.Name.Name
	}
	return d.Name.Name // a generic type has no marked calls
}

// A marking finds the lines of calls of marked functions.
type marking struct {
	fset   *token.FileSet
	marked map[string][]*ast.FuncDecl // by name
	lines  map[string][]int           // of the calls in the bodies of the marked functions with a name
}

func (m *marking) line(p token.Pos) int { return m.fset.Position(p).Line }

// linesIn returns the lines of the calls of marked functions in d and in the bodies that are inlined into d. It leaves
// out function literals, which are functions of their own.
func (m *marking) linesIn(d *ast.FuncDecl) []int {
	var lines []int
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			name := ""
			switch f := n.Fun.(type) {
			case *ast.Ident:
				name = f.Name
			case *ast.SelectorExpr:
				name = f.Sel.Name
			}
			if m.marked[name] != nil {
				lines = append(append(lines, m.line(n.Lparen)), m.linesOf(name)...)
			}
		}
		return true
	})
	slices.Sort(lines)
	return slices.Compact(lines)
}

// linesOf returns the lines of linesIn for all marked functions with a name.
func (m *marking) linesOf(name string) []int {
	if _, ok := m.lines[name]; !ok {
		m.lines[name] = nil // for a recursion
		var lines []int
		for _, d := range m.marked[name] {
			lines = append(lines, m.linesIn(d)...)
		}
		m.lines[name] = lines
	}
	return m.lines[name]
}
