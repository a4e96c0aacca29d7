package dominate

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass"
	"taskinstr/ssapass/pointsto"
)

// Neighbouring fields of one struct, and neighbouring elements of one array or slice, are
// checked together if their accesses follow each other for certain. The check of the
// first access becomes a check of all their bytes, whatever the order of the others.
// Between the accesses nothing may panic, order tasks, or change the locks held. So all of
// the bytes are accessed, in one step. Padding between them is not, and so ends a range: a
// report would name its bytes.
//
// A check of a longer range costs less than the checks of its parts, but the filter of a
// task knows only short ranges, and knows them as a whole.

// maxNeighbours is the greatest number of bytes that are checked together: the filter of a
// task knows no longer range.
const maxNeighbours = 63

// A neighbour is an access with its memory.
type neighbour struct {
	*access
	place
}

// mergeNeighbours makes checks of f's accesses longer, and removes the checks that they
// then include.
func (d *dominator) mergeNeighbours(f *function) {
	if !d.b.Is64Bit() {
		return
	}
	var order []group
	groups := map[group][]neighbour{}
	for _, a := range f.list {
		if !d.b.CanCover(a.site) || len(d.sites(a.site)) != 1 {
			continue
		}
		if p, ok := placeOf(a.Addr); ok {
			g := p.group(f.num)
			if groups[g] == nil {
				order = append(order, g)
			}
			groups[g] = append(groups[g], neighbour{a, p})
		}
	}
	for _, g := range order {
		list := groups[g]
		for k := range list {
			if a := list[k]; d.b.CanCover(a.site) && d.b.Fate(a.site).Len == 0 && a.size < maxNeighbours {
				d.mergeInto(f, a, list[k+1:])
			}
		}
	}
}

// mergeInto makes the check of a include the neighbours in list whose accesses follow.
func (d *dominator) mergeInto(f *function, a neighbour, list []neighbour) {
	var follow []neighbour
	for _, b := range list {
		if b.write != a.write || b.site == a.site || !d.b.CanYield(b.site) || d.b.Twin(b.site) >= 0 && !b.write || b.size > maxNeighbours {
			continue
		}
		if d.follows(f, a, b) {
			follow = append(follow, b)
		}
	}
	lo, hi := a.off, a.off+a.size
	for grown := true; grown; {
		grown = false
		for _, b := range follow {
			from, to := min(lo, b.off), max(hi, b.off+b.size)
			if b.off <= hi && b.off+b.size >= lo && to-from <= maxNeighbours && (from < lo || to > hi) {
				lo, hi, grown = from, to, true
			}
		}
	}
	merged := false
	for _, b := range follow {
		if lo <= b.off && b.off+b.size <= hi {
			d.b.Yield(b.site, a.site, d.describe("checked with its neighbour, the %s at %s", a.site, b.site))
			merged = true
		}
	}
	if merged {
		d.b.Widen(a.site, a.off-lo, hi-lo)
	}
}

// sites returns the accesses of site i, with nil for each that was not collected.
func (d *dominator) sites(i int) []*access {
	var list []*access
	for _, x := range d.a.Sites.List[i].Accesses {
		if f := d.funcs[x.Fn]; f != nil {
			list = append(list, f.bySite[i]...)
		} else {
			list = append(list, nil)
		}
	}
	return list
}

// follows reports whether b happens once a has happened, and only then, in the same step
// and from the same root.
func (d *dominator) follows(f *function, a, b neighbour) bool {
	if !d.paths.dominates(a.Instr, b.Instr) || !a.write && (d.delays(f, a) || d.delays(f, b)) {
		return false
	}
	equal := func(x, y *ssa.UnOp, mem pointsto.Set) bool { return d.sameValue(x, y, a.Instr, b.Instr, mem) }
	if !d.same(f, a.root, b.root, equal) || a.term != nil && !d.same(f, a.term, b.term, equal) {
		return false
	}
	if d.paths.tired(f.fn) {
		return false
	}
	can := d.safeHere(f, a.access)
	return d.quietBefore(f, a.access, can) && d.paths.reach(a.Instr, b.Instr, func(in ssa.Instruction, sync ssapass.Sync) bool { return d.paths.quiet(in, can) }) &&
		d.paths.between(a.Instr, b.Instr, sameStep)
}

// delays reports whether the compiler may load a behind a call of its statement.
func (d *dominator) delays(f *function, a neighbour) bool {
	return d.stmts.delayed(d.a.Sites.List[a.site], f.fn, anyCall)
}
