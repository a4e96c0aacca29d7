package bench

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

var csvHead = []string{
	"package", "benchmark", "mode", "iterations", "runs", "ns_per_op", "wall_s", "cpu_s", "peak_bytes",
	"time_ratio", "cpu_ratio", "memory_ratio", "checks", "sites", "kept", "removed", "guarded", "compile_s", "spread", "failed",
}

// writeCSV prints one row for each benchmark and mode, with medians. Unknown values are
// empty.
func (r *Report) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(csvHead); err != nil {
		return err
	}
	builds := map[string]*Package{}
	for _, p := range r.Packages {
		builds[p.Path] = p
	}
	number := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 8, 64)
	}
	for _, b := range r.Benchmarks {
		for _, m := range r.Modes {
			s := b.Modes[m]
			if s == nil {
				continue
			}
			row := []string{
				b.Package, b.Name, m, fmt.Sprint(b.Iterations), fmt.Sprint(len(s.Runs)),
				number(s.Median.Time), number(s.Median.Wall), number(s.Median.CPU), number(s.Median.Memory),
			}
			x := s.Ratios
			if x == nil {
				x = new(Ratios)
			}
			row = append(row, number(x.Time), number(x.CPU), number(x.Memory))
			checks := ""
			if n, ok := s.checks(); ok {
				checks = strconv.FormatFloat(n, 'f', 0, 64)
			}
			row = append(row, checks)
			var build Build
			if p := builds[b.Package]; p != nil && p.Modes[m] != nil {
				build = *p.Modes[m]
			}
			if t := build.Static; t != nil {
				row = append(row, fmt.Sprint(t.Sites), fmt.Sprint(t.Kept), fmt.Sprint(t.Removed), fmt.Sprint(t.Guarded))
			} else {
				row = append(row, "", "", "", "")
			}
			spread := ""
			if m == plainMode {
				spread = number(b.Spread)
			}
			if err := out.Write(append(row, number(build.Compile), spread, s.Failed)); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
