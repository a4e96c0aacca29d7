package local

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

// leakLine begins what a program with the option leaks prints of a goroutine (rt/files/runtime/leaks.go).
var leakLine = regexp.MustCompile(`(?m)^taskinstr: goroutine \d+ of (.+) is left behind(, blocked for good)?:$`)

// leaks returns the goroutines that the tests have left behind, by where they were started and where they are.
func (o *outcome) leaks(b *batch.Batch) (list []*batch.Finding) {
	starts := leakLine.FindAllStringSubmatchIndex(o.out, -1)
	for i, m := range starts {
		end := len(o.out)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		text := o.out[m[0]:end]
		all := stacks(text)
		if len(all) == 0 {
			continue // cut
		}
		g := &all[0]
		is, isBase := g.state, g.state
		if f, ok := g.where(); ok {
			is, isBase = g.state+" in "+short(f.function)+" at "+f.place, g.state+" in "+short(f.function)+" at "+base(f.place)
		}
		by := g.starter()
		title := "still there: " + is
		if m[4] >= 0 {
			title = "blocked for good: " + is
		}
		title += "; started in " + short(by.function) + " at " + by.place
		if b.Test == "" {
			title += "; left behind by " + o.out[m[2]:m[3]]
		}
		print := digest(string(batch.Leak), b.Package, isBase, by.function, base(by.place))
		k := slices.IndexFunc(list, func(f *batch.Finding) bool { return f.Fingerprint == print })
		if k < 0 {
			list = append(list, &batch.Finding{Kind: batch.Leak, Fingerprint: print, Title: title, Text: text})
			continue
		}
		list[k].Text += text
	}
	slices.SortFunc(list, func(x, y *batch.Finding) int { return cmp.Compare(x.Fingerprint, y.Fingerprint) })
	return list
}

// LeakOptions are the words of TASKINSTR with which schedules look for leaks. A goroutine that ends within
// the given time is none.
var LeakOptions = fmt.Sprintf("leaks=1 atexit_wait_ms=%d", leakWait)

// leakWait is the time, in milliseconds, that goroutines have to end when the tests are over.
const leakWait = 1000

// starter returns the innermost frame of the user's code that has started the goroutine.
func (g *goroutine) starter() frame {
	i := slices.IndexFunc(g.by, frame.user)
	switch {
	case i >= 0:
		return g.by[i]
	case len(g.by) > 0:
		return g.by[0]
	}
	return frame{function: "an unknown function", place: "an unknown place"}
}

// startedBy begins, in the output of a program with the option leaks, the calls of the go statement.
const startedBy = "started by:"
