package gather

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"taskinstr/internal/site"
	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/ssapass"
)

// Run gathers the accesses of elements in loops. An access is gathered in the outermost
// loop in which its slice stays within one array.
func Run(b *builder.Builder) {
	for f := range loop.Files(b) {
		for _, l := range eligible(f) {
			gather(l)
		}
	}
}

// Claims claims the elements that Run gathers, and the loops around them.
func Claims(b *builder.Builder) func(ast.Node) builder.Claim {
	claims := map[ast.Node]builder.Claim{}
	for f := range loop.Files(b) {
		for _, l := range eligible(f) {
			elements(l, func(a access) {
				if len(a.sites(l)) == 0 {
					return
				}
				claims[l.Stmt], claims[a.node] = builder.Claimed, builder.Claimed
				if x, ok := a.node.(*ast.IndexExpr); ok {
					if up, down := steps(l, stepped(l, x.Index)); up || down {
						claims[a.node] = builder.Stepwise
					}
				}
			})
		}
	}
	return func(n ast.Node) builder.Claim { return claims[n] }
}

// An access is an expression that reaches one element of an array in each iteration.
type access struct {
	node  ast.Node // an index expression, or the operand of a range clause
	elems bool     // node is such an operand
	array array
	lane  string // accesses of one array and one lane reach neighbouring elements
	down  bool   // each element is below the one before
}

// sites returns the sites of the access that can be gathered: reads, writes, or both.
func (a access) sites(l *loop.Loop) (list []*ssapass.Site) {
	if !leads(a.element(l)) {
		list = append(list, l.Site(a.node, false, a.elems))
	}
	if !a.elems {
		list = append(list, l.Site(a.node, true, false))
	}
	return slices.DeleteFunc(list, func(s *ssapass.Site) bool { return s == nil })
}

// element returns the type of the elements that a reaches.
func (a access) element(l *loop.Loop) types.Type {
	x := a.node
	if !a.elems {
		x = x.(*ast.IndexExpr).X
	}
	t := site.Elem(l.Info.TypeOf(x.(ast.Expr))) // of a pointer to an array
	switch t := t.Underlying().(type) {
	case *types.Slice:
		return t.Elem()
	case *types.Array:
		return t.Elem()
	}
	return t
}

// leads reports whether a value of type t leads the program to other memory: by a pointer, or
// as the answer to a question. If a critical section finds what an earlier one has stored, it comes
// after it, and so do its later accesses. The check of the read shows that, so it must
// not come behind their checks.
func leads(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.Bool || t.Kind() == types.UnsafePointer
	case *types.Array:
		return leads(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if leads(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// gather gathers the accesses of elements in one loop.
func gather(l *loop.Loop) {
	b := l.Builder
	in := l.InsertBefore(l.Stmt)
	names := map[string]string{}
	elements(l, func(a access) {
		for _, t := range a.sites(l) {
			i := b.Index(t)
			if !b.CanCover(i) || b.Fate(i).Len > 0 || !b.InScope(t.Pkg.Path()) {
				continue
			}
			// Accesses of one array are merged if their indexes differ by a constant only:
			// a loop may fill an array in several places, or read it in two at a time.
			k := fmt.Sprint(t.Key.Write, a.array.name, ";", a.lane)
			name, ok := names[k]
			if !ok {
				name = l.NewFlag("g")
				names[k] = name
				in.Gathers = append(in.Gathers, name)
				in.Arrays = append(in.Arrays, a.array.text)
			}
			b.Gather(i, name, a.down, "checked together with its neighbours")
		}
	})
	if len(in.Gathers) > 0 {
		if strings.Join(in.Arrays, "") == "" {
			in.Arrays = nil
		}
		b.Insert(in)
	}
}

// elements calls f for the accesses of elements that can be gathered in the loop.
func elements(l *loop.Loop, f func(access)) {
	if r, ok := l.Stmt.(*ast.RangeStmt); ok && readsElements(l, r) {
		// The operand is evaluated once.
		a, ok := arrayOf(l, r.X)
		if !ok {
			a = array{name: "range"}
		}
		f(access{r.X, true, a, lane(l, r.Key), false})
	}
	l.Repeated(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if !indexable(l.Info.TypeOf(n.X)) || !l.Reached(n) {
				return
			}
			if a, ok := arrayOf(l, n.X); ok && (a.walks || varies(l, n.Index)) && !table(l, n) && !halves(l, n.Index) {
				f(access{n, false, a, lane(l, n.Index), descends(l, n.Index)})
			}
		case *ast.RangeStmt:
			if a, ok := arrayOf(l, n.X); ok && readsElements(l, n) {
				f(access{n.X, true, a, lane(l, n.Key), false})
			}
		}
	})
}

// readsElements reports whether each iteration reads an element of a slice or array.
func readsElements(l *loop.Loop, r *ast.RangeStmt) bool {
	return r.Value != nil && indexable(l.Info.TypeOf(r.X))
}
