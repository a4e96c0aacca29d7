package ssapass

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// MayWrite reports whether the instruction, with all its calls in this task, may write
// memory at an address of s.
func (a *Analysis) MayWrite(in ssa.Instruction, s pointsto.Set) bool {
	found := false
	own := func(in ssa.Instruction) {
		a.memory(in, func(t pointsto.Set, write bool) {
			found = found || write && a.Points.Overlap(t, s)
		})
	}
	switch in := in.(type) {
	case *ssa.Call:
		own(in)
		return found || a.callMayWrite(in, s)
	case *ssa.Go: // its operands are values, not memory
		return !a.spawns(in) && a.callMayWrite(in, s)
	case *ssa.Defer:
		return false
	case *ssa.RunDefers, *ssa.Return:
		for _, d := range a.deferredAt(in) {
			if own(d); found || a.callMayWrite(d, s) {
				return true
			}
		}
		return false
	}
	own(in)
	return found
}

func (a *Analysis) callMayWrite(c ssa.CallInstruction, s pointsto.Set) bool {
	list, external := a.Callees(c)
	if external {
		return true
	}
	for _, f := range list {
		if w := a.Summary(f).Writes; w.May(a.Points, s) {
			return true
		}
	}
	return false
}

// Stable reports whether no other task may write memory at an address of s while a task
// reads it. Loads there change only at instructions for which MayWrite is true.
func (a *Analysis) Stable(s pointsto.Set) bool {
	return !a.SharedAt(s) || !a.WrittenInParallel(s) && !a.literalWrites.may(a.Points, s) && !a.Outside(s)
}
