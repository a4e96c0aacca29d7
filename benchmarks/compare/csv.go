package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// writeCSV writes a data file of benchmarks/results: ratios of plain, -race and default builds, which
// have been measured.
func writeCSV(name string, o options, results []result) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# go: %s\n# machine: %s/%s, %d processors\n# date: %s\n# conditions: medians of %d interleaved runs\n# command: go run ./benchmarks/compare %s\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Now().Format("2006-01"), o.runs, strings.Join(withoutFile(os.Args[1:]), " "))
	w := csv.NewWriter(&b)
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
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(b.String()), 0o666)
}

// csvModes are the modes that a data file needs.
var csvModes = []mode{plain, race, packages}

// withoutFile returns arguments without the flag -csv.
func withoutFile(args []string) (list []string) {
	for i := 0; i < len(args); i++ {
		name, _, valued := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if name != "csv" {
			list = append(list, args[i])
		} else if !valued {
			i++
		}
	}
	return list
}

// figure formats a ratio, "" if one of its sides was not measured.
func figure(format string, a, b float64) string {
	if a == 0 || b == 0 {
		return ""
	}
	return fmt.Sprintf(format, a/b)
}
