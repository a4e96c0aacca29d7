package optimize

import (
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
	"taskinstr/ssapass"
)

// findChecked asks splicing which sites get a check that a plan can speak of. The
// others are variables that stay in their goroutine, initial values, reads
// that are one check with a write, what hooks of the runtime see, and the few
// places where a check cannot stand at its access. They can neither be removed
// nor stand for another. A check of a part of the access (len reads one word of
// a slice) can be removed only.
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
		c := splice.Config{
			Fset: prog.Fset, Files: pkg.Syntax, Path: pkg.PkgPath, Pkg: pkg.Types, Info: pkg.TypesInfo,
			Checks: func(k site.Key, whole bool) {
				checked[key{pkg.PkgPath, k}] = true
				if !whole {
					part[key{pkg.PkgPath, k}] = true
				}
			},
		}
		if pkg.Module != nil && pkg.Module.GoVersion != "" {
			c.GoVersion = "go" + pkg.Module.GoVersion
		}
		for _, f := range pkg.Syntax {
			text, _ := prog.Text(prog.Fset.File(f.FileStart).Name())
			c.Src = append(c.Src, text)
		}
		if _, err := splice.Package(c); err != nil {
			return err
		}
	}
	m.checked, m.part = make([]bool, len(m.Fates)), make([]bool, len(m.Fates))
	for i, s := range m.a.Sites.List {
		k := key{s.Pkg.Path(), spliceKey(s)}
		m.checked[i], m.part[i] = checked[k], part[k]
	}
	return nil
}
