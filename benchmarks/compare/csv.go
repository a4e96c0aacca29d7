package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"taskinstr/benchmarks/datafile"
)

// writeCSV writes a data file of benchmarks/results. The table gets the geometric means of the columns in means.
func writeCSV(name, conditions string, rows [][]string, means ...string) error {
	head := datafile.Head(conditions, "go run ./benchmarks/compare", os.Args[1:], "csv", "tool", "keep")
	if len(means) > 0 {
		head += fmt.Sprintf("# mean: %s\n", strings.Join(means, ", "))
	}
	return datafile.Write(name, head, rows)
}

// ratiosCSV returns ratios of plain, -race and default builds, which have been measured.
func ratiosCSV(results []result) [][]string {
	rows := [][]string{{"kind", "program", "race", "default", "to_race", "low", "high", "memory_to_race"}}
	for _, r := range results {
		if len(r.Failed) > 0 {
			continue
		}
		p, s, d := r.Medians[plain], r.Medians[race], r.Medians[packages]
		spread, _ := r.against(packages, race, cpuOf)
		rows = append(rows, []string{r.Kind, r.Kernel, figure("%.1f", s.CPU, p.CPU), figure("%.1f", d.CPU, p.CPU), figure("%.2f", d.CPU, s.CPU),
			figure("%.2f", spread.low, 1), figure("%.2f", spread.high, 1), figure("%.2f", d.Memory, s.Memory)})
	}
	return rows
}

// csvModes are the modes of a data file that compares the default with -race.
var csvModes = []mode{plain, race, packages}

// againstRace reports whether a data file can compare the default with -race.
func (o options) againstRace() bool {
	return !o.byPass && !slices.ContainsFunc(csvModes, func(m mode) bool { return !slices.Contains(o.modes, m) })
}

// writeResults writes the data file of -csv: the default against -race, or the cost of each pass, or the
// processor time of each mode against plain.
func (o options) writeResults(results []result) error {
	switch {
	case o.againstRace():
		return writeCSV(o.csv, interleaved(o.runs), ratiosCSV(results))
	case o.byPass:
		conditions := interleaved(o.runs) + ", ± half the distance between the quartiles"
		return writeCSV(o.csv, conditions, byPassCSV(results))
	}
	return writeCSV(o.csv, "processor time against plain, "+interleaved(o.runs), modesCSV(o.modes, results), titles(o.modes)...)
}

func interleaved(runs int) string { return fmt.Sprintf("medians of %d interleaved runs", runs) }

// titled are the words of documents for modes whose names are others.
var titled = map[mode]string{race: "-race", taskinstr: "no passes", passes: "program scope", branches: "-branches=on"}

// titles returns the columns of the modes other than plain.
func titles(modes []mode) (list []string) {
	for _, m := range modes {
		if m != plain {
			list = append(list, cmp.Or(titled[m], string(m)))
		}
	}
	return list
}

// modesCSV returns the ratios of the processor time of each mode to plain.
func modesCSV(modes []mode, results []result) [][]string {
	rows := [][]string{append([]string{"program"}, titles(modes)...)}
	for _, r := range results {
		row := []string{r.Kernel}
		for _, m := range modes {
			if m != plain {
				row = append(row, figure("%.2f", r.Medians[m].CPU, r.Medians[plain].CPU))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// byPassCSV returns the ratios of all passes to none, and to all but one.
func byPassCSV(results []result) [][]string {
	head := []string{"program", "all / none", "memory, all / none"}
	for _, m := range without() {
		head = append(head, string(m))
	}
	rows := [][]string{head}
	for _, r := range results {
		cell := func(to mode, figure func(sample) float64) string {
			if s, ok := r.against(packages, to, figure); ok {
				return s.String()
			}
			return ""
		}
		row := []string{r.Kernel, cell(taskinstr, cpuOf), cell(taskinstr, memoryOf)}
		for _, m := range without() {
			row = append(row, cell(m, cpuOf))
		}
		rows = append(rows, row)
	}
	return rows
}

// figure formats a ratio, "" if one of its sides was not measured.
func figure(format string, a, b float64) string {
	if a == 0 || b == 0 {
		return ""
	}
	return fmt.Sprintf(format, a/b)
}
