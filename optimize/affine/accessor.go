package affine

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"

	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/polyhedral"
	"taskinstr/ssapass"
)

// An accessor of another package, such as binary.LittleEndian.Uint64, reads or writes the first
// bytes of its argument, makes the checks of exactly these bytes, and does nothing else
// (loop.Contract). So a call of it is an access of the nest to a run of elements. If the scan
// checks them, the call goes to a copy of the accessor without checks (splice.Call), as calls of
// simple functions go to clones.

// contract visits a call of a function with a contract. Its operands have been visited.
func (n *nest) contract(c *ast.CallExpr, k loop.Contract, st state) {
	if k.Bytes() == 0 {
		return
	}
	if n.accessor(c, k, st) {
		return
	}
	if n.in != nil {
		n.in.keep("it calls " + k.Func.Name())
	}
	n.longEnough(c.Args[0], k.Bytes(), st)
}

// accessor notes the accesses of a call of an accessor. It reports whether the call may go to
// the copy.
func (n *nest) accessor(c *ast.CallExpr, k loop.Contract, st state) bool {
	name := ast.Unparen(c.Fun).(*ast.SelectorExpr).Sel.Pos()
	if n.inl == nil || k.Accessor == "" || !st.exact || n.Builder.HasLineDirective(name) || n.in == nil && n.file.cloned[name] {
		return false
	}
	defer n.in0(st)()
	arg := c.Args[0]
	if _, _, ok := n.resolveAt(arg, polyhedral.Const(k.Bytes()-1)); !ok {
		return false
	}
	a, subs, ok := n.resolveAt(arg, polyhedral.Const(0))
	if !ok || !a.memory || a.elem != 1 {
		return false
	}
	n.count++
	r := n.reference(location{array: a, subs: subs, part: part{0, a.elem}}, st)
	r.run = &run{iter: fmt.Sprintf("k%d", n.count), subs: subs, doms: r.st.doms, n: k.Bytes()}
	if r.subs, r.st.doms, ok = r.run.part(0, k.Bytes()); !ok {
		return false
	}

	x := n.inl.accessors[c]
	if x == nil {
		x = &inlined{accessor: k.Accessor, name: name, outer: n.in, walked: true}
		n.inl.accessors[c] = x
		if x.outer != nil {
			x.outer.inner = append(x.outer.inner, x)
		}
	}
	r.sites, r.write, r.in = []int{^len(n.accessed)}, k.Stores > 0, x.root()
	r.in.checks = true
	n.refs = append(n.refs, r)

	pos, text := arg.Pos(), n.inl.spelled(arg)
	fset := n.Builder.Analysis.Program().Fset
	n.accessed = append(n.accessed, builder.Load{
		Key:  ssapass.NewKey(fset, pos, text, r.write, true),
		File: fset.PositionFor(c.Pos(), false).Filename,
	})
	return true
}

// A run is the bytes that a call of an accessor reaches in each iteration: n elements from the
// one with these subscripts on. An iterator of its own counts them.
type run struct {
	iter string
	subs []polyhedral.Expr
	doms []polyhedral.Domain // without iter
	n    int64
}

// part returns the subscripts and the domains of the elements [lo, hi) of the run.
func (r *run) part(lo, hi int64) (subs []polyhedral.Expr, doms []polyhedral.Domain, ok bool) {
	l := polyhedral.Loop{Var: r.iter, From: []polyhedral.Expr{polyhedral.Const(0)}, Op: polyhedral.Less, To: []polyhedral.Expr{polyhedral.Const(hi - lo)}, Step: 1}
	for _, d := range r.doms {
		d, err := d.Loop(l)
		if err != nil {
			return nil, nil, false
		}
		doms = append(doms, d)
	}
	last := len(r.subs) - 1
	return append(r.subs[:last:last], r.subs[last].Plus(lo).Add(polyhedral.Iter(r.iter))), doms, true
}

// distance returns the distance from the start of r to the start of s, if it is the same in each
// iteration.
func (r *run) distance(s *run) (d int64, ok bool) {
	last := len(r.subs) - 1
	if len(s.subs) != len(r.subs) || fmt.Sprint(r.doms, r.subs[:last]) != fmt.Sprint(s.doms, s.subs[:last]) {
		return 0, false
	}
	return s.subs[last].Sub(r.subs[last]).IsConst()
}

// joined returns the references with runs that touch as one: four calls that read eight bytes
// each read 32 bytes. The elements are the same.
func joined(refs []reference) (list []reference) {
	type group struct {
		first *reference
		ends  [][2]int64 // of the runs, from the start of the first one
	}
	var groups []*group
	for i := range refs {
		r := &refs[i]
		if r.run == nil {
			list = append(list, *r)
			continue
		}
		k := slices.IndexFunc(groups, func(g *group) bool {
			_, ok := g.first.run.distance(r.run)
			return ok && g.first.write == r.write
		})
		if k < 0 {
			k = len(groups)
			groups = append(groups, &group{first: r})
		}
		d, _ := groups[k].first.run.distance(r.run)
		groups[k].ends = append(groups[k].ends, [2]int64{d, d + r.run.n})
	}
	for _, g := range groups {
		slices.SortFunc(g.ends, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
		for i := 0; i < len(g.ends); {
			lo, hi := g.ends[i][0], g.ends[i][1]
			for i++; i < len(g.ends) && g.ends[i][0] <= hi; i++ {
				hi = max(hi, g.ends[i][1])
			}
			r, ok := *g.first, false
			if r.subs, r.st.doms, ok = r.run.part(lo, hi); !ok {
				return refs
			}
			list = append(list, r)
		}
	}
	return list
}
