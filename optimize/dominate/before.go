package dominate

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// maxBefore bounds the instructions in which safeBefore looks for used addresses.
const maxBefore = 256

// safeBefore returns the addresses that instructions used before instruction here of f, in its block
// and in the blocks that dominate it, and the lengths that conditions on the way ensure. If
// the statement at pos, to which the instruction belongs, has calls, other operands of the statement
// may be evaluated behind the instruction.
func (d *dominator) safeBefore(f *function, here ssa.Instruction, pos token.Pos) *safe {
	can := newSafe(f.strict)
	mixed := d.stmts.calls(pos, f.fn)
	n := 0
	for b := here.Block(); b != nil && n < maxBefore; b = b.Idom() {
		end := len(b.Instrs)
		if b == here.Block() {
			end = d.paths.places.Of(here)
		}
		for _, in := range b.Instrs[:end] {
			n++
			if mixed && d.stmts.togetherAt(pos, in.Pos()) {
				continue
			}
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
		if len(b.Preds) == 1 {
			p := b.Preds[0]
			if c, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok && p.Succs[0] != p.Succs[1] {
				can.holds(c.Cond, p.Succs[0] == b)
			}
		}
	}
	d.paths.walked[f.fn] += n
	return can
}

// quietBefore reports whether the operands that SSA evaluates before instruction here in its statement,
// the one at pos, are quiet, if the compiler may evaluate them behind the instruction.
func (d *dominator) quietBefore(f *function, here ssa.Instruction, pos token.Pos, can *safe) bool {
	if !d.stmts.calls(pos, f.fn) {
		return true
	}
	list := here.Block().Instrs
	for i := d.paths.places.Of(here) - 1; i >= 0; i-- {
		in := list[i]
		if c, ok := here.(*ssa.Call); ok && d.stmts.operand(c, in.Pos()) {
			continue // the call waits for its operands
		}
		if in.Pos().IsValid() && !d.stmts.togetherAt(pos, in.Pos()) {
			return true
		}
		if !d.quiet(in, can) {
			return false
		}
	}
	// The statement may have begun in another block.
	for b := here.Block().Idom(); b != nil; b = b.Idom() {
		for i := len(b.Instrs) - 1; i >= 0; i-- {
			if p := b.Instrs[i].Pos(); p.IsValid() {
				return !d.stmts.togetherAt(pos, p)
			}
		}
	}
	return true
}
