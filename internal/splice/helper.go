package splice

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// helperSource is the Go file that holds all helpers.
//
//go:embed files/helpers.go
var helperSource string

// Names of the file that are no helpers like the others.
const (
	taskHelper  = "_ti_task"  // the types that every generated file has
	callHelper  = "_ti_call"  // the type of the elements of the table of calls
	countHelper = "_ti_count" // counts an executed check
	entryMacro  = "_ti_entry" // calls become its expression
)

// A helper is one declaration of the file, or several types in a row.
type helper struct {
	pieces []piece
	needs  []string // other helpers that it refers to
}

// A piece is a part of a helper's text.
type piece struct {
	text    string
	counted bool // a statement that counts the check
}

// passed names the helpers that the caller hands to a helper as parameters.
var passed = map[string]string{"_ti_rg": "_ti_gmiss", "_ti_wg": "_ti_gmissw"}

// helpers returns the helpers by name.
var helpers = sync.OnceValue(parseHelpers)

func parseHelpers() map[string]*helper {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "files/helpers.go", helperSource, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		panic(fmt.Sprintf("splice: %v", err)) // TestHelpers parses the same text
	}
	p := &helperParser{tok: fset.File(f.FileStart), helpers: map[string]*helper{}}
	p.file(f)
	return p.helpers
}

// A helperParser takes the file of helpers apart.
type helperParser struct {
	tok     *token.File
	helpers map[string]*helper
	owner   map[string]string // of declared names: the helper that declares them
	entry   *ast.FuncDecl
}

func (p *helperParser) file(f *ast.File) {
	type span struct {
		name  string
		nodes []ast.Decl
	}
	var spans []span
	p.owner = map[string]string{}
	types := false // the declaration before this one is of a type
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			types = false
			if d.Name.Name == entryMacro {
				p.entry = d
				continue
			}
			spans = append(spans, span{d.Name.Name, []ast.Decl{d}})
			p.owner[d.Name.Name] = d.Name.Name
		case *ast.GenDecl:
			if d.Tok != token.TYPE {
				continue
			}
			name := d.Specs[0].(*ast.TypeSpec).Name.Name
			if types {
				last := &spans[len(spans)-1]
				last.nodes = append(last.nodes, d)
				p.owner[name] = last.name
				continue
			}
			types = true
			spans = append(spans, span{name, []ast.Decl{d}})
			p.owner[name] = name
		}
	}
	for _, s := range spans {
		h := &helper{}
		for i, d := range s.nodes {
			if i > 0 {
				h.add("\n", false)
			}
			p.decl(h, d)
			for _, n := range p.references(d) {
				if n != s.name && !slices.Contains(h.needs, n) {
					h.needs = append(h.needs, n)
				}
			}
		}
		if n := passed[s.name]; n != "" {
			h.needs = append(h.needs, n)
		}
		p.helpers[s.name] = h
	}
}

func (h *helper) add(text string, counted bool) {
	if text != "" {
		h.pieces = append(h.pieces, piece{text, counted})
	}
}

// offset returns the place of pos in the file's text.
func (p *helperParser) offset(pos token.Pos) int { return p.tok.Offset(pos) }

// text returns the text of n.
func (p *helperParser) text(n ast.Node) string {
	return helperSource[p.offset(n.Pos()):p.offset(n.End())]
}

// decl adds the text of a declaration, with its comment, to h.
func (p *helperParser) decl(h *helper, d ast.Decl) {
	at := p.offset(d.Pos())
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc != nil {
			at = p.offset(d.Doc.Pos())
		}
	case *ast.GenDecl:
		if d.Doc != nil {
			at = p.offset(d.Doc.Pos())
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt, *ast.IfStmt:
			if !isCount(n.(ast.Stmt)) {
				break
			}
			start := strings.LastIndexByte(helperSource[:p.offset(n.Pos())], '\n') + 1
			end := p.offset(n.End()) + len("\n")
			h.add(helperSource[at:start], false)
			h.add(helperSource[start:end], true)
			at = end
			return false
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); !ok || id.Name != entryMacro {
				break
			}
			h.add(helperSource[at:p.offset(n.Pos())]+p.expand(n), false)
			at = p.offset(n.End())
			return false
		}
		return true
	})
	h.add(helperSource[at:p.offset(d.End())]+"\n", false)
}

// isCount reports whether s does nothing but count a check.
func isCount(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := c.Fun.(*ast.Ident)
		return ok && id.Name == countHelper
	case *ast.IfStmt:
		return s.Else == nil && len(s.Body.List) == 1 && isCount(s.Body.List[0])
	}
	return false
}

// expand returns the expression of the entry macro with the operands of call c in the
// place of the parameters.
func (p *helperParser) expand(c *ast.CallExpr) string {
	operand := map[string]string{}
	for i, f := range p.entry.Type.Params.List {
		operand[f.Names[0].Name] = p.text(c.Args[i])
	}
	x := p.entry.Body.List[0].(*ast.ReturnStmt).Results[0]
	var b strings.Builder
	at := p.offset(x.Pos())
	ast.Inspect(x, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok { // a field may be called like a parameter
			if id, ok := sel.X.(*ast.Ident); ok && operand[id.Name] != "" {
				b.WriteString(helperSource[at:p.offset(id.Pos())] + operand[id.Name])
				at = p.offset(id.End())
			}
			return false
		}
		if id, ok := n.(*ast.Ident); ok && operand[id.Name] != "" {
			b.WriteString(helperSource[at:p.offset(id.Pos())] + operand[id.Name])
			at = p.offset(id.End())
		}
		return true
	})
	return "(" + b.String() + helperSource[at:p.offset(x.End())] + ")"
}

// references returns the helpers that declaration d mentions. Every generated file has
// the types of taskHelper, the count is needed only where it stays, and the table of calls
// brings its type along.
func (p *helperParser) references(d ast.Decl) (list []string) {
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch o := p.owner[id.Name]; o {
			case "", taskHelper, countHelper, callHelper:
			default:
				list = append(list, o)
			}
		}
		return true
	})
	return list
}

// isHelper reports whether a helper has this name.
func isHelper(name string) bool { return helpers()[name] != nil }

// countMark matches a line of a shadow helper where its check is counted, perhaps with a
// condition.
var countMark = regexp.MustCompile(`(?m)^\t+#count(?: (.*))?\n`)

// helperText returns the source of a helper.
func helperText(name string, count, shadow bool) string {
	if s := shadowHelpers[name]; shadow && s != "" {
		return shadowText(s, count)
	}
	var b strings.Builder
	b.WriteByte('\n')
	for _, p := range helpers()[name].pieces {
		if count || !p.counted {
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// shadowText returns the source of a shadow helper.
func shadowText(text string, count bool) string {
	if !count {
		return countMark.ReplaceAllString(text, "")
	}
	return countMark.ReplaceAllStringFunc(text, func(line string) string {
		if cond := countMark.FindStringSubmatch(line)[1]; cond != "" {
			return "\tif " + cond + " {\n\t\t" + countHelper + "()\n\t}\n"
		}
		return "\t" + countHelper + "()\n"
	})
}
