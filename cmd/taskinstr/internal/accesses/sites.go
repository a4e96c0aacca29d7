package accesses

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"taskinstr/internal/splice"
)

// A Kind is what is done to memory.
type Kind string

const (
	Read   Kind = "read"
	Write  Kind = "write"
	Atomic Kind = "atomic" // an operation of sync/atomic
)

// A spliced is a check in the spliced text of a package.
type spliced struct {
	file         string
	line, column int
	expr         string
	kind         Kind
	helper       string // that makes the check
}

// sites reads the checks from the rewritten package itself: each use of a number of
// the site table, in a call of a helper whose own text tells the kind of the access.
func sites(r *splice.Result) ([]spliced, error) {
	if r.Generated == nil {
		return nil, nil
	}
	fset := token.NewFileSet()
	gen, err := parser.ParseFile(fset, "generated", r.Generated, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	h := &helperKinds{decls: map[string]*ast.FuncDecl{}, kinds: map[string][]Kind{}}
	for _, d := range gen.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			h.decls[d.Name.Name] = d
		}
	}
	var files []*ast.File
	var table []string
	for _, text := range r.Files {
		if text == nil {
			continue
		}
		a, err := parser.ParseFile(fset, "spliced", text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, a)
		if t := siteTable(a); t != nil {
			table = t
		}
	}
	var list []spliced
	for _, a := range files {
		ast.Inspect(a, func(n ast.Node) bool {
			if l, ok := n.(*ast.CompositeLit); ok && err == nil {
				var called []spliced
				called, err = calls(l, table)
				list = append(list, called...)
				return err == nil
			}
			c, ok := n.(*ast.CallExpr)
			if !ok || err != nil {
				return err == nil
			}
			fun := c.Fun
			if x, ok := fun.(*ast.IndexExpr); ok { // with its type argument
				fun = x.X
			}
			id, ok := fun.(*ast.Ident)
			if !ok || h.decls[id.Name] == nil {
				return true
			}
			kinds := h.of(id.Name)
			for i, x := range c.Args {
				number, ok := siteNumber(x)
				if !ok {
					continue
				}
				if number >= len(table) || i >= len(kinds) || kinds[i] == "" {
					err = fmt.Errorf("helper %s, argument %d: cannot tell what access site %d is", id.Name, i, number)
					return false
				}
				var s spliced
				if s, err = parseSite(table[number]); err != nil {
					return false
				}
				s.kind, s.helper = kinds[i], id.Name
				list = append(list, s)
			}
			return true
		})
	}
	return list, err
}

// calls returns the sites of the table of calls, if l is its value: the runtime reads
// there what the wrapper of the method that is called reads.
func calls(l *ast.CompositeLit, table []string) (list []spliced, err error) {
	t, ok := l.Type.(*ast.ArrayType)
	if !ok {
		return nil, nil
	}
	if id, ok := t.Elt.(*ast.Ident); !ok || id.Name != "_ti_call" {
		return nil, nil
	}
	for _, e := range l.Elts {
		x := e.(*ast.CompositeLit).Elts[0].(*ast.KeyValueExpr).Value
		number, ok := siteNumber(x)
		if !ok || number >= len(table) {
			return nil, errors.New("table of calls: no site")
		}
		s, err := parseSite(table[number])
		if err != nil {
			return nil, err
		}
		s.kind, s.helper = Read, callHelper
		list = append(list, s)
	}
	return list, nil
}

// callHelper stands for the helper at a call that may lead to a wrapper of a method.
const callHelper = "_ti_call"

// parseSite parses a line of the site table.
func parseSite(line string) (s spliced, err error) {
	f := strings.Split(line, "\t")
	if len(f) < 3 {
		return s, fmt.Errorf("site table: line %q", line)
	}
	j := strings.LastIndexByte(f[0], ':')
	i := strings.LastIndexByte(f[0][:max(j, 0)], ':')
	if i < 0 {
		return s, fmt.Errorf("site table: position %q", f[0])
	}
	s.file, s.expr = f[0][:i], f[1]
	if s.line, err = strconv.Atoi(f[0][i+1 : j]); err == nil {
		s.column, err = strconv.Atoi(f[0][j+1:])
	}
	return s, err
}

// siteTable returns the lines of the site table that a declares, if any.
func siteTable(a *ast.File) []string {
	for _, d := range a.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		vs := g.Specs[0].(*ast.ValueSpec)
		if vs.Names[0].Name != "_ti_sites" {
			continue
		}
		blob := vs.Values[0].(*ast.CompositeLit).Elts[2].(*ast.BasicLit).Value
		if s, err := strconv.Unquote(blob); err == nil {
			return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
		}
	}
	return nil
}

// siteNumber returns n where x is &_ti_sites.idx[n].
func siteNumber(x ast.Expr) (n int, ok bool) {
	u, ok := x.(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return 0, false
	}
	i, ok := u.X.(*ast.IndexExpr)
	if !ok {
		return 0, false
	}
	if s, ok := i.X.(*ast.SelectorExpr); !ok || s.Sel.Name != "idx" {
		return 0, false
	}
	l, ok := i.Index.(*ast.BasicLit)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(l.Value)
	return n, err == nil
}

// helperKinds finds the kind of access that each parameter of a helper stands for, by
// following it into the calls that the helper makes.
type helperKinds struct {
	decls map[string]*ast.FuncDecl
	kinds map[string][]Kind
}

// of returns the kinds of the helper's parameters, "" for those that are no sites.
func (h *helperKinds) of(name string) []Kind {
	if k, ok := h.kinds[name]; ok {
		return k
	}
	d := h.decls[name]
	var params []string
	for _, f := range d.Type.Params.List {
		for _, n := range f.Names {
			params = append(params, n.Name)
		}
	}
	kinds := make([]Kind, len(params))
	h.kinds[name] = kinds
	if d.Body == nil {
		return kinds
	}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		id, ok := c.Fun.(*ast.Ident)
		if !ok {
			return true
		}
		for i, x := range c.Args {
			a, ok := x.(*ast.Ident)
			if !ok {
				continue
			}
			for j, p := range params {
				if p != a.Name {
					continue
				}
				if k := h.argument(c, id.Name, i); k != "" {
					kinds[j] = k
				}
			}
		}
		return true
	})
	return kinds
}

// argument returns the kind of argument i of a call of callee.
func (h *helperKinds) argument(c *ast.CallExpr, callee string, i int) Kind {
	switch callee {
	case "_ti_atomic":
		if i == len(c.Args)-1 {
			return Atomic
		}
		return ""
	case "_ti_handover":
		if i == len(c.Args)-1 {
			return Read
		}
		return ""
	case "check", "_ti_check", "_ti_check1", "_ti_checkn":
		if i != len(c.Args)-1 {
			return ""
		}
		if l, ok := c.Args[i-1].(*ast.BasicLit); ok {
			return map[string]Kind{"0": Read, "1": Write}[l.Value]
		}
		return ""
	}
	if h.decls[callee] == nil {
		return ""
	}
	if k := h.of(callee); i < len(k) {
		return k[i]
	}
	return ""
}
