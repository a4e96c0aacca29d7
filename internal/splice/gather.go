package splice

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"taskinstr/internal/site"
)

// A gathered is a variable that collects the elements that accesses of one kind
// reach in a loop, as long as they are neighbours. What it holds is checked when
// another range begins, behind the loop, and when the function is left in another
// way.
type gathered struct {
	name string
	key  site.Key // the first of the accesses
	site string   // and its site
}

// gather notes that the current function uses the variable for the access, whose
// site will be the next one.
func (f *file) gather(name string, k site.Key) {
	for _, g := range f.fn.gathers {
		if g.name == name {
			return
		}
	}
	f.fn.gathers = append(f.fn.gathers, gathered{name, k, fmt.Sprintf("&_ti_sites.idx[%d]", len(f.pkg.sites))})
	f.pkg.helpers["_ti_gend"] = true
}

// end checks what the variable has gathered. A report shows the line of the
// access.
func (g gathered) end() string {
	kind := 0
	if g.key.Write {
		kind = 1
	}
	return fmt.Sprintf("/*line :%d:%d*/_ti_gend(_ti_t,_ti_value,&%s,%d,%s); ", g.key.Line, g.key.Col, g.name, kind, g.site)
}

// behind puts the checks of what the loop has gathered behind it.
func (f *file) behind(outer, loop ast.Stmt) {
	if len(f.fn.gathers) == 0 || endless(loop) {
		return
	}
	a, b := f.offset(outer.Pos()), f.offset(outer.End())
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

// endless reports whether nothing comes behind the loop: the compiler counts on
// that where a function has results.
func endless(s ast.Stmt) bool {
	loop, ok := s.(*ast.ForStmt)
	if !ok || loop.Cond != nil {
		return false
	}
	found := false
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.BREAK
		return !found
	})
	return !found
}

// declared returns the declarations of the function's variables, and the deferred
// call that checks what is left in them after a return in a loop, or a panic.
func (fn *function) declared() string {
	if len(fn.gathers) == 0 {
		return ""
	}
	names, ends := "", ""
	for i, g := range fn.gathers {
		if i > 0 {
			names += ", "
		}
		names += g.name
		ends += g.end()
	}
	return "var " + names + " _ti_gather; defer func() { " + ends + "}(); "
}
