package bench

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
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

// across adds a row: the first cells, and one for each mode.
func (g *grid) across(modes []string, cell func(mode string) string, first ...string) {
	for _, m := range modes {
		first = append(first, cmp.Or(cell(m), unknownCell))
	}
	g.row(first...)
}

const unknownCell = "-"

// grids returns the tables of a report: benchmarks or packages down, modes
// across.
func (r *Report) grids() (list []*grid) {
	measures := []struct {
		title string
		base  func(Run) string
		of    func(*Ratios) float64
	}{
		{"time, as a multiple of plain", func(m Run) string { return duration(m.Time) }, func(x *Ratios) float64 { return x.Time }},
		{"processor time of the process, as a multiple of plain", func(m Run) string { return duration(m.CPU * 1e9) }, func(x *Ratios) float64 { return x.CPU }},
		{"peak memory of the process, as a multiple of plain", func(m Run) string { return size(m.Memory) }, func(x *Ratios) float64 { return x.Memory }},
	}
	labels, others := r.labels(), r.others()
	for i, m := range measures {
		g := &grid{title: m.title, head: append([]string{"benchmark", "plain"}, others...)}
		for _, b := range r.Benchmarks {
			plain := unknownCell
			if p := b.Modes[plainMode]; p != nil && len(p.Runs) > 0 {
				plain = m.base(p.Median)
			}
			g.across(others, func(name string) string {
				s := b.Modes[name]
				switch {
				case s == nil || s.Ratios == nil:
					return ""
				case i == 0:
					return times(m.of(s.Ratios)) + s.Ratios.spread()
				}
				return times(m.of(s.Ratios))
			}, labels[b], plain)
		}
		g.across(others, func(name string) string {
			if x := r.Means[name]; x != nil {
				return times(m.of(x))
			}
			return ""
		}, "geometric mean", "")
		list = append(list, g)
		if i == 0 {
			list = append(list, r.effectTable())
		}
	}
	list = append(list, r.dynamic(), r.static(), r.compile())
	return slices.DeleteFunc(list, func(g *grid) bool { return g == nil })
}

// spread writes the interval of the time, "" if it is not known.
func (x *Ratios) spread() string {
	if x.Low == 0 || x.Time == 0 {
		return ""
	}
	return fmt.Sprintf(" ±%.0f%%", 100*max(x.High-x.Time, x.Time-x.Low)/x.Time)
}

// others returns the modes except plain, and further ones.
func (r *Report) others(but ...string) []string {
	return slices.DeleteFunc(slices.Clone(r.Modes), func(m string) bool { return m == plainMode || slices.Contains(but, m) })
}

// dynamic returns the table of executed checks, nil if no program counted them.
func (r *Report) dynamic() *grid {
	modes, labels, any := r.others(raceMode), r.labels(), false
	g := &grid{title: "checks executed (a range is one), and the share of those without passes that is gone", head: append([]string{"benchmark"}, modes...)}
	shares := map[string][]float64{}
	for _, b := range r.Benchmarks {
		none, has := b.Modes[noneMode].checks()
		g.across(modes, func(m string) string {
			n, ok := b.Modes[m].checks()
			if !ok {
				return ""
			}
			any = true
			if !has || none <= 0 || m == noneMode {
				return quantity(n)
			}
			share := 100 * (1 - n/none)
			shares[m] = append(shares[m], share)
			return fmt.Sprintf("%s %.1f%%", quantity(n), share)
		}, labels[b])
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
	modes, any := r.others(raceMode), false
	g := &grid{title: "accesses in the source, and in each mode those that are checked each time + guarded", head: append([]string{"package", "accesses"}, modes...)}
	for _, p := range r.Packages {
		g.across(modes, func(m string) string {
			b := p.Modes[m]
			if b == nil || b.Static == nil {
				return ""
			}
			any = true
			if b.Static.Guarded > 0 {
				return fmt.Sprintf("%d+%d", b.Static.Kept, b.Static.Guarded)
			}
			return fmt.Sprint(b.Static.Kept)
		}, p.Path, p.accesses(modes))
	}
	if !any {
		return nil
	}
	return g
}

// accesses returns the number of accesses in a package's source, which is the same in each mode.
func (p *Package) accesses(modes []string) string {
	for _, m := range modes {
		if b := p.Modes[m]; b != nil && b.Static != nil {
			return fmt.Sprint(b.Static.Sites)
		}
	}
	return unknownCell
}

// compile returns the table of build times, nil if they were not measured.
func (r *Report) compile() *grid {
	any := false
	g := &grid{title: "seconds to build the test, with the standard library at hand", head: append([]string{"package"}, r.Modes...)}
	for _, p := range r.Packages {
		g.across(r.Modes, func(m string) string {
			b := p.Modes[m]
			if b == nil || b.Failed != "" || b.Compile <= 0 {
				return ""
			}
			any = true
			return fmt.Sprintf("%.1f", b.Compile)
		}, p.Path)
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
