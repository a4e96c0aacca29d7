package ssapass

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// An invocation is a call of an entry of a unit by external code, with everything that runs
// because of it: the functions that it calls and the tasks that these start. Other packages
// may start any number of invocations in parallel. Yet memory that neither a package-level
// variable nor external code leads to is known to the invocation alone that allocated it; it
// is confined. What a call does with confined memory so depends on the tasks of its own
// invocation, as if the entry were the main function of a program without other tasks, and
// the live tasks and the parallel regions of the whole program (livetasks.go, region.go) are
// found for each entry in the same way.
//
// External code can call back: an entry without free variables, as another invocation, which
// knows nothing of the confined memory; or a closure that it was given, at any time and in any
// task. Memory that such a closure accesses counts as accessed at any time. A function
// that is only an argument of WaitGroup.Go is a task of the invocation instead.
//
// A main package is not imported, so that its variables belong to its one invocation, too:
// the initializers and main. For these it is analysed a second time, with all other entries
// as functions that run at any time.

// An invocation is what a unit's entries do with memory that they do not share.
type invocation struct {
	*Analysis
	confined []bool   // the objects, by Object.ID, that are confined to it
	touched  writeSet // memory that functions may access that run at any time
}

// findInvocations computes the invocations of a unit that starts tasks.
func (a *Analysis) findInvocations() {
	if a.prog.unit == nil {
		return
	}
	starters := a.findStarters()
	if len(starters) == 0 {
		return
	}
	started := a.findOnlyStarted()
	initial := map[*ssa.Function]bool{}
	for _, f := range a.roots() {
		initial[f] = true
	}
	escaped := 0
	for _, f := range a.prog.funcs {
		if a.Points.EscapedFuncs[f] {
			escaped++
		}
	}
	if escaped != len(a.Points.EscapedFuncs) {
		return // external code may call functions that the analysis has not seen
	}
	var entries, anytime, others []*ssa.Function
	for _, f := range a.prog.funcs {
		switch {
		case initial[f] || a.isMain(f):
			entries = append(entries, f)
		case !a.Points.EscapedFuncs[f] || started[f]:
		case len(f.FreeVars) == 0:
			others = append(others, f)
		default:
			anytime = append(anytime, f)
		}
	}
	if a.prog.unit.Main {
		a.addInvocation(starters, true, entries, slices.Concat(anytime, others))
	}
	a.addInvocation(starters, false, append(entries, others...), anytime)
}

// inInvocation reports whether a is the analysis of the tasks within invocations.
func (a *Analysis) inInvocation() bool { return a.starters != nil }

// isMain reports whether f is the function main of a main package.
func (a *Analysis) isMain(f *ssa.Function) bool {
	pkg := packageOf(f)
	return f.Name() == "main" && f.Parent() == nil && f.Signature.Recv() == nil && pkg != nil && pkg.Name() == "main" && a.prog.unit.has(pkg)
}

// addInvocation analyses the invocations that begin with the entries, beside functions that run at
// any time. If single is set there is one invocation, which runs all entries one after the other
// and has the package-level variables.
func (a *Analysis) addInvocation(starters map[*ssa.Function]bool, single bool, entries, anytime []*ssa.Function) {
	w := &Analysis{
		prog: a.prog, Sites: a.Sites, Points: a.Points,
		summaries: a.summaries, order: a.order, onceKnown: a.onceKnown, testCalls: a.testCalls,
		contracts: a.contracts, owned: a.owned, fieldFuncs: a.fieldFuncs,
	}
	w.shared, w.private, w.literal, w.starters = a.shared, a.private, a.literal, starters
	w.inMain, w.inTask = map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	for _, f := range entries {
		w.addReachable(f, w.inMain)
	}
	w.callbacks = anytime
	for _, f := range anytime {
		w.addReachable(f, w.inTask)
	}
	for in := range instrs.All(a.prog.funcs) {
		switch in := in.(type) {
		case *ssa.Go:
			for _, t := range a.known(in) {
				w.addReachable(t, w.inTask)
			}
		case *ssa.Call:
			if !startsByGo(&in.Call) {
				continue
			}
			if t := closureOf(in.Call.Args[1]); t != nil {
				w.addReachable(t, w.inTask)
			}
		}
	}
	w.findLiveTasks()
	w.findWritten()
	pace.Step()
	r := w.newRegions()
	for _, f := range anytime {
		r.runsAnytime(f)
	}
	outer := newRegion()
	for _, f := range entries {
		if !single {
			outer = newRegion()
		} else if !a.isMain(f) && w.leavesTasks(f) {
			return
		}
		r.enter(outer, frame{funcValue: r.value(f, nil)})
	}
	r.finish()
	act := invocation{Analysis: w, confined: a.findConfined(single)}
	for f := range r.anytime {
		for in := range instrs.Of(f) {
			w.memory(in, func(s pointsto.Set, _ bool) {
				act.touched.unknown = act.touched.unknown || s.Unknown
				act.touched.cells.AddSet(s)
			})
		}
	}
	a.invocations = append(a.invocations, act)
}

// findStarters returns the functions that may start a task, by themselves or by a call.
func (a *Analysis) findStarters() map[*ssa.Function]bool {
	starters := map[*ssa.Function]bool{}
	own := func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Go:
			return true
		case ssa.CallInstruction:
			return startsByGo(in.Common())
		}
		return false
	}
	for _, f := range a.prog.funcs {
		for _, b := range f.Blocks {
			if slices.ContainsFunc(b.Instrs, own) {
				starters[f] = true
			}
		}
	}
	if len(starters) == 0 {
		return starters
	}
	starts := func(f *ssa.Function) bool {
		for in := range instrs.Of(f) {
			c, ok := in.(ssa.CallInstruction)
			if !ok {
				continue
			}
			for _, g := range a.known(c) {
				if starters[g] || is(g, "(*sync.WaitGroup).Go") {
					return true
				}
			}
		}
		return false
	}
	for again := true; again; {
		again = false
		for _, scc := range a.order { // callees first
			for _, f := range scc {
				if !starters[f] && starts(f) {
					starters[f], again = true, true
				}
			}
		}
	}
	return starters
}

// startsByGo reports whether c calls WaitGroup.Go.
func startsByGo(c *ssa.CallCommon) bool {
	f := c.StaticCallee()
	return f != nil && is(f, "(*sync.WaitGroup).Go") && len(c.Args) == 2
}

// findOnlyStarted returns the functions that the unit uses, apart from calls and go
// statements, as the argument of WaitGroup.Go alone.
func (a *Analysis) findOnlyStarted() map[*ssa.Function]bool {
	started, other := map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	use := func(f *ssa.Function, v ssa.Value, in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.DebugRef:
			return
		case *ssa.MakeClosure:
			if in.Fn == v {
				return // its own uses count
			}
		case ssa.CallInstruction:
			c := in.Common()
			if _, ok := in.(*ssa.Call); ok && startsByGo(c) && c.Args[1] == v && c.Args[0] != v {
				started[f] = true
				return
			}
			if c.Value == v && !slices.Contains(c.Args, v) {
				return
			}
		}
		other[f] = true
	}
	var buf [10]*ssa.Value
	for in := range instrs.All(a.prog.funcs) {
		for _, o := range in.Operands(buf[:0]) {
			if g := closureOf(*o); g != nil {
				use(g, *o, in)
			}
		}
	}
	for f := range started {
		if other[f] || a.prog.isEntry[f] || len(f.TypeArgs()) > 0 && f.Parent() == nil {
			delete(started, f)
		}
	}
	return started
}

// findConfined returns the objects, by Object.ID, to which nothing leads that other
// invocations know: neither external code nor, unless globals is set, a package-level variable.
func (a *Analysis) findConfined(globals bool) []bool {
	r := a.Points
	open := make([]bool, len(r.Objects))
	for i := range r.Objects {
		// External code cannot look into a closure that it knows.
		o := &r.Objects[i]
		open[i] = o.Kind == pointsto.Global && !globals || o.Opened && o.Kind != pointsto.Func
	}
	a.spread(open, func(*pointsto.Object) bool { return false })
	confined := open
	for i := range confined {
		confined[i] = !open[i]
	}
	return confined
}

// has reports whether memory at an address of s is confined to one invocation, and only code
// accesses it whose place in the invocation is known.
func (x *invocation) has(s pointsto.Set) bool {
	if s.Unknown || len(s.Cells) == 0 {
		return false
	}
	if slices.ContainsFunc(s.Cells, func(c uint32) bool { return !x.confined[x.Points.Object(c).ID] }) {
		return false
	}
	return !x.touched.may(x.Points, s)
}

// HasInvocations reports whether AloneWithin is ever true.
func (a *Analysis) HasInvocations() bool { return len(a.invocations) > 0 }

// AloneWithin reports whether memory at an address of s is confined to an invocation that has
// no other task when the instruction runs. So no access there can race.
func (a *Analysis) AloneWithin(in ssa.Instruction, s pointsto.Set) bool {
	return slices.ContainsFunc(a.invocations, func(x invocation) bool { return x.has(s) && !x.Parallel(in) })
}

// orderedWithin reports whether memory at an address of s is confined to an invocation in
// which no access may write it beside the instruction.
func (a *Analysis) orderedWithin(in ssa.Instruction, s pointsto.Set) bool {
	return slices.ContainsFunc(a.invocations, func(x invocation) bool {
		return x.has(s) && !(x.Parallel(in) && x.WrittenBeside(in, s))
	})
}

// InUnit reports whether the analysis is of one package by itself, so that other tasks may be
// live at any time.
func (a *Analysis) InUnit() bool { return a.prog.unit != nil }
