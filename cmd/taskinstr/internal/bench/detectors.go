package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"taskinstr/cmd/taskinstr/internal/outfile"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
)

// With -detectors each benchmark runs once, with its fixed number of iterations, and
// writes a trace; all detectors then read the same execution. A detector's time is
// compared with the processor time of a plain run of as many iterations.

// A comparison holds the results of the detectors for one benchmark.
type comparison struct {
	Benchmark  string          `json:"benchmark"`
	Package    string          `json:"package"`
	Iterations int             `json:"iterations"`
	Plain      float64         `json:"plain_cpu_seconds"`
	Recording  float64         `json:"recording_cpu_seconds"`
	Trace      int64           `json:"trace_bytes"`
	Detectors  []suite.Summary `json:"detectors,omitempty"`
	Failed     string          `json:"failed,omitempty"`
}

// traceIterations is how often a benchmark is executed unless -benchtime says Nx.
const traceIterations = 1

// compareDetectors runs "taskinstr bench -detectors".
func compareDetectors(ctx context.Context, e *env, stdout io.Writer) error {
	choices, err := suite.Parse(e.opts.detectors)
	if err != nil {
		return fmt.Errorf("-detectors: %w", err)
	}
	if e.opts.fixed == 0 {
		e.opts.fixed = traceIterations
	}
	modes, err := parseModes(plainMode+","+noneMode, e.opts.scope)
	if err != nil {
		return err
	}
	ts, err := e.targets(ctx)
	if err != nil {
		return err
	}
	if err := e.judge(); err != nil {
		return err
	}
	for _, t := range ts {
		for _, m := range modes {
			if err := e.build(ctx, m, t); err != nil {
				return err
			}
		}
	}
	list := []*comparison{}
	for _, t := range ts {
		found, err := e.find(ctx, t, nil)
		if err != nil {
			return err
		}
		for _, b := range found {
			c := e.compare(ctx, t, b, choices)
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return fmt.Errorf("no benchmark of %s matches -bench=%s", strings.Join(e.opts.patterns, " "), e.opts.bench)
	}
	e.progress.Clear()
	if e.opts.format == "json" {
		return outfile.WriteJSON(stdout, list)
	}
	for _, c := range list {
		if err := c.write(stdout); err != nil {
			return err
		}
	}
	return nil
}

// compare records a benchmark and runs the detectors on its trace.
func (e *env) compare(ctx context.Context, t *target, b *Benchmark, choices []suite.Choice) *comparison {
	c := &comparison{Benchmark: b.Name, Package: b.Package, Iterations: e.opts.fixed}
	fail := func(what string, err error) *comparison {
		c.Failed = what + ": " + err.Error()
		return c
	}
	times := strconv.Itoa(c.Iterations) + "x"
	if t.exes["none"] == "" {
		c.Failed = "it was not built with checks: " + t.result.Modes["none"].Failed
		return c
	}
	e.progress.Show("running %s", b.Name)
	plain, _, err := e.execute(ctx, t, t.exes[plainMode], pattern(b.Name), times)
	if err != nil {
		return fail("plain run", err)
	}
	c.Plain = plain.CPU
	file := filepath.Join(e.tmp, "trace")
	defer os.Remove(file)
	e.progress.Show("recording %s", b.Name)
	traced, out, err := e.execute(ctx, t, t.exes["none"], pattern(b.Name), times, "trace="+file)
	if err != nil {
		return fail("recording", err)
	}
	c.Recording = traced.CPU
	fi, err := os.Stat(file)
	if err != nil {
		return fail("recording", fmt.Errorf("it wrote no trace:\n%s", strings.TrimSpace(out)))
	}
	c.Trace = fi.Size()
	for _, choice := range choices {
		e.progress.Show("%s: detector %s", b.Name, choice.Name)
		results, err := suite.Run(trace.File(file), []suite.Choice{choice})
		if err != nil {
			return fail("detector "+choice.Name, err)
		}
		c.Detectors = append(c.Detectors, results[0].Summary())
		if ctx.Err() != nil {
			break
		}
	}
	return c
}

// write prints the table of one benchmark.
func (c *comparison) write(w io.Writer) error {
	fmt.Fprintf(w, "%s (%s, %d iterations): plain %s", c.Benchmark, c.Package, c.Iterations, duration(c.Plain*1e9))
	if c.Failed != "" {
		_, err := fmt.Fprintf(w, "\n  %s\n", c.Failed)
		return err
	}
	fmt.Fprintf(w, ", recording %s, trace %s\n", duration(c.Recording*1e9), size(float64(c.Trace)))
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "  detector\traces\tpredicted\tpossible\toutside\ttime\tof plain\tmemory\tverdict")
	for _, d := range c.Detectors {
		outside := int64(0)
		for _, p := range d.Outside {
			outside += p.Count
		}
		fmt.Fprintf(t, "  %s\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\n", d.Detector, d.Races, d.Predicted, d.Possible, outside,
			duration(d.Seconds*1e9), times(ratio(d.Seconds, c.Plain)), size(float64(d.Bytes)), d.Verdict)
	}
	return t.Flush()
}

// detectorFormats are the output formats of -detectors.
var detectorFormats = []string{"table", "json"}

// checkDetectors returns an error for flags that do not go with -detectors.
func (o *options) checkDetectors() error {
	if _, err := suite.Parse(o.detectors); err != nil {
		return fmt.Errorf("-detectors: %w", err)
	}
	switch {
	case !slices.Contains(detectorFormats, o.format):
		return fmt.Errorf("-detectors prints %s, not %s", strings.Join(detectorFormats, " or "), o.format)
	case o.asked:
		return fmt.Errorf("-modes has no place beside -detectors")
	case o.from != "":
		return fmt.Errorf("-from has no place beside -detectors")
	}
	return nil
}
