package main

import (
	"fmt"
	"os"

	"taskinstr/benchmarks/datafile"
)

// writeCSV writes a data file of benchmarks/results.
func writeCSV(name, conditions string, rows [][]string) error {
	return datafile.Write(name, datafile.Head(conditions, "go run ./benchmarks/compare", os.Args[1:], "csv", "tool", "keep"), rows)
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

// csvModes are the modes that a data file needs.
var csvModes = []mode{plain, race, packages}

// figure formats a ratio, "" if one of its sides was not measured.
func figure(format string, a, b float64) string {
	if a == 0 || b == 0 {
		return ""
	}
	return fmt.Sprintf(format, a/b)
}
