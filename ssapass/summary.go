package ssapass

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
	"taskinstr/ssapass/scc"
)

// A Summary has the effects of a call of a function, including its callees but not the
// tasks it starts.
type Summary struct {
	Sync
	NeverReturns bool // each call panics, exits, blocks forever or loops forever
	Reads        Effect
	Writes       Effect
}

// An Effect is the memory that code reads or writes.
type Effect struct {
	Cells *pointsto.CellSet
	// Unknown: includes all memory that escaped.
	Unknown bool
	// Everything: the set exceeds effectLimit and has become all memory.
	Everything bool
}

// effectLimit is the largest number of cells in an Effect.
const effectLimit = 4096

// May reports whether the effect may include a value at an address of p.
func (e *Effect) May(r *pointsto.Result, p pointsto.Set) bool {
	if e.Everything || e.Unknown && p.Unknown || len(p.Cells) == 0 && !p.Unknown {
		return true // a set without cells is no knowledge
	}
	return e.Unknown && r.AnyEscaped(p) || p.Unknown && e.escaped(r) || e.Cells.Meets(p)
}

// escaped reports whether one of the cells has escaped.
func (e *Effect) escaped(r *pointsto.Result) (found bool) {
	e.Cells.Each(func(c uint32) { found = found || r.EscapedCell(c) })
	return found
}

func (e *Effect) add(s pointsto.Set) {
	e.Unknown = e.Unknown || s.Unknown
	if !e.Everything {
		e.Cells.AddSet(s)
		e.limit()
	}
}

func (e *Effect) union(f *Effect) {
	e.Unknown = e.Unknown || f.Unknown
	e.Everything = e.Everything || f.Everything
	if !e.Everything {
		e.Cells.Union(f.Cells)
	}
	e.limit()
}

func (e *Effect) limit() {
	if e.Everything || e.Cells.Len() > effectLimit {
		e.Everything, e.Cells = true, new(pointsto.CellSet)
	}
}

// Callees returns the functions that the call may run, and whether external code may be
// among them.
func (a *Analysis) Callees(c ssa.CallInstruction) (list []*ssa.Function, external bool) {
	cc := c.Common()
	if _, ok := cc.Value.(*ssa.Builtin); ok {
		return nil, false
	}
	if f := cc.StaticCallee(); f != nil {
		f = a.prog.bodyOr(f)
		if g := onceArg(cc); g != nil {
			g = a.prog.bodyOr(g)
			return []*ssa.Function{f, g}, false
		}
		return []*ssa.Function{f}, false
	}
	if a.onceKnown && is(c.Parent(), "(*sync.Once).doSlow") {
		return nil, false // counts at the calls of Do
	}
	if list, ok := a.fieldCallees(cc); ok {
		return list, false
	}
	list = a.prog.Callees(c)
	if !a.Points.UnknownCalls[c] {
		return list, false
	}
	if pkg := packageOf(c.Parent()); pkg != nil && pkg.Path() == "internal/sync" && !cc.IsInvoke() {
		return list, false // hash and equality functions of the runtime
	}
	extra := a.prog.Unknown(cc)
	if a.prog.unit != nil {
		return append(slices.Clip(list), extra...), true
	}
	if len(extra) == 0 {
		// A method that no type in any interface has is never called. The operand in
		// callReflect is the argument of MakeFunc, which is used as a value. Any other
		// function may belong to the runtime.
		return list, !cc.IsInvoke() && !is(c.Parent(), "reflect.callReflect")
	}
	k := a.prog.candidates(cc)
	if !cc.IsInvoke() && !a.Points.Gaps[c] {
		k = a.escapedOnly(k)
	}
	if k.includes(list) {
		return k.list, false
	}
	seen := make(map[*ssa.Function]bool, len(list))
	for _, f := range list {
		seen[f] = true
	}
	all := slices.Clone(list)
	for _, f := range k.list {
		if !seen[f] {
			all = append(all, f)
		}
	}
	return all, false
}

// known returns the functions that the call may run, without those that external code runs for it.
func (a *Analysis) known(c ssa.CallInstruction) []*ssa.Function {
	list, _ := a.Callees(c)
	return list
}

// escapedOnly returns the candidates that have escaped to external code: other functions
// cannot come from there.
func (a *Analysis) escapedOnly(k *candidates) *candidates {
	e := a.escapedOf[k]
	if e == nil {
		e = new(candidates)
		for _, f := range k.list {
			if a.Points.EscapedFuncs[f] {
				e.list = append(e.list, f)
			}
		}
		if a.escapedOf == nil {
			a.escapedOf = map[*candidates]*candidates{}
		}
		a.escapedOf[k] = e
	}
	return e
}

// onceArg returns the function that a call of Once.Do runs, or nil if it is unknown.
func onceArg(c *ssa.CallCommon) *ssa.Function {
	if f := c.StaticCallee(); f == nil || !is(f, "(*sync.Once).Do") || len(c.Args) != 2 {
		return nil
	}
	return closureOf(c.Args[1])
}

// findOnce sets onceKnown if the function of every call of Once.Do is known. Otherwise
// each call may run the functions of all calls.
func (a *Analysis) findOnce() {
	a.onceKnown = true
	for _, f := range a.prog.taken {
		if n := f.Name(); n == "Do$bound" || n == "Do$thunk" || is(f, "(*sync.Once).Do") {
			a.onceKnown = false
		}
	}
	for in := range instrs.All(a.prog.funcs) {
		c, ok := in.(ssa.CallInstruction)
		if !ok {
			continue
		}
		if g := c.Common().StaticCallee(); g != nil && is(g, "(*sync.Once).Do") && onceArg(c.Common()) == nil {
			a.onceKnown = false
		}
	}
}

// summarize computes the summaries of all functions, callees first.
func (a *Analysis) summarize() {
	a.summaries = make(map[*ssa.Function]*Summary, len(a.prog.funcs))
	a.findOnce()
	a.order = a.components(false)
	for _, scc := range a.order {
		pace.Step()
		s := &Summary{Reads: Effect{Cells: new(pointsto.CellSet)}, Writes: Effect{Cells: new(pointsto.CellSet)}}
		for _, f := range scc {
			a.summaries[f] = s
		}
		for _, f := range scc {
			a.own(f, s)
		}
		for _, f := range scc {
			mine := s
			if len(scc) > 1 { // a component shares effects, but not NeverReturns
				c := *s
				mine = &c
			}
			mine.NeverReturns = a.neverReturns(f)
			a.summaries[f] = mine
		}
	}
}

// Summary returns the effects of a call of f.
func (a *Analysis) Summary(f *ssa.Function) *Summary {
	if s := a.summaries[f]; s != nil {
		return s
	}
	u := a.bodyless(f)
	if f.Blocks != nil {
		u = externalEffect{anything, true} // not a function of the program
	}
	none := Effect{Cells: new(pointsto.CellSet), Unknown: u.memory}
	s := &Summary{Sync: u.sync, Reads: none, Writes: none}
	a.reenter(s, u.sync)
	x, _ := a.prog.fact(f)
	s.NeverReturns = is(f, "runtime.Goexit") || is(f, "syscall.Exit") || x.NeverReturns
	return s
}

// CallSync returns the Sync of the call.
func (a *Analysis) CallSync(c ssa.CallInstruction) Sync {
	list, external := a.Callees(c)
	var s Sync
	if external {
		s = anything
	}
	for _, f := range list {
		s |= a.Summary(f).Sync
	}
	return s | builtinSync(c.Common())
}

func builtinSync(c *ssa.CallCommon) Sync {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "close":
			return release
		case "recover":
			return MayRecover
		case "append", "copy", "len", "cap", "min", "max", "real", "imag", "complex", "ssa:deferstack":
			return 0
		}
		return MayPanic
	}
	return 0
}

// InstrSync returns the Sync of one instruction, including its callees.
func (a *Analysis) InstrSync(in ssa.Instruction) Sync {
	switch in := in.(type) {
	case *ssa.Go:
		if !a.spawns(in) {
			return both | a.CallSync(in)
		}
		return MayRelease | MaySpawn | MayPanic
	case *ssa.Defer:
		return MayPanic // the call happens at RunDefers
	case *ssa.Send:
		return both
	case *ssa.Select:
		return both
	case *ssa.Panic:
		return MayPanic
	case *ssa.RunDefers, *ssa.Return:
		var s Sync
		for _, d := range a.deferredAt(in) {
			s |= a.CallSync(d)
		}
		return s
	case *ssa.UnOp:
		switch in.Op {
		case token.ARROW:
			return both // a receive may unblock a sender
		case token.MUL:
			return MayPanic
		}
	case *ssa.Store, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Index, *ssa.Slice, *ssa.MapUpdate, *ssa.MakeSlice, *ssa.MakeChan, *ssa.SliceToArrayPointer:
		return MayPanic
	case *ssa.TypeAssert:
		if !in.CommaOk {
			return MayPanic
		}
	case *ssa.BinOp:
		switch in.Op {
		case token.QUO, token.REM, token.SHL, token.SHR, token.EQL, token.NEQ:
			return MayPanic
		}
	case *ssa.Lookup:
		return MayPanic
	case *ssa.Call:
		return a.CallSync(in)
	}
	return 0
}

// defers returns the deferred calls of f. A call that the body of a loop over a
// function defers counts for the body and for the function around it.
func (a *Analysis) defers(f *ssa.Function) (list []*ssa.Defer) {
	for in := range instrs.Of(f) {
		if d, ok := in.(*ssa.Defer); ok {
			list = append(list, d)
		}
	}
	for _, g := range f.AnonFuncs {
		if isYield(g) {
			list = append(list, a.defers(g)...)
		}
	}
	return list
}

// deferredAt returns the deferred calls that run at an instruction. Package ssa omits
// RunDefers in a function in which only the bodies of loops over functions defer calls;
// there the return runs them.
func (a *Analysis) deferredAt(in ssa.Instruction) []*ssa.Defer {
	f := in.Parent()
	switch in.(type) {
	case *ssa.RunDefers:
		return a.defers(f)
	case *ssa.Return:
		if isYield(f) || !slices.ContainsFunc(f.AnonFuncs, isYield) {
			return nil
		}
		if list := a.defers(f); !slices.ContainsFunc(list, func(d *ssa.Defer) bool { return d.Parent() == f }) {
			return list
		}
	}
	return nil
}

// isYield reports whether f is the body of a loop over a function.
func isYield(f *ssa.Function) bool { return f.Synthetic == "range-over-func yield" }

// own adds the effects of f to the summary of its component.
func (a *Analysis) own(f *ssa.Function, s *Summary) {
	if f.Blocks == nil {
		if b := a.prog.Body(f); b != nil {
			a.merge(s, b)
			return
		}
		u := a.bodyless(f)
		s.Sync |= u.sync
		s.Reads.Unknown = s.Reads.Unknown || u.memory
		s.Writes.Unknown = s.Writes.Unknown || u.memory
		a.reenter(s, u.sync)
		return
	}
	table, inTable := syncOf(f)
	s.Sync |= table
	for in := range instrs.Of(f) {
		a.memory(in, func(p pointsto.Set, write bool) {
			if write {
				s.Writes.add(p)
			} else {
				s.Reads.add(p)
			}
		})
		c, call := in.(ssa.CallInstruction)
		if a.spawns(in) {
			call = false // the call runs in the new task
		}
		if call {
			list, out := a.Callees(c)
			if out {
				s.Sync |= anything
				s.Reads.Unknown, s.Writes.Unknown = true, true
				a.reenter(s, anything)
			}
			for _, g := range list {
				was := s.Sync
				a.merge(s, g)
				if inTable && ofSync(g) {
					s.Sync = was
				}
				if startsNoTask(c) {
					s.Sync &^= MaySpawn &^ was
				}
			}
			s.Sync |= builtinSync(c.Common())
			continue
		}
		if !inTable {
			s.Sync |= a.InstrSync(in)
		}
	}
}

// reenter adds the effects of the entries of the unit to the summary of external code with
// the effects x: such code may call any entry, and the unit's own variables are not among
// the objects that escaped.
func (a *Analysis) reenter(s *Summary, x Sync) {
	if a.prog.unit != nil && x&CallsUnseen != 0 {
		s.Reads.Everything, s.Writes.Everything = true, true
	}
}

// ofSync reports whether f belongs to the packages that syncTable describes.
func ofSync(f *ssa.Function) bool {
	p := packageOf(f)
	if p == nil {
		return false
	}
	switch p.Path() {
	case "sync", "internal/sync", "sync/atomic", "internal/race", "internal/synctest", "runtime":
		return true
	}
	return false
}

func (a *Analysis) merge(s *Summary, g *ssa.Function) {
	t := a.Summary(g)
	if s == t {
		return
	}
	s.Sync |= t.Sync
	s.Reads.union(&t.Reads)
	s.Writes.union(&t.Writes)
}

// neverReturns reports whether no path through f returns.
func (a *Analysis) neverReturns(f *ssa.Function) bool {
	if len(f.Blocks) == 0 {
		x, _ := a.prog.fact(f)
		return is(f, "runtime.Goexit") || is(f, "syscall.Exit") || x.NeverReturns
	}
	if f.Recover != nil {
		return false
	}
	seen := make([]bool, len(f.Blocks))
	work := []*ssa.BasicBlock{f.Blocks[0]}
	seen[0] = true
	for b := range drain(&work) {
		ends := false
		for _, in := range b.Instrs {
			switch in := in.(type) {
			case *ssa.Return:
				return false
			case *ssa.Call:
				if g := in.Call.StaticCallee(); g != nil && a.Summary(g).NeverReturns {
					ends = true
				}
			}
			if ends {
				break
			}
		}
		if ends {
			continue
		}
		for _, n := range b.Succs {
			if !seen[n.Index] {
				seen[n.Index] = true
				work = append(work, n)
			}
		}
	}
	return true
}

// components returns the strongly connected components of the call graph, callees
// before callers. If tasks is set, a go statement counts as a call.
func (a *Analysis) components(tasks bool) (out [][]*ssa.Function) {
	funcs := a.prog.funcs
	callees := make([][]int32, len(funcs))
	id := make(map[*ssa.Function]int32, len(funcs))
	for i, f := range funcs {
		id[f] = int32(i)
	}
	for i, f := range funcs {
		if b := a.prog.Body(f); b != nil {
			callees[i] = append(callees[i], id[b])
		}
		for in := range instrs.Of(f) {
			c, ok := in.(ssa.CallInstruction)
			if !ok || !tasks && a.spawns(in) {
				continue
			}
			list := a.known(c)
			if tasks && startsByGo(c.Common()) {
				if g := closureOf(c.Common().Args[1]); g != nil {
					list = append(slices.Clip(list), g)
				}
			}
			for _, g := range list {
				if j, ok := id[g]; ok {
					callees[i] = append(callees[i], j)
				}
			}
		}
	}
	scc.Visit(len(funcs), func(i int32) []int32 { return callees[i] }, func(list []int32) {
		members := make([]*ssa.Function, len(list))
		for k, i := range list {
			members[k] = funcs[i]
		}
		out = append(out, members)
	})
	return out
}
