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

// taskinstr_ends is called before a test counts as done. It is a point: goroutines that the test has left behind may run
// before. What they do with their test then, say to log, races with the end.
//
//go:linkname taskinstr_ends
func taskinstr_ends() {
	if e := tr_harnessed(); e != nil {
		was := e.harness
		e.harness = 0
		tr_point()
		e.harness = was
	}
}

// taskinstr_harness says whether the calling goroutine runs the code of package testing from now on.
//
//go:linkname taskinstr_harness
func taskinstr_harness(on bool) {
	if e := tr_harnessed(); e != nil {
		e.harness &^= 1
		if on {
			e.harness |= 1
		}
		tr_leftHarness(e)
	}
}

// taskinstr_enters is called at the beginning of a function of package testing, and taskinstr_leaves at its end.
//
//go:linkname taskinstr_enters
func taskinstr_enters() {
	if e := tr_harnessed(); e != nil {
		e.harness = e.harness<<1 | 1
	}
}

//go:linkname taskinstr_leaves
func taskinstr_leaves() {
	if e := tr_harnessed(); e != nil {
		e.harness >>= 1
		tr_leftHarness(e)
	}
}

// tr_harnessed returns the entry of the calling goroutine, nil if the schedule has other points than sc_PointsProgram.
func tr_harnessed() *tr_goroutine {
	if !tr_sched.limited {
		return nil
	}
	e := tr_sched.goroutines.find(getg())
	if e != nil && e.id == 0 {
		return nil
	}
	return e
}

// tr_leftHarness is a point if the goroutine has waited in the code of package testing and is back in the program.
func tr_leftHarness(e *tr_goroutine) {
	if e.harness&1 == 0 && e.came {
		e.came = false
		tr_point()
	}
}
