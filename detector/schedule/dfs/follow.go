package dfs

import "fmt"

// Follow runs a program until its sections come in a given order, and returns the choices
// of the last run. order names the tasks that enter sections, one for each section;
// after it the host chooses. run is as for [Explore].
//
// known is a run from which Follow starts. If it is nil, Follow makes a run of its own.
//
// The choices between sections depend on the order and are not known in advance. Each run
// follows the order up to a choice that the host made differently; the next run is told
// to make this choice.
func Follow(order []string, known []Choice, run func(prefix []string) ([]Choice, error)) ([]Choice, error) {
	var prefix []string
	for {
		choices, err := known, error(nil)
		if known == nil {
			choices, err = run(prefix)
		}
		known = nil
		if err != nil {
			return nil, err
		}
		next, ok := follows(choices, order)
		if ok {
			return choices, nil
		}
		if next < 0 {
			return nil, fmt.Errorf("dfs: the run ended before %d sections were entered", len(order))
		}
		wanted, section := order[entered(choices[:next])], choices[next]
		if len(prefix) > next || !isFree(section.Candidates, wanted) {
			return nil, fmt.Errorf("dfs: at choice %d %s should enter a section, and cannot", next+1, wanted)
		}
		prefix = make([]string, 0, next+1)
		for _, c := range choices[:next] {
			prefix = append(prefix, c.Task)
		}
		prefix = append(prefix, wanted)
	}
}

// follows reports whether the sections of a run come in the given order. If not, differs
// is the first choice that differs, or -1 if the run has too few sections.
func follows(choices []Choice, order []string) (differs int, ok bool) {
	k := 0
	for i, c := range choices {
		if k == len(order) {
			break
		}
		if c.Candidates == nil || c.Task == "" {
			continue
		}
		if c.Task != order[k] {
			return i, false
		}
		k++
	}
	return -1, k == len(order)
}

// entered returns the number of sections entered.
func entered(choices []Choice) (n int) {
	for _, c := range choices {
		if c.Candidates != nil && c.Task != "" {
			n++
		}
	}
	return n
}

// isFree reports whether task is a candidate and not blocked.
func isFree(list []Candidate, task string) bool {
	for _, c := range list {
		if c.Task == task {
			return !c.Blocked
		}
	}
	return false
}
