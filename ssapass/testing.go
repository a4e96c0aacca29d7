package ssapass

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/instrs"
)

// Package testing runs each test and each benchmark in a goroutine of its own and only
// waits for it. Such a go statement counts as a call, unless a test asks to run beside
// others by T.Parallel.
//
// A few other tasks of package testing never access memory of the tests: the tasks that
// write profiles and traces to files that testing has opened, the task that copies the
// output of an example, and the alarm, which ends the program.

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
		for in := range instrs.Of(f) {
			if g, ok := in.(*ssa.Go); ok {
				a.testCalls[g] = true
			}
		}
	}
}

// runsTests reports whether f is a function of package testing that waits for the task
// it starts.
func runsTests(f *ssa.Function) bool {
	if !ofTesting(f) {
		return false
	}
	name := f.RelString(f.Pkg.Pkg)
	return slices.Contains(testRunners, name) || strings.HasPrefix(name, fuzzRunner)
}

// testRunners are the functions of package testing that start a goroutine for a test or
// benchmark and wait for it at once. The names of function literals that do so begin
// with fuzzRunner. The runtime has the same list in rt/files/runtime/hooks.go.
var testRunners = []string{"(*T).Run", "(*B).run1", "(*B).doBench", "runFuzzTests"}

const fuzzRunner = "(*F).Fuzz$"

// ofTesting reports whether f is a function of package testing.
func ofTesting(f *ssa.Function) bool {
	return f != nil && f.Pkg != nil && f.Pkg.Pkg.Path() == "testing"
}

// inOrder reports whether the callee of c runs before the instructions that follow c.
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

// apartFromTests reports whether f is a function of package testing whose tasks, and
// whose functions that the runtime calls, never access memory of the tests.
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

// callsTest reports whether c is the call by which package testing runs a test or
// benchmark.
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

// panicsAnew reports whether f panics again after it has recovered, instead of
// returning.
func panicsAnew(f *ssa.Function) bool {
	return is(f, "testing.tRunner") || is(f, "testing.fRunner")
}

// leftTasks collects the tasks that tests may leave behind. The analysis assumes that
// they run at any time from the start of the program, so memory that they access is not
// safe from races anywhere.
type leftTasks struct {
	a     *Analysis
	seen  map[*ssa.Function]bool // functions that leave tasks behind
	tasks map[*ssa.Function]bool // the functions of these tasks, and of the tasks that they start
	calls map[*ssa.Function]bool // functions that run in these tasks
}

// findLeftByTests adds the effects of the tasks that tests leave behind to the effects
// of functions that run at any time.
func (a *Analysis) findLeftByTests() {
	l := &leftTasks{a: a, seen: map[*ssa.Function]bool{}, tasks: map[*ssa.Function]bool{}, calls: map[*ssa.Function]bool{}}
	for in := range instrs.All(a.prog.funcs) {
		if c, ok := in.(*ssa.Call); ok && callsTest(c) {
			for _, g := range a.known(c) {
				l.leaver(g)
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

// leaver collects the tasks that f leaves behind.
func (l *leftTasks) leaver(f *ssa.Function) {
	p := l.a.live[f]
	if l.seen[f] || p == nil || !p.liveAtExit && !p.liveAtGoexit {
		return
	}
	l.seen[f] = true
	for range l.a.walkFunc(f, l) { // each step adds the tasks that it leaves
	}
}

// task adds a task of f, and all tasks that it starts.
func (l *leftTasks) task(f *ssa.Function) {
	if l.tasks[f] {
		return
	}
	l.tasks[f] = true
	l.run(f)
}

// run visits a function that runs in a task, and collects the tasks that it starts.
func (l *leftTasks) run(f *ssa.Function) {
	if l.calls[f] {
		return
	}
	l.calls[f] = true
	for in := range instrs.Of(f) {
		if !l.a.spawns(in) {
			continue
		}
		for _, g := range l.a.run(in.(*ssa.Go)) {
			l.task(g)
		}
	}
	l.a.eachCallee(f, l.run)
}
