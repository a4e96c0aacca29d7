package bench

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// A grid is one table: a title, a head, rows of cells.
type grid struct {
	title string
	head  []string
	rows  [][]string
}

func (g *grid) row(cells ...string) { g.rows = append(g.rows, cells) }

const unknownCell = "-"

// grids returns the tables of a report: benchmarks or packages down, modes
// across.
func (r *Report) grids() (list []*grid) {
	measures := []struct {
		title, plain string
		base         func(Run) string
		of           func(*Ratios) float64
	}{
		{"time, as a multiple of plain", "plain", func(m Run) string { return duration(m.Time) }, func(x *Ratios) float64 { return x.Time }},
		{"processor time of the process, as a multiple of plain", "plain", func(m Run) string { return duration(m.CPU * 1e9) }, func(x *Ratios) float64 { return x.CPU }},
		{"peak memory of the process, as a multiple of plain", "plain", func(m Run) string { return size(m.Memory) }, func(x *Ratios) float64 { return x.Memory }},
	}
	labels := r.labels()
	for i, m := range measures {
		g := &grid{title: m.title, head: []string{"benchmark", m.plain}}
		for _, name := range r.others() {
			g.head = append(g.head, name)
		}
		for _, b := range r.Benchmarks {
			cells := []string{labels[b], unknownCell}
			if p := b.Modes[plainMode]; p != nil && len(p.Runs) > 0 {
				cells[1] = m.base(p.Median)
			}
			for _, name := range r.others() {
				cell := unknownCell
				if s := b.Modes[name]; s != nil && s.Ratios != nil {
					cell = times(m.of(s.Ratios))
					if i == 0 {
						cell += s.Ratios.spread()
					}
				}
				cells = append(cells, cell)
			}
			g.row(cells...)
		}
		cells := []string{"geometric mean", ""}
		for _, name := range r.others() {
			cell := unknownCell
			if x := r.Means[name]; x != nil {
				cell = times(m.of(x))
			}
			cells = append(cells, cell)
		}
		g.row(cells...)
		list = append(list, g)
		if g := r.effectTable(); g != nil && i == 0 {
			list = append(list, g)
		}
	}
	if g := r.dynamic(); g != nil {
		list = append(list, g)
	}
	if g := r.static(); g != nil {
		list = append(list, g)
	}
	if g := r.compile(); g != nil {
		list = append(list, g)
	}
	return list
}

// spread writes the interval of the time, "" if it is not known.
func (x *Ratios) spread() string {
	if x.Low == 0 || x.Time == 0 {
		return ""
	}
	return fmt.Sprintf(" ±%.0f%%", 100*max(x.High-x.Time, x.Time-x.Low)/x.Time)
}

// others returns the modes except plain.
func (r *Report) others() (list []string) {
	for _, m := range r.Modes {
		if m != plainMode {
			list = append(list, m)
		}
	}
	return list
}

// dynamic returns the table of executed checks, nil if no program counted them.
func (r *Report) dynamic() *grid {
	g := &grid{title: "checks executed (a range is one), and the share of those without passes that is gone", head: []string{"benchmark"}}
	any, labels := false, r.labels()
	var modes []string
	for _, m := range r.Modes {
		if m != plainMode && m != raceMode {
			modes, g.head = append(modes, m), append(g.head, m)
		}
	}
	shares := map[string][]float64{}
	for _, b := range r.Benchmarks {
		cells := []string{labels[b]}
		none, has := b.Modes[noneMode].checks()
		for _, m := range modes {
			cell := unknownCell
			if n, ok := b.Modes[m].checks(); ok {
				any = true
				cell = quantity(n)
				if has && none > 0 && m != noneMode {
					share := 100 * (1 - n/none)
					shares[m] = append(shares[m], share)
					cell += fmt.Sprintf(" %.1f%%", share)
				}
			}
			cells = append(cells, cell)
		}
		g.row(cells...)
	}
	if !any {
		return nil
	}
	cells := []string{"arithmetic mean"}
	for _, m := range modes {
		cell := ""
		if l := shares[m]; len(l) > 0 {
			sum := 0.0
			for _, s := range l {
				sum += s
			}
			cell = fmt.Sprintf("%.1f%%", sum/float64(len(l)))
		}
		cells = append(cells, cell)
	}
	g.row(cells...)
	return g
}

// static returns the table of checks in the source, nil if they were not counted.
func (r *Report) static() *grid {
	g := &grid{title: "accesses in the source, and in each mode those that are checked each time + guarded", head: []string{"package", "accesses"}}
	var modes []string
	for _, m := range r.Modes {
		if m != plainMode && m != raceMode {
			modes, g.head = append(modes, m), append(g.head, m)
		}
	}
	any := false
	for _, p := range r.Packages {
		cells := []string{p.Path, unknownCell}
		for _, m := range modes {
			cell := unknownCell
			if b := p.Modes[m]; b != nil && b.Static != nil {
				any = true
				cells[1] = fmt.Sprint(b.Static.Sites)
				cell = fmt.Sprint(b.Static.Kept)
				if b.Static.Guarded > 0 {
					cell += fmt.Sprintf("+%d", b.Static.Guarded)
				}
			}
			cells = append(cells, cell)
		}
		g.row(cells...)
	}
	if !any {
		return nil
	}
	return g
}

// compile returns the table of build times, nil if they were not measured.
func (r *Report) compile() *grid {
	any := false
	g := &grid{title: "seconds to build the test, with the standard library at hand", head: append([]string{"package"}, r.Modes...)}
	for _, p := range r.Packages {
		cells := []string{p.Path}
		for _, m := range r.Modes {
			cell := unknownCell
			if b := p.Modes[m]; b != nil && b.Failed == "" && b.Compile > 0 {
				any = true
				cell = fmt.Sprintf("%.1f", b.Compile)
			}
			cells = append(cells, cell)
		}
		g.row(cells...)
	}
	if !any {
		return nil
	}
	return g
}

// writeTable prints the tables as text.
func (r *Report) writeTable(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\n", r.circumstances())
	for _, g := range r.grids() {
		fmt.Fprintf(b, "\n%s\n", g.title)
		tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
		for _, row := range append([][]string{g.head}, g.rows...) {
			fmt.Fprintf(tw, "  %s\n", strings.Join(row, "\t"))
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	fmt.Fprintf(b, "\n%s\n", r.Noise.Text)
	for _, n := range r.Notes {
		fmt.Fprintln(b, n)
	}
	return b.Flush()
}

func (r *Report) circumstances() string {
	cpu := ""
	if r.CPU != "" {
		cpu = ", " + r.CPU
	}
	return fmt.Sprintf("taskinstr %s, %s %s/%s%s, GOMAXPROCS %d; medians of %d runs", r.Version, r.Go, r.GOOS, r.GOARCH, cpu, r.Procs, r.runs())
}

// runs returns the number of runs of each benchmark and mode: the largest, if a measurement
// was interrupted.
func (r *Report) runs() (n int) {
	for _, b := range r.Benchmarks {
		for _, s := range b.Modes {
			n = max(n, len(s.Runs))
		}
	}
	return n
}

func times(x float64) string {
	if x == 0 {
		return unknownCell
	}
	if x >= 100 {
		return fmt.Sprintf("%.0fx", x)
	}
	return fmt.Sprintf("%.2fx", x)
}

// duration writes nanoseconds with three digits.
func duration(ns float64) string {
	d := time.Duration(ns)
	for _, u := range []time.Duration{time.Second, time.Millisecond, time.Microsecond} {
		if d >= u {
			return d.Round(u / 1000 * pow10(d/u)).String()
		}
	}
	return fmt.Sprintf("%.3gns", ns)
}

// pow10 is 1, 10 or 100 for numbers of one, two, or more digits before the
// point.
func pow10(n time.Duration) time.Duration {
	switch {
	case n >= 100:
		return 100
	case n >= 10:
		return 10
	}
	return 1
}

func size(bytes float64) string {
	if bytes == 0 {
		return unknownCell
	}
	return fmt.Sprintf("%.1fMB", bytes/1e6)
}

func quantity(n float64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2fG", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.2fM", n/1e6)
	case n >= 1e4:
		return fmt.Sprintf("%.1fk", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}
