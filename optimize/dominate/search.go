package dominate

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/step"
	"taskinstr/ssapass/pointsto"
)

// A search looks for checks that cover one access.
type search struct {
	d     *dominator
	a     *access
	write bool  // only a write can cover the access
	again bool  // an earlier call of the access's own function can cover it
	sites []int // the covers found
	tries int
	// within holds the functions whose callers are being searched, with the address.
	within map[entry]bool
}

type entry struct {
	f    *ssa.Function
	addr int
}

// may reports whether the check of c may cover the access.
func (s *search) may(c *access) bool {
	sites := s.d.a.Sites.List
	return (c.write || !s.write) && (s.again || c.site != s.a.site) && s.d.b.CanCover(c.site) && sites[c.site].Pkg.Path() == sites[s.a.site].Pkg.Path()
}

// note adds a cover. It reports whether the covers are few enough.
func (s *search) note(c *access) bool {
	if !slices.Contains(s.sites, c.site) {
		s.sites = append(s.sites, c.site)
	}
	return len(s.sites) <= maxCovers
}

// coverAround removes the check of a's site if other checks before its accesses, in
// callees and callers, cover all of them.
func (d *dominator) coverAround(a *access) bool {
	return d.coversEach(a.site, func(s *search) bool {
		t := d.a.Sites.List[s.a.site]
		if !s.a.write && d.stmts.delayed(t, s.a.Fn, step.Separates) {
			return false
		}
		return s.find(d.funcs[s.a.Fn], s.a.Instr, view{s.a.Addr, nil})
	}, "covered by the %s at %s")
}

// coverCalled removes the check of a's site if callees write the address next.
func (d *dominator) coverCalled(a *access) bool {
	return d.coversEach(a.site, (*search).called, "covered by the %s that follows in a call, at %s")
}

// coversEach removes the check of site i if find finds covers for each of its accesses
// and, if i is the write of op=, for each access of the read.
func (d *dominator) coversEach(i int, find func(*search) bool, reason string) bool {
	var sites []int
	write := d.a.Sites.List[i].Key.Write
	each := func(i int) bool {
		for _, x := range d.a.Sites.List[i].Accesses {
			f := d.funcs[x.Fn]
			if f == nil {
				return false
			}
			k := slices.IndexFunc(f.bySite[i], func(a *access) bool { return a.Access == x })
			if k < 0 {
				return false
			}
			s := &search{d: d, a: f.bySite[i][k], write: write, sites: sites, within: map[entry]bool{}}
			if !find(s) {
				return false
			}
			sites = s.sites
		}
		return true
	}
	if !each(i) {
		return false
	}
	if r := d.b.Twin(i); r >= 0 && write && !each(r) {
		return false
	}
	// The search through a recursive function may end at the site itself.
	if len(sites) == 0 || slices.Contains(sites, i) {
		return false
	}
	text := d.describe(reason, sites[0], i)
	if n := len(sites) - 1; n > 0 {
		text += fmt.Sprintf(", or on other ways by %d more", n)
	}
	d.b.Cover(i, sites[0], text, sites[1:]...)
	return true
}

// find looks for covers of the address before instruction here of g: the access, or a
// call that leads to it.
func (s *search) find(g *function, here ssa.Instruction, addr view) bool {
	return s.own(g, here, addr) || s.callee(g, here, addr) || s.available(g, here, addr) || s.callers(g, here, addr)
}

// own looks in g itself.
func (s *search) own(g *function, here ssa.Instruction, addr view) bool {
	d := s.d
	for p, ok := addr, true; ok; p, ok = p.outer() {
		for _, c := range g.byAddr[g.num.view(p)] {
			if !s.may(c) || !d.paths.dominates(c.Instr, here) {
				continue
			}
			if here == s.a.Instr {
				if d.coversBefore(g, s.a, c) {
					return s.note(c)
				}
				continue
			}
			// The compiler may load the cover behind the call.
			t := d.a.Sites.List[c.site]
			if nosplit(g.fn) || !c.write && d.stmts.togetherAt(t.Pos, here.Pos()) && d.stmts.delayed(t, g.fn, anyCall) {
				continue
			}
			if d.paths.between(c.Instr, here, sameStep) && s.same(g, p, view{c.Addr, nil}, here, new(int)) {
				return s.note(c)
			}
		}
	}
	return false
}

// callee looks in functions that g has called.
func (s *search) callee(g *function, here ssa.Instruction, addr view) bool {
	d := s.d
	for _, c := range d.called(g.fn) {
		byAddr := d.left(g, c)
		if len(byAddr) == 0 || c == here || !d.paths.dominates(c, here) || !d.paths.between(c, here, sameStep) {
			continue
		}
		for p, ok := addr, true; ok; p, ok = p.outer() {
			for _, e := range byAddr[g.num.view(p)] {
				if s.may(e.access) && s.same(g, p, view{e.Addr, e.in}.within(c), here, new(int)) {
					return s.note(e.access)
				}
			}
		}
	}
	return false
}

// left returns the accesses that the callee of c, a call in g, has made for certain when it
// returns, by the number that g gives the address.
func (d *dominator) left(g *function, c *ssa.Call) map[int][]certain {
	if d.redirected[c] || d.accessor(c) != nil && d.accessors.Gone(c) {
		return nil
	}
	byAddr, ok := d.byAddr[c]
	if !ok {
		byAddr = map[int][]certain{}
		for _, e := range d.leaves(d.target(c)) {
			n := g.num.view(view{e.Addr, e.in}.within(c))
			byAddr[n] = append(byAddr[n], e)
		}
		d.byAddr[c] = byAddr
	}
	return byAddr
}

// callers looks in all functions that call g.
func (s *search) callers(g *function, here ssa.Instruction, addr view) bool {
	d := s.d
	f := g.fn
	list, all := d.a.Callers(f)
	if !all || len(list) == 0 || len(addr.in) >= maxDepth || !d.inScope(f) || !addr.knownToCaller() || !d.paths.fromEntry(here, sameStep) {
		return false
	}
	mem := d.loads(addr)
	for _, m := range mem {
		if !d.a.Stable(m) || !d.paths.fromEntry(here, d.keeps(m)) {
			return false
		}
	}
	e := entry{f, g.num.view(addr)}
	if s.within[e] {
		// The previous activation has the cover, and nothing separates it from this one.
		return len(mem) == 0
	}
	s.within[e] = true
	defer delete(s.within, e)
	for _, k := range list {
		c, ok := k.(*ssa.Call)
		if s.tries++; !ok || s.tries > maxTries || d.target(c) != f {
			return false
		}
		if !s.find(d.frame(c.Parent()), c, addr.within(c)) {
			return false
		}
	}
	return true
}

// same reports whether x, the address of the access, and y, the address of a cover that
// was checked before instruction here of g, are certainly the same when that instruction
// runs. The loads of x in callees of g count as if they happened just then, which callers
// ensures.
func (s *search) same(g *function, x, y view, here ssa.Instruction, parts *int) bool {
	d := s.d
	if *parts++; *parts > maxParts {
		return false
	}
	x, y = x.resolve(), y.resolve()
	if len(x.in)+len(y.in) == 0 && x.v == y.v {
		return true
	}
	if g.num.view(x) != g.num.view(y) {
		return false
	}
	xs, ys := operands(x.v), operands(y.v)
	if len(xs) != len(ys) {
		return false
	}
	if u, ok := isLoad(x.v); ok {
		mem := d.a.Points.Points(u.X)
		if _, ok := isLoad(y.v); !ok || !d.a.Stable(mem) {
			return false
		}
		first := y.when() // the first of the loads of x and y
		if len(x.in) == 0 && d.paths.dominates(x.when(), first) {
			first = x.when()
		}
		if first == here || !d.paths.dominates(first, here) || !d.paths.between(first, here, d.keeps(mem)) {
			return false
		}
		if c, ok := first.(*ssa.Call); ok && d.a.MayWrite(c, mem) {
			return false
		}
	}
	for i := range xs {
		if !s.same(g, view{xs[i], x.in}, view{ys[i], y.in}, here, parts) {
			return false
		}
	}
	return true
}

// when returns the instruction that computes the value, in the function that sees it.
func (x view) when() ssa.Instruction {
	if n := len(x.in); n > 0 {
		return x.in[n-1]
	}
	return x.v.(ssa.Instruction)
}

// called looks for a call behind the access whose callee writes the address first.
func (s *search) called() bool {
	d, a := s.d, s.a
	g := d.funcs[a.Fn]
	t := d.a.Sites.List[a.site]
	for _, c := range d.called(a.Fn) {
		list := d.enters(d.target(c))
		if len(list) == 0 || !a.write && d.stmts.togetherAt(t.Pos, c.Pos()) && d.stmts.delayed(t, a.Fn, anyCall) {
			continue
		}
		for _, e := range list {
			y := view{e.Addr, e.in}.within(c)
			n := g.num.view(y)
			for addr := a.Addr; addr != nil; addr = container(addr) {
				if s.may(e.access) && g.num.number(addr) == n && s.written(g, addr, y, c) {
					return s.note(e.access)
				}
			}
		}
	}
	return false
}

// written reports whether call c follows the access for certain, and its write of address
// y, which is certain as well, is to addr: the address of the access, or of a container.
func (s *search) written(g *function, addr ssa.Value, y view, c *ssa.Call) bool {
	d, a := s.d, s.a
	if !d.alike(g, view{addr, nil}, y, func(u, v *ssa.UnOp, mem pointsto.Set) bool { return d.sameValue(u, v, a.Instr, c, mem) }) {
		return false
	}
	if d.paths.tired(g.fn) {
		return false
	}
	can := d.safeHere(g, a).clone()
	y.used(can) // the same address, as the callee computes it
	return d.paths.reach(a.Instr, c, d.passes(can, a.site))
}

// alike is dominator.same for an address y of a callee that loads nothing.
func (d *dominator) alike(g *function, x, y view, equal func(u, v *ssa.UnOp, mem pointsto.Set) bool) bool {
	x, y = x.resolve(), y.resolve()
	if len(y.in) == 0 {
		return d.same(g, x.v, y.v, equal)
	}
	xs, ys := operands(x.v), operands(y.v)
	if g.num.view(x) != g.num.view(y) || len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if !d.alike(g, view{xs[i], nil}, view{ys[i], y.in}, equal) {
			return false
		}
	}
	return true
}
