package ssapass

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// The facts of this file: which functions run in which tasks, which objects
// several tasks may reach, and what is written while several tasks may exist.

type tasks struct {
	inMain        map[*ssa.Function]bool // may run in the main task
	inTask        map[*ssa.Function]bool // may run in any other
	live          map[*ssa.Function]*liveTasks
	regions       *regions
	shared        []bool // by object id
	private       map[ssa.Instruction]bool
	literal       map[token.Pos]bool
	accessWrites  writeSet // what accesses of the source write
	literalWrites writeSet // what composite literals put into new memory
	zeroWrites    writeSet // new variables and literals
	outside       Effect   // what functions do that code not seen runs at any time

	callbacks   []*ssa.Function        // functions that code not seen may call at any time
	leftByTests map[*ssa.Function]bool // see findLeftByTests
}

type writeSet struct {
	cells   pointsto.CellSet
	unknown bool // and any object that escaped
}

// may reports whether memory at an address of s may be among it.
func (w *writeSet) may(r *pointsto.Result, s pointsto.Set) bool {
	if s.Unknown || len(s.Cells) == 0 || w.cells.Meets(s) {
		return true
	}
	if w.unknown {
		for _, c := range s.Cells {
			if r.Object(c).Escaped {
				return true
			}
		}
	}
	return false
}

// MainOnly reports whether f runs in the main task only.
func (a *Analysis) MainOnly(f *ssa.Function) bool { return a.inMain[f] && !a.inTask[f] }

// InTask reports whether f may run in a task other than the main one.
func (a *Analysis) InTask(f *ssa.Function) bool { return a.inTask[f] || !a.inMain[f] }

// SharedAt reports whether more than one task may reach memory at an address of
// s. If not, no access there can race.
func (a *Analysis) SharedAt(s pointsto.Set) bool {
	if s.Unknown || len(s.Cells) == 0 {
		return true
	}
	for _, c := range s.Cells {
		if a.shared[a.Points.Object(c).ID] {
			return true
		}
	}
	return false
}

// WrittenInParallel reports whether an access of the source may write memory at an
// address of s while more than one task exists. What a composite literal puts into
// its new memory is no access.
func (a *Analysis) WrittenInParallel(s pointsto.Set) bool { return a.accessWrites.may(a.Points, s) }

// FilledInParallel reports whether a composite literal may give new memory at an
// address of s its first value while more than one task exists.
func (a *Analysis) FilledInParallel(s pointsto.Set) bool {
	return a.literalWrites.may(a.Points, s) || a.zeroWrites.may(a.Points, s)
}

// Outside reports whether functions that the runtime or other code not seen
// starts (finalizers, callbacks) may touch memory at an address of s.
func (a *Analysis) Outside(s pointsto.Set) bool { return a.outside.May(a.Points, s) }

// findTasks computes all of it.
func (a *Analysis) findTasks() {
	a.inMain, a.inTask = map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	var goes []*ssa.Go
	for _, f := range a.prog.funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if g, ok := in.(*ssa.Go); ok && a.spawns(g) {
					goes = append(goes, g)
				}
			}
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
		s := a.Summary(f)
		a.outside.union(&s.Reads)
		a.outside.union(&s.Writes)
	}
	external := false
	for _, g := range goes {
		list, out := a.Callees(g)
		external = external || out
		for _, f := range list {
			a.addReachable(f, a.inTask)
		}
	}
	if external { // a task that may run whatever is used as a value
		for _, f := range a.prog.taken {
			a.addReachable(f, a.inTask)
		}
	}
	a.findLiveTasks()
	a.findLeftByTests()
	a.findShared(goes)
	a.findPrivate()
	a.literal = a.prog.literals()
	a.findWritten()
	a.findRegions()
}

// roots returns the functions that the main task starts with.
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

// close adds f and all that it calls to set.
func (a *Analysis) addReachable(f *ssa.Function, set map[*ssa.Function]bool) {
	if set[f] {
		return
	}
	set[f] = true
	work := []*ssa.Function{f}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		a.eachCallee(f, func(g *ssa.Function) {
			if !set[g] {
				set[g] = true
				work = append(work, g)
			}
		})
	}
}

// eachCallee calls visit for the functions that f may call, tasks left out.
func (a *Analysis) eachCallee(f *ssa.Function, visit func(*ssa.Function)) {
	if b := a.prog.Body(f); b != nil {
		visit(b)
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok || a.spawns(in) {
				continue
			}
			list, external := a.Callees(c)
			if external {
				list = a.prog.taken
			}
			for _, g := range list {
				visit(g)
			}
		}
	}
}

// findShared marks the objects that several tasks may reach: what code not seen
// knows, package-level variables that a task names, what go statements pass,
// and whatever can be reached from one of these.
func (a *Analysis) findShared(goes []*ssa.Go) {
	r := a.Points
	a.shared = make([]bool, len(r.Objects))
	var work []*pointsto.Object
	mark := func(o *pointsto.Object) {
		if !a.shared[o.ID] {
			a.shared[o.ID] = true
			work = append(work, o)
		}
	}
	markSet := func(s pointsto.Set) {
		for _, c := range s.Cells {
			mark(r.Object(c))
		}
	}
	for i := range r.Objects {
		if r.Objects[i].Escaped {
			mark(&r.Objects[i])
		}
	}
	var buf [10]*ssa.Value
	for _, f := range a.prog.funcs {
		if !a.InTask(f) {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, o := range in.Operands(buf[:0]) {
					if g, ok := (*o).(*ssa.Global); ok {
						markSet(r.Points(g))
					}
				}
			}
		}
	}
	for _, g := range goes {
		markSet(r.Points(g.Call.Value))
		for _, v := range g.Call.Args {
			a.reachable(v, markSet)
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		r.Targets(o, mark)
		if o.Kind == pointsto.Func {
			for _, v := range o.Fn.FreeVars {
				a.reachable(v, markSet)
			}
		}
	}
}

// reachable calls f for what the value v points to, in each of its parts.
func (a *Analysis) reachable(v ssa.Value, f func(pointsto.Set)) {
	for _, s := range a.Points.Parts(v) {
		f(s)
	}
}

// findWritten collects the cells of shared objects that are written where more
// than one task may exist, by accesses that are not private.
func (a *Analysis) findWritten() {
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
					switch in := in.(type) {
					case *ssa.Store:
						if a.fills(in) {
							a.addWritten(&a.literalWrites, a.Points.Points(in.Addr))
						}
					case *ssa.Alloc:
						// Zero values of variables and literals are recorded, as -race does;
						// those of new and make are not.
						if in.Heap && in.Comment != "new" && in.Comment != "makeslice" {
							a.addWritten(&a.zeroWrites, a.Points.Points(in))
						}
					}
				}
			}
		}
	}
}

// writes adds what accesses of the source write at the instruction, unless they are
// private.
func (a *Analysis) writes(in ssa.Instruction, w *writeSet) {
	if c, ok := in.(*ssa.Store); a.Private(in) || ok && a.fills(c) {
		return
	}
	a.memory(in, func(s pointsto.Set, write bool) {
		if write {
			a.addWritten(w, s)
		}
	})
}

func (a *Analysis) addWritten(w *writeSet, s pointsto.Set) {
	w.unknown = w.unknown || s.Unknown
	for _, c := range s.Cells {
		if a.shared[a.Points.Object(c).ID] {
			w.cells.Add(c, s.Width)
		}
	}
}
