package optimize

import (
	"fmt"
	"math/rand/v2"

	"taskinstr/optimize/affine"
	"taskinstr/optimize/builder"
	"taskinstr/optimize/dominate"
	"taskinstr/optimize/escape"
	"taskinstr/optimize/fresh"
	"taskinstr/optimize/gather"
	"taskinstr/optimize/hoist"
	"taskinstr/optimize/maintask"
	"taskinstr/optimize/pooled"
	"taskinstr/optimize/readonly"
	"taskinstr/optimize/stationary"
)

// A Pass is a row of the table.
type Pass = builder.Pass

// Passes is the table of passes, in the order of running.
var Passes = []Pass{
	{Name: "maintask", Doc: "accesses that run only while no other task exists", Proves: true, Local: true, Run: maintask.Run},
	{Name: "escape", Doc: "accesses to objects that never leave their task", Proves: true, Local: true, Run: escape.Run},
	{Name: "readonly", Doc: "reads of what nobody writes while tasks run in parallel", Proves: true, Local: true, Run: readonly.Run},
	{Name: "fresh", Doc: "first values of memory that nobody else knows yet", Proves: true, Local: true, Run: fresh.Run},
	{Name: "affine", Doc: "accesses in loop nests, replaced by one scan of exactly what they touch", Guards: true, Local: true, Run: affine.Run},
	{Name: "pooled", Doc: "objects that a sync.Pool hands from task to task", Proves: true, Local: true, Run: pooled.Run},
	{Name: "stationary", Doc: "reads of fields that only new objects get values for", Proves: true, Local: true, Run: stationary.Run},
	{Name: "hoist", Doc: "accesses of one address in a loop, checked the first time only", Guards: true, Local: true, Run: hoist.Run},
	{Name: "dominate", Doc: "accesses covered by a check of the same address before or behind them", Local: true, Run: dominate.Run},
	{Name: "gather", Doc: "accesses in a loop that reach neighbouring elements one after the other, checked together", Guards: true, Local: true, Claims: gather.Claims, Run: gather.Run},
}

func init() {
	if err := verify(Passes, constraints); err != nil {
		panic("optimize: " + err.Error())
	}
}

// A constraint says that one pass runs before another, and why.
type constraint struct{ first, second, reason string }

var constraints = []constraint{
	// A cover stays checked. So a check that a proof can remove must not become a cover
	// first.
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
	{"dominate", "gather", "a cover stays checked as it is before it is gathered; a gathered check covers nothing more"},
	{"affine", "gather", "a scan in front of the loop costs nothing in it"},
	{"maintask", "stationary", "a test of what the linker knows costs time for nothing"},
	{"escape", "stationary", "a test of what the linker knows costs time for nothing"},
	{"readonly", "stationary", "a test of what the linker knows costs time for nothing"},
	{"affine", "stationary", "a scan in front of the loop costs nothing in it"},
	{"maintask", "pooled", "a test whether objects have leaked costs time for nothing"},
	{"escape", "pooled", "a test whether objects have leaked costs time for nothing"},
	{"readonly", "pooled", "a test whether objects have leaked costs time for nothing"},
	{"affine", "pooled", "a scan in front of the loop costs nothing in it"},
	{"pooled", "hoist", "the first check of a flag costs more than a test"},
	{"pooled", "dominate", "a cover stays checked, though no two tasks have its object"},
	{"stationary", "hoist", "the first check of a flag costs more than a test"},
	{"stationary", "dominate", "a cover stays checked, though its field never changes"},
	{"hoist", "gather", "a flag costs less than a range of one element"},
	{"maintask", "gather", "a range of what cannot race costs time for nothing"},
	{"escape", "gather", "a range of what cannot race costs time for nothing"},
	{"readonly", "gather", "a range of what cannot race costs time for nothing"},
	{"hoist", "dominate", "a cover stays checked in each iteration, where the flag would have skipped it"},
}

// verify returns the first fault of a table of passes under constraints.
func verify(passes []Pass, constraints []constraint) error {
	const most = 64 // bits of a Set
	if len(passes) > most {
		return fmt.Errorf("%d passes, a Set holds %d", len(passes), most)
	}
	row := map[string]int{}
	for i, p := range passes {
		if _, twice := row[p.Name]; twice || p.Name == "" || p.Name == "all" || p.Name == "none" || p.Doc == "" || p.Run == nil {
			return fmt.Errorf("pass %d (%q) has no name of its own, no line of documentation, or does nothing", i, p.Name)
		}
		row[p.Name] = i
	}
	for _, c := range constraints {
		i, ok := row[c.first]
		j, ok2 := row[c.second]
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

// order returns the indexes of the passes in the order of the table or, with a seed, in
// another order that the constraints allow.
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
			for _, c := range constraints {
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
