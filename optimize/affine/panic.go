package affine

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/loop"
	"taskinstr/optimize/step"
	"taskinstr/ssapass/instrs"
)

// A panicFacts says whether a call of a function returns, if the arguments for some
// parameters are not nil. A function is assumed to end.
type panicFacts struct {
	returns bool
	nonNil  map[int]bool // by index among the parameters of the SSA function
}

// panicFree returns the facts about f. For recursive functions the answer is no.
func (s *file) panicFree(f *ssa.Function) *panicFacts {
	if x, ok := s.panics[f]; ok {
		return x
	}
	x := &panicFacts{nonNil: map[int]bool{}}
	s.panics[f] = x // the answer for recursive calls is no
	body := f
	if len(f.Blocks) == 0 {
		if body = s.Builder.Analysis.Program().Body(f); body == nil {
			x.returns = s.Builder.Analysis.Summary(f).Sync == 0
			return x
		}
	}
	if sum := s.Builder.Analysis.Summary(f); sum.Sync&step.Interrupts != 0 || sum.NeverReturns || body.Recover != nil {
		return x
	}
	w := &panicWalk{file: s, f: body, need: map[int]bool{}}
	for in := range instrs.Of(body) {
		if !w.safe(in) {
			return x
		}
	}
	x.returns, x.nonNil = true, w.need
	return x
}

type panicWalk struct {
	*file
	f    *ssa.Function
	need map[int]bool
}

// pointer reports whether v is not nil if certain parameters are not, and notes these.
func (w *panicWalk) pointer(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FreeVar, *ssa.FieldAddr, *ssa.IndexAddr:
		return true // otherwise the computation of v would have panicked
	case *ssa.Convert:
		return w.pointer(v.X)
	case *ssa.ChangeType:
		return w.pointer(v.X)
	case *ssa.Parameter:
		for i, p := range w.f.Params {
			if p == v {
				w.need[i] = true
			}
		}
		return true
	}
	return false
}

// safe reports whether the instruction cannot panic.
func (w *panicWalk) safe(in ssa.Instruction) bool {
	if _, ret := in.(*ssa.Return); ret {
		return true
	}
	if may, known := step.MayPanic(in, w.pointer); known {
		return !may
	}
	switch in := in.(type) {
	case *ssa.FieldAddr:
		return w.pointer(in.X)
	case *ssa.IndexAddr:
		if p, ok := in.X.Type().Underlying().(*types.Pointer); ok && w.pointer(in.X) {
			return below(in.Index, p.Elem().Underlying().(*types.Array).Len())
		}
	case *ssa.Index:
		if a, ok := in.X.Type().Underlying().(*types.Array); ok {
			return below(in.Index, a.Len())
		}
	case *ssa.Call:
		return w.returns(in)
	}
	return false
}

// returns reports whether the call of a function returns.
func (w *panicWalk) returns(in *ssa.Call) bool {
	if in.Call.StaticCallee() == nil {
		return false
	}
	list, external := w.Builder.Analysis.Callees(in)
	for _, g := range list {
		if fn, ok := g.Object().(*types.Func); ok && fn.Pkg() != nil {
			if k, ok := loop.ContractOf(fn); ok && k.Bytes() == 0 {
				continue
			}
		}
		x := w.panicFree(g)
		if !x.returns {
			return false
		}
		for i := range x.nonNil {
			if i >= len(in.Call.Args) || !w.pointer(in.Call.Args[i]) {
				return false
			}
		}
	}
	return !external && len(list) > 0
}

// below reports whether v is certain to be an index of n elements.
func below(v ssa.Value, n int64) bool {
	switch v := v.(type) {
	case *ssa.Const:
		k := v.Int64()
		return 0 <= k && k < n
	case *ssa.Convert:
		return below(v.X, n)
	case *ssa.BinOp:
		if c, ok := v.Y.(*ssa.Const); ok && v.Op == token.AND && loop.IsInteger(c.Type()) {
			return 0 <= c.Int64() && c.Int64() < n
		}
	}
	return fits(v.Type(), n)
}

// fits reports whether all values of type t are below n.
func fits(t types.Type, n int64) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Uint8 && n >= 1<<8 || b.Kind() == types.Uint16 && n >= 1<<16)
}
