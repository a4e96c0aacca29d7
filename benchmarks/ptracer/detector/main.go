// Command detector measures the cost of branch records, and the work of the detector ptracer, on
// the thirteen applications of its paper:
//
//	go run ./benchmarks/ptracer/detector [-runs 5] [-size small] [-programs sort,kmeans] [-tool taskinstr]
//
// Each application is traced three times in turn: as it is, with TASKINSTR=trace_values=1,
// and with that built with -branches=on. The first columns have medians of the processor
// times, as ratios to the first and to the second, and the sizes of the traces. The others
// are about the detector on the last trace: the number of accesses, of accesses of branches not
// taken and of queries for lowest common ancestors, the shares of queries and of accesses that its
// two caches answer, and its time for an access with and without the caches.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/program"
	"taskinstr/benchmarks/suites"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
)

const suiteName = "ptracer"

type options struct {
	runs     int
	size     program.Size
	programs []string // all, if empty
	tool     string

	dir             string // for the programs and their traces
	plain, branches string // the programs, built without records of branches and with them
}

func main() { measure.Main("detector", run) }

func run(ctx context.Context) error {
	o, err := parse()
	if err != nil {
		return err
	}
	if o.dir, err = os.MkdirTemp("", "ptracer"); err != nil {
		return err
	}
	defer os.RemoveAll(o.dir)
	if o.tool, err = measure.Tool(ctx, o.tool, o.dir); err != nil {
		return err
	}
	o.plain, o.branches = filepath.Join(o.dir, "plain.exe"), filepath.Join(o.dir, "branches.exe")
	for exe, flag := range map[string]string{o.plain: "-branches=off", o.branches: "-branches=on"} {
		if err := measure.Run(ctx, o.tool, "build", flag, "-o", exe, "taskinstr/benchmarks/run"); err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer w.Flush()
	fmt.Fprintln(w, "program\ttraced ms\tvalues\tbranches\tkB\tvalues\tbranches\taccesses\tnot taken\tLCA queries\tcache hits\taccess cache hits\tns/access\twithout caches\t")
	for _, p := range suites.All {
		if p.Suite != suiteName || len(o.programs) > 0 && !slices.Contains(o.programs, p.Name) {
			continue
		}
		if err := o.one(ctx, w, p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return nil
}

func parse() (o options, err error) {
	flag.IntVar(&o.runs, "runs", 5, "traces of each program and build")
	size := flag.String("size", string(program.Small), "of the programs' input: small, medium or large")
	names := flag.String("programs", "", "only these applications")
	flag.StringVar(&o.tool, "tool", "", "the taskinstr command; built from the tree by default")
	flag.Parse()
	if *names != "" {
		o.programs = strings.Split(*names, ",")
	}
	if o.runs < 1 {
		return o, fmt.Errorf("-runs=%d: at least 1 is needed", o.runs)
	}
	o.size, err = program.ParseSize(*size)
	return o, err
}

// one measures a program and writes its row.
func (o *options) one(ctx context.Context, w io.Writer, p program.Program) error {
	file := filepath.Join(o.dir, "trace")
	var times [3][]float64
	var bytes [3]int64
	for range o.runs {
		for k, exe := range []string{o.plain, o.plain, o.branches} {
			env := "TASKINSTR=trace=" + file
			if k > 0 {
				env += " trace_values=1"
			}
			cmd := exec.CommandContext(ctx, exe, "-program", p.String(), "-size", string(o.size))
			cmd.Env = append(os.Environ(), env)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%w\n%s", err, out)
			}
			times[k] = append(times[k], 1000*measure.Processor(cmd))
			info, err := os.Stat(file)
			if err != nil {
				return err
			}
			bytes[k] = info.Size()
		}
	}
	traced, values, recorded := measure.Median(times[0]), measure.Median(times[1]), measure.Median(times[2])
	with, err := detect(file, "ptracer:diagnosis=off", o.runs)
	if err != nil {
		return err
	}
	without, err := detect(file, "ptracer:diagnosis=off:lca-cache=off:access-cache=off", o.runs)
	if err != nil {
		return err
	}
	const kB = 1000
	n := with.count
	fmt.Fprintf(w, "%s\t%.0f\t%.2f\t%.2f\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%.0f\t%.0f\t\n", p.Name,
		traced, values/traced, recorded/values, bytes[0]/kB, bytes[1]/kB, bytes[2]/kB,
		n["accesses"], n["accesses of branches not taken"], n["LCA queries"], percent(n["LCA cache hits"], n["LCA queries"]), percent(n["access cache hits"], n["accesses"]),
		with.perAccess(), without.perAccess())
	return nil
}

// A figure has the detector's counters for a trace, by name.
type figure struct {
	count map[string]int64
	time  time.Duration
}

func (f figure) perAccess() float64 {
	return float64(f.time.Nanoseconds()) / float64(max(1, f.count["accesses"]))
}

// detect runs the detector several times, and returns its counters with the shortest time: the
// rest of a longer time belongs to other work on the machine.
func detect(file, name string, runs int) (f figure, err error) {
	choices, err := suite.Parse(name)
	if err != nil {
		return f, err
	}
	for k := range runs {
		results, err := suite.Run(trace.File(file), choices)
		if err != nil {
			return f, err
		}
		r := results[0]
		f.count = map[string]int64{}
		for _, c := range r.Counters {
			f.count[c.Name] = c.Value
		}
		if k == 0 || r.Time < f.time {
			f.time = r.Time
		}
	}
	return f, nil
}

func percent(a, b int64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(a)/float64(b))
}
