package bench

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// writeBenchstat prints the runs in the Go benchmark format, the mode as a part
// of the name: `benchstat -col /mode file`.
func (r *Report) writeBenchstat(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "goos: %s\ngoarch: %s\n", r.GOOS, r.GOARCH)
	if r.CPU != "" {
		fmt.Fprintf(b, "cpu: %s\n", r.CPU)
	}
	for _, unit := range []string{"cpu-ns/op", "peak-bytes", "checks"} {
		fmt.Fprintf(b, "Unit %s better=lower\n", unit)
	}
	procs := ""
	if r.Procs > 1 {
		procs = fmt.Sprintf("-%d", r.Procs)
	}
	pkg := ""
	for _, bm := range r.Benchmarks {
		if bm.Package != pkg {
			pkg = bm.Package
			fmt.Fprintf(b, "pkg: %s\n", pkg)
		}
		for _, m := range r.Modes {
			s := bm.Modes[m]
			if s == nil {
				continue
			}
			for _, run := range s.Runs {
				fmt.Fprintf(b, "Benchmark%s/mode=%s%s\t%d\t%g ns/op\t%.0f cpu-ns/op", strings.TrimPrefix(bm.Name, "/"), m, procs, bm.Iterations, run.Time, run.CPU*1e9/float64(bm.Iterations))
				if run.Memory > 0 {
					fmt.Fprintf(b, "\t%.0f peak-bytes", run.Memory)
				}
				if n, ok := s.checks(); ok {
					fmt.Fprintf(b, "\t%.0f checks", n)
				}
				fmt.Fprintln(b)
			}
		}
	}
	return b.Flush()
}
