package splice

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// A gathered is a variable that collects neighbouring elements which the accesses of one
// kind reach in a loop. The program checks the collected range in three cases: another
// range begins, the loop ends, or the function is left in another way.
type gathered struct {
	name string
	key  site.Key // the key of the first access
	site string   // the site of the first access
}

// gather notes that the current function uses the variable for an access. The site of the
// access is the next one to be registered.
func (f *file) gather(name string, k site.Key) {
	if f.fn.collects(name) {
		return
	}
	if f.pkg.rows != nil {
		f.pkg.rows.used = true // the next row
	}
	f.fn.gathers = append(f.fn.gathers, gathered{name, k, fmt.Sprintf("&_ti_sites.idx[%d]", len(f.pkg.sites))})
	f.pkg.helpers["_ti_gend"] = true
}

// end returns the call that checks the collected range. A report shows the line of the
// first access.
func (g gathered) end() string {
	return fmt.Sprintf("/*line :%d:%d*/_ti_gend(_ti_t,_ti_value,_ti_gtake,&%s,%d,%s); ", g.key.Line, g.key.Col, g.name, kindOf(g.key), g.site)
}

// behind puts the checks of the ranges that the loop has collected behind the loop.
func (f *file) behind(outer, loop ast.Stmt) {
	if len(f.fn.gathers) == 0 || endless(outer, loop) {
		return
	}
	a, b := f.Offset(outer.Pos()), f.Offset(outer.End())
	ps := []part{text("{ "), source(a, b), text("; ")}
	n := len(ps)
	for _, i := range f.insertsOf(loop) {
		for _, g := range f.fn.gathers {
			if slices.Contains(f.pkg.cfg.Plan.Inserts[i].Gathers, g.name) {
				ps = append(ps, text(g.end()))
			}
		}
	}
	if len(ps) == n {
		return
	}
	f.add(a, b, layerBehind, append(ps, f.resync(b), text("}"))...)
}

// arrays returns the code in front of a loop that tells its variables their arrays.
func (f *file) arrays(in Insert) (ps []part) {
	for i, slice := range in.Arrays {
		if slice == "" || i >= len(in.Gathers) || !f.pkg.usable("_ti_garray") {
			continue
		}
		g := in.Gathers[i]
		code := "_ti_garray(&" + g + "," + slice + "); "
		if cond, slice, ok := strings.Cut(slice, ";"); ok {
			code = "if " + cond + " { _ti_garray(&" + g + "," + slice + ") }; "
		}
		f.pkg.helpers["_ti_garray"] = true
		ps = append(ps, part{kind: partArray, text: code, fn: f.fn, flag: g})
	}
	return ps
}

// collects reports whether an access of the function uses the variable.
func (fn *function) collects(name string) bool {
	return slices.ContainsFunc(fn.gathers, func(g gathered) bool { return g.name == name })
}

// endless reports whether control cannot reach the statement behind the loop. The compiler
// relies on that at the end of a function with results. outer is the loop or the labelled
// statement around it.
func endless(outer, s ast.Stmt) bool {
	loop, ok := s.(*ast.ForStmt)
	if !ok || loop.Cond != nil {
		return false
	}
	label := ""
	if l, ok := outer.(*ast.LabeledStmt); ok {
		label = l.Label.Name
	}
	found := false
	var walk func(n ast.Node, direct bool)
	walk = func(n ast.Node, direct bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
				if m != n {
					walk(m, false) // a break without a label leaves m
					return false
				}
			case *ast.BranchStmt:
				if m.Tok == token.BREAK && (m.Label == nil && direct || m.Label != nil && m.Label.Name == label) {
					found = true
				}
			}
			return !found
		})
	}
	walk(loop.Body, true)
	return !found
}

// declared returns the declarations of the function's variables, and the deferred call that
// checks the remaining ranges after a return inside a loop, or a panic.
func (fn *function) declared() string {
	if len(fn.gathers) == 0 {
		return ""
	}
	var names []string
	ends := ""
	for _, g := range fn.gathers {
		names = append(names, g.name)
		ends += g.end()
	}
	return "var " + strings.Join(names, ", ") + " _ti_gather; defer func() { " + ends + "}(); "
}
