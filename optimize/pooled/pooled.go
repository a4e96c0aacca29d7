package pooled

import (
	"go/ast"
	"go/token"

	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// Run removes the checks of objects that belong to one task at a time.
func Run(b *builder.Builder) {
	p := b.Analysis.Pooled(b.InScope)
	leaks, lost := places(b, p)
	for _, l := range leaks {
		b.Leak(l)
	}
	for i, s := range b.Open() {
		if s.Key.Elems {
			continue
		}
		if name := b.TypeOf(s, p.TypeOf); name != "" && !lost[typeKey{s.Pkg.Path(), name}] {
			b.Pooled(i, name, "its object belongs to the task that took it from a pool")
		}
	}
}

type typeKey struct{ pkg, name string }

// places returns the leaks, with the statements that make them, and the types with leaks for which there is no place.
func places(b *builder.Builder, p *ssapass.Pooled) (leaks []builder.Leak, lost map[typeKey]bool) {
	lost = map[typeKey]bool{}
	seen := map[builder.Leak]bool{}
	fset := b.Analysis.Program().Fset
	for _, l := range p.Leaks() {
		s := statement(b, l.Pos)
		if s == nil {
			lost[typeKey{l.Type.Pkg().Path(), l.Type.Name()}] = true
			continue
		}
		x := builder.Leak{Pkg: l.Type.Pkg().Path(), File: fset.PositionFor(s.Pos(), false).Filename, At: b.At(s.Pos()), Type: l.Type.Name()}
		if !seen[x] {
			seen[x] = true
			leaks = append(leaks, x)
		}
	}
	return leaks, lost
}

// statement returns the innermost statement of a list that includes a position, nil if it has a label.
func statement(b *builder.Builder, pos token.Pos) (found ast.Stmt) {
	for _, pkg := range b.Analysis.Program().Packages {
		for _, f := range pkg.Syntax {
			if pos < f.FileStart || pos >= f.FileEnd {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if n == nil || pos < n.Pos() || pos >= n.End() {
					return false
				}
				var list []ast.Stmt
				switch n := n.(type) {
				case *ast.BlockStmt:
					list = n.List
				case *ast.CaseClause:
					list = n.Body
				case *ast.CommClause:
					list = n.Body
				}
				for _, s := range list {
					if s.Pos() <= pos && pos < s.End() {
						found = s
					}
				}
				return true
			})
		}
	}
	if _, ok := found.(*ast.LabeledStmt); ok {
		return nil
	}
	return found
}
