package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"strings"

	"taskinstr/benchmarks/datafile"
)

// writeCSV writes a data file of benchmarks/results, whose rows come from write.
func writeCSV(name, conditions string, write func(*csv.Writer)) error {
	var b strings.Builder
	b.WriteString(datafile.Head(conditions, "go run ./benchmarks/compare", os.Args[1:], "csv", "tool", "keep"))
	w := csv.NewWriter(&b)
	write(w)
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o666)
}

// ratiosCSV writes ratios of plain, -race and default builds, which have been measured.
func ratiosCSV(w *csv.Writer, results []result) {
	w.Write([]string{"kind", "program", "race", "default", "to_race", "low", "high", "memory_to_race"})
	for _, r := range results {
		if len(r.Failed) > 0 {
			continue
		}
		p, s, d := r.Medians[plain], r.Medians[race], r.Medians[packages]
		spread, _ := r.against(packages, race, cpuOf)
		w.Write([]string{r.Kind, r.Kernel, figure("%.1f", s.CPU, p.CPU), figure("%.1f", d.CPU, p.CPU), figure("%.2f", d.CPU, s.CPU),
			figure("%.2f", spread.low, 1), figure("%.2f", spread.high, 1), figure("%.2f", d.Memory, s.Memory)})
	}
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
