package dominate

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/builder"
	"taskinstr/optimize/layout"
	"taskinstr/ssapass"
	"taskinstr/ssapass/instrs"
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
	word int64             // len and cap read one word of a variable: its distance from the address
	call *builder.Redirect // of an accessor, whose accesses count as one; nil: the access is one of the function itself
}

// neighbourOf returns the access with its memory.
func (d *dominator) neighbourOf(a *access) (n neighbour, ok bool) {
	p, ok := placeOf(a.Addr)
	if !ok || !d.b.Part(a.site) {
		return neighbour{access: a, place: p}, ok
	}
	word, ok := lengthWord(a)
	p.off += word
	p.size = layout.WordSize
	return neighbour{access: a, place: p, word: word}, ok
}

// lengthWord returns where in the variable the word is that the access reads, if the program
// reads the variable for its length or capacity alone.
func lengthWord(a *access) (off int64, ok bool) {
	v, ok := a.Instr.(*ssa.UnOp)
	if !ok || a.write {
		return 0, false
	}
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.Call:
			b, builtin := r.Call.Value.(*ssa.Builtin)
			switch {
			case !builtin || off != 0:
				return 0, false
			case b.Name() == "len":
				off = layout.WordSize
			case b.Name() == "cap":
				off = 2 * layout.WordSize
			}
		default:
			return 0, false
		}
	}
	return off, off != 0
}

// mergeNeighbours makes checks of f's accesses longer, and removes the checks that they
// then include.
func (d *dominator) mergeNeighbours(f *function) {
	if !d.b.Is64Bit() {
		return
	}
	var order []group
	groups := map[group][]neighbour{}
	add := func(n neighbour) {
		g := n.group(f.num)
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], n)
	}
	own := map[ssa.Instruction][]*access{}
	for _, a := range f.list {
		if d.b.CanWiden(a.site) && len(d.sites(a.site)) == 1 {
			own[a.Instr] = append(own[a.Instr], a)
		}
	}
	for in := range instrs.Of(f.fn) {
		for _, a := range own[in] {
			if n, ok := d.neighbourOf(a); ok {
				add(n)
			}
		}
		if c, ok := in.(*ssa.Call); ok {
			if n, ok := d.neighbourCalled(c); ok {
				add(n)
			}
		}
	}
	for _, g := range order {
		list := groups[g]
		for k := range list {
			if d.canLead(list[k]) {
				d.mergeInto(f, list[k], list[k+1:])
			}
		}
	}
}

// canLead reports whether the check of a may become one of more bytes.
func (d *dominator) canLead(a neighbour) bool {
	if a.size >= maxNeighbours {
		return false
	}
	if a.call != nil {
		return !d.redirected[a.Instr] && len(a.call.Sites) == 1 && !d.b.Part(a.site) && d.b.Fate(a.site).Len == 0
	}
	return d.b.CanWiden(a.site) && d.b.Fate(a.site).Len == 0
}

// canFollow reports whether the check of b may be one with the check of a.
func (d *dominator) canFollow(a, b neighbour) bool {
	if b.write != a.write || b.size > maxNeighbours {
		return false
	}
	if b.call != nil {
		return !d.redirected[b.Instr]
	}
	return a.call == nil && b.site != a.site && d.b.CanYield(b.site) && (d.b.Twin(b.site) < 0 || b.write)
}

// mergeInto makes the check of a include the neighbours in list whose accesses follow.
func (d *dominator) mergeInto(f *function, a neighbour, list []neighbour) {
	var follow []neighbour
	for _, b := range list {
		if d.canFollow(a, b) && d.follows(f, a, b) {
			follow = append(follow, b)
		}
	}
	merged, lo, hi := adjoining(a, follow)
	for i := 0; i < len(merged); i++ {
		if b := merged[i]; (a.call != nil || b.call != nil) && !d.alone(a, b, merged) {
			follow = slices.DeleteFunc(follow, func(n neighbour) bool { return n.Instr == b.Instr })
			merged, lo, hi = adjoining(a, follow)
			i = -1
		}
	}
	if len(merged) == 0 {
		return
	}
	var covered []int
	for _, b := range merged {
		if b.call == nil {
			d.b.Yield(b.site, a.site, d.describe("checked with its neighbour, the %s at %s", a.site, b.site))
			continue
		}
		r := *b.call
		covered = append(covered, r.Sites...)
		if a.call == nil {
			for range r.Sites {
				r.By = append(r.By, []int{a.site})
			}
		} else {
			r.With = a.site
		}
		d.redirect(b.Instr, r)
	}
	if a.call == nil {
		d.b.Widen(a.site, a.off-a.word-lo, hi-lo)
		return
	}
	r := *a.call
	r.Wide, r.Back, r.Len, r.For = a.site, a.off-lo, hi-lo, covered
	d.redirect(a.Instr, r)
}

// adjoining returns those of the accesses that follow a which make up one range with it.
func adjoining(a neighbour, follow []neighbour) (merged []neighbour, lo, hi int64) {
	lo, hi = a.off, a.off+a.size
	for grown := true; grown; {
		grown = false
		for _, b := range follow {
			from, to := min(lo, b.off), max(hi, b.off+b.size)
			if b.off <= hi && b.off+b.size >= lo && to-from <= maxNeighbours && (from < lo || to > hi) {
				lo, hi, grown = from, to, true
			}
		}
	}
	for _, b := range follow {
		if lo <= b.off && b.off+b.size <= hi {
			merged = append(merged, b)
		}
	}
	return merged, lo, hi
}

// alone reports whether nothing between a and b makes a check, but the accesses that are merged.
// A check in a critical section can show that the section comes after an earlier one
// (passes), and so a check that is made earlier could order what lies between.
func (d *dominator) alone(a, b neighbour, merged []neighbour) bool {
	return d.paths.reach(a.Instr, b.Instr, func(in ssa.Instruction, _ ssapass.Sync) bool {
		if slices.ContainsFunc(merged, func(n neighbour) bool { return n.Instr == in }) {
			return true
		}
		for _, k := range d.sitesAt[in] {
			if d.b.Checked(k) && d.b.Fate(k).Kind != builder.Removed {
				return false
			}
		}
		c, ok := in.(*ssa.Call)
		return !ok || d.computes(c) || d.checkless(c)
	})
}

// checkless reports whether the call runs an accessor, or a copy of one, that makes no checks.
func (d *dominator) checkless(c *ssa.Call) bool {
	x := d.accessor(c)
	if x == nil {
		return false
	}
	list, ok := d.accessors.Checks(x)
	return ok && len(list) == 0 || d.accessors.Gone(c)
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
	if !d.paths.dominates(a.Instr, b.Instr) || !a.write && (d.delays(f, a) || d.delays(f, b) || d.stmts.late(d.posOf(a.access), d.posOf(b.access))) {
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
	return (a.call == nil && a.write || d.quietBefore(f, a.Instr, d.posOf(a.access), can)) &&
		d.paths.reach(a.Instr, b.Instr, func(in ssa.Instruction, _ ssapass.Sync) bool { return d.quiet(in, can) }) &&
		d.paths.between(a.Instr, b.Instr, sameStep)
}

// delays reports whether the compiler may load a behind a call of its statement.
func (d *dominator) delays(f *function, a neighbour) bool {
	return a.call == nil && d.stmts.delayed(d.a.Sites.List[a.site], f.fn, anyCall)
}
