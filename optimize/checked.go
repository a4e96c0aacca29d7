package optimize

import (
	"taskinstr/internal/site"
	"taskinstr/ssapass"
)

// findChecked notes which sites of the analysis get a check that a plan can speak of. The
// others are variables that stay in their goroutine, initial values, reads that are one
// check with a write, accesses that hooks of the runtime see, and the few places where a
// check cannot stand at its access. They can neither be removed nor stand for another. A
// check of a part of the access (len reads one word of a slice) can be removed only.
func (m *maker) findChecked() error {
	prog := m.a.Program()
	type key struct {
		path string
		site.Key
	}
	checked, part := map[key]bool{}, map[key]bool{}
	for _, pkg := range prog.Packages {
		if !m.scope[pkg.PkgPath] || !ssapass.Instrumented(pkg.PkgPath) || len(pkg.Syntax) == 0 {
			continue
		}
		sites, err := site.Find(prog.Source(pkg))
		if err != nil {
			return err
		}
		for i := range sites {
			s := &sites[i]
			if s.Plannable() {
				k := key{pkg.PkgPath, s.Key}
				checked[k] = true
				part[k] = part[k] || s.Part
			}
		}
	}
	m.checked, m.part = make([]bool, len(m.Fates)), make([]bool, len(m.Fates))
	for i, s := range m.a.Sites.List {
		k := key{s.Pkg.Path(), s.Key.Site()}
		m.checked[i], m.part[i] = checked[k], part[k]
	}
	return nil
}
