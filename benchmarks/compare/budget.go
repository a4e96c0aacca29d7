package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"taskinstr/benchmarks/blank"
	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/modules"
	"taskinstr/internal/executed"
)

// The parts of a program's price. Go's race runtime and taskinstr's both have hooks in the runtime (allocation,
// channels, locks, atomics, goroutines); on top of them come the entries of functions, and the accesses.
const (
	raceHooks  mode = "race-hooks"  // -race without the calls for accesses, entries and exits of functions
	raceEnters mode = "race-enters" // -race without the calls for accesses
	racePasses mode = "race-passes" // -race without the calls at lines whose checks the default passes remove
	hooks      mode = "hooks"       // taskinstr with checks in one tiny package alone
)

// budget lists the modes of the budget, in the order of its table.
var budget = []mode{plain, raceHooks, raceEnters, race, hooks, taskinstr, packages}

// tiny is a package that each program has and that executes hardly a check.
const tiny = "errors"

var (
	accessCalls = []string{"runtime.raceread", "runtime.racewrite", "runtime.racereadrange", "runtime.racewriterange"}
	enterCalls  = []string{"runtime.racefuncenter", "runtime.racefuncexit"}
)

// blanked returns the functions whose calls a mode of -race leaves out; none if m is no such mode.
func (m mode) blanked() []string {
	switch m {
	case raceHooks:
		return slices.Concat(accessCalls, enterCalls)
	case raceEnters, racePasses:
		return accessCalls
	}
	return nil
}

// buildBlanked builds a recipe's program for -race and overwrites the calls that m leaves out.
func (b *builder) buildBlanked(ctx context.Context, s *modules.Source, m mode) (modules.Program, error) {
	p, err := s.Build(ctx, string(race), b.flags(race)...)
	if err != nil {
		return p, err
	}
	var here func(string, int) bool
	if m == racePasses {
		if here, err = b.removed(ctx, s); err != nil {
			return p, err
		}
	}
	exe := strings.TrimSuffix(p.Args[0], "race.exe") + string(m) + ".exe"
	if _, _, err := blank.Calls(exe, p.Args[0], m.blanked(), here); err != nil {
		return p, err
	}
	p.Args = append([]string{exe}, p.Args[1:]...)
	return p, nil
}

// leftOver is the share of a line's executed checks up to which the passes count as having removed them. A check in front
// of a loop has the line of an access inside.
const leftOver = 0.1

// removed counts the executed checks of a recipe's program by line, with no pass and with all. It
// returns a function that reports whether the passes have removed the checks of a line.
func (b *builder) removed(ctx context.Context, s *modules.Source) (func(file string, line int) bool, error) {
	before, err := b.executedLines(ctx, s, "none")
	if err != nil {
		return nil, err
	}
	after, err := b.executedLines(ctx, s, "all")
	if err != nil {
		return nil, err
	}
	return func(file string, line int) bool {
		at := fmt.Sprintf("%s:%d", file, line)
		return before[at] > 0 && float64(after[at]) <= leftOver*float64(before[at])
	}, nil
}

// executedLines returns the number of checks that a recipe's program executes at each line, file:line.
func (b *builder) executedLines(ctx context.Context, s *modules.Source, passes string) (map[string]uint64, error) {
	counting := *b
	counting.checks = true
	p, err := s.Build(ctx, "counted-"+passes, counting.toolexec("-passes="+passes+" -scope=package"), "-tags=race")
	if err != nil {
		return nil, err
	}
	name := filepath.Join(b.tmp, "counted-"+passes)
	if _, err := one(ctx, p, "TASKINSTR=checks="+name); err != nil {
		return nil, err
	}
	profile, err := executed.ReadFile(name)
	if err != nil {
		return nil, err
	}
	lines := map[string]uint64{}
	for _, c := range profile.Checks {
		if i := strings.LastIndexByte(c.Position, ':'); i > 0 {
			lines[c.Position[:i]] += c.Executed
		}
	}
	return lines, nil
}

// budgetColumns are the heads of the table of the budget, for the modes but plain.
var budgetColumns = []string{"race_hooks", "race_enters", "race", "hooks", "none", "default"}

// budgetRow returns the multiples of the plain program's processor time; 0 for a mode that failed.
func budgetRow(r result) (list []float64) {
	for _, m := range budget[1:] {
		x := 0.0
		if p := r.Medians[plain].CPU; p > 0 && r.Failed[m] == "" {
			x = r.Medians[m].CPU / p
		}
		list = append(list, x)
	}
	return list
}

// printBudget writes the multiples of the plain program's processor time.
func printBudget(w io.Writer, o options, results []result) {
	fmt.Fprintf(w, "medians of %d runs; processor time as multiples of plain\n", o.runs)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "program\t-race: hooks\t+ enter, exit\t+ accesses\thooks\t-passes=none\tdefault\t")
	columns := make([][]float64, len(budget)-1)
	for _, r := range results {
		fmt.Fprintf(tw, "%s\t", r.Kernel)
		for i, x := range budgetRow(r) {
			fmt.Fprintf(tw, "%s\t", ratio(x, 1))
			if x > 0 {
				columns[i] = append(columns[i], x)
			}
		}
		fmt.Fprintln(tw)
	}
	fmt.Fprint(tw, "geometric mean\t")
	for _, c := range columns {
		fmt.Fprintf(tw, "%s\t", ratio(measure.GeometricMean(c), 1))
	}
	fmt.Fprintln(tw)
	tw.Flush()
	printFailures(w, o, results)
}

// budgetCSV returns the multiples of the plain program's processor time.
func budgetCSV(results []result) [][]string {
	rows := [][]string{append([]string{"program"}, budgetColumns...)}
	for _, r := range results {
		row := []string{r.Kernel}
		for _, x := range budgetRow(r) {
			row = append(row, figure("%.1f", x, 1))
		}
		rows = append(rows, row)
	}
	return rows
}
