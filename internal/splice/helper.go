package splice

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"sync"
)

// helperFiles holds the helpers: helpers.go has those that all detectors share. The two
// other files declare the same names, one for each way to test inline whether a check is
// needed.
//
//go:embed files/helpers.go files/filter.go files/shadow.go
var helperFiles embed.FS

// Declarations of the files with a meaning of their own.
const (
	taskHelper   = "_ti_task"   // the types that every generated file has
	callHelper   = "_ti_call"   // the type of the elements of the table of calls
	countHelper  = "_ti_count"  // counts an executed check
	countNosplit = "_ti_countn" // counts a check in a function marked go:nosplit
	entryMacro   = "_ti_entry"  // its calls become its expression
)

// A helper is one declaration of the files, or several types in a row.
type helper struct {
	pieces    []piece
	parameter string   // see parameterOf
	needs     []string // other helpers that it refers to
}

// A piece is a part of a helper's text.
type piece struct {
	text    string
	counted bool // a statement that counts the check
}

// passed names the helpers that the caller hands to a helper as parameters.
var passed = map[string]string{"_ti_rg": "_ti_gmiss", "_ti_wg": "_ti_gmissw", "_ti_rgd": "_ti_gmiss", "_ti_wgd": "_ti_gmissw", "_ti_gend": "_ti_gtake"}

var (
	filterHelpers = sync.OnceValue(func() map[string]*helper { return parseHelpers("filter.go") })
	shadowHelpers = sync.OnceValue(func() map[string]*helper { return parseHelpers("shadow.go") })
)

// helpers returns the helpers by name: those that test the shadow of memory, or those
// that test the task's filter. Both have the same names.
func helpers(shadow bool) map[string]*helper {
	if shadow {
		return shadowHelpers()
	}
	return filterHelpers()
}

// isHelper reports whether a helper has this name.
func isHelper(name string) bool { return filterHelpers()[name] != nil }

// helperText returns the source of a helper.
func helperText(name string, count, shadow bool) string {
	var b strings.Builder
	b.WriteByte('\n')
	for _, p := range helpers(shadow)[name].pieces {
		if count || !p.counted {
			b.WriteString(p.text)
		}
	}
	if count {
		return named.Replace(b.String())
	}
	return b.String()
}

// named has helpers that count call the runtime by name. They are too large to be inlined, and a call of a function value puts
// the variables of its operands on the heap.
var named = strings.NewReplacer("\tcheck(t, ", "\t_ti_check(t, ", "\tcheck(unsafe.", "\t_ti_check1(unsafe.")

// parseHelpers returns the helpers of helpers.go and of another file.
func parseHelpers(variant string) map[string]*helper {
	p := &helperParser{fset: token.NewFileSet(), texts: map[string]string{}, owner: map[string]string{}}
	for _, name := range []string{"helpers.go", variant} {
		p.declarations(name)
	}
	helpers := map[string]*helper{}
	for _, g := range p.groups {
		helpers[g.name] = p.helper(g)
	}
	return helpers
}

// A helperParser takes the files of helpers apart.
type helperParser struct {
	fset   *token.FileSet
	texts  map[string]string // of the files, by name
	groups []helperGroup
	owner  map[string]string // the helper that declares a name
	entry  *ast.FuncDecl     // the declaration of entryMacro
}

// A helperGroup is the declarations that make up one helper.
type helperGroup struct {
	name  string
	decls []ast.Decl
}

// declarations groups the declarations of a file.
func (p *helperParser) declarations(name string) {
	text, err := helperFiles.ReadFile("files/" + name)
	if err != nil {
		panic(fmt.Sprintf("splice: %v", err)) // the file is embedded
	}
	p.texts[name] = string(text)
	f, err := parser.ParseFile(p.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		panic(fmt.Sprintf("splice: %v", err)) // TestHelpers parses the same text
	}
	types := false // the declaration before this one is of a type
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			types = false
			if d.Name.Name == entryMacro {
				p.entry = d
				continue
			}
			p.group(d.Name.Name, d)
		case *ast.GenDecl:
			if d.Tok != token.TYPE {
				continue
			}
			name := d.Specs[0].(*ast.TypeSpec).Name.Name
			if types {
				last := &p.groups[len(p.groups)-1]
				last.decls = append(last.decls, d)
				p.owner[name] = last.name
				continue
			}
			types = true
			p.group(name, d)
		}
	}
}

// group begins a helper.
func (p *helperParser) group(name string, d ast.Decl) {
	p.groups = append(p.groups, helperGroup{name, []ast.Decl{d}})
	p.owner[name] = name
}

// helper returns the helper of a group.
func (p *helperParser) helper(g helperGroup) *helper {
	h := &helper{parameter: parameterOf(g.decls[0])}
	for i, d := range g.decls {
		if i > 0 {
			h.add("\n", false)
		}
		p.decl(h, d)
		for _, n := range p.references(d) {
			if n != g.name && !slices.Contains(h.needs, n) {
				h.needs = append(h.needs, n)
			}
		}
	}
	if n := passed[g.name]; n != "" {
		h.needs = append(h.needs, n)
	}
	return h
}

func (h *helper) add(text string, counted bool) {
	if text != "" {
		h.pieces = append(h.pieces, piece{text, counted})
	}
}

// offset returns the offset of pos in the text of its file.
func (p *helperParser) offset(pos token.Pos) int { return p.fset.File(pos).Offset(pos) }

// textOf returns the text of the file that n is in.
func (p *helperParser) textOf(n ast.Node) string { return p.texts[p.fset.File(n.Pos()).Name()] }

// decl adds the text of a declaration, with its comment, to h.
func (p *helperParser) decl(h *helper, d ast.Decl) {
	var doc *ast.CommentGroup
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc = d.Doc
	}
	text, done := p.textOf(d), p.offset(d.Pos())
	if doc != nil {
		done = p.offset(doc.Pos())
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ExprStmt, *ast.IfStmt:
			if !isCount(n.(ast.Stmt)) {
				break
			}
			start := strings.LastIndexByte(text[:p.offset(n.Pos())], '\n') + 1
			end := p.offset(n.End()) + len("\n")
			h.add(text[done:start], false)
			h.add(text[start:end], true)
			done = end
			return false
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); !ok || id.Name != entryMacro {
				break
			}
			h.add(text[done:p.offset(n.Pos())]+p.expand(n), false)
			done = p.offset(n.End())
			return false
		}
		return true
	})
	h.add(text[done:p.offset(d.End())]+"\n", false)
}

// isCount reports whether s only counts a check.
func isCount(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		c, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := c.Fun.(*ast.Ident)
		return ok && (id.Name == countHelper || id.Name == countNosplit)
	case *ast.IfStmt:
		return s.Else == nil && len(s.Body.List) == 1 && isCount(s.Body.List[0])
	case *ast.ForStmt:
		return len(s.Body.List) == 1 && isCount(s.Body.List[0])
	}
	return false
}

// expand returns the expression of the entry macro with the operands of call c in the
// place of the parameters.
func (p *helperParser) expand(c *ast.CallExpr) string {
	operand := map[string]string{}
	for i, f := range p.entry.Type.Params.List {
		x := c.Args[i]
		operand[f.Names[0].Name] = p.textOf(x)[p.offset(x.Pos()):p.offset(x.End())]
	}
	x := p.entry.Body.List[0].(*ast.ReturnStmt).Results[0]
	text := p.textOf(x)
	var b strings.Builder
	done := p.offset(x.Pos())
	replace := func(id *ast.Ident) {
		if operand[id.Name] != "" {
			b.WriteString(text[done:p.offset(id.Pos())] + operand[id.Name])
			done = p.offset(id.End())
		}
	}
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr: // a field may have a parameter's name
			if id, ok := n.X.(*ast.Ident); ok {
				replace(id)
			}
			return false
		case *ast.Ident:
			replace(n)
		}
		return true
	})
	b.WriteString(text[done:p.offset(x.End())])
	if _, ok := x.(*ast.BinaryExpr); ok {
		return "(" + b.String() + ")"
	}
	return b.String()
}

// references returns the helpers that declaration d mentions. Three names are left out:
// every generated file has the types of taskHelper, the count is needed only where it
// stays, and the table of calls brings its type along.
func (p *helperParser) references(d ast.Decl) (list []string) {
	ast.Inspect(d, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			switch o := p.owner[id.Name]; o {
			case "", taskHelper, countHelper, countNosplit, callHelper:
			default:
				list = append(list, o)
			}
		}
		return true
	})
	return list
}
