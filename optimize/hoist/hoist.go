package hoist

import (
	"fmt"
	"go/ast"
	"slices"

	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/optimize/step"
)

// Run puts loop-invariant checks behind flags.
func Run(b *builder.Builder) {
	for f := range loop.Files(b) {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			if n != nil && f.IsLoop(n) {
				// Inner loops are visited later, for the checks that the outer loop leaves.
				guard(f, n.(ast.Stmt))
			}
			return true
		})
	}
}

// A group is the accesses of one kind to one place.
type group struct {
	place string
	write bool
	sites []int
}

// guard puts the loop-invariant checks of one loop behind flags.
func guard(f *loop.File, stmt ast.Stmt) {
	l := f.Look(stmt)
	if l.Obstacle != "" || l.Sync&step.Separates != 0 || !l.Unshadowed() {
		return
	}
	groups := invariantAccesses(l)
	if len(groups) == 0 {
		return
	}
	b := f.Builder
	in := f.InsertBefore(stmt)
	for _, g := range groups {
		flag := f.NewFlag("h")
		in.Flags = append(in.Flags, flag)
		if in.Text != "" {
			in.Text += "; "
		}
		in.Text += flag + " := false"
		kind := "read"
		if g.write {
			kind = "write"
		}
		reason := fmt.Sprintf("the same place all through the loop at line %d: its first %s is checked", in.Line, kind)
		for _, i := range g.sites {
			b.Guard(i, flag, true, reason)
			if t := b.Twin(i); t >= 0 && b.IsOpen(t) {
				b.Guard(t, flag, true, reason)
			}
		}
	}
	b.Insert(in)
}

// invariantAccesses returns the open accesses of the loop to places that stay the same.
func invariantAccesses(l *loop.Loop) (groups []*group) {
	add := func(e ast.Expr, place string, write bool) {
		i := l.Open(l.Site(e, write, false))
		if i < 0 {
			return
		}
		if t := l.Builder.Twin(i); t >= 0 && !write {
			return // the write has the check
		}
		k := slices.IndexFunc(groups, func(g *group) bool { return g.place == place && g.write == write })
		if k < 0 {
			k = len(groups)
			groups = append(groups, &group{place: place, write: write})
		}
		groups[k].sites = append(groups[k].sites, i)
	}
	l.Repeated(func(n ast.Node) {
		e, ok := n.(ast.Expr)
		if !ok {
			return
		}
		switch e.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			if !l.Reached(e) || l.Builder.Claim(e) == builder.Stepwise {
				return // the loop around this one may reach its neighbours
			}
			if v, ok := l.Place(e); ok {
				add(e, v.Text, false)
				add(e, v.Text, true)
			}
		}
	})
	return groups
}
