package dominate

import (
	"golang.org/x/tools/go/ssa"
)

// A certain is an access that a call makes for certain, in its callee or in a further
// callee that the calls lead to, innermost first.
type certain struct {
	*access
	in []*ssa.Call
}

// leaves returns the accesses that each call of f has made when it returns, with nothing
// between them and the return that separates steps.
func (d *dominator) leaves(f *ssa.Function) []certain {
	list, ok := d.leaving[f]
	if ok {
		return list
	}
	d.leaving[f] = nil // the answer for recursive calls
	var rets []ssa.Instruction
	for _, b := range f.Blocks {
		if r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			rets = append(rets, r)
		}
	}
	if len(rets) == 0 || !returnsPlainly(f) {
		return nil
	}
	d.collectCertain(f, d.leaves, &list, func(in ssa.Instruction, _ view) bool {
		for _, r := range rets {
			if !d.paths.dominates(in, r) || !d.paths.between(in, r, sameStep) {
				return false
			}
		}
		return true
	}, func(*access, view) bool { return true })
	d.leaving[f] = list
	return list
}

// enters returns the writes that each call of f makes first, before anything that could
// prevent them or order tasks.
func (d *dominator) enters(f *ssa.Function) []certain {
	list, ok := d.entering[f]
	if ok {
		return list
	}
	d.entering[f] = nil
	if !returnsPlainly(f) {
		return nil
	}
	num := d.frame(f).strict
	d.collectCertain(f, d.enters, &list, func(in ssa.Instruction, addr view) bool {
		can := newSafe(num)
		addr.used(can)
		return d.paths.reachFrom(f.Blocks[0], 0, in, d.passes(can))
	}, func(a *access, addr view) bool { return a.write && len(d.loads(addr)) == 0 })
	d.entering[f] = list
	return list
}

// collectCertain adds to list the accesses of f and of its callees that fit and are sure
// to be made.
func (d *dominator) collectCertain(f *ssa.Function, of func(*ssa.Function) []certain, list *[]certain, sure func(ssa.Instruction, view) bool, fits func(*access, view) bool) {
	take := func(a *access, in ssa.Instruction, addr view) {
		if len(*list) < maxCertain && addr.knownToCaller() && fits(a, addr) && sure(in, addr) {
			*list = append(*list, certain{a, addr.in})
		}
	}
	if g := d.funcs[f]; g != nil {
		for _, a := range g.list {
			if d.b.CanCover(a.site) {
				take(a, a.Instr, view{a.Addr, nil})
			}
		}
	}
	for _, c := range d.called(f) {
		for _, e := range of(d.target(c)) {
			if len(e.in) < maxDepth {
				take(e.access, c, view{e.Addr, e.in}.within(c))
			}
		}
	}
}
