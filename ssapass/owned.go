package ssapass

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// New memory is owned by the function that allocates it until the function publishes a
// pointer to it. Until then no other code knows the memory, and accesses of the function are
// owned. If all calls of another function are in sight and pass owned memory in one
// parameter, the callee owns the memory in the same way. So constructors and the functions that
// they call fill new memory without races, although the memory is shared later.
//
// A group is a set of values of one function that point to the same new memory, or to one of
// several pieces of new memory: allocations, results of calls that are new memory by their
// contract, parameters with owned arguments, and slices, appends and phis of these. Each use of
// a member publishes the group, except
//
//   - loads and stores through it, and addresses of its fields and elements that are used in
//     the same way;
//   - comparisons, and builtin functions;
//   - calls whose contract says that the callee neither keeps nor returns the argument. If
//     the callee stores pointers to the memory in it, the memory must not be able to lead to itself: its content
//     would be a second way to it. Other pointers in it lead elsewhere, since nothing has a pointer to it yet.
//
// An access is owned if no path leads from a publication to it, without a point at which the
// group begins anew. That is the way into a block on which no member is live: a member
// that is used behind it is computed behind it, from members that are, and so leads to
// memory made behind it. The pass that removes its check relies on the check of the
// publication, as for first values (package fresh).

// Owned reports whether the memory at the access is not known to any other code yet.
func (a *Analysis) Owned(c Access) bool { return a.owned[ownedAt{c.Instr, c.Addr}] }

type ownedAt struct {
	in   ssa.Instruction
	addr ssa.Value
}

// owners finds the owned accesses.
type owners struct {
	a      *Analysis
	params map[*ssa.Parameter]bool // whose arguments are owned; assumed true until a call shows otherwise
	groups map[*ssa.Function]map[ssa.Value]*group
	places Places
}

type group struct {
	members []ssa.Value
	inner   []ssa.Value // addresses of fields and elements of members
	reached func(ssa.Instruction) bool
	bad     bool // a member may point to other memory
}

// findOwned collects the owned accesses.
func (a *Analysis) findOwned() {
	a.owned = map[ownedAt]bool{}
	a.findContracts()
	o := &owners{a: a, params: map[*ssa.Parameter]bool{}, groups: map[*ssa.Function]map[ssa.Value]*group{}, places: Places{}}
	callers := map[*ssa.Function][]ssa.CallInstruction{}
	for _, f := range a.prog.funcs {
		calls, all := a.Callers(f)
		if !all || len(calls) == 0 || len(f.Blocks) == 0 {
			continue
		}
		for _, c := range calls {
			_, call := c.(*ssa.Call)
			all = all && call && c.Common().StaticCallee() == f && c.Common().Value == ssa.Value(f)
		}
		if !all {
			continue
		}
		callers[f] = calls
		for _, p := range f.Params {
			o.params[p] = ownable(p.Type())
		}
	}
	for again := true; again; {
		again = false
		for _, f := range a.prog.funcs {
			for i, p := range f.Params {
				if !o.params[p] {
					continue
				}
				for _, c := range callers[f] {
					if !o.passes(c.(*ssa.Call), i) {
						o.params[p], again = false, true
						delete(o.groups, f)
						break
					}
				}
			}
		}
	}
	for _, f := range a.prog.funcs {
		for v, g := range o.of(f) {
			if v == g.members[0] { // each group once
				o.mark(g)
			}
		}
		delete(o.groups, f)
	}
}

// ownable reports whether values of type t point to memory of one piece.
func ownable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice:
		return true
	}
	return false
}

// passes reports whether the n-th argument of the call points to owned memory, and no other
// argument does.
func (o *owners) passes(c *ssa.Call, n int) bool {
	groups := o.of(c.Parent())
	g := groups[base(c.Call.Args[n])]
	if g == nil || g.bad || g.reached(c) {
		return false
	}
	for i, v := range c.Call.Args {
		if i != n && groups[base(v)] == g {
			return false
		}
	}
	return true
}

// base returns the value of which v is the address of a field or element.
func base(v ssa.Value) ssa.Value {
	for w := whole(v); w != nil; w = whole(v) {
		v = w
	}
	return v
}

// whole returns the operand of v if v is the address of a field or element, else nil.
func whole(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.FieldAddr:
		return x.X
	case *ssa.IndexAddr:
		return x.X
	}
	return nil
}

// of returns the groups of f by member.
func (o *owners) of(f *ssa.Function) map[ssa.Value]*group {
	m, ok := o.groups[f]
	if ok {
		return m
	}
	m = map[ssa.Value]*group{}
	o.groups[f] = m
	for _, p := range f.Params {
		if o.params[p] {
			o.collect(m, p)
		}
	}
	for in := range instrs.Of(f) {
		if v, ok := in.(ssa.Value); ok && m[v] == nil && o.root(v) {
			o.collect(m, v)
		}
	}
	// A slice that begins as nil and grows by append has no other root.
	for in := range instrs.Of(f) {
		if v, ok := in.(ssa.Value); ok && m[v] == nil && isAppend(v) {
			o.collect(m, v)
		}
	}
	return m
}

// root reports whether v points to new memory that nobody else knows.
func (o *owners) root(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc:
		return v.Heap
	case *ssa.MakeSlice:
		return true
	case *ssa.Parameter:
		return o.params[v]
	case *ssa.Call:
		if f := v.Call.StaticCallee(); f != nil && v.Call.Value == ssa.Value(f) && f.Signature.Results().Len() == 1 {
			f = o.a.prog.bodyOr(f)
			if k := o.a.contractOf(f); k != nil && len(k.Results) == 1 {
				r := k.Results[0]
				return r.Known && r.Fresh && r.From == 0
			}
		}
	}
	return false
}

// connects reports whether v is the value of an operand, or of one of several.
func connects(v ssa.Value) (operands []ssa.Value, ok bool) {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Edges, ownable(v.Type())
	case *ssa.ChangeType:
		return []ssa.Value{v.X}, ownable(v.Type())
	case *ssa.Slice:
		return []ssa.Value{v.X}, ownable(v.Type())
	case *ssa.Call:
		if isAppend(v) {
			return v.Call.Args[:1], true
		}
	}
	return nil, false
}

func isAppend(v ssa.Value) bool {
	c, ok := v.(*ssa.Call)
	return ok && builtin(c) == "append"
}

// collect makes the group of root v.
func (o *owners) collect(m map[ssa.Value]*group, v ssa.Value) {
	g := &group{}
	add := func(x ssa.Value) {
		if c, ok := x.(*ssa.Const); ok && c.IsNil() || m[x] == g {
			return
		}
		if m[x] != nil {
			g.bad, m[x].bad = true, true
			return
		}
		if _, ok := connects(x); !ok && !o.root(x) {
			g.bad = true
			return
		}
		m[x] = g
		g.members = append(g.members, x)
	}
	add(v)
	var made []ssa.Instruction
	for i := 0; i < len(g.members); i++ {
		x := g.members[i]
		if operands, ok := connects(x); ok {
			for _, y := range operands {
				add(y)
			}
		}
		for _, u := range *x.Referrers() {
			if y, ok := u.(ssa.Value); ok {
				if operands, ok := connects(y); ok && (!isAppend(y) || operands[0] == x) {
					add(y)
					continue
				}
			}
			made = o.use(g, x, u, made)
		}
	}
	for i := 0; i < len(g.inner); i++ {
		for _, u := range *g.inner[i].Referrers() {
			made = o.use(g, g.inner[i], u, made)
		}
	}
	if len(made) == 0 {
		g.reached = func(ssa.Instruction) bool { return false }
	} else {
		g.reached = reachedAfter(nil, g.begins(), made, o.places)
	}
}

// A way leads from the end of a block to the entry of a block that follows it.
type way struct{ from, to *ssa.BasicBlock }

// begins returns a predicate on ways: whether the group begins anew there, because no
// member, and no address inside of its memory, is live.
func (g *group) begins() func(way) bool {
	live := &liveness{map[*ssa.BasicBlock]bool{}, map[way]bool{}}
	for _, list := range [][]ssa.Value{g.members, g.inner} {
		for _, x := range list {
			if !live.add(x) {
				return nil
			}
		}
	}
	return func(w way) bool { return !live.in[w.to] && !live.phi[w] }
}

// A liveness tells where some values are live: at the entry of a block, or as operands of
// phis on the way into a block.
type liveness struct {
	in  map[*ssa.BasicBlock]bool
	phi map[way]bool
}

// add adds value x. It returns false if it cannot tell, because x is used where a panic is
// recovered.
func (l *liveness) add(x ssa.Value) bool {
	var def *ssa.BasicBlock
	if in, ok := x.(ssa.Instruction); ok {
		def = in.Block()
	}
	seen := map[*ssa.BasicBlock]bool{}
	var entry func(*ssa.BasicBlock)
	end := func(b *ssa.BasicBlock) {
		if b != def {
			entry(b)
		}
	}
	entry = func(b *ssa.BasicBlock) {
		if !seen[b] {
			seen[b], l.in[b] = true, true
			for _, p := range b.Preds {
				end(p)
			}
		}
	}
	for _, u := range *x.Referrers() {
		b := u.Block()
		if b == b.Parent().Recover {
			return false
		}
		switch u := u.(type) {
		case *ssa.DebugRef:
		case *ssa.Phi:
			for i, y := range u.Edges {
				if y == x {
					l.phi[way{b.Preds[i], b}] = true
					end(b.Preds[i])
				}
			}
		default:
			end(b)
		}
	}
	return true
}

// use adds u to the list of publications if the use of d publishes the group, and notes
// addresses inside of the memory of the group.
func (o *owners) use(g *group, d ssa.Value, u ssa.Instruction, made []ssa.Instruction) []ssa.Instruction {
	switch u := u.(type) {
	case *ssa.DebugRef:
		return made
	case *ssa.UnOp:
		if u.Op == token.MUL {
			return made
		}
	case *ssa.BinOp:
		return made
	case *ssa.Store:
		if u.Val != d {
			return made
		}
	case *ssa.FieldAddr:
		g.inner = append(g.inner, u)
		return made
	case *ssa.IndexAddr:
		if u.X == d {
			g.inner = append(g.inner, u)
			return made
		}
	case *ssa.Call:
		if !o.publishes(u, d) {
			return made
		}
	}
	return append(made, u)
}

// publishes reports whether the call makes its argument d known to other code, or returns
// another pointer to it.
func (o *owners) publishes(c *ssa.Call, d ssa.Value) bool {
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "len", "cap", "copy", "clear":
			return false
		case "append":
			return c.Call.Args[0] == d // the address of an element has no append
		}
		return true
	}
	f := c.Call.StaticCallee()
	if f == nil || c.Call.Value != ssa.Value(f) {
		return true
	}
	f = o.a.prog.bodyOr(f)
	if list, external := o.a.Callees(c); external || len(list) != 1 {
		return true
	}
	k := o.a.contractOf(f)
	if k == nil {
		return true
	}
	for i, v := range c.Call.Args {
		if v != d {
			continue
		}
		if i >= len(k.Params) || k.Params[i]&pointsto.Keeps != 0 || k.Params[i]&pointsto.Links != 0 && !leadsElsewhere(d.Type()) {
			return true
		}
		if k.inner>>i&1 != 0 {
			continue
		}
		for j := range f.Signature.Results().Len() {
			if j >= len(k.Results) && !numbers(f.Signature.Results().At(j).Type()) || j < len(k.Results) && k.Results[j].From>>i&1 != 0 {
				return true
			}
		}
	}
	return false
}

// leadsElsewhere reports whether the memory to which a pointer or slice of type t points
// cannot contain a pointer that leads back to it.
func leadsElsewhere(t types.Type) bool {
	parts := map[types.Type]bool{}
	var part func(t types.Type)
	part = func(t types.Type) {
		t = types.Unalias(t)
		if parts[t] {
			return
		}
		parts[t] = true
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				part(f.Type())
			}
		case *types.Array:
			part(u.Elem())
		}
	}
	part(pointsto.Target(t))
	inside := func(t types.Type) bool {
		for p := range parts {
			if types.Identical(p, t) || types.Identical(p.Underlying(), t.Underlying()) {
				return true
			}
		}
		return false
	}
	seen := map[types.Type]bool{}
	var leads func(t types.Type) bool // a value of type t may lead back
	leads = func(t types.Type) bool {
		t = types.Unalias(t)
		if seen[t] {
			return false
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return u.Kind() == types.UnsafePointer || u.Kind() == types.Uintptr
		case *types.Pointer:
			return inside(u.Elem()) || arrayInside(u.Elem(), inside) || leads(u.Elem())
		case *types.Slice:
			return inside(u.Elem()) || leads(u.Elem())
		case *types.Map:
			return leads(u.Key()) || leads(u.Elem())
		case interface{ Elem() types.Type }: // arrays and channels
			return leads(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if leads(f.Type()) {
					return true
				}
			}
			return false
		}
		return true // interfaces, functions, type parameters
	}
	return !leads(pointsto.Target(t))
}

// arrayInside reports whether a pointer to an array may point to elements of a slice.
func arrayInside(t types.Type, inside func(types.Type) bool) bool {
	u, ok := t.Underlying().(*types.Array)
	return ok && inside(u.Elem())
}

// mark notes the owned accesses through a group.
func (o *owners) mark(g *group) {
	if g.bad {
		return
	}
	note := func(in ssa.Instruction, addr ssa.Value) {
		if !g.reached(in) {
			o.a.owned[ownedAt{in, addr}] = true
		}
	}
	for _, list := range [][]ssa.Value{g.members, g.inner} {
		for _, d := range list {
			for _, u := range *d.Referrers() {
				switch u := u.(type) {
				case *ssa.UnOp:
					note(u, d)
					if x, ok := d.(*ssa.IndexAddr); ok { // the site of a range clause has the slice
						note(u, x.X)
					}
				case *ssa.Store:
					if u.Addr == d {
						note(u, d)
					}
				case *ssa.Call:
					b, ok := u.Call.Value.(*ssa.Builtin)
					if ok && (b.Name() == "copy" || b.Name() == "append" || b.Name() == "clear") || writesElements(u.Call.StaticCallee()) {
						note(u, d)
					}
				case *ssa.Convert:
					note(u, d)
				}
			}
		}
	}
}
