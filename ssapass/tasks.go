package ssapass

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/ssapass/instrs"
	"taskinstr/ssapass/pointsto"
)

// This file computes which functions run in which tasks, which objects several tasks
// may reach, and which memory is written while several tasks may be live.

type tasks struct {
	inMain        map[*ssa.Function]bool // functions that may run in the main task
	inTask        map[*ssa.Function]bool // functions that may run in any other task
	live          map[*ssa.Function]*liveTasks
	regions       *regions
	walked        *ssa.BasicBlock          // the block of the last answer of Parallel
	aloneIn       map[ssa.Instruction]bool // its instructions that run while no other task is live
	shared        []bool                   // by Object.ID
	private       map[ssa.Instruction]bool
	literal       map[token.Pos]bool
	accessWrites  writeSet // writes by accesses of the source
	literalWrites writeSet // initialization of new memory by composite literals
	zeroWrites    writeSet // initialization of variables and literals with zero
	foreignWrites writeSet // all writes, except by the call that made the variable
	outside       Effect   // effects of functions that external code runs at any time

	callbacks   []*ssa.Function        // functions that external code may call at any time
	leftByTests map[*ssa.Function]bool // see findLeftByTests

	starters map[*ssa.Function]bool // in invocations: functions that may start tasks; otherwise nil
}

type writeSet struct {
	cells   pointsto.CellSet
	unknown bool // includes all memory that escaped
}

// add adds the memory of x to w.
func (w *writeSet) add(x *writeSet) {
	w.cells.Union(&x.cells)
	w.unknown = w.unknown || x.unknown
}

// may reports whether the set may include memory at an address of s.
func (w *writeSet) may(r *pointsto.Result, s pointsto.Set) bool {
	return s.Unknown || len(s.Cells) == 0 || w.cells.Meets(s) || w.unknown && r.AnyEscaped(s)
}

// MainOnly reports whether f runs in the main task only.
func (a *Analysis) MainOnly(f *ssa.Function) bool { return a.inMain[f] && !a.inTask[f] }

// InTask reports whether f may run in a task other than the main task.
func (a *Analysis) InTask(f *ssa.Function) bool { return a.inTask[f] || !a.inMain[f] }

// SharedAt reports whether more than one task may reach memory at an address of s. If
// not, no access there can race.
func (a *Analysis) SharedAt(s pointsto.Set) bool {
	return s.Unknown || len(s.Cells) == 0 || a.Points.AnyEscaped(s) ||
		slices.ContainsFunc(s.Cells, func(c uint32) bool { return a.shared[a.Points.Object(c).ID] })
}

// WrittenInParallel reports whether an access of the source may write memory at an
// address of s while more than one task is live. The initialization of new memory by a
// composite literal is no access.
func (a *Analysis) WrittenInParallel(s pointsto.Set) bool { return a.accessWrites.may(a.Points, s) }

// FilledInParallel reports whether new memory at an address of s may get its first
// value, from a composite literal or as zero, while more than one task is live.
func (a *Analysis) FilledInParallel(s pointsto.Set) bool {
	return a.literalWrites.may(a.Points, s) || a.zeroWrites.may(a.Points, s)
}

// Outside reports whether functions that the runtime or other external code starts
// (finalizers, callbacks) may read or write memory at an address of s.
func (a *Analysis) Outside(s pointsto.Set) bool { return a.outside.May(a.Points, s) }

// findTasks computes all fields of tasks.
func (a *Analysis) findTasks() {
	a.inMain, a.inTask = map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	var goes []*ssa.Go
	for in := range instrs.All(a.prog.funcs) {
		if g, ok := in.(*ssa.Go); ok && a.spawns(g) {
			goes = append(goes, g)
		}
	}
	for _, f := range a.roots() {
		a.addReachable(f, a.inMain)
	}
	a.outside = Effect{Cells: new(pointsto.CellSet)}
	for f := range a.Points.EscapedFuncs {
		if apartFromTests(f.Parent()) {
			continue
		}
		a.callbacks = append(a.callbacks, f)
		a.addReachable(f, a.inTask)
		if a.prog.unit != nil {
			continue // entries run in tasks, and not in the init phase
		}
		s := a.Summary(f)
		a.outside.union(&s.Reads)
		a.outside.union(&s.Writes)
	}
	if a.prog.unit != nil {
		a.findEarly()
	}
	external := false
	for _, g := range goes {
		list, out := a.Callees(g)
		external = external || out
		for _, f := range list {
			a.addReachable(f, a.inTask)
		}
	}
	if external { // a task may run any function that is used as a value
		for _, f := range a.prog.taken {
			a.addReachable(f, a.inTask)
		}
	}
	a.findLiveTasks()
	a.findLeftByTests()
	a.findShared(goes)
	a.findPrivate()
	a.findOwned()
	pace.Step()
	a.literal = a.prog.literals()
	a.findWritten()
	a.findRegions()
	a.findInvocations()
}

// roots returns the functions with which the main task starts.
func (a *Analysis) roots() (list []*ssa.Function) {
	for _, pkg := range a.prog.Packages {
		if s := a.prog.SSA.Package(pkg.Types); s != nil {
			if f := s.Func("init"); f != nil {
				list = append(list, f)
			}
		}
	}
	for _, s := range a.prog.Mains {
		if f := s.Func("main"); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// addReachable adds f and all functions that it calls to set.
func (a *Analysis) addReachable(f *ssa.Function, set map[*ssa.Function]bool) {
	if set[f] {
		return
	}
	set[f] = true
	work := []*ssa.Function{f}
	for f := range drain(&work) {
		a.eachCallee(f, func(g *ssa.Function) {
			if !set[g] {
				set[g] = true
				work = append(work, g)
			}
		})
	}
}

// eachCallee calls visit for the functions that f may call in the same task.
func (a *Analysis) eachCallee(f *ssa.Function, visit func(*ssa.Function)) {
	if b := a.prog.Body(f); b != nil {
		visit(b)
	}
	for in := range instrs.Of(f) {
		c, ok := in.(ssa.CallInstruction)
		if !ok || a.spawns(in) {
			continue
		}
		for _, g := range a.run(c) {
			visit(g)
		}
	}
}

// run returns the functions that the call may run, with those that external code may call
// meanwhile.
func (a *Analysis) run(c ssa.CallInstruction) []*ssa.Function {
	list, external := a.Callees(c)
	if external && !a.inInvocation() {
		list = append(slices.Clip(list), a.prog.taken...)
	}
	return list
}

// findShared marks the objects that several tasks may reach: objects that escaped to
// external code, package-level variables that a task names, operands of go statements,
// and everything reachable from one of these.
func (a *Analysis) findShared(goes []*ssa.Go) {
	r := a.Points
	a.shared = make([]bool, len(r.Objects))
	markSet := func(s pointsto.Set) {
		for _, c := range s.Cells {
			a.shared[r.Object(c).ID] = true
		}
	}
	for i := range r.Objects {
		a.shared[i] = r.Objects[i].Escaped
	}
	var buf [10]*ssa.Value
	for _, f := range a.prog.funcs {
		if !a.InTask(f) {
			continue
		}
		for in := range instrs.Of(f) {
			for _, o := range in.Operands(buf[:0]) {
				if g, ok := (*o).(*ssa.Global); ok {
					markSet(r.Points(g))
				}
			}
		}
	}
	for _, g := range goes {
		markSet(r.Points(g.Call.Value))
		for _, v := range g.Call.Args {
			for _, s := range r.Parts(v) {
				markSet(s)
			}
		}
	}
	// The targets of pointers in an escaped object have escaped, with their objects or as parts.
	a.spread(a.shared, func(o *pointsto.Object) bool { return o.Escaped && o.Kind != pointsto.Func })
}

// spread marks all objects to which marked objects lead. It does not follow the pointers of an object for which ends
// returns true. The index of marked is Object.ID.
func (a *Analysis) spread(marked []bool, ends func(*pointsto.Object) bool) {
	var work []*pointsto.Object
	for i, is := range marked {
		if is {
			work = append(work, &a.Points.Objects[i])
		}
	}
	for o := range drain(&work) {
		if ends(o) {
			continue
		}
		a.targets(o, func(t *pointsto.Object) {
			if !marked[t.ID] {
				marked[t.ID] = true
				work = append(work, t)
			}
		})
	}
}

// targets calls f for the objects to which o leads, as a variable or as a closure.
func (a *Analysis) targets(o *pointsto.Object, f func(*pointsto.Object)) {
	a.Points.Targets(o, f)
	if o.Kind != pointsto.Func {
		return
	}
	for _, v := range o.Fn.FreeVars {
		for _, s := range a.Points.Parts(v) {
			for _, c := range s.Cells {
				f(a.Points.Object(c))
			}
		}
	}
}

// findWritten collects the cells of shared objects that accesses write while more than
// one task may be live. It omits private accesses.
func (a *Analysis) findWritten() {
	if a.prog.unit != nil && !a.inInvocation() { // importers may write everything that escaped
		a.accessWrites.unknown, a.literalWrites.unknown, a.foreignWrites.unknown = true, true, true
	}
	for _, f := range a.prog.funcs {
		for _, b := range f.Blocks {
			var w *walk
			for _, in := range b.Instrs {
				if w == nil {
					w = a.walkBlock(b)
				}
				parallel := w == nil || w.parallel()
				if w != nil {
					w.step(in)
				}
				if parallel {
					a.writes(in, &a.accessWrites)
					a.addForeign(in)
					switch in := in.(type) {
					case *ssa.Store:
						if a.fills(in) {
							a.addWritten(&a.literalWrites, a.Points.Points(in.Addr))
						}
					case *ssa.Alloc:
						// As -race does, the detector records the zero values of
						// variables and literals but not of new and make.
						if in.Heap && in.Comment != "new" && in.Comment != "makeslice" {
							a.addWritten(&a.zeroWrites, a.Points.Points(in))
						}
					}
				}
			}
		}
	}
}

// writes adds the writes of accesses of the source at the instruction to w. It omits
// private accesses.
func (a *Analysis) writes(in ssa.Instruction, w *writeSet) {
	if c, ok := in.(*ssa.Store); a.Private(in) || ok && a.fills(c) {
		return
	}
	owned := a.Owned(Access{Instr: in, Addr: written(in)})
	a.memory(in, func(s pointsto.Set, write bool) {
		switch {
		case !write:
		case owned: // a first value
			a.addWritten(&a.literalWrites, s)
		default:
			a.addWritten(w, s)
		}
	})
}

// written returns the address to which a store, or a call of a builtin function, writes.
func written(in ssa.Instruction) ssa.Value {
	switch in := in.(type) {
	case *ssa.Store:
		return in.Addr
	case *ssa.Call:
		if b, ok := in.Call.Value.(*ssa.Builtin); ok && len(in.Call.Args) > 0 && (b.Name() == "copy" || b.Name() == "append" || b.Name() == "clear") {
			return in.Call.Args[0]
		}
	}
	return nil
}

func (a *Analysis) addWritten(w *writeSet, s pointsto.Set) {
	w.unknown = w.unknown || s.Unknown
	for _, c := range s.Cells {
		if o := a.Points.Object(c); a.shared[o.ID] || o.Opened {
			w.cells.Add(c, s.Width)
		}
	}
}
