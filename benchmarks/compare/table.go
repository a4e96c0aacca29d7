package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/micro/kernels"
	"taskinstr/benchmarks/modules"
)

// kindNames lists the blocks of the table by kind, with their headings.
var kindNames = []string{
	string(kernels.Sync), string(kernels.Compute), string(kernels.Std), string(kernels.Hooks), string(kernels.Scale),
	"taskchecker", "drdp", "ptracer", string(modules.Modules), string(modules.Codecs),
}

// A column holds the ratios of one figure in two modes.
type column struct {
	head   string
	of, to mode
	figure func(sample) float64
}

// columns returns the columns for the measured modes: the ratios of each mode to plain,
// and of taskinstr's to -race.
func columns(modes []mode) []column {
	var list []column
	for _, m := range modes {
		if m != plain {
			list = append(list, column{string(m) + " wall", m, plain, wallOf}, column{"cpu", m, plain, cpuOf}, column{"mem", m, plain, memoryOf})
		}
	}
	if !slices.Contains(modes, race) {
		return list
	}
	for _, m := range []mode{taskinstr, packages, passes, racePasses} {
		if !slices.Contains(modes, m) {
			continue
		}
		head := "/race cpu"
		if m != taskinstr {
			head = string(m) + head
		}
		list = append(list, column{head, m, race, cpuOf}, column{"mem", m, race, memoryOf})
	}
	return list
}

// printTable writes a block for each kind of program, with geometric means, and lists the
// failures.
func printTable(w io.Writer, o options, results []result) {
	fmt.Fprintf(w, "medians of %d runs; ratios to plain: wall, processor time, peak memory\n", o.runs)
	cols := columns(o.modes)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, kind := range kindNames {
		var of []result
		for _, r := range results {
			if r.Kind == kind {
				of = append(of, r)
			}
		}
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(tw, "\n%s\tplain ms\tcpu ms\tMB\t", kind)
		for _, c := range cols {
			fmt.Fprintf(tw, "%s\t", c.head)
		}
		fmt.Fprintln(tw)
		for _, r := range of {
			printRow(tw, cols, r)
		}
		fmt.Fprint(tw, "geometric mean\t\t\t\t")
		for _, c := range cols {
			fmt.Fprintf(tw, "%s\t", ratio(geomean(of, c), 1))
		}
		fmt.Fprintln(tw)
	}
	tw.Flush()
	printFailures(w, o, results)
}

// failedCell replaces a figure of a program that failed.
const failedCell = "failed"

func printRow(w io.Writer, cols []column, r result) {
	if r.Failed[plain] != "" {
		fmt.Fprintf(w, "%s\t%[2]s\t%[2]s\t%[2]s\t", r.Kernel, failedCell)
	} else {
		p := r.Medians[plain]
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.0f\t", r.Kernel, 1000*p.Wall, 1000*p.CPU, p.Memory/1e6)
	}
	for _, c := range cols {
		if r.Failed[c.of] != "" || r.Failed[c.to] != "" {
			fmt.Fprintf(w, "%s\t", failedCell)
		} else {
			fmt.Fprintf(w, "%s\t", ratio(c.figure(r.Medians[c.of]), c.figure(r.Medians[c.to])))
		}
	}
	fmt.Fprintln(w)
}

// printFailures writes a line for each program and mode that failed. The geometric means
// do not include them.
func printFailures(w io.Writer, o options, results []result) {
	if failures(results) == 0 {
		return
	}
	fmt.Fprintln(w, "\nfailed:")
	for _, r := range results {
		for _, m := range o.modes {
			if why := r.Failed[m]; why != "" {
				fmt.Fprintf(w, "  %s, %s: %s\n", r.Kernel, m, firstLine(why))
			}
		}
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
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

// geomean returns the geometric mean of a column without its missing figures; 0 if it has
// no figure.
func geomean(rs []result, c column) float64 {
	var ratios []float64
	for _, r := range rs {
		a, b := c.figure(r.Medians[c.of]), c.figure(r.Medians[c.to])
		if a > 0 && b > 0 {
			ratios = append(ratios, a/b)
		}
	}
	return measure.GeometricMean(ratios)
}
