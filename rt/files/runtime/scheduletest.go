//go:build taskinstr_runtime

// What a schedule leaves alone: initialization, and the code of package testing.
//
// A goroutine in the code of package testing has no points: it runs until it blocks. When it can run again, it
// runs before the next choice, and no record has its turn. Then it has a point where it returns to the program.

package runtime

import _ "unsafe" // for go:linkname

// tr_begin says whether the program runs from now on, or is still to begin. Until it begins there are no points, and the
// steps of a run do not count.
func tr_begin(on bool) {
	s := &tr_sched
	s.begun = on
	switch s.plan.Kind {
	case sc_KindPCT:
		s.pct.Count(on)
	case sc_KindPreempt:
		s.preempt.Count(on)
	}
}

// taskinstr_begins is called before the function of a test, example or fuzz test.
//
//go:linkname taskinstr_begins
func taskinstr_begins() { tr_begin(true) }

// taskinstr_harness says whether the calling goroutine runs the code of package testing from now on, and returns what
// was said before.
//
//go:linkname taskinstr_harness
func taskinstr_harness(on bool) (before bool) {
	if !tr_sched.limited {
		return false
	}
	e := tr_sched.goroutines.find(getg())
	if e == nil || e.id == 0 {
		return false
	}
	before = e.harness
	e.harness = on
	if !on && e.came {
		e.came = false
		tr_point()
	}
	return before
}
