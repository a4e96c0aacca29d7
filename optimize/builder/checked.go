package builder

import (
	"taskinstr/internal/pace"
	"taskinstr/internal/site"
	"taskinstr/ssapass"
)

// findChecked notes which sites of the analysis have a check that a plan may decide about.
// The others are variables that stay in their goroutine, initial values, reads that share
// the check of a write, accesses that hooks of the runtime see, and the few accesses whose
// check cannot stand beside them. Such a site can neither be removed nor cover another
// one. A check that includes only a part of the access (len reads one word of a slice)
// can be removed only.
func (b *Builder) findChecked() error {
	prog := b.Analysis.Program()
	type key struct {
		path string
		site.Key
	}
	part := map[key]bool{} // of the sites with a check
	for _, pkg := range prog.Packages {
		if !b.scope[pkg.PkgPath] || !ssapass.Instrumented(pkg.PkgPath) || len(pkg.Syntax) == 0 {
			continue
		}
		pace.Step()
		sites, err := site.Find(prog.Source(pkg))
		if err != nil {
			return err
		}
		for i := range sites {
			s := &sites[i]
			if s.Plannable() {
				k := key{pkg.PkgPath, s.Key}
				part[k] = part[k] || s.Part
			}
		}
	}
	b.checked, b.part = make([]bool, len(b.fates)), make([]bool, len(b.fates))
	for i, s := range b.Analysis.Sites.List {
		b.part[i], b.checked[i] = part[key{s.Pkg.Path(), s.Key.Site()}]
	}
	return nil
}
