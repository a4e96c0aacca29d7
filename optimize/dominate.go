package optimize

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
	"taskinstr/ssapass/pointsto"
)

// # dominate
//
// Removes the check of an access if another check of the same function call, or
// of one that it makes or that made it (dominate_calls.go), covers it: one of the
// same bytes, or of a struct or array that they are part of. A write covers reads
// and writes, a read covers reads.
//
//   - A cover before: it dominates the access, and no path from the cover's last
//     execution to the access has a release or changes the locks held. Whoever
//     races with the access is then not ordered behind the cover either:
//     only a release between them could do that. An acquire between does no
//     harm, since what precedes the cover precedes the access.
//   - A cover behind, always a write: once the access has happened the cover
//     follows for certain, on every path, without a loop, a panic, or a call that
//     may not return; and no path has an acquire or changes the locks held.
//
// Calls between are judged by their summaries. Where an access has several
// instances, the cover must have them, too.
//
// Addresses are the same if they select the same fields and elements (by values
// computed alike, dominate_number.go) of the same SSA value. A pointer or slice on
// the way that is loaded from memory twice is one value only if nothing between
// the loads may write that memory: no other task ever while tasks run (points-to),
// and no instruction of this one. SSA values that a loop computes anew are no
// obstacle: they dominate the cover, so that each path from there to the access
// passes the cover again.
//
// Atomic accesses have no sites. Accesses of slices as a whole (range, append,
// copy) neither cover nor are covered.
//
// Source: TaskChecker, section 6.5. Departures: the paper's rules ask for
// dominance alone. Without the condition on releases they lose races (read x;
// start a task that writes x; read x again), and so they do without the condition
// on acquires behind. The paper removes reads only; writes covered by writes go
// as well. Neighbouring fields are checked together
// (dominate_fields.go).
func dominate(m *maker) {
	d := &dominator{m: m, spans: newSpans(m.a), stmts: newStatements(m), funcs: map[*ssa.Function]*dominated{}, calls: newCalls()}
	d.collect()
	for _, f := range d.order {
		// Reads before writes first: what the write then stands for need not
		// be looked at again, and a read that covered others could not go.
		d.sweep(f, func(a *domAccess) bool { return d.coverBehind(f, a, false) })
		d.sweep(f, func(a *domAccess) bool { return d.coverBefore(f, a) })
		d.sweep(f, func(a *domAccess) bool { return d.coverBehind(f, a, true) })
	}
	for _, f := range d.order {
		d.sweepCalls(f)
	}
	for _, f := range d.order {
		d.mergeFields(f)
	}
}

// apart is what may order this task before another, or change its locks.
const apart = ssapass.MayRelease | ssapass.MaySpawn | ssapass.MayLock | ssapass.CallsUnseen

type dominator struct {
	m     *maker
	spans *spans
	stmts *statements
	funcs map[*ssa.Function]*dominated
	order []*dominated
	calls
}

// A dominated is the accesses of one function.
type dominated struct {
	fn     *ssa.Function
	num    *numbering
	strict *numbering
	list   []*domAccess         // in the order of blocks
	at     map[int][]*domAccess // by the number of the address
	bySite map[int][]*domAccess
}

func newDominated(f *ssa.Function) *dominated {
	return &dominated{fn: f, num: newNumbering(false), strict: newNumbering(true), at: map[int][]*domAccess{}, bySite: map[int][]*domAccess{}}
}

// A domAccess is an access that may be covered or cover.
type domAccess struct {
	ssapass.Access
	site  int
	write bool
}

// collect groups the accesses of all sites in scope by function and address.
func (d *dominator) collect() {
	m := d.m
	byInstr := map[ssa.Instruction][]*domAccess{}
	for i, s := range m.a.Sites.List {
		// The read of op= is not checked itself, but has to be covered with
		// its write.
		twin := m.twin(i)
		if s.Key.Elems || !m.inScope(s) || !m.checked[i] && (twin < 0 || !m.checked[twin]) {
			continue
		}
		for _, c := range s.Accesses {
			byInstr[c.Instr] = append(byInstr[c.Instr], &domAccess{c, i, s.Key.Write})
		}
	}
	for _, f := range m.a.Program().Functions() {
		var g *dominated
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, a := range byInstr[in] {
					if g == nil {
						g = newDominated(f)
					}
					n := g.num.number(a.Addr)
					g.list = append(g.list, a)
					g.at[n] = append(g.at[n], a)
					g.bySite[a.site] = append(g.bySite[a.site], a)
				}
			}
		}
		if g != nil {
			d.funcs[f] = g
			d.order = append(d.order, g)
		}
	}
}

func (d *dominator) sweep(f *dominated, try func(*domAccess) bool) {
	for _, a := range f.list {
		if d.m.isOpen(a.site) {
			try(a)
		}
	}
}

// covering calls try with the accesses of f that may cover a until one does:
// those of the same place, writes first, then those of what contains it.
func (d *dominator) covering(f *dominated, a *domAccess, try func(c *domAccess) bool) bool {
	for addr := a.Addr; addr != nil; addr = container(addr) {
		list := f.at[f.num.number(addr)]
		for _, write := range []bool{true, false} {
			if a.write && !write {
				continue
			}
			for _, c := range list {
				if c.write == write && c.site != a.site && d.canCover(c.site) && try(c) {
					return true
				}
			}
		}
	}
	return false
}

// container returns the address of the struct or array that addr is in.
func container(addr ssa.Value) ssa.Value {
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		return v.X
	case *ssa.IndexAddr:
		if _, ok := v.X.Type().Underlying().(*types.Pointer); ok {
			return v.X
		}
	}
	return nil
}

// canCover reports whether the check of site i is made and stays.
func (d *dominator) canCover(i int) bool {
	return d.m.checked[i] && !d.m.part[i] && d.m.Fates[i].Kind == Kept
}

func (d *dominator) coverBefore(f *dominated, a *domAccess) bool {
	return d.covering(f, a, func(c *domAccess) bool {
		return d.coversAll(a.site, c.site, d.before, "covered by the %s at %s")
	})
}

func (d *dominator) coverBehind(f *dominated, a *domAccess, writes bool) bool {
	if a.write != writes {
		return false
	}
	return d.covering(f, a, func(c *domAccess) bool {
		return c.write && d.coversAll(a.site, c.site, d.behind, "covered by the %s that follows at %s")
	})
}

// coversAll removes the check of site i if that of site j covers each of its
// accesses, and, where i is the write of op=, those of its read.
func (d *dominator) coversAll(i, j int, covers func(f *dominated, a, c *domAccess) bool, reason string) bool {
	sites := d.m.a.Sites.List
	all := func(i int) bool {
		for _, x := range sites[i].Accesses {
			f := d.funcs[x.Fn]
			if f == nil || !d.covered(f, i, j, x, covers) {
				return false
			}
		}
		return true
	}
	r := -1
	if sites[i].Key.Write {
		r = d.m.twin(i)
	}
	if r == j || !all(i) || r >= 0 && !all(r) {
		return false
	}
	verb := "read"
	if sites[j].Key.Write {
		verb = "write"
	}
	d.m.cover(i, j, fmt.Sprintf(reason, verb, d.m.at(j, i)))
	return true
}

func (d *dominator) covered(f *dominated, i, j int, x ssapass.Access, covers func(f *dominated, a, c *domAccess) bool) bool {
	for _, a := range f.bySite[i] {
		if a.Access != x {
			continue
		}
		for _, c := range f.bySite[j] {
			if (c.write || !a.write) && covers(f, a, c) {
				return true
			}
		}
	}
	return false
}

// before reports whether c, executed before a, covers it.
func (d *dominator) before(f *dominated, a, c *domAccess) bool {
	if !d.spans.dominates(c.Instr, a.Instr) {
		return false
	}
	addr := f.within(a.Addr, c.Addr)
	if addr == nil || !d.same(f, c.Addr, addr, func(x, y *ssa.UnOp, mem pointsto.Set) bool {
		if !d.spans.dominates(x, y) {
			x, y = y, x
		}
		return d.spans.dominates(x, a.Instr) && d.spans.before(x, a.Instr, d.keeps(mem))
	}) {
		return false
	}
	sa, sc := d.m.a.Sites.List[a.site], d.m.a.Sites.List[c.site]
	if !a.write && d.stmts.late(sa, f.fn, apart) || !c.write && d.stmts.together(sa, sc) && d.stmts.late(sc, f.fn, anyCall) {
		return false
	}
	return d.spans.before(c.Instr, a.Instr, func(in ssa.Instruction, sync ssapass.Sync) bool { return sync&apart == 0 })
}

// behind reports whether the write c, executed after a, covers it.
func (d *dominator) behind(f *dominated, a, c *domAccess) bool {
	addr := f.within(a.Addr, c.Addr)
	if addr == nil || !d.same(f, addr, c.Addr, func(x, y *ssa.UnOp, mem pointsto.Set) bool { return d.between(x, y, a.Instr, c.Instr, mem) }) {
		return false
	}
	can := d.usable(f, a.Instr)
	can.used(a.Addr)
	can.used(c.Addr) // a part of the same values
	return d.spans.behind(a.Instr, c.Instr, func(in ssa.Instruction, _ ssapass.Sync) bool { return d.spans.quiet(in, can) })
}

// between reports whether x and y, two loads of one place, give one value, where c
// follows a in their block.
func (d *dominator) between(x, y *ssa.UnOp, a, c ssa.Instruction, mem pointsto.Set) bool {
	b := c.Block()
	if x.Block() != b || y.Block() != b || a.Block() != b {
		return false
	}
	if d.spans.index(x) > d.spans.index(y) {
		x, y = y, x
	}
	return d.spans.index(x) < d.spans.index(c) && d.spans.before(x, c, d.keeps(mem))
}

// usable returns the addresses that were used in the block of a before it.
func (d *dominator) usable(f *dominated, a ssa.Instruction) *known {
	can := &known{num: f.strict, have: map[int]bool{}}
	for _, in := range a.Block().Instrs[:d.spans.index(a)] {
		switch in := in.(type) {
		case *ssa.UnOp:
			if _, ok := isLoad(in); ok {
				can.used(in.X)
			}
		case *ssa.Store:
			can.used(in.Addr)
		case *ssa.FieldAddr:
			can.used(in)
		case *ssa.IndexAddr:
			can.used(in)
		}
	}
	return can
}

// within returns addr or what contains it, whichever has the number of outer; nil
// if neither has.
func (f *dominated) within(addr, outer ssa.Value) ssa.Value {
	n := f.num.number(outer)
	for ; addr != nil; addr = container(addr) {
		if f.num.number(addr) == n {
			return addr
		}
	}
	return nil
}

// keeps returns a test for instructions that do not write mem.
func (d *dominator) keeps(mem pointsto.Set) func(ssa.Instruction, ssapass.Sync) bool {
	return func(in ssa.Instruction, _ ssapass.Sync) bool { return !d.m.a.MayWrite(in, mem) }
}

// same reports whether x and y, of one number, are the same value. equal decides
// about two loads of one place that no other task writes.
func (d *dominator) same(f *dominated, x, y ssa.Value, equal func(x, y *ssa.UnOp, mem pointsto.Set) bool) bool {
	if x == y {
		return true
	}
	if f.num.number(x) != f.num.number(y) {
		return false
	}
	xs, ys := operands(x), operands(y)
	if len(xs) != len(ys) {
		return false
	}
	if u, ok := isLoad(x); ok {
		v, ok := isLoad(y)
		if !ok {
			return false
		}
		mem := d.m.a.Points.Points(u.X)
		if !d.m.a.Stable(mem) || !equal(u, v, mem) {
			return false
		}
	}
	for i := range xs {
		if !d.same(f, xs[i], ys[i], equal) {
			return false
		}
	}
	return true
}
