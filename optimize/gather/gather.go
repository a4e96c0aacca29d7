package gather

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/ssapass"
)

// Run gathers the accesses of elements in loops with counters.
func Run(b *builder.Builder) {
	for f := range loop.Files(b) {
		for _, l := range counted(f) {
			gather(l)
		}
	}
}

// Claims returns a test for the loops whose elements Run gathers.
func Claims(b *builder.Builder) func(ast.Node) bool {
	claimed := map[ast.Node]bool{}
	for f := range loop.Files(b) {
		for _, l := range counted(f) {
			claimed[l.Stmt] = true
		}
	}
	return func(loop ast.Node) bool { return claimed[loop] }
}

// gather gathers the accesses of elements in one loop.
func gather(l *loop.Loop) {
	b := l.Builder
	in := l.InsertBefore(l.Stmt)
	names := map[string]string{}
	take := func(t *ssapass.Site, base, index ast.Expr) {
		if t == nil {
			return
		}
		v, ok := array(l, base)
		if !ok {
			return
		}
		i := b.Index(t)
		if !b.CanCover(i) || b.Fate(i).Len > 0 || !b.InScope(t.Pkg.Path()) {
			return
		}
		// Accesses to one slice are merged if their indexes differ by a constant only: a
		// loop may fill a slice in several places, or read it in two at a time.
		k := fmt.Sprint(t.Key.Write, v.Text, lane(l, index))
		name, ok := names[k]
		if !ok {
			name = l.NewFlag("g")
			names[k] = name
			in.Gathers = append(in.Gathers, name)
		}
		b.Gather(i, name, "checked together with its neighbours")
	}
	l.Repeated(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if !l.Reached(n) || !varies(l, n.Index) {
				return
			}
			take(l.Site(n, false, false), n.X, n.Index)
			take(l.Site(n, true, false), n.X, n.Index)
		case *ast.RangeStmt:
			take(l.Site(n.X, false, true), n.X, n.Key)
		}
	})
	if r, ok := l.Stmt.(*ast.RangeStmt); ok {
		take(l.Site(r.X, false, true), r.X, r.Key)
	}
	if len(in.Gathers) > 0 {
		b.Insert(in)
	}
}

// array returns the array or slice e, whose elements are accessed, if it is the same all
// through the loop. A range must not go on from one array to another that follows it in
// memory: the second may be freed before the range is checked.
func array(l *loop.Loop, e ast.Expr) (v loop.Invariant, ok bool) {
	if site.IsArray(l.Info.TypeOf(e)) {
		return l.Place(e)
	}
	return l.Value(e)
}

// lane returns an index without the constants that are added to it.
func lane(l *loop.Loop, index ast.Expr) string {
	if index == nil {
		return "" // a range clause without a key
	}
	for {
		index = ast.Unparen(index)
		e, ok := index.(*ast.BinaryExpr)
		switch {
		case !ok || e.Op != token.ADD && e.Op != token.SUB:
			return types.ExprString(index)
		case l.Info.Type(e.Y).Value != nil:
			index = e.X
		case l.Info.Type(e.X).Value != nil && e.Op == token.ADD:
			index = e.Y
		default:
			return types.ExprString(index)
		}
	}
}

// varies reports whether the value of an index may change in the loop.
func varies(l *loop.Loop, index ast.Expr) (found bool) {
	ast.Inspect(index, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
			found = found || l.Info.Type(n.(ast.Expr)).Value == nil
		case *ast.Ident:
			if o := l.Info.Use(n); o != nil && l.Info.Type(n).Value == nil {
				found = found || l.Inside(o)
				for v := range l.Assigned {
					found = found || v == o
				}
			}
		}
		return !found
	})
	return found
}
