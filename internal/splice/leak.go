package splice

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// A pooled type has a variable that says whether other code may know an object of it. Checks whose Fate has the type test it,
// and the statements of Plan.Leaks set it. It is set from the start if such a statement is missing in the text, or stands in a copy of a
// function that has no checks.

// A Leak is a statement behind which other code may know an object of a pooled type.
type Leak struct {
	At   site.Pos // of the statement, which stands in a list and has no label
	Type string
	// Writer is a variable whose method Write gets an array of the object. It is no leak if its value copies the bytes.
	Writer string `json:",omitempty"`
}

// leakVar returns the variable of a pooled type.
func leakVar(name string) string { return "_ti_leaked_" + name }

// leaked returns the variable of a pooled type on which checks depend.
func (p *pkg) leaked(name string) string {
	p.pooled[name] = true
	return leakVar(name)
}

// leak sets the variables of the plan's leaks in front of statement s of a list.
func (f *file) leak(s ast.Stmt) {
	var set []part
	for _, l := range f.leaksAt(s) {
		f.pkg.leaks[l] = true
		v := leakVar(l.Type)
		if l.Writer == "" {
			set = append(set, text(v+" = true; "))
			continue
		}
		f.pkg.helpers["_ti_copies"] = true
		set = append(set, text("if !"+v+" { "+v+" = !_ti_copies("+l.Writer+") }; "))
	}
	if set != nil {
		a, b := f.Offset(s.Pos()), f.Offset(s.End())
		f.add(a, b, layerList, append(append(set, f.resync(a)), source(a, b))...)
	}
}

// leaksAt returns the plan's leaks at a statement.
func (f *file) leaksAt(s ast.Stmt) (list []Leak) {
	if !f.plan {
		return nil
	}
	for _, l := range f.pkg.cfg.Plan.Leaks {
		if l.At == f.PosOf(s.Pos()) {
			list = append(list, l)
		}
	}
	return list
}

// leaves notes the leaks in function d, whose text is copied as it is.
func (f *file) leaves(d *ast.FuncDecl) {
	ast.Inspect(d, func(n ast.Node) bool {
		if s, ok := n.(ast.Stmt); ok {
			for _, l := range f.leaksAt(s) {
				f.pkg.lost[l.Type] = true
			}
		}
		return true
	})
}

// leakVars declares the variables.
func (p *pkg) leakVars() string {
	if p.cfg.Plan == nil {
		return ""
	}
	set := maps.Clone(p.lost)
	for _, l := range p.cfg.Plan.Leaks {
		if !p.leaks[l] {
			set[l.Type] = true
		}
		p.pooled[l.Type] = true
	}
	var b strings.Builder
	for _, t := range slices.Sorted(maps.Keys(p.pooled)) {
		fmt.Fprintf(&b, "\nvar %s = %t\n", leakVar(t), set[t])
	}
	return b.String()
}
