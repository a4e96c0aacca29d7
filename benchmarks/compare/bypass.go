package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// A spread is the median of some ratios with their quartiles.
type spread struct{ low, mid, high float64 }

// against returns the ratios of a figure in two modes, run by run. Runs of one index were
// made one after the other, so a change of the machine's speed cancels out.
func (r *result) against(of, to mode, figure func(sample) float64) (s spread, ok bool) {
	var ratios []float64
	for i, a := range r.Samples[of] {
		if i < len(r.Samples[to]) && figure(a) > 0 && figure(r.Samples[to][i]) > 0 {
			ratios = append(ratios, figure(a)/figure(r.Samples[to][i]))
		}
	}
	if len(ratios) == 0 || r.Failed[of] != "" || r.Failed[to] != "" {
		return s, false
	}
	slices.Sort(ratios)
	n := len(ratios) - 1
	return spread{ratios[n/4], (ratios[n/2] + ratios[(n+1)/2]) / 2, ratios[n-n/4]}, true
}

// tolerated is the part of a program's time that a pass may cost it.
const tolerated = 0.03

// costs reports whether all but the lowest ratios say that a pass costs more than is
// tolerated.
func (s spread) costs() bool { return s.low > 1+tolerated }

func (s spread) String() string { return fmt.Sprintf("%.2f ±%.2f", s.mid, (s.high-s.low)/2) }

// printByPass writes a row for each program. First come the ratios of -passes=none and of
// all passes to -race, then the ratios of all passes to none, and to all but one: above 1
// the pass costs more than it saves. Each figure has half of the distance between its
// quartiles. A mark shows that the cost is beyond the spread.
func printByPass(w io.Writer, o options, results []result) {
	fmt.Fprintf(w, "medians of %d runs; all passes to none and to all but one: above 1 a pass costs more than it saves,\n", o.runs)
	fmt.Fprintf(w, "with ! by more than %.0f %% beyond the spread\n", 100*tolerated)
	for _, figure := range []struct {
		name string
		of   func(sample) float64
	}{{"processor time", cpuOf}, {"peak memory", memoryOf}} {
		fmt.Fprintf(w, "\n%s\n", figure.name)
		tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprint(tw, "program\tnone / race\tall / race\tall / none\t")
		for _, m := range without() {
			fmt.Fprintf(tw, "%s\t", m)
		}
		fmt.Fprintln(tw)
		for _, r := range results {
			fmt.Fprintf(tw, "%s\t", r.Kernel)
			cell := func(of, to mode) {
				s, ok := r.against(of, to, figure.of)
				switch {
				case !ok:
					fmt.Fprint(tw, "-\t")
				case to != race && s.costs():
					fmt.Fprintf(tw, "!%v\t", s)
				default:
					fmt.Fprintf(tw, "%v\t", s)
				}
			}
			cell(taskinstr, race)
			cell(packages, race)
			cell(packages, taskinstr)
			for _, m := range without() {
				cell(packages, m)
			}
			fmt.Fprintln(tw)
		}
		tw.Flush()
	}
	printFailures(w, o, results)
}
