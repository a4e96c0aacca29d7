package affine

import (
	"fmt"
	"go/ast"
	"slices"

	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
)

// A reach holds the checked accesses to one part of an array's elements, and the
// elements.
type reach struct {
	part  part
	refs  []reference
	found *polyhedral.Footprint
}

// analyze computes the elements, and returns the references that it cannot deal with.
func (x *reach) analyze() (left []reference) {
	if list := joined(x.refs); len(list) < len(x.refs) {
		if out, refused := polyhedral.Analyze(accesses(list)); len(refused) == 0 && len(out) == 1 {
			x.found = out[0]
			return nil
		}
	}
	for len(x.refs) > 0 {
		out, refused := polyhedral.Analyze(accesses(x.refs))
		if len(refused) == 0 && len(out) == 1 {
			x.found = out[0]
			return left
		}
		bad := map[int]bool{}
		for _, r := range refused {
			bad[r.Index] = true
		}
		at := 0
		var rest []reference
		for _, r := range x.refs {
			refusedHere := len(refused) == 0 || len(out) == 0
			for range r.st.doms {
				refusedHere = refusedHere || bad[at]
				at++
			}
			if refusedHere {
				left = append(left, r)
			} else {
				rest = append(rest, r)
			}
		}
		x.refs = rest
	}
	return left
}

// A scan checks a part of elements, for accesses of one kind.
type scan struct {
	*polyhedral.Scan
	write bool
	part  part
	sites []int    // the sites whose checks it replaces
	of    []*reach // the accesses whose elements it visits
}

// whole reports whether neighbouring elements are neighbouring bytes.
func (s *scan) whole(a *array) bool { return !a.through && s.part.size == a.elem }

// merge makes scans of the elements reached. Scans of one kind that visit the same
// elements become one if their parts touch. A write check covers reads of its bytes.
func merge(list []*reach) (scans []scan) {
	for _, write := range []bool{true, false} {
		for _, x := range list {
			s := scan{Scan: x.found.ReadScan, write: write, part: x.part, of: []*reach{x}}
			if write {
				s.Scan = x.found.WriteScan
			}
			if s.Scan == nil {
				continue
			}
			for _, r := range x.refs {
				if write || !r.write {
					s.sites = append(s.sites, r.sites...)
				}
			}
			scans = mergeInto(scans, s)
		}
	}
	return scans
}

// mergeInto adds a scan to a list, merged with the scans that it touches.
func mergeInto(scans []scan, s scan) []scan {
	for i := range scans {
		t := &scans[i]
		if t.String() != s.String() || t.part.off > s.part.off+s.part.size || s.part.off > t.part.off+t.part.size {
			continue
		}
		within := t.part.off <= s.part.off && s.part.off+s.part.size <= t.part.off+t.part.size
		if t.write != s.write && !within {
			continue
		}
		end := max(t.part.off+t.part.size, s.part.off+s.part.size)
		s.part.off = min(t.part.off, s.part.off)
		s.part.size = end - s.part.off
		s.write = t.write
		s.sites = append(slices.Clip(t.sites), s.sites...)
		s.of = append(slices.Clip(t.of), s.of...)
		if within {
			scans[i] = s
			return scans
		}
		// The larger part may touch another scan's.
		return mergeInto(slices.Delete(scans, i, i+1), s)
	}
	return append(scans, s)
}

// gains reports whether a scan costs less than the checks that it replaces: it has fewer
// nested loops or, for statements in a row, ranges of at least two elements each. The check
// of a row of elements that are equally far apart costs a fraction of the checks of each. If a
// function makes the checks, its call becomes cheaper without them.
func (n *nest) gains(a *array, s scan) bool {
	if n.flat {
		return gainsFlat(s.of)
	}
	if n.claimed && short(s.Body) {
		return false
	}
	depth := 0
	for _, x := range s.of {
		for _, r := range x.refs {
			around := r.st.depth
			if r.in != nil {
				around++ // the call becomes cheaper, too
			}
			depth = max(depth, around)
		}
	}
	return s.steps(a) < depth
}

// fewClaimed is the number of elements up to which pass gather checks them at a lower price, in the loop
// around: an element that continues a range costs 1 to 2 ns, a check 60.
const fewClaimed = 64

// short reports whether nodes are ranges and rows known to have at most fewClaimed elements.
func short(nodes []polyhedral.Node) bool {
	for _, node := range nodes {
		switch node := node.(type) {
		case *polyhedral.Run:
			if !atMost(node, fewClaimed) {
				return false
			}
		case *polyhedral.Strided:
			if k, ok := node.Count.Expr.IsConst(); !ok || node.Count.Op != polyhedral.Plain || k > fewClaimed {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// reduce restricts x, which gains nothing as a whole, to the accesses that gain alone: of
// a row and a column of a matrix, the row. It returns the other accesses.
func (n *nest) reduce(a *array, x *reach) (left []reference) {
	var rest []reference
	for _, r := range x.refs {
		one := &reach{part: x.part, refs: []reference{r}}
		one.analyze()
		if len(one.refs) > 0 && !slices.ContainsFunc(merge([]*reach{one}), func(s scan) bool { return !n.gains(a, s) }) {
			rest = append(rest, r)
		} else {
			left = append(left, r)
		}
	}
	if n.flat || len(left) == 0 {
		left, rest = x.refs, nil
	}
	x.refs = rest
	return append(left, x.analyze()...)
}

// gainsFlat is gains for statements in a row.
func gainsFlat(list []*reach) bool {
	elements := map[string]bool{}
	ranges := 0
	for _, x := range list {
		for _, r := range x.refs {
			elements[fmt.Sprint(r.subs)] = true
		}
		for _, s := range []*polyhedral.Scan{x.found.WriteScan, x.found.ReadScan} {
			if s != nil {
				ranges += len(s.Body)
				for _, node := range s.Body {
					if _, ok := node.(*polyhedral.Run); !ok {
						return false
					}
				}
			}
		}
	}
	return ranges*2 <= len(elements)
}

// steps returns the greatest depth of loops in a scan of a. A row of elements that are equally
// far apart is one check, unless it is known to be short: then its elements mostly have
// checks that the task has just made, which cost less. Each variable that an element points
// to has a check of its own.
func (s *scan) steps(a *array) (most int) {
	var walk func(nodes []polyhedral.Node, depth int)
	walk = func(nodes []polyhedral.Node, depth int) {
		for _, node := range nodes {
			switch node := node.(type) {
			case *polyhedral.If:
				walk(node.Then, depth)
				if !isRow(node.Then) {
					walk(node.Else, depth)
				}
			case *polyhedral.ForLoop:
				walk(node.Body, depth+1)
			case *polyhedral.Strided:
				most = max(most, depth)
				if k, ok := node.Count.Expr.IsConst(); a.through || node.Width > fewRows && !s.whole(a) || ok && node.Count.Op == polyhedral.Plain && k <= fewInRow {
					most = max(most, depth+1)
				}
			case *polyhedral.Run:
				most = max(most, depth)
				if !s.whole(a) && !atMost(node, 1) && (a.through || atMost(node, fewInRow)) {
					most = max(most, depth+1)
				}
			}
		}
	}
	walk(s.Body, 0)
	return most
}

// isRow reports whether nodes are a row of elements. If the source does not give the sign of its
// stride, as in x[ix] with ix += incX, package polyhedral adds a loop for strides that are not
// positive. It takes as many steps as the nest, and is rarely executed.
func isRow(nodes []polyhedral.Node) bool {
	if len(nodes) != 1 {
		return false
	}
	_, ok := nodes[0].(*polyhedral.Strided)
	return ok
}

// fewInRow is the length up to which a row of elements that are not neighbouring bytes is short.
const fewInRow = 16

// fewRows is the number of rows, one for each of the neighbouring elements of which parts are
// accessed, up to which they count as one.
const fewRows = 8

// atMost reports whether a run is known to have at most n elements.
func atMost(r *polyhedral.Run, n int64) bool {
	if r.Lo.Op != polyhedral.Plain || r.Hi.Op != polyhedral.Plain {
		return false
	}
	k, ok := r.Hi.Expr.Sub(r.Lo.Expr).IsConst()
	return ok && k <= n
}

// constants turns elements of inner arrays into parts of the outer elements, if all
// accesses of an inner array have a constant as its subscript: pos[i][0], pos[i][1].
func (n *nest) constants() {
	if n.flat {
		return // there such elements become a range
	}
	for again := true; again; {
		again = false
		varies := map[string]bool{}
		fixed := func(r *reference) (k int64, ok bool) {
			if r.array.outer == nil {
				return 0, false
			}
			return r.subs[len(r.subs)-1].IsConst()
		}
		for i := range n.refs {
			if _, ok := fixed(&n.refs[i]); !ok && len(n.refs[i].sites) > 0 {
				varies[n.refs[i].key()] = true
			}
		}
		for i := range n.refs {
			r := &n.refs[i]
			if k, ok := fixed(r); ok && !varies[r.key()] {
				r.part.off += r.array.offset + k*r.array.elem
				r.array, r.subs = r.array.outer, r.subs[:len(r.subs)-1]
				again = true
			}
		}
	}
}

// subscripted reports whether place e may be a part of an element, of a variable that an
// element points to, or of a variable that a pointer declared in stmt points to.
func subscripted(info *loop.Info, stmt ast.Stmt, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		return true
	case *ast.SelectorExpr:
		return subscripted(info, stmt, e.X)
	case *ast.StarExpr:
		return subscripted(info, stmt, e.X)
	case *ast.Ident:
		o := info.Use(e)
		return o != nil && stmt.Pos() <= o.Pos() && o.Pos() < stmt.End() && loop.IsPointer(o.Type())
	}
	return false
}
