package ssapass

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/site"
	"taskinstr/ssapass/instrs"
)

// A common form of starting tasks is
//
//	wg.Add(n)
//	for i := 0; i < n; i++ { go ... }
//
// where Add is outside the loop and announces as many tasks as the loop can start. Each
// execution of the go statement then has its own unit of the counter, as it has with an
// Add(1) before it.

// announced returns the go statements of f that are in such loops, and their calls of
// Add. Each call announces the tasks of one statement.
func announced(f *ssa.Function) (gos map[*ssa.Go]bool, adds map[*ssa.Call]bool) {
	var loops [][]*ssa.BasicBlock // headers of the loops around each block
	for in := range instrs.Of(f) {
		g, ok := in.(*ssa.Go)
		if !ok || len(f.Blocks) == 1 {
			continue
		}
		if loops == nil {
			if loops = loopHeaders(f); loops == nil {
				return nil, nil
			}
			gos, adds = map[*ssa.Go]bool{}, map[*ssa.Call]bool{}
		}
		if a := announcement(f, g, loops, adds); a != nil {
			gos[g], adds[a] = true, true
		}
	}
	return gos, adds
}

// announcement returns the call of Add that announces the tasks of g, or nil.
func announcement(f *ssa.Function, g *ssa.Go, loops [][]*ssa.BasicBlock, used map[*ssa.Call]bool) *ssa.Call {
	around := loops[g.Block().Index]
	target := g.Call.StaticCallee()
	if len(around) == 0 || target == nil {
		return nil
	}
	// The other headers dominate the header of the innermost loop.
	h := around[0]
	for _, x := range around {
		if h.Dominates(x) {
			h = x
		}
	}
	n := tripCount(h, g.Block(), loops)
	if n == nil {
		return nil
	}
	for _, b := range f.Blocks {
		if b == h || !b.Dominates(h) || !sameLoops(loops[b.Index], loops[h.Index], h) {
			continue
		}
		for _, in := range b.Instrs {
			a, ok := in.(*ssa.Call)
			if !ok || used[a] {
				continue
			}
			c := a.Call.StaticCallee()
			if c == nil || !is(c, "(*sync.WaitGroup).Add") || !sameCount(a.Call.Args[1], n) {
				continue
			}
			if w, ok := a.Call.Args[0].(*ssa.Alloc); ok && finishes(target, boundTo(&g.Call, target, w)) {
				return a
			}
		}
	}
	return nil
}

// sameLoops reports whether a has the loops of b except the one with header h.
func sameLoops(a, b []*ssa.BasicBlock, h *ssa.BasicBlock) bool {
	return len(a)+1 == len(b) && !slices.ContainsFunc(b, func(x *ssa.BasicBlock) bool { return x != h && !slices.Contains(a, x) })
}

// tripCount returns a value n for the loop with header h: between two entries the loop
// executes block g at most n times, and not at all if n is not positive. It returns nil
// unless the loop counts by one from zero.
func tripCount(h, g *ssa.BasicBlock, loops [][]*ssa.BasicBlock) ssa.Value {
	inside := func(b *ssa.BasicBlock) bool { return slices.Contains(loops[b.Index], h) }
	for _, in := range h.Instrs {
		i, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if site.IsPointer(i.Type()) {
			if n := cellCount(h, i, g, inside); n != nil {
				return n
			}
			continue
		}
		var step *ssa.BinOp
		first, counts := int64(0), true
		for k, e := range i.Edges {
			if inside(h.Preds[k]) {
				b, ok := e.(*ssa.BinOp)
				if !ok || b.Op != token.ADD || b.X != i || !isConst(b.Y, 1) || step != nil && step != b {
					counts = false
					break
				}
				step = b
				continue
			}
			switch {
			case isConst(e, 0):
			case isConst(e, -1):
				first = -1
			default:
				counts = false
			}
		}
		if !counts || step == nil {
			continue
		}
		if n := bound(h, i, step, first, g, inside); n != nil {
			return n
		}
	}
	return nil
}

// bound returns the n of the loop's test i < n.
func bound(h *ssa.BasicBlock, i *ssa.Phi, step *ssa.BinOp, first int64, g *ssa.BasicBlock, inside func(*ssa.BasicBlock) bool) ssa.Value {
	less := func(b *ssa.BasicBlock, x ssa.Value) ssa.Value {
		t, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			return nil
		}
		c, ok := t.Cond.(*ssa.BinOp)
		if !ok || c.Op != token.LSS || c.X != x {
			return nil
		}
		return c.Y
	}
	// The test is in the header, before g: i < n with i from 0, or i+1 < n with i from
	// -1.
	tested := ssa.Value(i)
	if first == -1 {
		tested = step
	}
	if n := less(h, tested); n != nil {
		if g != h && inside(h.Succs[0]) && !inside(h.Succs[1]) && (h.Succs[0] == g || h.Succs[0].Dominates(g)) && len(h.Succs[0].Preds) == 1 {
			return n
		}
		if first == -1 || h.Succs[0] != h {
			return nil
		}
	}
	// Otherwise each back edge tests i+1 < n, and the entry tests 0 < n.
	if first != 0 {
		return nil
	}
	var n ssa.Value
	for k, p := range h.Preds {
		if len(p.Succs) != 2 || p.Succs[0] != h {
			return nil
		}
		var m ssa.Value
		if inside(p) {
			m = less(p, i.Edges[k])
		} else if t, ok := p.Instrs[len(p.Instrs)-1].(*ssa.If); ok {
			if c, ok := t.Cond.(*ssa.BinOp); ok && c.Op == token.LSS && isConst(c.X, 0) {
				m = c.Y
			}
		}
		if m == nil || n != nil && !sameCount(m, n) {
			return nil
		}
		n = m
	}
	return n
}

// cellCount is tripCount for a loop variable that is in memory because closures capture
// it. Each iteration has a fresh cell, whose value is the value of the previous cell
// plus one, and no other instruction writes it.
func cellCount(h *ssa.BasicBlock, i *ssa.Phi, g *ssa.BasicBlock, inside func(*ssa.BasicBlock) bool) ssa.Value {
	first, next := cells(h, i, inside)
	if first == nil || next == nil {
		return nil
	}
	zero, up := stores(first, i), stores(next, i)
	if len(zero) != 1 || !isConst(zero[0].Val, 0) || len(up) != 2 || up[0].Block() != up[1].Block() || !isLoadOf(up[0].Val, i) {
		return nil
	}
	add, ok := up[1].Val.(*ssa.BinOp)
	if !ok || add.Op != token.ADD || !isLoadOf(add.X, next) || !isConst(add.Y, 1) || !before(up[0], add.X.(*ssa.UnOp)) || !before(up[0], up[1]) {
		return nil
	}
	if !isKept(i) {
		return nil
	}
	t, ok := h.Instrs[len(h.Instrs)-1].(*ssa.If)
	if !ok {
		return nil
	}
	c, ok := t.Cond.(*ssa.BinOp)
	if !ok || c.Op != token.LSS || !isLoadOf(c.X, i) || c.X.(*ssa.UnOp).Block() != h {
		return nil
	}
	if b := h.Succs[0]; g != h && inside(b) && !inside(h.Succs[1]) && len(b.Preds) == 1 && b.Dominates(g) {
		return c.Y
	}
	return nil
}

// cells returns the cell of the first iteration and the cell of each next one, nil if there are several.
func cells(h *ssa.BasicBlock, i *ssa.Phi, inside func(*ssa.BasicBlock) bool) (first, next *ssa.Alloc) {
	var outer, inner ssa.Value
	for k, e := range i.Edges {
		to := &outer
		if inside(h.Preds[k]) {
			to = &inner
		}
		if *to != nil && *to != e {
			return nil, nil
		}
		*to = e
	}
	first, _ = outer.(*ssa.Alloc)
	next, _ = inner.(*ssa.Alloc)
	return first, next
}

// stores returns the stores to cell c, or nil if a use other than a load, a store
// or phi i refers to the cell.
func stores(c *ssa.Alloc, i *ssa.Phi) (list []*ssa.Store) {
	for u := range instrs.Uses(c) {
		switch u := u.(type) {
		case *ssa.Phi:
			if u != i {
				return nil
			}
		case *ssa.UnOp:
		case *ssa.Store:
			if u.Addr != c || u.Val == c {
				return nil
			}
			list = append(list, u)
		default:
			return nil
		}
	}
	return list
}

// isLoadOf reports whether v is loaded from addr.
func isLoadOf(v, addr ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	return ok && u.Op == token.MUL && u.X == addr
}

// isKept reports whether nothing writes the cell of an iteration by its name: all uses of the cell are
// loads, and closures that only read it.
func isKept(cell *ssa.Phi) bool {
	for u := range instrs.Uses(cell) {
		switch u := u.(type) {
		case *ssa.UnOp:
		case *ssa.MakeClosure:
			for k, b := range u.Bindings {
				if b == cell && !onlyRead(u.Fn.(*ssa.Function).FreeVars[k]) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// before reports whether a precedes b in the same block.
func before(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return false
	}
	list := a.Block().Instrs
	return slices.Index(list, a) < slices.Index(list, b)
}

// onlyRead reports whether all uses of address v are loads.
func onlyRead(v ssa.Value) bool {
	for u := range instrs.Uses(v) {
		if _, load := u.(*ssa.UnOp); !load {
			return false
		}
	}
	return true
}

func isConst(v ssa.Value, n int64) bool {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return false
	}
	x, exact := constant.Int64Val(c.Value)
	return exact && x == n
}

// sameCount reports whether a and b are the same number: the same value, equal
// constants, or lengths of the same slice.
func sameCount(a, b ssa.Value) bool {
	if sameValue(a, b) {
		return true
	}
	if c, ok := b.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Int {
		n, exact := constant.Int64Val(c.Value)
		return exact && isConst(a, n)
	}
	x, ok1 := a.(*ssa.Call)
	y, ok2 := b.(*ssa.Call)
	if !ok1 || !ok2 {
		return false
	}
	return builtin(x) == "len" && builtin(y) == "len" && sameValue(x.Call.Args[0], y.Call.Args[0]) && isSlice(x.Call.Args[0].Type())
}

// sameValue reports whether a and b are the same value, or loads of a captured variable
// that has one assignment.
func sameValue(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, ok1 := a.(*ssa.UnOp)
	y, ok2 := b.(*ssa.UnOp)
	if !ok1 || !ok2 || x.Op != token.MUL || y.Op != token.MUL || x.X != y.X {
		return false
	}
	c, ok := x.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	var once *ssa.Store
	for u := range instrs.Uses(c) {
		switch u := u.(type) {
		case *ssa.UnOp:
		case *ssa.Store:
			if u.Addr != c || once != nil {
				return false
			}
			once = u
		case *ssa.MakeClosure:
			for k, v := range u.Bindings {
				if v == c && !onlyRead(u.Fn.(*ssa.Function).FreeVars[k]) {
					return false
				}
			}
		default:
			return false
		}
	}
	// Both loads read the same instance of the variable.
	return once != nil && once.Block() == c.Block() && c.Block().Dominates(x.Block()) && c.Block().Dominates(y.Block())
}

// loopHeaders returns the headers of the natural loops around each block, or nil if
// some cycle has more than one entry.
func loopHeaders(f *ssa.Function) [][]*ssa.BasicBlock {
	out := make([][]*ssa.BasicBlock, len(f.Blocks))
	// The target of a back edge dominates its source. A cycle without back edges has
	// more than one entry.
	const white, grey, black = 0, 1, 2
	color := make([]int, len(f.Blocks))
	back := map[*ssa.BasicBlock][]*ssa.BasicBlock{}
	reducible := true
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		color[b.Index] = grey
		for _, s := range b.Succs {
			switch {
			case s.Dominates(b):
				back[s] = append(back[s], b)
			case color[s.Index] == grey:
				reducible = false
			case color[s.Index] == white:
				visit(s)
			}
		}
		color[b.Index] = black
	}
	visit(f.Blocks[0])
	if !reducible {
		return nil
	}
	for h, ends := range back {
		in := map[*ssa.BasicBlock]bool{h: true}
		work := append([]*ssa.BasicBlock(nil), ends...)
		for b := range drain(&work) {
			if in[b] {
				continue
			}
			in[b] = true
			work = append(work, b.Preds...)
		}
		for b := range in {
			out[b.Index] = append(out[b.Index], h)
		}
	}
	return out
}
