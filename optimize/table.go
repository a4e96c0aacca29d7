package optimize

import (
	"fmt"
	"math/rand/v2"
)

// A Pass makes the fate of some sites weaker.
type Pass struct {
	Name string
	Doc  string // one line for the command's help
	// Proves: its removals need no cover, since their accesses cannot race.
	Proves bool
	// Guards: it makes checks depend on flags.
	Guards bool
	run    func(*maker)
}

// Passes is the table of passes, in the order of running.
var Passes []Pass

func init() {
	Passes = []Pass{
		{Name: "maintask", Doc: "accesses that run only while no other task exists", Proves: true, run: maintask},
		{Name: "escape", Doc: "accesses to objects that never leave their task", Proves: true, run: escape},
		{Name: "readonly", Doc: "reads of what nobody writes while tasks run in parallel", Proves: true, run: readonly},
		{Name: "fresh", Doc: "first values of memory that nobody else knows yet", Proves: true, run: fresh},
		{Name: "affine", Doc: "accesses in loop nests, replaced by one scan of exactly what they touch", Guards: true, run: affine},
		{Name: "hoist", Doc: "accesses of one address in a loop, checked the first time only", Guards: true, run: hoist},
		{Name: "dominate", Doc: "accesses covered by a check of the same address before or behind them", run: dominate},
		{Name: "gather", Doc: "accesses in a loop that reach neighbouring elements one after the other, checked together", Guards: true, run: gather},
	}
	if err := verify(Passes, before); err != nil {
		panic("optimize: " + err.Error())
	}
}

// A constraint says that one pass runs before another, and why.
type constraint struct{ first, second, reason string }

var before = []constraint{
	// What a proof removes needs no check at all, so that it must not become a
	// cover first: a cover stays.
	{"maintask", "dominate", "a cover stays checked, though no other task exists"},
	{"escape", "dominate", "a cover stays checked, though its object is local"},
	{"fresh", "dominate", "a cover stays checked, though nobody else knows its memory"},
	{"readonly", "dominate", "a cover stays checked, though nobody writes"},
	{"maintask", "affine", "a scan of what cannot race costs time for nothing"},
	{"escape", "affine", "a scan of what cannot race costs time for nothing"},
	{"readonly", "affine", "a scan of what cannot race costs time for nothing"},
	{"maintask", "hoist", "a flag for what cannot race costs time for nothing"},
	{"escape", "hoist", "a flag for what cannot race costs time for nothing"},
	{"readonly", "hoist", "a flag for what cannot race costs time for nothing"},
	{"affine", "hoist", "a scan in front of the outermost loop is made once, a flag of an inner loop is tested in each iteration"},
	{"affine", "dominate", "a cover stays checked in each iteration, where the scan would have replaced it"},
	{"dominate", "gather", "a cover stays checked as it is before it is gathered; what is gathered stands for nothing more"},
	{"affine", "gather", "a scan in front of the loop costs nothing in it"},
	{"hoist", "gather", "a flag costs less than a range of one element"},
	{"maintask", "gather", "a range of what cannot race costs time for nothing"},
	{"escape", "gather", "a range of what cannot race costs time for nothing"},
	{"readonly", "gather", "a range of what cannot race costs time for nothing"},
	{"hoist", "dominate", "a cover stays checked in each iteration, where the flag would have skipped it"},
}

// verify reports what is wrong with the table of passes under the constraints.
func verify(passes []Pass, before []constraint) error {
	const most = 64 // bits of a Set
	if len(passes) > most {
		return fmt.Errorf("%d passes, a Set holds %d", len(passes), most)
	}
	at := map[string]int{}
	for i, p := range passes {
		if _, twice := at[p.Name]; twice || p.Name == "" || p.Name == "all" || p.Name == "none" || p.Doc == "" || p.run == nil {
			return fmt.Errorf("pass %d (%q) has no name of its own, no line of documentation, or does nothing", i, p.Name)
		}
		at[p.Name] = i
	}
	for _, c := range before {
		i, ok := at[c.first]
		j, ok2 := at[c.second]
		switch {
		case !ok || !ok2:
			return fmt.Errorf("constraint %s before %s: no such pass", c.first, c.second)
		case c.reason == "":
			return fmt.Errorf("constraint %s before %s has no reason", c.first, c.second)
		case i >= j:
			return fmt.Errorf("pass %s runs before %s: %s", c.second, c.first, c.reason)
		}
	}
	return nil
}

// order returns the passes by index, as in the table or, with a seed, in another
// order that the constraints allow.
func order(seed uint64) (list []int) {
	if seed == 0 {
		for i := range Passes {
			list = append(list, i)
		}
		return list
	}
	r := rand.New(rand.NewPCG(seed, 0))
	done := make([]bool, len(Passes))
	for len(list) < len(Passes) {
		var ready []int
		for i := range Passes {
			ok := !done[i]
			for _, c := range before {
				ok = ok && (c.second != Passes[i].Name || done[index(c.first)])
			}
			if ok {
				ready = append(ready, i)
			}
		}
		i := ready[r.IntN(len(ready))]
		done[i] = true
		list = append(list, i)
	}
	return list
}
