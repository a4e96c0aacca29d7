package dominate

import (
	"golang.org/x/tools/go/ssa"
)

// maxBefore bounds the instructions in which safeBefore looks for used addresses.
const maxBefore = 256

// safeBefore returns the addresses that instructions used before a, in a's block and in the
// blocks that dominate it, and the lengths that conditions on the way ensure. If a's
// statement has calls, other operands of the statement may be evaluated behind a.
func (d *dominator) safeBefore(f *function, a *access) *safe {
	can := newSafe(f.strict)
	t := d.a.Sites.List[a.site]
	mixed := d.stmts.calls(t, f.fn)
	n := 0
	for b := a.Instr.Block(); b != nil && n < maxBefore; b = b.Idom() {
		end := len(b.Instrs)
		if b == a.Instr.Block() {
			end = d.paths.places.Of(a.Instr)
		}
		for _, in := range b.Instrs[:end] {
			n++
			if mixed && d.stmts.togetherAt(t, in.Pos()) {
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

// quietBefore reports whether the operands that SSA evaluates before a in its statement
// are quiet, if the compiler may evaluate them behind a.
func (d *dominator) quietBefore(f *function, a *access, can *safe) bool {
	t := d.a.Sites.List[a.site]
	if a.write || !d.stmts.calls(t, f.fn) {
		return true
	}
	list := a.Instr.Block().Instrs
	for i := d.paths.places.Of(a.Instr) - 1; i >= 0; i-- {
		in := list[i]
		if in.Pos().IsValid() && !d.stmts.togetherAt(t, in.Pos()) {
			return true
		}
		if !d.paths.quiet(in, can) {
			return false
		}
	}
	// The statement may have begun in another block.
	for b := a.Instr.Block().Idom(); b != nil; b = b.Idom() {
		for i := len(b.Instrs) - 1; i >= 0; i-- {
			if p := b.Instrs[i].Pos(); p.IsValid() {
				return !d.stmts.togetherAt(t, p)
			}
		}
	}
	return true
}
