package dominate

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/accessor"
	"taskinstr/optimize/builder"
	"taskinstr/optimize/step"
	"taskinstr/ssapass"
	"taskinstr/ssapass/instrs"
)

// Accessors, such as getters and setters, make their checks for callers that may be anywhere. A call
// of one in its own package goes to a copy of the accessor without checks (package accessor)
// if, in this call,
//
//   - checks of the caller or of its other callees, before the call, cover all accesses of the
//     accessor: the rules of calls.go for one caller;
//   - or the accesses are neighbours of an earlier access (neighbour.go), which may itself be
//     that of an accessor: then that call goes to a copy whose check includes all of them.
//
// A cover that the copy's call would have made for later accesses is still there: what covers the
// call's accesses stands before them, in the same step.

// calling returns the functions with accesses, and those that call accessors.
func (d *dominator) calling() (list []*function) {
	for _, fn := range d.a.Program().Functions() {
		if g := d.funcs[fn]; g != nil {
			list = append(list, g)
			continue
		}
		for in := range instrs.Of(fn) {
			if c, ok := in.(*ssa.Call); ok && d.accessor(c) != nil {
				list = append(list, d.frame(fn))
				break
			}
		}
	}
	return list
}

// accessor returns the accessor that the call runs, nil if it runs another function.
func (d *dominator) accessor(c *ssa.Call) *accessor.Accessor {
	if f := c.Call.StaticCallee(); f != nil {
		return d.accessors.Of(f)
	}
	return nil
}

// redirectCovered has the calls in f go to copies whose checks are covered before.
func (d *dominator) redirectCovered(f *function) {
	for in := range instrs.Of(f.fn) {
		c, ok := in.(*ssa.Call)
		if !ok || d.accessor(c) == nil {
			continue
		}
		x, r, ok := d.accessors.Call(c)
		if !ok || d.target(c) != x.Fn {
			continue
		}
		if r.Sites, ok = d.accessors.Checks(x); !ok || len(r.Sites) == 0 {
			continue
		}
		if r.By = d.coversCall(f, c, r.Sites); r.By != nil {
			d.redirect(c, r)
		}
	}
}

// redirect has the call go to a copy.
func (d *dominator) redirect(c ssa.Instruction, r builder.Redirect) {
	d.redirected[c] = true
	d.accessors.Redirect(r)
}

// coversCall returns for each of the sites, all in the callee of call c in f, the sites that cover it
// before the call; nil if one has no covers.
func (d *dominator) coversCall(f *function, c *ssa.Call, list []int) (by [][]int) {
	for _, i := range list {
		g := d.funcs[c.Call.StaticCallee()]
		if g == nil || len(g.bySite[i]) != 1 {
			return nil
		}
		a := g.bySite[i][0]
		s := &search{d: d, a: a, write: a.write, again: true, within: map[entry]bool{}}
		if a.site != i || !d.paths.fromEntry(a.Instr, sameStep) || !a.write && d.stmts.delayed(d.a.Sites.List[i], a.Fn, step.Separates) ||
			!s.find(f, c, view{a.Addr, []*ssa.Call{c}}) {
			return nil
		}
		by = append(by, s.sites)
	}
	return by
}

// quiet is paths.quiet, which also knows accessors that cannot panic.
func (d *dominator) quiet(in ssa.Instruction, can *safe) bool {
	if d.paths.quiet(in, can) {
		return true
	}
	c, ok := in.(*ssa.Call)
	if !ok {
		return false
	}
	x := d.accessor(c)
	if x == nil || !x.Straight {
		return false
	}
	inside := newSafe(d.frame(x.Fn).strict)
	for _, p := range x.Fn.Params {
		if canUse(accessor.Argument(c, p), can) {
			inside.add(p)
		}
	}
	for _, in := range x.Fn.Blocks[0].Instrs {
		if _, ret := in.(*ssa.Return); !ret && !d.paths.quiet(in, inside) {
			return false
		}
	}
	return true
}

// neighbourCalled returns the accesses of the accessor that the call runs as one neighbour.
func (d *dominator) neighbourCalled(c *ssa.Call) (n neighbour, ok bool) {
	if d.accessor(c) == nil {
		return n, false
	}
	x, r, ok := d.accessors.Call(c)
	if !ok || !x.Straight || d.target(c) != x.Fn {
		return n, false
	}
	r.Sites, ok = d.accessors.Checks(x)
	g := d.funcs[x.Fn]
	if !ok || len(r.Sites) == 0 || g == nil {
		return n, false
	}
	var parts []neighbour
	for _, i := range r.Sites {
		if len(g.bySite[i]) != 1 {
			return n, false
		}
		p, ok := d.neighbourOf(g.bySite[i][0])
		if !ok || p.term != nil {
			return n, false
		}
		if fate := d.b.Fate(i); fate.Len > 0 {
			p.off, p.size = p.off-p.word-fate.Back, fate.Len
		}
		parts = append(parts, p)
	}
	n = parts[0]
	for range parts {
		for _, p := range parts {
			if p.root != n.root || p.write != n.write {
				return n, false
			}
			if lo, hi := min(n.off, p.off), max(n.off+n.size, p.off+p.size); p.off <= n.off+n.size && p.off+p.size >= n.off {
				n.off, n.size = lo, hi-lo
			}
		}
	}
	for _, p := range parts {
		if p.off < n.off || p.off+p.size > n.off+n.size {
			return n, false // a gap
		}
	}
	p, isParam := n.root.(*ssa.Parameter)
	if !isParam {
		return n, false
	}
	arg := accessor.Argument(c, p)
	n.access = &access{Access: ssapass.Access{Instr: c, Addr: arg, Fn: c.Parent()}, site: r.Sites[0], write: n.write}
	n.call = &r
	n.root = arg
	for n.place.out() {
	}
	return n, true
}
