package splice

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// A plan may give a loop a flag that code in front of the loop sets once. While the flag is
// set, the loop needs none of the checks that depend on it. Such a loop is compiled in two
// versions: the version without these checks runs if the flag is set, the version with all
// checks otherwise. In the version without them, calls that the plan names go to clones of
// the called functions, which make no checks: the code in front of the loop has checked
// their accesses. Loops inside the version with all checks have a single version. So the
// text grows linearly with the depth of loops, and not exponentially.

// A plan may also name calls that go to clones wherever they stand (Plan.Calls). Such a clone makes no
// checks, or one check of a wider range.

// maxVersioned is the limit for the text of a loop with two versions, in bytes.
const maxVersioned = 1 << 14

// clonePrefix is the start of the name of a function's clone.
const clonePrefix = "_ti_c_"

// A Call is a call that goes to a clone of the called function, or to a copy of an accessor.
type Call struct {
	At       site.Pos // the called name: the selected name of x.f, or the identifier f
	Func     site.Pos // the name in the declaration of the function
	Accessor string   `json:",omitempty"` // the copy (accessor.go); Func is not set then
	Wide     *Wide    `json:",omitempty"` // in Plan.Calls: the only check of the clone
	name     string   // with Wide: the start of the clone's name
}

// A Wide is the check of a clone: of Len bytes that begin Back bytes before the access at Site.
type Wide struct {
	Site      site.Key
	Back, Len int64
	For       []site.Key // the accesses that the check covers beside its own
}

// tested returns the flag that code in front of a loop sets if the check is not needed, or
// "".
func (t *fated) tested() string {
	if t.Once || t.Gather {
		return ""
	}
	return t.Flag
}

// versioned returns the flag of loop s if the loop gets two versions, or "". The labels and
// the names of called functions in the loop then depend on the version. outer is s or the
// labelled statement around it.
func (f *file) versioned(s, outer ast.Stmt) (flag string) {
	calls := callPlaces{}
	for _, i := range f.insertsOf(s) {
		in := &f.pkg.cfg.Plan.Inserts[i]
		if in.Flat || !f.pkg.inserted[i] || flag != "" {
			continue
		}
		for _, v := range in.Flags {
			if f.pkg.once[onceKey{in.File, v}] == nil {
				flag = v
				for _, c := range in.Calls {
					if to, ok := f.pkg.cloneCalls[c.At]; ok {
						calls[c.At] = to
					}
				}
			}
		}
	}
	if flag == "" || int(outer.End()-outer.Pos()) > maxVersioned || !copyable(outer) {
		return ""
	}
	f.fn.versions++
	f.labels(outer)
	f.calledNames(outer, calls, func(a, b int, clone string) {
		f.add(a, b, layerRead, part{kind: partName, a: a, b: b, text: clone, flag: flag})
	})
	return flag
}

// copyable reports whether two copies of the statement, in two branches, mean the same as
// one. Function literals prevent that, since their names count them, and so do declared
// types, since two declarations are two types.
func copyable(s ast.Stmt) bool {
	ok := true
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.TypeSpec:
			ok = false
		case *ast.BranchStmt:
			ok = ok && n.Tok != token.GOTO
		case *ast.LabeledStmt: // the walk may move the text of other statements
			switch n.Stmt.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
			default:
				ok = false
			}
		}
		return ok
	})
	return ok
}

// labels makes the labels in a loop depend on its version. It visits the labels of a nested
// loop with two versions once more, at the next depth.
func (f *file) labels(outer ast.Stmt) {
	ast.Inspect(outer, func(n ast.Node) bool {
		var id *ast.Ident
		switch n := n.(type) {
		case *ast.LabeledStmt:
			id = n.Label
		case *ast.BranchStmt:
			id = n.Label
		}
		if id == nil {
			return true
		}
		if f.fn.labels == nil {
			f.fn.labels = map[string]int{}
		}
		if _, isStmt := n.(*ast.LabeledStmt); isStmt {
			f.fn.labels[id.Name] = f.fn.versions
		}
		if f.fn.versions == 1 {
			f.add(f.Offset(id.Pos()), f.Offset(id.End()), layerRead, part{kind: partLabel, text: id.Name, fn: f.fn})
		}
		return true
	})
}

// newLabel returns a label for the current loop, whose name depends on the version of the loop.
func (f *file) newLabel() part {
	name := f.temp()
	if f.fn.labels == nil {
		f.fn.labels = map[string]int{}
	}
	f.fn.labels[name] = f.fn.versions
	return part{kind: partLabel, text: name, fn: f.fn}
}

// renderVersions writes the two versions of a loop.
func (f *file) renderVersions(w *bytes.Buffer, p part, from int) {
	if f.slow {
		f.renderRange(w, p.a, p.b, from)
		return
	}
	line := []part{f.resync(p.a)}
	n := len(f.prefixes)
	f.fast++
	f.prefixes = append(f.prefixes, fmt.Sprintf("_ti_f%d_", f.fast))
	f.setFlags[p.flag] = true
	w.WriteString("if " + p.flag + " { ")
	f.renderParts(w, line, from)
	f.renderRange(w, p.a, p.b, from)
	delete(f.setFlags, p.flag)
	f.prefixes = f.prefixes[:n]
	w.WriteString(" } else { ")
	f.slow = true
	f.renderParts(w, line, from)
	f.renderRange(w, p.a, p.b, from)
	f.slow = false
	w.WriteString(" }")
}

// labelName returns the name of the label of a part in the current versions.
func (f *file) labelName(p part) string {
	return strings.Join(f.prefixes[:min(p.fn.labels[p.text], len(f.prefixes))], "") + p.text
}

// called returns the name of the function or method that c calls, or nil.
func called(c *ast.CallExpr) *ast.Ident {
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	}
	return nil
}

// calledNames calls do for each called function under n whose name stands at one of the
// places: with the source range that names it, and the name of the function without checks.
func (f *file) calledNames(n ast.Node, places callPlaces, do func(a, b int, clone string)) {
	f.calledNodes(n, places, func(n ast.Node, clone string) { do(f.Offset(n.Pos()), f.Offset(n.End()), clone) })
}

// calledNodes is calledNames with the syntax that names the function.
func (f *file) calledNodes(n ast.Node, places callPlaces, do func(n ast.Node, clone string)) {
	if len(places) == 0 {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if id := called(c); id != nil {
				if to, ok := places[f.PosOf(id.Pos())]; ok {
					do(f.calledAs(c, id, to))
				}
			}
		}
		return true
	})
}

// findClones finds the functions that need a clone, and the calls that may go to one.
func (p *pkg) findClones(files []*file) {
	if p.cfg.Plan == nil {
		return
	}
	wanted, calls := p.cfg.Plan.cloned()
	if !calls {
		return
	}
	found := declarations(files, wanted)
	p.clones, p.cloneCalls = map[site.Pos]bool{}, callPlaces{}
	for _, in := range p.cfg.Plan.Inserts {
		for _, c := range in.Calls {
			switch {
			case c.Accessor == "" && found[c.Func].FuncDecl != nil:
				p.clones[c.Func] = true
				p.cloneCalls[c.At] = c
			case p.copied(c):
				p.cloneCalls[c.At] = c
				p.helpers[c.Accessor] = true
			}
		}
	}
	// The check of one clone may cover the accesses of another: all calls go to clones, or none does.
	if !p.findRedirected(found) {
		p.redirected, p.variants = nil, nil
	}
	for _, c := range p.redirected {
		if c.Wide == nil {
			p.clones[c.Func] = true
		}
	}
}

// cloned returns the places of the functions that need a clone. calls is true if the plan names calls
// that go to clones, or to copies of accessors.
func (p *Plan) cloned() (wanted map[site.Pos]bool, calls bool) {
	wanted = map[site.Pos]bool{}
	for _, in := range p.Inserts {
		for _, c := range in.Calls {
			calls = true
			if c.Accessor == "" {
				wanted[c.Func] = true
			}
		}
	}
	for _, c := range p.Calls {
		calls = true
		wanted[c.Func] = true
	}
	return wanted, calls
}

// A declaration is a function with a body, and its file.
type declaration struct {
	*ast.FuncDecl
	in *file
}

// declarations returns the wanted functions that the files declare, by the places of their names.
func declarations(files []*file, wanted map[site.Pos]bool) map[site.Pos]declaration {
	found := map[site.Pos]declaration{}
	for _, f := range files {
		for _, d := range f.Syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && f.plan && wanted[f.PosOf(d.Name.Pos())] {
				found[f.PosOf(d.Name.Pos())] = declaration{d, f}
			}
		}
	}
	return found
}

// findRedirected finds the calls that go to clones wherever they stand, and the clones with checks. It
// returns false if the package lacks one of the functions, or the place of one of the checks.
func (p *pkg) findRedirected(found map[site.Pos]declaration) bool {
	p.redirected, p.variants = callPlaces{}, map[site.Pos][]variant{}
	for k, c := range p.cfg.Plan.Calls {
		d := found[c.Func]
		if d.FuncDecl == nil {
			return false
		}
		if c.Wide != nil {
			e := d.in.placeOf(d.FuncDecl, c.Wide.Site)
			if e == nil {
				return false
			}
			c.name = fmt.Sprintf("_ti_c%d_", k)
			p.variants[c.Func] = append(p.variants[c.Func], variant{c, e})
		}
		p.redirected[c.At] = c
	}
	return true
}

// placeOf returns the place in function d that the site names, nil if there is none.
func (f *file) placeOf(d *ast.FuncDecl, k site.Key) (place ast.Expr) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && place == nil && f.KeyOf(e, f.TextOf(e), k.Write, false) == k {
			place = e
		}
		return place == nil
	})
	return place
}

// A variant is a clone with a check of its own, for one call.
type variant struct {
	Call
	place ast.Expr // whose access the check is at
}

// redirect has the calls in function d that the plan names go to clones, wherever they stand.
func (f *file) redirect(d *ast.FuncDecl) {
	if !f.plan || f.skip || f.nosplit {
		return
	}
	f.calledNames(d.Body, f.pkg.redirected, func(a, b int, clone string) { f.add(a, b, layerRead, text(clone)) })
}

// clone adds copies of function d without checks, if calls go to them.
func (f *file) clone(d *ast.FuncDecl) {
	at := f.PosOf(d.Name.Pos())
	var parts []part
	if f.pkg.clones[at] {
		edits := []cloneEdit{{d.Name, []part{text(clonePrefix + d.Name.Name)}}}
		f.calledNodes(d.Body, f.pkg.cloneCalls, func(n ast.Node, name string) { edits = append(edits, cloneEdit{n, []part{text(name)}}) })
		parts = append(parts, f.copyOf(d, edits)...)
	}
	for _, v := range f.pkg.variants[at] {
		fn := &function{}
		helper, kind := "_ti_rx", site.Read
		if v.Wide.Site.Write {
			helper, kind = "_ti_wx", site.Write
		}
		fn.note(helper)
		open := part{kind: partCall, text: helper, fn: fn, flag: wideOperands(v.Wide.Back, v.Wide.Len)}.of(f.TypeOf(v.place))
		number := f.site(v.place, f.What(v.place), kind)
		f.pkg.sites[len(f.pkg.sites)-1].Also = also(v.Wide.Site, v.Wide.For)
		parts = append(parts, f.copyOf(d, []cloneEdit{
			{d.Name, []part{text(v.name + d.Name.Name)}},
			{v.place, []part{text("(*"), open, text("&" + f.TextOf(v.place) + "," + number + "))")}},
		})...)
	}
	if parts != nil {
		a, b := f.Offset(d.Pos()), f.Offset(d.End())
		f.add(a, b, layerList, append(append([]part{source(a, b)}, parts...), f.resync(b))...)
	}
}

// A cloneEdit replaces the text of a node in a copy of a function.
type cloneEdit struct {
	ast.Node
	parts []part
}

// copyOf returns a copy of the source text of function d, with edits.
func (f *file) copyOf(d *ast.FuncDecl, edits []cloneEdit) []part {
	// In a chain of calls, a().b(), the walk finds the last name first.
	slices.SortFunc(edits, func(x, y cloneEdit) int { return cmp.Compare(x.Pos(), y.Pos()) })
	f.leaves(d)
	at := f.Offset(d.Pos())
	parts := []part{text("; "), f.resync(at)}
	for _, e := range edits {
		parts = append(append(parts, text(string(f.Text[at:f.Offset(e.Pos())]))), e.parts...)
		at = f.Offset(e.End())
	}
	return append(parts, text(string(f.Text[at:f.Offset(d.End())])))
}
