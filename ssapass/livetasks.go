package ssapass

import (
	"go/constant"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/ssapass/instrs"
)

// A liveTasks holds, for one function of the main task, the program points at which
// other tasks may be live: a forward data-flow analysis. A task is live from the go
// statement on, or from the call that leaves it behind. It ends at a WaitGroup.Wait
// that provably waits for it. The proof accepts only the simplest form: a local
// WaitGroup whose only other users are the calls of Done in the tasks.
type liveTasks struct {
	groups        []*ssa.Alloc       // WaitGroups of this form
	announcedGos  map[*ssa.Go]bool   // go statements whose Add is before their loop
	announcements map[*ssa.Call]bool // the calls of Add of announcedGos
	in            []taskState        // state at the start of each block, if no task is live at entry
	reached       []bool
	liveAtEntry   bool // tasks may be live at entry
	liveAtExit    bool // tasks may be live at a return, even if none was at entry
	liveAtGoexit  bool // the same at a call of runtime.Goexit
	// unidentified: some of the tasks that are live at the end have unknown functions, so
	// type leftTasks does not collect them.
	unidentified bool
}

// A taskState is the set of tasks that may be live at a program point.
type taskState struct {
	unawaited    bool   // tasks for which nothing in the function waits
	unidentified bool   // some of these tasks have unknown functions; implies unawaited
	awaited      uint64 // bit k: tasks for which WaitGroup groups[k] waits
}

// addUnidentified adds tasks of unknown functions if live is set.
func (s *taskState) addUnidentified(live bool) {
	s.unawaited, s.unidentified = s.unawaited || live, s.unidentified || live
}

func (s taskState) parallel() bool { return s.unawaited || s.awaited != 0 }

const maxGroups = 64

// A walk executes the instructions of one block on a taskState.
type walk struct {
	a      *Analysis
	p      *liveTasks
	s      taskState
	credit map[*ssa.Alloc]int64 // units that Add announced in this block and no task has used
	left   *leftTasks           // if not nil, collects the tasks for which nothing waits
}

func (w *walk) parallel() bool { return w.s.parallel() }

// Parallel reports whether another task may be live when the instruction runs. If not,
// the instruction can only race with tasks that the runtime starts by itself; see
// Outside.
func (a *Analysis) Parallel(in ssa.Instruction) bool {
	b := in.Block()
	if a.walked != b {
		w := a.walkBlock(b)
		if w == nil {
			return true
		}
		a.walked, a.aloneIn = b, map[ssa.Instruction]bool{}
		for _, i := range b.Instrs {
			if !w.parallel() {
				a.aloneIn[i] = true
			}
			w.step(i)
		}
	}
	return !a.aloneIn[in]
}

// walkBlock returns a walk at the start of block b, or nil if tasks may be live at any
// time.
func (a *Analysis) walkBlock(b *ssa.BasicBlock) *walk {
	f := b.Parent()
	p := a.live[f]
	if p == nil || p.liveAtEntry || !a.MainOnly(f) || !p.reached[b.Index] {
		return nil
	}
	return &walk{a: a, p: p, s: p.in[b.Index]}
}

// walkFunc returns the instructions of the reached blocks of f, each with the walk in front of it.
// The walk may be used until the next instruction.
func (a *Analysis) walkFunc(f *ssa.Function, left *leftTasks) iter.Seq2[*walk, ssa.Instruction] {
	return func(yield func(*walk, ssa.Instruction) bool) {
		p := a.live[f]
		for _, b := range f.Blocks {
			if !p.reached[b.Index] {
				continue
			}
			w := &walk{a: a, p: p, s: p.in[b.Index], left: left}
			for _, in := range b.Instrs {
				if !yield(w, in) {
					return
				}
				w.step(in)
			}
		}
	}
}

// findLiveTasks computes the live tasks of the functions of the main task: first what each leaves
// behind, then which may begin beside other tasks.
func (a *Analysis) findLiveTasks() {
	a.live = map[*ssa.Function]*liveTasks{}
	for _, scc := range a.components(true) {
		pace.Step()
		for _, f := range scc {
			a.live[f] = &liveTasks{}
		}
		for again := true; again; {
			again = false
			for _, f := range scc {
				p := a.live[f]
				left, quit, unidentified := p.liveAtExit, p.liveAtGoexit, p.unidentified
				a.flow(f)
				again = again || p.liveAtExit != left || p.liveAtGoexit != quit || p.unidentified != unidentified
			}
		}
	}
	a.findLiveEntries()
}

// findLiveEntries finds the functions that may begin beside other tasks.
func (a *Analysis) findLiveEntries() {
	var work []*ssa.Function
	enter := func(f *ssa.Function) {
		if p := a.live[f]; p != nil && !p.liveAtEntry {
			p.liveAtEntry = true
			work = append(work, f)
		}
	}
	if len(a.prog.Mains) == 0 && a.prog.unit == nil {
		for _, f := range a.prog.taken {
			enter(f)
		}
	}
	for _, s := range a.prog.Mains {
		if i, m := s.Func("init"), s.Func("main"); i != nil && m != nil && a.leavesTasks(i) {
			enter(m)
		}
	}
	for _, f := range slices.Concat(a.besideInits(), a.callbacks) {
		enter(f)
	}
	for _, f := range a.prog.funcs {
		p := a.live[f]
		if p == nil || p.liveAtEntry {
			continue
		}
		if a.Summary(f).Sync&(MaySpawn|CallsUnseen) != 0 {
			// A panic may run deferred calls at any point of the function.
			for _, d := range a.defers(f) {
				for _, g := range a.known(d) {
					enter(g)
				}
			}
		}
		for w, in := range a.walkFunc(f, nil) {
			if w.parallel() {
				a.callees(in, enter)
			}
		}
	}
	for f := range drain(&work) {
		a.eachCallee(f, enter)
	}
}

// callees calls visit for each function that the instruction calls in the same task.
func (a *Analysis) callees(in ssa.Instruction, visit func(*ssa.Function)) {
	each := func(c ssa.CallInstruction) {
		for _, f := range a.run(c) {
			visit(f)
		}
	}
	switch in := in.(type) {
	case *ssa.Call:
		each(in)
	case *ssa.Go:
		if !a.spawns(in) {
			each(in)
		}
	case *ssa.RunDefers, *ssa.Return:
		for _, d := range a.deferredAt(in) {
			each(d)
		}
	case *ssa.Panic: // a panic runs the deferred calls
		for _, d := range a.defers(in.Parent()) {
			each(d)
		}
	}
}

// leavesTasks reports whether f may leave tasks live when it returns.
func (a *Analysis) leavesTasks(f *ssa.Function) bool {
	if apartFromTests(f) {
		return false
	}
	if t, _ := syncOf(f); t&MaySpawn != 0 {
		return true
	}
	if p := a.live[f]; p != nil && f.Blocks != nil {
		return p.liveAtExit
	}
	return a.Summary(f).Sync&(MaySpawn|CallsUnseen) != 0
}

// awaitsAll reports whether f, the function of a task, has waited for all tasks that it
// started when it ends.
func (a *Analysis) awaitsAll(f *ssa.Function) bool {
	p := a.live[f]
	return !a.leavesTasks(f) && (p == nil || !p.liveAtGoexit)
}

// flow computes the states of f from the states of its callees.
func (a *Analysis) flow(f *ssa.Function) {
	p := a.live[f]
	p.in, p.reached = make([]taskState, len(f.Blocks)), make([]bool, len(f.Blocks))
	if len(f.Blocks) == 0 {
		return
	}
	p.announcedGos, p.announcements = announced(f)
	p.groups = a.groups(f, p)
	work := []*ssa.BasicBlock{f.Blocks[0]}
	p.reached[0] = true
	join := func(b *ssa.BasicBlock, s taskState) {
		old := p.in[b.Index]
		s = taskState{old.unawaited || s.unawaited, old.unidentified || s.unidentified, old.awaited | s.awaited}
		if !p.reached[b.Index] || s != old {
			p.in[b.Index], p.reached[b.Index] = s, true
			work = append(work, b)
		}
	}
	if f.Recover != nil && a.recovers(f) && !panicsAnew(f) {
		// After a panic, all tasks that f may have started may still be live.
		var s taskState
		s.addUnidentified(a.Summary(f).Sync&(MaySpawn|CallsUnseen) != 0)
		join(f.Recover, s)
	}
	for b := range drain(&work) {
		w := &walk{a: a, p: p, s: p.in[b.Index]}
		for _, in := range b.Instrs {
			w.goexit(in)
			w.step(in)
			if _, ok := in.(*ssa.Return); ok && w.parallel() {
				p.liveAtExit = true
				p.unidentified = p.unidentified || w.s.unidentified || w.s.awaited != 0
			}
		}
		for _, n := range b.Succs {
			join(n, w.s)
		}
	}
}

// recovers reports whether f may return after a panic, because a deferred function
// itself calls recover.
func (a *Analysis) recovers(f *ssa.Function) bool {
	for _, d := range a.defers(f) {
		list, external := a.Callees(d)
		if external || builtinSync(d.Common())&MayRecover != 0 {
			return true
		}
		for _, g := range list {
			if a.callsRecover(g) {
				return true
			}
		}
	}
	return false
}

// callsRecover reports whether f, or the function that f wraps, calls recover.
func (a *Analysis) callsRecover(f *ssa.Function) bool {
	if f.Blocks == nil || f.Synthetic != "" {
		return a.Summary(f).Sync&(MayRecover|CallsUnseen) != 0
	}
	for in := range instrs.Of(f) {
		if c, ok := in.(ssa.CallInstruction); ok && builtinSync(c.Common())&MayRecover != 0 {
			return true
		}
	}
	return false
}

// step executes one instruction.
func (w *walk) step(in ssa.Instruction) {
	w.s.addUnidentified(w.a.prog.unit != nil && !w.a.inInvocation() && w.a.handsOut(in))
	switch in := in.(type) {
	case *ssa.Alloc:
		if k := w.group(in); k >= 0 && w.s.awaited>>k&1 != 0 {
			w.s.addUnidentified(true) // tasks of the previous instance of the WaitGroup
		}
	case *ssa.Go:
		if w.a.spawns(in) {
			w.start(in.Common(), in)
		} else {
			w.testCall(in)
		}
	case *ssa.RunDefers, *ssa.Return:
		for _, d := range w.a.deferredAt(in) {
			w.call(d)
		}
	case *ssa.Call:
		c := in.Common()
		f := c.StaticCallee()
		if f == nil || len(c.Args) == 0 || w.group(c.Args[0]) < 0 {
			w.call(in)
			return
		}
		k := w.group(c.Args[0])
		switch f.String() {
		case "(*sync.WaitGroup).Add":
			if w.p.announcements[in] {
				// A negative number would take units from live tasks.
				w.s.addUnidentified(w.s.awaited>>k&1 != 0)
				return
			}
			if n, ok := c.Args[1].(*ssa.Const); ok && n.Value != nil {
				if v, exact := constant.Int64Val(n.Value); exact && v > 0 {
					if w.credit == nil {
						w.credit = map[*ssa.Alloc]int64{}
					}
					w.credit[w.p.groups[k]] += v
				}
			}
		case "(*sync.WaitGroup).Wait":
			w.s.awaited &^= 1 << k
		case "(*sync.WaitGroup).Go":
			w.start(c, nil)
		}
	}
}

// call executes a call that does not start a task itself.
func (w *walk) call(c ssa.CallInstruction) {
	if startsNoTask(c) {
		return
	}
	list, external := w.a.Callees(c)
	unit := w.a.prog.unit != nil
	w.s.addUnidentified(external && !unit)
	for _, f := range list {
		if is(f, "(*sync.WaitGroup).Go") {
			w.task(closureOf(c.Common().Args[len(c.Common().Args)-1]))
			continue
		}
		if unit && len(f.Blocks) == 0 {
			continue // its tasks do not know the unit unless the call hands out something
		}
		if w.left != nil {
			w.left.leaver(f)
		}
		if !w.a.leavesTasks(f) {
			continue
		}
		p := w.a.live[f]
		if callsTest(c) && p != nil && !p.unidentified {
			continue // findLeftByTests assumes that these tasks run at any time
		}
		w.s.unawaited = true
		w.s.addUnidentified(p == nil || f.Blocks == nil || p.unidentified)
	}
}

// task adds a task of f for which nothing waits; f is nil if it is unknown.
func (w *walk) task(f *ssa.Function) {
	w.s.unawaited = true
	w.s.addUnidentified(f == nil)
	if f != nil && w.left != nil {
		w.left.task(f)
	}
}

// testCall executes a go statement that counts as a call, which may end by
// runtime.Goexit.
func (w *walk) testCall(c *ssa.Go) {
	w.call(c)
	for _, f := range w.a.known(c) {
		p := w.a.live[f]
		w.s.addUnidentified(p == nil || p.liveAtGoexit && p.unidentified)
	}
}

// goexit notes whether the instruction may end the goroutine by runtime.Goexit while
// tasks are live.
func (w *walk) goexit(in ssa.Instruction) {
	call := func(c ssa.CallInstruction, midway bool) {
		list, external := w.a.Callees(c)
		w.p.liveAtGoexit, w.p.unidentified = w.p.liveAtGoexit || external, w.p.unidentified || external
		for _, f := range list {
			if w.a.Summary(f).Sync&MayGoexit == 0 {
				continue
			}
			p := w.a.live[f]
			w.p.liveAtGoexit = w.p.liveAtGoexit || midway || w.parallel() || p != nil && p.liveAtGoexit
			w.p.unidentified = w.p.unidentified || midway || w.s.unidentified || w.s.awaited != 0 || p != nil && p.unidentified
		}
	}
	switch in := in.(type) {
	case *ssa.Call:
		call(in, false)
	case *ssa.Defer: // a panic may run it while tasks are live; in package testing the panic ends the program
		call(in, w.a.Summary(in.Parent()).Sync&(MaySpawn|CallsUnseen) != 0 && !ofTesting(in.Parent()))
	}
}

// startsNoTask reports whether the call leaves no relevant task behind although its
// callee may start one. There are two cases. One is
// context.WithCancel(context.Background()): a context without a parent that can end
// needs no task to wait for it. The other is time.AfterFunc of a function that only
// prints: crypto/rand has such a timer wherever a sync.Pool makes an element.
func startsNoTask(c ssa.CallInstruction) bool {
	f := c.Common().StaticCallee()
	switch {
	case f == nil:
	case is(f, "context.WithCancel"):
		arg := c.Common().Args[0]
		if m, ok := arg.(*ssa.MakeInterface); ok {
			arg = m.X
		}
		if of, ok := arg.(*ssa.Call); ok {
			g := of.Call.StaticCallee()
			return g != nil && (is(g, "context.Background") || is(g, "context.TODO"))
		}
	case is(f, "time.AfterFunc"):
		g := closureOf(c.Common().Args[1])
		return g != nil && onlyPrints(g)
	}
	return false
}

// onlyPrints reports whether f only prints constants by the builtin functions.
func onlyPrints(f *ssa.Function) bool {
	if len(f.Blocks) != 1 {
		return false
	}
	for _, in := range f.Blocks[0].Instrs {
		switch in := in.(type) {
		case *ssa.DebugRef, *ssa.Return:
		case *ssa.Call:
			b, ok := in.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "println" && b.Name() != "print" {
				return false
			}
			for _, arg := range in.Call.Args {
				if _, ok := arg.(*ssa.Const); !ok {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// start executes a go statement, or a call of WaitGroup.Go if in is nil.
func (w *walk) start(c *ssa.CallCommon, in *ssa.Go) {
	if in == nil {
		k := w.group(c.Args[0])
		if f := closureOf(c.Args[1]); f != nil && w.a.awaitsAll(f) {
			w.s.awaited |= 1 << k
			return
		}
		w.task(closureOf(c.Args[1]))
		return
	}
	f := c.StaticCallee()
	if f == nil || !w.a.awaitsAll(f) {
		w.task(f)
		return
	}
	for k, g := range w.p.groups {
		if (w.credit[g] > 0 || w.p.announcedGos[in]) && finishes(f, boundTo(c, f, g)) {
			if !w.p.announcedGos[in] {
				w.credit[g]--
			}
			w.s.awaited |= 1 << k
			return
		}
	}
	w.task(f)
}

func (w *walk) group(v ssa.Value) int {
	for k, g := range w.p.groups {
		if g == v {
			return k
		}
	}
	return -1
}

// closureOf returns the function of a function value, or nil if it is unknown.
func closureOf(v ssa.Value) *ssa.Function {
	switch v := v.(type) {
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function)
	case *ssa.Function:
		return v
	}
	return nil
}

// boundTo returns the parameter or free variable of f that holds the address of g when
// call c starts f, or nil.
func boundTo(c *ssa.CallCommon, f *ssa.Function, g *ssa.Alloc) ssa.Value {
	for i, a := range c.Args {
		if a == g && i < len(f.Params) {
			return f.Params[i]
		}
	}
	if m, ok := c.Value.(*ssa.MakeClosure); ok {
		for i, b := range m.Bindings {
			if b == g {
				return f.FreeVars[i]
			}
		}
	}
	return nil
}

// finishes reports whether f ends with exactly one call of wg.Done(), however f ends:
// Done is its first deferred call, in its first block.
func finishes(f *ssa.Function, wg ssa.Value) bool {
	if wg == nil || len(f.Blocks) == 0 {
		return false
	}
	for _, in := range f.Blocks[0].Instrs {
		if d, ok := in.(*ssa.Defer); ok {
			g := d.Call.StaticCallee()
			return g != nil && is(g, "(*sync.WaitGroup).Done") && len(d.Call.Args) == 1 && d.Call.Args[0] == wg
		}
	}
	return false
}

// groups returns the WaitGroups of f that are confined.
func (a *Analysis) groups(f *ssa.Function, p *liveTasks) (list []*ssa.Alloc) {
	for in := range instrs.Of(f) {
		g, ok := in.(*ssa.Alloc)
		if ok && g.Type().String() == "*sync.WaitGroup" && len(list) < maxGroups && confined(g, p) {
			list = append(list, g)
		}
	}
	return list
}

// confined reports whether the uses of WaitGroup g are only Add, Wait and Go in this
// function, and one Done in each function that is started with g.
func confined(g *ssa.Alloc, p *liveTasks) bool {
	for u := range instrs.Uses(g) {
		switch u := u.(type) {
		case *ssa.Call:
			f := u.Call.StaticCallee()
			if f == nil {
				return false
			}
			switch f.String() {
			case "(*sync.WaitGroup).Add":
				n, ok := u.Call.Args[1].(*ssa.Const)
				if !p.announcements[u] && (!ok || n.Value == nil || constant.Sign(n.Value) < 0) {
					return false
				}
			case "(*sync.WaitGroup).Wait", "(*sync.WaitGroup).Go":
			default:
				return false
			}
		case *ssa.Go:
			f := u.Call.StaticCallee()
			if f == nil || !onlyDone(boundTo(&u.Call, f, g)) {
				return false
			}
		case *ssa.MakeClosure:
			started := false
			for r := range instrs.Uses(u) {
				g, ok := r.(*ssa.Go)
				if !ok {
					return false
				}
				started = g.Call.Value == u
			}
			for i, b := range u.Bindings {
				if b == g && !onlyDone(u.Fn.(*ssa.Function).FreeVars[i]) {
					return false
				}
			}
			if !started {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// onlyDone reports whether the only use of v is a deferred call of Done.
func onlyDone(v ssa.Value) bool {
	if v == nil {
		return false
	}
	n := 0
	for u := range instrs.Uses(v) {
		d, ok := u.(*ssa.Defer)
		if !ok {
			return false
		}
		if f := d.Call.StaticCallee(); f == nil || !is(f, "(*sync.WaitGroup).Done") {
			return false
		}
		n++
	}
	return n == 1
}
