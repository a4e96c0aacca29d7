package ssapass

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// Other tasks reach the memory of a variable that function literals capture, but not
// before a literal exists. Until then, only the declaring function accesses the
// variable. Such accesses are private.
//
// This holds for a contained variable. Its address is used only for loads, for stores,
// and by function literals; and these literals are only called or started as tasks, by
// this function or by functions that receive them as arguments. Every other task that
// knows the variable then starts after the literal is made. Each iteration of a loop
// has a new instance of a loop variable.

// Private reports whether the instruction accesses its variable before any other task
// can know the variable.
func (a *Analysis) Private(in ssa.Instruction) bool { return a.private[in] }

// findPrivate collects the private accesses of all functions.
func (a *Analysis) findPrivate() {
	a.private = map[ssa.Instruction]bool{}
	h := &holders{params: map[*ssa.Parameter]bool{}}
	at := Places{}
	for in := range instrs.All(a.prog.funcs) {
		if v, ok := in.(*ssa.Alloc); ok && v.Heap {
			a.privateOf(v, h, at)
		}
	}
}

// privateOf collects the private accesses of variable v.
func (a *Analysis) privateOf(v *ssa.Alloc, h *holders, at Places) {
	made, ok := h.contained(v, map[ssa.Value]bool{})
	if !ok || len(made) == 0 {
		return
	}
	reached := reachedAfter(v, nil, made, at)
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

// reachedAfter returns a predicate: whether a path leads from an instruction of made to
// the argument without passing v, which makes a new variable, or a way between blocks for
// which anew is true. v and anew may be nil.
func reachedAfter(v ssa.Value, anew func(way) bool, made []ssa.Instruction, at Places) func(ssa.Instruction) bool {
	// Of each block a part is reached, or two parts: behind an instruction of made that
	// comes after v, and up to v.
	type span struct{ from, to int32 }
	spans := map[*ssa.BasicBlock][]span{}
	whole := map[*ssa.BasicBlock]bool{}
	var work []*ssa.BasicBlock
	run := func(b *ssa.BasicBlock, from int) {
		for i := from; v != nil && i < len(b.Instrs); i++ {
			if x, ok := b.Instrs[i].(ssa.Value); ok && x == v {
				spans[b] = append(spans[b], span{int32(from), int32(i)})
				return
			}
		}
		spans[b] = append(spans[b], span{int32(from), int32(len(b.Instrs))})
		for _, s := range b.Succs {
			if anew == nil || !anew(way{b, s}) {
				work = append(work, s)
			}
		}
		if r := b.Parent().Recover; r != nil { // a panic may continue there
			work = append(work, r)
		}
	}
	for _, m := range made {
		run(m.Block(), at.Of(m)+1)
	}
	for b := range drain(&work) {
		if !whole[b] {
			whole[b] = true
			run(b, 0)
		}
	}
	return func(in ssa.Instruction) bool {
		list := spans[in.Block()]
		if len(list) == 0 {
			return false
		}
		i := int32(at.Of(in))
		return slices.ContainsFunc(list, func(s span) bool { return s.from <= i && i < s.to })
	}
}

// holders follows addresses and function literals to their uses.
type holders struct {
	params map[*ssa.Parameter]bool // whether the argument is only called or started; assumed true while its uses are visited
	order  []*ssa.Parameter        // parameters for which params is true, in the order of the visits
}

// contained reports whether the uses of address v are only loads, stores, and literals
// that are only called or started. It returns the instructions that make these
// literals.
func (h *holders) contained(v ssa.Value, seen map[ssa.Value]bool) (made []ssa.Instruction, ok bool) {
	if seen[v] {
		return nil, true
	}
	seen[v] = true
	for u := range instrs.Uses(v) {
		switch u := u.(type) {
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

// runs reports whether function value v is only called or started as a task.
func (h *holders) runs(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for u := range instrs.Uses(v) {
		switch u := u.(type) {
		case *ssa.ChangeType:
			if !h.runs(u, seen) {
				return false
			}
		case ssa.CallInstruction:
			if !h.passed(u.Common(), v) {
				return false
			}
		case *ssa.Store: // to a variable that only literals share
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

// passed reports whether the call runs v, or passes it only to functions that run it.
func (h *holders) passed(c *ssa.CallCommon, v ssa.Value) bool {
	f := c.StaticCallee()
	for i, x := range c.Args {
		if x != v {
			continue
		}
		if f == nil || c.IsInvoke() {
			return false
		}
		if len(f.Blocks) == 0 && i == 1 && (is(f, "(*sync.WaitGroup).Go") || is(f, "(*sync.Once).Do")) {
			continue
		}
		if len(f.Blocks) == 0 || i >= len(f.Params) {
			return false
		}
		p := f.Params[i]
		ok, looked := h.params[p]
		if !looked {
			h.params[p] = true
			since := len(h.order)
			h.order = append(h.order, p)
			if ok = h.runs(p, map[ssa.Value]bool{}); !ok {
				// Their results may rest on the assumption about p.
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

// loads reports whether all values loaded from the variable at address v are only
// called or started.
func (h *holders) loads(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	for u := range instrs.Uses(v) {
		switch u := u.(type) {
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

// literals returns the positions that package ssa gives to the stores of elements of
// composite literals.
func (p *Program) literals() map[token.Pos]bool {
	at := maps.Clone(p.kept.literals) // of packages whose syntax is freed
	if at == nil {
		at = map[token.Pos]bool{}
	}
	for _, pkg := range p.Packages {
		if !Instrumented(pkg.PkgPath) {
			continue
		}
		for _, f := range pkg.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				if l, ok := n.(*ast.CompositeLit); ok {
					for _, pos := range literalPositions(l) {
						at[pos] = true
					}
				}
				return true
			})
		}
	}
	return at
}

// fills reports whether the store initializes an element of a composite literal in the
// new memory of the literal. Such a store is no access of the source and has no check.
func (a *Analysis) fills(in *ssa.Store) bool {
	if !a.literal[in.Pos()] || len(a.Sites.Of(in)) > 0 {
		return false
	}
	v, ok := base(in.Addr).(*ssa.Alloc)
	return ok && (v.Comment == "complit" || v.Comment == "slicelit")
}
