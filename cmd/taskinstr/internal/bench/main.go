package bench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/bench/chart"
	"taskinstr/cmd/taskinstr/internal/outfile"
)

// errInterrupted ends a measurement.
var errInterrupted = errors.New("interrupted")

// Main runs "taskinstr bench" with the arguments that follow the word bench and returns
// the exit code. base holds the options before that word, version is taskinstr's own.
func Main(base option.Set, version string, args []string, stdout, stderr io.Writer) int {
	o, err := parse(base, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, Help())
		return exitcode.OK
	case err != nil:
		fmt.Fprintf(stderr, "taskinstr bench: %v\nRun 'taskinstr help bench' for usage.\n", err)
		return exitcode.Usage
	}
	var r *Report
	switch {
	case o.plan != "":
		err = printPlans(base, o, stdout)
	case o.detectors != "":
		err = withEnv(o, stderr, func(ctx context.Context, e *env) error { return compareDetectors(ctx, e, stdout) })
	default:
		if r, err = load(o, version, stderr); err == nil {
			note := func(line string) { fmt.Fprintf(stderr, "taskinstr bench: %s\n", line) }
			err = r.write(stdout, o.format, func(w io.Writer, c *chart.Chart, format string) error { return c.Write(w, format, note) })
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr bench: %v\n", err)
		return exitcode.Failed
	}
	if r == nil {
		return exitcode.OK
	}
	if o.format != "table" && o.format != "html" { // which have it themselves
		fmt.Fprintf(stderr, "taskinstr bench: %s\n", r.Noise.Text)
	}
	if r.Interrupted && o.from == "" {
		return exitcode.Interrupted
	}
	failures := r.failures()
	for _, f := range failures {
		fmt.Fprintf(stderr, "taskinstr bench: %s\n", f)
	}
	if len(failures) > 0 {
		return exitcode.Failed
	}
	return exitcode.OK
}

// load measures, or reads the report of an earlier measurement.
func load(o *options, version string, stderr io.Writer) (r *Report, err error) {
	if o.from != "" {
		return read(o)
	}
	err = withEnv(o, stderr, func(ctx context.Context, e *env) (err error) {
		r, err = measure(ctx, e, version, stderr)
		return err
	})
	return r, err
}

// withEnv calls f with the environment of builds and runs, and a context that a signal cancels.
func withEnv(o *options, stderr io.Writer, f func(context.Context, *env) error) error {
	progress := terminal.NewProgress(stderr)
	defer progress.Clear()
	ctx, stop := interruptible()
	defer stop()
	e, err := newEnv(o, progress)
	if err != nil {
		return err
	}
	defer e.close()
	return f(ctx, e)
}

// interruptible returns a context that a signal cancels, until stop is called.
func interruptible() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if _, ok := <-signals; ok {
			cancel(errInterrupted)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(signals)
		cancel(nil)
	}
}

// read takes a report from a file; -modes leaves modes out.
func read(o *options) (*Report, error) {
	text, err := os.ReadFile(o.from)
	if err != nil {
		return nil, fmt.Errorf("flag -from: %w", err)
	}
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("flag -from: %s is no output of -format=json: %w", o.from, err)
	}
	if len(r.Modes) == 0 || len(r.Benchmarks) == 0 {
		return nil, fmt.Errorf("flag -from: %s has no measurements", o.from)
	}
	if o.asked {
		r.Modes = slices.DeleteFunc(r.Modes, func(name string) bool {
			return !slices.ContainsFunc(o.modes, func(m mode) bool { return m.name == name })
		})
	}
	r.conclude()
	return r, nil
}

// failures lists the benchmarks and builds that failed.
func (r *Report) failures() (list []string) {
	for _, p := range r.Packages {
		for _, m := range r.Modes {
			if b := p.Modes[m]; b != nil && b.Failed != "" {
				list = append(list, fmt.Sprintf("%s, %s: not built: %s", p.Path, m, b.Failed))
			}
		}
	}
	for _, b := range r.Benchmarks {
		for _, m := range r.Modes {
			if s := b.Modes[m]; s != nil && s.Failed != "" {
				list = append(list, fmt.Sprintf("%s, %s: %s", b.Name, m, s.Failed))
			}
		}
	}
	return list
}

func (r *Report) write(w io.Writer, format string, draw drawer) error {
	switch format {
	case "json":
		return outfile.WriteJSON(w, r)
	case "csv":
		return r.writeCSV(w)
	case "benchstat":
		return r.writeBenchstat(w)
	case "svg", "png":
		return draw(w, r.chart(), format)
	case "html":
		return r.writeHTML(w, draw)
	}
	return r.writeTable(w)
}
