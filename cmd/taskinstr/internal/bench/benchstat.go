package bench

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// writeBenchstat prints the runs in the Go benchmark format, the mode as a part
// of the name: `benchstat -col /mode file`.
func (r *Report) writeBenchstat(w io.Writer) error {
	b := benchfmt.NewWriter(w)
	for _, unit := range []string{"cpu-ns/op", "peak-bytes", "checks"} {
		if err := b.Write(&benchfmt.UnitMetadata{UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}, OrigUnit: unit, Value: "lower"}); err != nil {
			return err
		}
	}
	procs := ""
	if r.Procs > 1 {
		procs = fmt.Sprintf("-%d", r.Procs)
	}
	for _, bm := range r.Benchmarks {
		for _, m := range r.Modes {
			s := bm.Modes[m]
			if s == nil {
				continue
			}
			for _, run := range s.Runs {
				res := &benchfmt.Result{
					Name:  benchfmt.Name(fmt.Sprintf("%s/mode=%s%s", strings.TrimPrefix(bm.Name, "/"), m, procs)),
					Iters: bm.Iterations,
					Values: []benchfmt.Value{
						{Value: run.Time, Unit: "ns/op"},
						{Value: run.CPU * 1e9 / float64(bm.Iterations), Unit: "cpu-ns/op"},
					},
				}
				if run.Memory > 0 {
					res.Values = append(res.Values, benchfmt.Value{Value: run.Memory, Unit: "peak-bytes"})
				}
				if n, ok := s.checks(); ok {
					res.Values = append(res.Values, benchfmt.Value{Value: n, Unit: "checks"})
				}
				for _, c := range [][2]string{{"goos", r.GOOS}, {"goarch", r.GOARCH}, {"pkg", bm.Package}, {"cpu", r.CPU}} {
					if c[1] != "" {
						res.Config = append(res.Config, benchfmt.Config{Key: c[0], Value: []byte(c[1]), File: true})
					}
				}
				if err := b.Write(res); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
