package ssapass

import (
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
		if f.String() == "(*testing.T).Parallel" {
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
	switch name := f.RelString(f.Pkg.Pkg); name {
	case "(*T).Run", "(*B).run1", "(*B).doBench", "runFuzzTests":
		return true
	default:
		return strings.HasPrefix(name, "(*F).Fuzz$")
	}
}

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

// panicsAnew reports whether f, where it recovers, panics again instead of returning.
func panicsAnew(f *ssa.Function) bool {
	return f.String() == "testing.tRunner" || f.String() == "testing.fRunner"
}
