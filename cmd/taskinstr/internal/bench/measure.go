package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// measure builds and runs everything. Target by target, it builds all modes and runs each
// benchmark once, and prints its row; the other rounds follow. If the context ends, measure
// returns what there is, with Report.Interrupted.
func measure(ctx context.Context, e *env, version string, rows io.Writer) (*Report, error) {
	o := e.opts
	r := &Report{
		Version: version, Go: e.vars["GOVERSION"], GOOS: e.vars["GOOS"], GOARCH: e.vars["GOARCH"], CPU: processor(),
		Procs: o.cpus, Benchmarks: []*Benchmark{}, Packages: []*Package{},
	}
	modes := slices.Clone(o.modes)
	if why := e.noRace(); why != "" {
		modes = slices.DeleteFunc(modes, func(m mode) bool { return m.name == raceMode })
		if len(modes) < len(o.modes) {
			r.Notes = append(r.Notes, "-race is left out: "+why)
		}
	}
	for _, m := range modes {
		r.Modes = append(r.Modes, m.name)
	}
	s, err := e.openState()
	if err != nil {
		return nil, err
	}
	ts, err := e.targets(ctx)
	if err != nil {
		return nil, err
	}
	if err := e.judge(); err != nil {
		return nil, err
	}
	if o.builds {
		if err := e.buildStandard(ctx, modes, ts); err != nil {
			return nil, err
		}
	}
	m := &measurement{env: e, report: r, modes: modes, state: s, rows: rows, of: map[*Benchmark]*target{}, took: map[*Series]time.Duration{}, targets: len(ts), start: time.Now()}
	err = m.all(ctx, ts)
	interrupted := ctx.Err() != nil
	if err != nil && !interrupted {
		return nil, err
	}
	r.Notes = append(r.Notes, e.notes...)
	r.conclude()
	if serr := s.save(r); serr != nil {
		r.Notes = append(r.Notes, "the results are not kept for -resume: "+serr.Error())
	}
	if !interrupted {
		return r, nil
	}
	r.Interrupted = true
	if len(r.Means) == 0 {
		return nil, context.Cause(ctx)
	}
	r.Notes = append(r.Notes, fmt.Sprintf("interrupted after %d of %d runs; the same command with -resume continues", m.done, m.total()))
	return r, nil
}

// A measurement is the state of one call of measure.
type measurement struct {
	*env
	report  *Report
	modes   []mode
	state   *state
	rows    io.Writer
	of      map[*Benchmark]*target
	took    map[*Series]time.Duration // of one run
	targets int                       // number of packages
	built   int                       // number of packages that are built
	done    int                       // number of runs
	start   time.Time
}

func (m *measurement) all(ctx context.Context, ts []*target) error {
	var kept []*target
	for _, t := range ts {
		list, err := m.open(ctx, t)
		if err != nil {
			return err
		}
		m.built++
		if len(list) == 0 {
			continue
		}
		kept = append(kept, t)
		for _, b := range list {
			if err := m.round(ctx, b, 0); err != nil {
				return err
			}
			m.row(b)
		}
	}
	r := m.report
	if len(kept) == 0 {
		return fmt.Errorf("no benchmark of %s matches -bench=%s", strings.Join(m.opts.patterns, " "), m.opts.bench)
	}
	for round := 1; round < m.opts.count; round++ {
		for _, b := range r.Benchmarks {
			if err := m.round(ctx, b, round); err != nil {
				return err
			}
		}
	}
	if m.opts.checks {
		if err := m.countChecks(ctx, r, m.modes, kept, m.of); err != nil {
			return err
		}
	}
	if err := m.countSites(ctx, m.modes, kept); err != nil {
		return err
	}
	r.Count = m.opts.count
	return nil
}

// open builds the test binaries of a package and returns its benchmarks.
func (m *measurement) open(ctx context.Context, t *target) ([]*Benchmark, error) {
	if err := m.build(ctx, m.modes[0], t); err != nil {
		return nil, err
	}
	list, err := m.find(ctx, t, m.state)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	m.report.Packages = append(m.report.Packages, t.result)
	if err := m.plan(ctx, m.modes, t); err != nil {
		return nil, err
	}
	for _, mode := range m.modes[1:] {
		if err := m.build(ctx, mode, t); err != nil {
			return nil, err
		}
	}
	for _, b := range list {
		m.of[b] = t
		m.report.Benchmarks = append(m.report.Benchmarks, b)
		for _, mode := range m.report.Modes {
			b.Modes[mode] = m.state.series(t, b, mode)
			if t.exes[mode] == "" {
				b.Modes[mode] = &Series{Runs: []Run{}, Failed: "it was not built"}
			}
			m.done += min(len(b.Modes[mode].Runs), m.opts.count)
		}
	}
	return list, nil
}

// round runs a benchmark once in each mode, unless it has the run already. Each round begins
// with another mode.
func (m *measurement) round(ctx context.Context, b *Benchmark, round int) error {
	t := m.of[b]
	for i := range m.report.Modes {
		name := m.report.Modes[(i+round)%len(m.report.Modes)]
		s := b.Modes[name]
		if s.Failed != "" || len(s.Runs) > round {
			continue
		}
		m.progress.Show("run %d of %d%s: %s %s", m.done+1, m.total(), m.left(), b.Name, name)
		start := time.Now()
		run, err := m.once(ctx, t, b, t.exes[name], b.Iterations)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			s.Failed = err.Error()
			continue
		}
		m.took[s] = time.Since(start)
		m.done++
		s.Runs = append(s.Runs, run)
		m.state.saveNow(m.report)
	}
	return nil
}

// total returns the number of runs of the benchmarks that are known.
func (m *measurement) total() (n int) {
	for _, b := range m.report.Benchmarks {
		for _, s := range b.Modes {
			if s.Failed == "" {
				n += m.opts.count
			} else {
				n += len(s.Runs)
			}
		}
	}
	return n
}

// left returns an estimate of the remaining time as text, "" before there is one: the runs
// take as long as before, and packages that are not built as long as the others.
func (m *measurement) left() string {
	if len(m.took) == 0 {
		return ""
	}
	var sum, left time.Duration
	for _, d := range m.took {
		sum += d
	}
	mean := sum / time.Duration(len(m.took))
	for _, b := range m.report.Benchmarks {
		for _, s := range b.Modes {
			d, ok := m.took[s]
			if !ok {
				d = mean
			}
			if s.Failed == "" {
				left += d * time.Duration(max(m.opts.count-len(s.Runs), 0))
			}
		}
	}
	if m.built > 0 && m.built < m.targets {
		each := (time.Since(m.start) + left) / time.Duration(m.built)
		left += each * time.Duration(m.targets-m.built)
	}
	return fmt.Sprintf(", about %v left", left.Round(time.Second))
}

// row prints the figures of a benchmark after its first round.
func (m *measurement) row(b *Benchmark) {
	plain := b.Modes[plainMode]
	if plain == nil || len(plain.Runs) == 0 {
		return
	}
	var cells []string
	for _, name := range m.report.others() {
		cell := unknownCell
		if s := b.Modes[name]; len(s.Runs) > 0 {
			cell = times(ratio(s.Runs[0].Time, plain.Runs[0].Time))
		}
		cells = append(cells, name+" "+cell)
	}
	m.progress.Clear()
	fmt.Fprintf(m.rows, "%s: plain %s, %s (first of %d runs)\n", m.report.labels()[b], duration(plain.Runs[0].Time), strings.Join(cells, ", "), m.opts.count)
}
