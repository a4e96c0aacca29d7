package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"taskinstr/internal/peak"
)

// A line is one line of a benchmark's output.
type line struct {
	name string // without Benchmark and GOMAXPROCS
	n    int
	time float64 // ns/op
}

var lineForm = regexp.MustCompile(`(?m)^Benchmark(\S*)\s+(\d+)\s+([0-9.e+]+) ns/op`)

// readLines finds the results in a test binary's output.
func readLines(out string, cpus int) (list []line) {
	for _, m := range lineForm.FindAllStringSubmatch(out, -1) {
		name := m[1]
		if cpus > 1 {
			name = strings.TrimSuffix(name, "-"+strconv.Itoa(cpus))
		}
		n, err1 := strconv.Atoi(m[2])
		t, err2 := strconv.ParseFloat(m[3], 64)
		if err1 == nil && err2 == nil {
			list = append(list, line{name, n, t})
		}
	}
	return list
}

// pattern returns the value of -bench that matches only the benchmark of this name.
func pattern(name string) string {
	elems := strings.Split("Benchmark"+name, "/")
	for i, e := range elems {
		elems[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elems, "/")
}

// counters is the line before the counters at a program's end.
const counters = "taskinstr: counters at exit"

var counterForm = regexp.MustCompile(`^  (\S.*?)\s{2,}(\d+)$`)

// readCounters reads the counters that TASKINSTR=stats=1 prints.
func readCounters(out string) map[string]float64 {
	_, rest, ok := strings.Cut(out, counters+"\n")
	if !ok {
		return nil
	}
	m := map[string]float64{}
	for l := range strings.Lines(rest) {
		f := counterForm.FindStringSubmatch(strings.TrimRight(l, "\n"))
		if f == nil {
			break
		}
		m[f[1]], _ = strconv.ParseFloat(f[2], 64)
	}
	return m
}

// execute runs a test binary in its package's folder, with further keys in TASKINSTR.
func (e *env) execute(ctx context.Context, t *target, exe, bench, benchtime string, keys ...string) (Run, string, error) {
	tctx, cancel := context.WithTimeout(ctx, e.opts.timeout)
	defer cancel()
	cmd := exec.CommandContext(tctx, exe, "-test.run=^$", "-test.bench="+bench, "-test.benchtime="+benchtime,
		"-test.cpu="+strconv.Itoa(e.opts.cpus), "-test.count=1", "-test.timeout=0")
	cmd.Dir = t.dir
	// The wait at the end of a program is no cost of its checks.
	cmd.Env = append(os.Environ(), "PWD="+t.dir,
		"GORACE="+strings.TrimSpace(os.Getenv("GORACE")+" atexit_sleep_ms=0"),
		"TASKINSTR="+strings.TrimSpace(os.Getenv("TASKINSTR")+" stats=1 atexit_wait_ms=0 "+strings.Join(keys, " ")))
	cmd.WaitDelay = endDelay
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return Run{}, "", err
	}
	watched := peak.Watch(cmd.Process)
	err := cmd.Wait()
	wall := time.Since(start)
	r := Run{
		Wall: wall.Seconds(), CPU: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		Memory: watched(cmd.ProcessState), Counters: readCounters(out.String()),
	}
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case tctx.Err() != nil:
		err = fmt.Errorf("it took longer than %v (-timeout)", e.opts.timeout)
	case strings.Contains(out.String(), "WARNING: DATA RACE"):
		err = errors.New("it has a data race, and reporting it takes time:\n" + firstReport(out.String()))
	case err != nil:
		err = fmt.Errorf("%w\n%s", err, strings.TrimSpace(out.String()))
	}
	return r, out.String(), err
}

// firstReport returns the first report of a race in a program's output.
func firstReport(out string) string {
	_, rest, _ := strings.Cut(out, "WARNING: DATA RACE")
	report, _, _ := strings.Cut(rest, "==================")
	return "WARNING: DATA RACE" + strings.TrimRight(report, "\n")
}

// find returns the benchmarks of a package, from the state, which may be nil, or from one run of
// the plain binary. The iterations of each fill the time.
func (e *env) find(ctx context.Context, t *target, s *state) ([]*Benchmark, error) {
	if b := t.result.Modes[plainMode]; b.Failed != "" {
		return nil, fmt.Errorf("%s does not build: %s", t.path, b.Failed)
	}
	if t.exes[plainMode] == "" {
		return nil, nil
	}
	if list := s.benchmarks(t); list != nil {
		return list, nil
	}
	e.progress.Show("looking for benchmarks in %s", t.path)
	benchtime := e.opts.time.String()
	if e.opts.fixed > 0 {
		benchtime = strconv.Itoa(e.opts.fixed) + "x"
	}
	_, out, err := e.execute(ctx, t, t.exes[plainMode], e.opts.bench, benchtime)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.path, err)
	}
	var list []*Benchmark
	for _, l := range readLines(out, e.opts.cpus) {
		list = append(list, &Benchmark{Package: t.path, Name: l.name, Iterations: max(l.n, 1), Modes: map[string]*Series{}})
	}
	return list, nil
}

// once runs a benchmark of a test binary.
func (e *env) once(ctx context.Context, t *target, b *Benchmark, exe string, iterations int) (Run, error) {
	r, out, err := e.execute(ctx, t, exe, pattern(b.Name), strconv.Itoa(iterations)+"x")
	if err != nil {
		return r, err
	}
	for _, l := range readLines(out, e.opts.cpus) {
		if l.name == b.Name {
			r.Time = l.time
			return r, nil
		}
	}
	return r, fmt.Errorf("no result in its output:\n%s", strings.TrimSpace(out))
}
