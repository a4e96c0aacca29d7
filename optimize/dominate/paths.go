package dominate

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/loop"
	"taskinstr/optimize/step"
	"taskinstr/ssapass"
)

// A paths answers questions about the instructions on the paths between two others.
type paths struct {
	a      *ssapass.Analysis
	sync   map[*ssa.BasicBlock][]ssapass.Sync // of each instruction
	places ssapass.Places
	ending map[*ssa.Function]bool // whether a call always returns, and is quiet
	walked map[*ssa.Function]int  // visited instructions of the function, see maxWalk
}

// maxWalk bounds the instructions that questions about one function may visit. A function of thousands
// of statements reaches the bound after a few seconds. From then on every answer is no.
const maxWalk = 1 << 24

func newPaths(a *ssapass.Analysis) *paths {
	return &paths{a: a, sync: map[*ssa.BasicBlock][]ssapass.Sync{}, places: ssapass.Places{}, ending: map[*ssa.Function]bool{}, walked: map[*ssa.Function]int{}}
}

// block returns the synchronization of the instructions of b.
func (s *paths) block(b *ssa.BasicBlock) []ssapass.Sync {
	l, ok := s.sync[b]
	if !ok {
		l = make([]ssapass.Sync, len(b.Instrs))
		for i, in := range b.Instrs {
			l[i] = s.a.InstrSync(in)
		}
		s.sync[b] = l
	}
	return l
}

// dominates reports whether each path to b passes a before. The block where a recovered
// panic goes on is reached from anywhere.
func (s *paths) dominates(a, b ssa.Instruction) bool {
	if r := b.Parent().Recover; r != nil && b.Block() == r && a.Block() != r {
		return false
	}
	if a.Block() == b.Block() {
		return s.places.Of(a) < s.places.Of(b)
	}
	return a.Block().Dominates(b.Block())
}

// tired reports whether too many instructions of f have been visited.
func (s *paths) tired(f *ssa.Function) bool { return s.walked[f] >= maxWalk }

// all reports whether ok holds for the instructions lo to hi of a block. It says no if it has
// visited too many of the function.
func (s *paths) all(ok func(in ssa.Instruction, sync ssapass.Sync) bool, blk *ssa.BasicBlock, lo, hi int) bool {
	if lo >= hi {
		return true
	}
	l, f := s.block(blk), blk.Parent()
	if s.tired(f) {
		return false
	}
	i := lo
	for i < hi && ok(blk.Instrs[i], l[i]) {
		i++
	}
	s.walked[f] += i - lo + 1
	return i == hi
}

// between reports whether ok holds for the instructions on all paths from the last
// execution of a to b, which a dominates. Neither a nor b is asked about, unless a path
// leads from b to b without passing a.
func (s *paths) between(a, b ssa.Instruction, ok func(in ssa.Instruction, sync ssapass.Sync) bool) bool {
	from, to := a.Block(), b.Block()
	if from == to {
		return s.all(ok, to, s.places.Of(a)+1, s.places.Of(b))
	}
	return s.all(ok, from, s.places.Of(a)+1, len(from.Instrs)) && s.back(map[*ssa.BasicBlock]bool{from: true}, b, ok)
}

// fromEntry reports whether ok holds for the instructions on all paths from the entry of
// the function to b. In the block where a recovered panic goes on the answer is no.
func (s *paths) fromEntry(b ssa.Instruction, ok func(in ssa.Instruction, sync ssapass.Sync) bool) bool {
	return b.Block() != b.Parent().Recover && s.back(map[*ssa.BasicBlock]bool{}, b, ok)
}

// back reports whether ok holds for the instructions in front of b in its block, and in
// all blocks from which b is reached without passing the blocks seen.
func (s *paths) back(seen map[*ssa.BasicBlock]bool, b ssa.Instruction, ok func(in ssa.Instruction, sync ssapass.Sync) bool) bool {
	if !s.all(ok, b.Block(), 0, s.places.Of(b)) {
		return false
	}
	work := append([]*ssa.BasicBlock(nil), b.Block().Preds...)
	for len(work) > 0 {
		blk := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[blk] {
			continue
		}
		seen[blk] = true
		if !s.all(ok, blk, 0, len(blk.Instrs)) {
			return false
		}
		work = append(work, blk.Preds...)
	}
	return true
}

// reach reports whether b follows for certain once a has run, without a loop, and ok
// holds for the instructions between.
func (s *paths) reach(a, b ssa.Instruction, ok func(in ssa.Instruction, sync ssapass.Sync) bool) bool {
	return s.reachFrom(a.Block(), s.places.Of(a)+1, b, ok)
}

// reachFrom is reach for the point in front of instruction lo of block from.
func (s *paths) reachFrom(from *ssa.BasicBlock, lo int, b ssa.Instruction, ok func(in ssa.Instruction, sync ssapass.Sync) bool) bool {
	to := b.Block()
	if from == to {
		return lo <= s.places.Of(b) && s.all(ok, from, lo, s.places.Of(b))
	}
	if !s.all(ok, from, lo, len(from.Instrs)) || !s.all(ok, to, 0, s.places.Of(b)) {
		return false
	}
	const open, done = 1, 2
	state := map[*ssa.BasicBlock]int{from: open}
	var visit func(*ssa.BasicBlock) bool
	visit = func(blk *ssa.BasicBlock) bool {
		if len(blk.Succs) == 0 {
			return false // the function ends here
		}
		for _, n := range blk.Succs {
			switch {
			case n == to || state[n] == done:
				continue
			case state[n] == open || n.Dominates(from):
				return false // a loop
			}
			state[n] = open
			if !s.all(ok, n, 0, len(n.Instrs)) || !visit(n) {
				return false
			}
			state[n] = done
		}
		return true
	}
	return !to.Dominates(from) && visit(from)
}

// quiet reports whether the instruction always completes, orders no tasks, and changes no
// locks. The addresses in can are safe to use.
func (s *paths) quiet(in ssa.Instruction, can *safe) bool {
	if may, known := step.MayPanic(in, func(addr ssa.Value) bool { return canUse(addr, can) }); known {
		return !may
	}
	switch in := in.(type) {
	case *ssa.FieldAddr:
		return can.has(in) || canUse(in, can)
	case *ssa.IndexAddr:
		return can.has(in) || canUse(in, can)
	case *ssa.Slice:
		return sliceable(in, can)
	case *ssa.Call:
		f := in.Call.StaticCallee()
		return f != nil && s.ends(f)
	}
	return false
}

// canUse reports whether address v can be used without a panic.
func canUse(v ssa.Value, can *safe) bool {
	if can.has(v) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global:
		return true
	case *ssa.FreeVar: // the address of a variable, except in wrappers
		return v.Parent().Synthetic == ""
	case *ssa.FieldAddr:
		return canUse(v.X, can)
	case *ssa.IndexAddr:
		if _, slice := v.X.Type().Underlying().(*types.Slice); slice {
			return can.inRange(v)
		}
		return can.inRange(v) && canUse(v.X, can)
	}
	return false
}

// ends reports whether a call of f always returns, and is quiet.
func (s *paths) ends(f *ssa.Function) bool {
	if e, ok := s.ending[f]; ok {
		return e
	}
	if fn, ok := f.Object().(*types.Func); ok && fn.Pkg() != nil {
		if k, ok := loop.ContractOf(fn); ok && k.Bytes() == 0 {
			s.ending[f] = true // a function of std that only computes
			return true
		}
	}
	s.ending[f] = false // a recursive function may never end
	sum := s.a.Summary(f)
	ok := sum.Sync&^ssapass.MayPanic == 0 && !sum.NeverReturns
	if len(f.Blocks) == 0 {
		ok = ok && sum.Sync == 0
	}
	for _, b := range f.Blocks {
		for _, n := range b.Succs {
			ok = ok && !n.Dominates(b) && n.Index > b.Index // no loop
		}
		for _, in := range b.Instrs {
			if _, ret := in.(*ssa.Return); ok && !ret {
				ok = s.quiet(in, nil)
			}
		}
	}
	s.ending[f] = ok && f.Recover == nil
	return s.ending[f]
}
