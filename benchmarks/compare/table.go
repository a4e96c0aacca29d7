package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"taskinstr/benchmarks/micro/kernels"
)

// printTable writes one block a kind of kernel, each with geometric means.
func printTable(w io.Writer, o options, results []result) {
	fmt.Fprintf(w, "medians of %d runs; ratios to plain: wall, processor time, peak memory\n", o.runs)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, kind := range []kernels.Kind{kernels.Sync, kernels.Compute, kernels.Std, kernels.Scale} {
		var of []result
		for _, r := range results {
			if r.Kind == kind {
				of = append(of, r)
			}
		}
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(tw, "\n%s\tplain ms\tMB\t", kind)
		for _, m := range o.modes {
			if m != plain {
				fmt.Fprintf(tw, "%s wall\tcpu\tmem\t", m)
			}
		}
		fmt.Fprintln(tw)
		for _, r := range of {
			p := r.Medians[plain]
			fmt.Fprintf(tw, "%s\t%.0f\t%.0f\t", r.Kernel, 1000*p.Wall, p.Memory/1e6)
			for _, m := range o.modes {
				if m != plain {
					q := r.Medians[m]
					fmt.Fprintf(tw, "%s\t%s\t%s\t", ratio(q.Wall, p.Wall), ratio(q.CPU, p.CPU), ratio(q.Memory, p.Memory))
				}
			}
			fmt.Fprintln(tw)
		}
		fmt.Fprint(tw, "geometric mean\t\t\t")
		for _, m := range o.modes {
			if m != plain {
				for _, field := range []func(sample) float64{wallOf, cpuOf, memoryOf} {
					fmt.Fprintf(tw, "%s\t", ratio(geomean(of, m, field), 1))
				}
			}
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
}

func wallOf(s sample) float64   { return s.Wall }
func cpuOf(s sample) float64    { return s.CPU }
func memoryOf(s sample) float64 { return s.Memory }

func ratio(a, b float64) string {
	if a == 0 || b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2fx", a/b)
}

// geomean is the geometric mean of a mode's ratios to plain; what was not
// measured is left out, and the mean of nothing is 0.
func geomean(rs []result, m mode, of func(sample) float64) float64 {
	sum, n := 0.0, 0
	for _, r := range rs {
		a, b := of(r.Medians[m]), of(r.Medians[plain])
		if a > 0 && b > 0 {
			sum += math.Log(a / b)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}
