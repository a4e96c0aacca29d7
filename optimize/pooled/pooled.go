package pooled

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

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
		name, reason := "", "its object belongs to the task that took it from a pool"
		if !s.Key.Elems {
			name = b.TypeOf(s, p.TypeOf)
		}
		if name == "" {
			if name = lists(p, s); name == "" {
				continue
			}
			reason = "its array belongs to an object of the task that took it from a pool"
		}
		if !lost[typeKey{s.Pkg.Path(), name}] {
			b.Pooled(i, name, reason)
		}
	}
}

// listsOf ends the name of the lists of a type.
const listsOf = "_lists"

// lists returns the name for the lists to which all accesses of the site go, "" if there is none.
func lists(p *ssapass.Pooled, s *ssapass.Site) (name string) {
	for _, c := range s.Accesses {
		t := p.ListOf(c)
		if t == nil || t.Pkg().Path() != s.Pkg.Path() || name != "" && name != t.Name()+listsOf {
			return ""
		}
		name = t.Name() + listsOf
	}
	return name
}

type typeKey struct{ pkg, name string }

// places returns the leaks, with the statements that make them, and the types with leaks for which there is no place.
func places(b *builder.Builder, p *ssapass.Pooled) (leaks []builder.Leak, lost map[typeKey]bool) {
	lost = map[typeKey]bool{}
	seen := map[builder.Leak]bool{}
	fset := b.Analysis.Program().Fset
	for _, l := range p.Leaks() {
		k := typeKey{l.Type.Pkg().Path(), l.Type.Name()}
		if l.Lists {
			k.name += listsOf
		}
		pkg, s := statement(b, l.Pos)
		if s == nil {
			lost[k] = true
			continue
		}
		x := builder.Leak{Writer: writer(pkg, s, l), Pkg: k.pkg, File: fset.PositionFor(s.Pos(), false).Filename, At: b.At(s.Pos()), Type: k.name}
		if !seen[x] {
			seen[x] = true
			leaks = append(leaks, x)
		}
	}
	return leaks, lost
}

// writer returns the name of the local variable whose method Write is called by the leak, "" if the statement does more than this.
func writer(pkg *packages.Package, s ast.Stmt, l ssapass.Leak) string {
	if !l.Write {
		return ""
	}
	var calls []*ast.CallExpr
	ast.Inspect(s, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			calls = append(calls, c)
		}
		return true
	})
	switch s.(type) {
	case *ast.ExprStmt, *ast.AssignStmt:
	default:
		return ""
	}
	if len(calls) != 1 || calls[0].Lparen != l.Pos {
		return ""
	}
	f, ok := calls[0].Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	id, ok := f.X.(*ast.Ident)
	if !ok {
		return ""
	}
	if v, ok := pkg.TypesInfo.Uses[id].(*types.Var); !ok || v.Parent() == pkg.Types.Scope() {
		return ""
	}
	return id.Name
}

// statement returns the innermost statement of a list that includes a position, with its package; nil if it has a label.
func statement(b *builder.Builder, pos token.Pos) (pkg *packages.Package, found ast.Stmt) {
	for _, p := range b.Analysis.Program().Packages {
		for _, f := range p.Syntax {
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
						pkg, found = p, s
					}
				}
				return true
			})
		}
	}
	if _, ok := found.(*ast.LabeledStmt); ok {
		return nil, nil
	}
	return pkg, found
}
