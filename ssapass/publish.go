package ssapass

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A variable that function literals capture lies in memory that other tasks
// reach, but not before a literal exists: what the function that declares it does
// with it until then, no task can do at the same time. Such accesses are private.
//
// That holds for a variable that is contained: its address is used for loads and
// stores and by function literals alone, and those are called or started as
// tasks, here or by whom they are passed to. Then whoever gets to know it begins
// behind the making of the literal. A loop variable is a new one in each
// iteration.

// Private reports whether the access to its variable happens before any other
// task can know the variable.
func (a *Analysis) Private(in ssa.Instruction) bool { return a.private[in] }

// findPrivate collects the private accesses of all functions.
func (a *Analysis) findPrivate() {
	a.private = map[ssa.Instruction]bool{}
	h := &holders{params: map[*ssa.Parameter]bool{}}
	for _, f := range a.prog.funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if v, ok := in.(*ssa.Alloc); ok && v.Heap {
					a.privateOf(v, h)
				}
			}
		}
	}
}

// privateOf collects the private accesses of variable v.
func (a *Analysis) privateOf(v *ssa.Alloc, h *holders) {
	made, ok := h.contained(v, map[ssa.Value]bool{})
	if !ok || len(made) == 0 {
		return
	}
	reached := reachedAfter(v, made)
	var visit func(x ssa.Value)
	visit = func(x ssa.Value) {
		for _, u := range *x.Referrers() {
			switch u := u.(type) {
			case *ssa.UnOp:
				a.private[u] = a.private[u] || !reached(u)
			case *ssa.Store:
				a.private[u] = a.private[u] || !reached(u)
			case *ssa.FieldAddr:
				visit(u)
			case *ssa.IndexAddr:
				visit(u)
			}
		}
	}
	visit(v)
}

// reachedAfter tells which instructions a path reaches from one of made without
// making v anew.
func reachedAfter(v *ssa.Alloc, made []ssa.Instruction) func(ssa.Instruction) bool {
	after := map[ssa.Instruction]bool{}
	whole := map[*ssa.BasicBlock]bool{}
	var work []*ssa.BasicBlock
	run := func(b *ssa.BasicBlock, list []ssa.Instruction) {
		for _, in := range list {
			if in == v {
				return
			}
			after[in] = true
		}
		work = append(work, b.Succs...)
		if r := b.Parent().Recover; r != nil { // a panic may lead there
			work = append(work, r)
		}
	}
	for _, m := range made {
		b := m.Block()
		for i, in := range b.Instrs {
			if in == m {
				run(b, b.Instrs[i+1:])
			}
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !whole[b] {
			whole[b] = true
			run(b, b.Instrs)
		}
	}
	return func(in ssa.Instruction) bool { return after[in] }
}

// holders follows addresses and function literals to where they are used.
type holders struct {
	params map[*ssa.Parameter]bool // whether what is passed is called or started only; while one is looked at, yes
	order  []*ssa.Parameter        // those of params that are, in the order in which they were asked about
}

// contained reports whether the uses of address v are loads, stores, and literals
// that are called or started only, and which instructions make those literals.
func (h *holders) contained(v ssa.Value, seen map[ssa.Value]bool) (made []ssa.Instruction, ok bool) {
	if seen[v] {
		return nil, true
	}
	seen[v] = true
	for _, u := range *v.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.UnOp:
			if u.Op != token.MUL {
				return nil, false
			}
		case *ssa.Store:
			if u.Val == v {
				return nil, false
			}
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Phi:
			more, ok := h.contained(u.(ssa.Value), seen)
			if !ok {
				return nil, false
			}
			made = append(made, more...)
		case *ssa.MakeClosure:
			if !h.runs(u, map[ssa.Value]bool{}) {
				return nil, false
			}
			for i, b := range u.Bindings {
				if b != v {
					continue
				}
				if _, ok := h.contained(u.Fn.(*ssa.Function).FreeVars[i], seen); !ok {
					return nil, false
				}
			}
			made = append(made, u)
		default:
			return nil, false
		}
	}
	return made, true
}

// runs reports whether the function value v is called or started as a task, and
// nothing else.
func (h *holders) runs(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for _, u := range *v.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.ChangeType:
			if !h.runs(u, seen) {
				return false
			}
		case ssa.CallInstruction:
			if !h.passed(u.Common(), v) {
				return false
			}
		case *ssa.Store: // to a variable that a literal shares, and nobody else
			cell, ok := u.Addr.(*ssa.Alloc)
			if !ok || u.Val != v || !h.loads(cell, seen) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// passed reports whether the call runs v, or passes it to functions that do.
func (h *holders) passed(c *ssa.CallCommon, v ssa.Value) bool {
	f := c.StaticCallee()
	for i, x := range c.Args {
		if x != v {
			continue
		}
		if f == nil || c.IsInvoke() || len(f.Blocks) == 0 || i >= len(f.Params) {
			return false
		}
		p := f.Params[i]
		ok, looked := h.params[p]
		if !looked {
			h.params[p] = true
			since := len(h.order)
			h.order = append(h.order, p)
			if ok = h.runs(p, map[ssa.Value]bool{}); !ok {
				// Others may have been found to do so because this one did.
				for _, q := range h.order[since:] {
					delete(h.params, q)
				}
				h.order = h.order[:since]
				h.params[p] = false
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// loads reports whether whatever is loaded from the variable at address v is
// called or started only.
func (h *holders) loads(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for _, u := range *v.Referrers() {
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if u.Val == v {
				return false
			}
		case *ssa.UnOp:
			if u.Op != token.MUL || !h.runs(u, seen) {
				return false
			}
		case *ssa.MakeClosure:
			if !h.runs(u, seen) {
				return false
			}
			for i, b := range u.Bindings {
				if b == v && !h.loads(u.Fn.(*ssa.Function).FreeVars[i], seen) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// literals are the positions that SSA gives to the stores of the elements of
// composite literals.
func (p *Program) literals() map[token.Pos]bool {
	at := map[token.Pos]bool{}
	for _, pkg := range p.Packages {
		if !Instrumented(pkg.PkgPath) {
			continue
		}
		for _, f := range pkg.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				l, ok := n.(*ast.CompositeLit)
				if !ok {
					return true
				}
				at[l.Lbrace] = true
				for _, e := range l.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						at[kv.Colon] = true
					} else {
						at[e.Pos()] = true
					}
				}
				return true
			})
		}
	}
	return at
}

// fills reports whether the store puts an element of a composite literal into
// the new memory of the literal: that is no access of the source, and has no
// check.
func (a *Analysis) fills(in *ssa.Store) bool {
	if !a.literal[in.Pos()] || len(a.Sites.Of(in)) > 0 {
		return false
	}
	addr := in.Addr
	for {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
		case *ssa.IndexAddr:
			addr = v.X
		case *ssa.Alloc:
			return v.Comment == "complit" || v.Comment == "slicelit"
		default:
			return false
		}
	}
}
