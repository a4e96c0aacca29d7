package ssapass

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Package testing runs each test and each benchmark in a goroutine of its own and does
// nothing but wait for it. For what may run at the same time that is a call. It is none
// if a test asks to run beside others, by T.Parallel.
//
// There are a few tasks beside them that never touch what tests use: the ones that
// write profiles and traces to files that testing has opened, the one that copies an
// example's output, and the alarm, which ends the program.

// findTestCalls collects the go statements that count as calls.
func (a *Analysis) findTestCalls() {
	a.testCalls = map[*ssa.Go]bool{}
	for _, f := range a.prog.funcs {
		if is(f, "(*testing.T).Parallel") {
			clear(a.testCalls)
			return
		}
		if !runsTests(f) {
			continue
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if g, ok := in.(*ssa.Go); ok {
					a.testCalls[g] = true
				}
			}
		}
	}
}

// runsTests reports whether f, of package testing, waits for what it starts. The
// runtime tells these functions by the same names.
func runsTests(f *ssa.Function) bool {
	if !ofTesting(f) {
		return false
	}
	name := f.RelString(f.Pkg.Pkg)
	return slices.Contains(testRunners, name) || strings.HasPrefix(name, fuzzRunner)
}

// testRunners are the functions of package testing that start a goroutine for a test or
// benchmark and wait for it at once, and fuzzRunner begins the names of the function
// literals that do so. The runtime has the same list, in rt/files/runtime/hooks.go.
var testRunners = []string{"(*T).Run", "(*B).run1", "(*B).doBench", "runFuzzTests"}

const fuzzRunner = "(*F).Fuzz$"

// ofTesting reports whether f is a function of package testing.
func ofTesting(f *ssa.Function) bool {
	return f != nil && f.Pkg != nil && f.Pkg.Pkg.Path() == "testing"
}

// inOrder reports whether what c calls runs before what follows it.
func (a *Analysis) inOrder(c ssa.CallInstruction) bool {
	switch c := c.(type) {
	case *ssa.Call:
		return true
	case *ssa.Go:
		return a.testCalls[c]
	}
	return false
}

// spawns reports whether the instruction is a go statement that starts a task.
func (a *Analysis) spawns(in ssa.Instruction) bool {
	g, ok := in.(*ssa.Go)
	return ok && !a.testCalls[g]
}

// apartFromTests reports whether the tasks that f, a function of package testing, starts
// touch nothing that tests use, and what it gives the runtime to call either.
func apartFromTests(f *ssa.Function) bool {
	if !ofTesting(f) {
		return false
	}
	switch f.RelString(f.Pkg.Pkg) {
	case "(*M).before", "(*M).startAlarm", "runExample":
		return true
	}
	return false
}

// callsTest reports whether package testing calls a test or benchmark by c.
func callsTest(c ssa.CallInstruction) bool {
	if !ofTesting(c.Parent()) || c.Common().StaticCallee() != nil || c.Common().IsInvoke() {
		return false
	}
	_, call := c.(*ssa.Call)
	switch c.Parent().String() {
	case "testing.tRunner", "testing.fRunner", "(*testing.B).runN":
		return call
	}
	return false
}

// panicsAnew reports whether f, where it recovers, panics again instead of returning.
func panicsAnew(f *ssa.Function) bool {
	return is(f, "testing.tRunner") || is(f, "testing.fRunner")
}

// left collects the tasks that tests may leave behind. They are taken to run at any time
// from the program's start: what they touch others may not touch unchecked.
type leftTasks struct {
	a     *Analysis
	seen  map[*ssa.Function]bool // functions that leave some
	tasks map[*ssa.Function]bool // these, and what they start
	calls map[*ssa.Function]bool // what runs in them
}

// findLeftByTests adds the effects of the tasks that tests leave behind to those of functions
// that run at any time.
func (a *Analysis) findLeftByTests() {
	l := &leftTasks{a: a, seen: map[*ssa.Function]bool{}, tasks: map[*ssa.Function]bool{}, calls: map[*ssa.Function]bool{}}
	for _, f := range a.prog.funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && callsTest(c) {
					list, _ := a.Callees(c)
					for _, g := range list {
						l.leaver(g)
					}
				}
			}
		}
	}
	for f := range l.tasks {
		s := a.Summary(f)
		a.outside.union(&s.Reads)
		a.outside.union(&s.Writes)
	}
	a.leftByTests = l.tasks
}

// by looks for tasks that f leaves.
func (l *leftTasks) leaver(f *ssa.Function) {
	p := l.a.live[f]
	if l.seen[f] || p == nil || !p.liveAtExit && !p.liveAtGoexit {
		return
	}
	l.seen[f] = true
	for _, b := range f.Blocks {
		if !p.reached[b.Index] {
			continue
		}
		w := &walk{a: l.a, p: p, s: p.in[b.Index], left: l}
		for _, in := range b.Instrs {
			w.step(in)
		}
	}
}

// task adds a task, and all that it starts.
func (l *leftTasks) task(f *ssa.Function) {
	if l.tasks[f] {
		return
	}
	l.tasks[f] = true
	l.run(f)
}

// run looks for what runs in a task, and what that starts.
func (l *leftTasks) run(f *ssa.Function) {
	if l.calls[f] {
		return
	}
	l.calls[f] = true
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if !l.a.spawns(in) {
				continue
			}
			list, external := l.a.Callees(in.(*ssa.Go))
			if external {
				list = l.a.prog.taken
			}
			for _, g := range list {
				l.task(g)
			}
		}
	}
	l.a.eachCallee(f, l.run)
}
