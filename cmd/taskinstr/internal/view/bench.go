package view

import (
	"cmp"
	"fmt"
	"slices"

	"taskinstr/cmd/taskinstr/internal/bench"
)

// A Bench is a measurement as charts of ratios to the plain program.
type Bench struct {
	Input   string
	Heading string
	Noise   string
	Noisy   bool
	Notes   []string
	Charts  []Chart
}

// A Chart has a bar for each mode.
type Chart struct {
	Title string
	Unit  string // the plain value
	Bars  []Bar
	Plain int  // x of the ratio 1
	Whole bool // the chart is about all benchmarks, and is shown without being asked for
}

// A Bar is a mode's ratio to plain.
type Bar struct {
	Mode  string
	Value string
	W     int
	// The spread of the runs, from the least to the largest; both 0 if there is one run.
	Low, High int
	Failed    string
}

const (
	chartWidth = 360 // of the longest bar
	plainMode  = "plain"
)

func newBench(name string, r *bench.Report) *Bench {
	b := &Bench{
		Input:   name,
		Heading: fmt.Sprintf("taskinstr %s, %s %s/%s %s, GOMAXPROCS %d, %d runs of each", r.Version, r.Go, r.GOOS, r.GOARCH, r.CPU, r.Procs, r.Count),
		Noise:   r.Noise.Text, Noisy: r.Noise.Noisy, Notes: r.Notes,
	}
	for _, measure := range []struct {
		title string
		of    func(*bench.Ratios) float64
	}{
		{"Time, geometric mean of all benchmarks", func(x *bench.Ratios) float64 { return x.Time }},
		{"Processor time, geometric mean", func(x *bench.Ratios) float64 { return x.CPU }},
		{"Peak memory, geometric mean", func(x *bench.Ratios) float64 { return x.Memory }},
	} {
		c := Chart{Title: measure.title, Whole: true}
		var bars []bar
		for _, m := range r.Modes {
			if x := r.Means[m]; x != nil && m != plainMode && measure.of(x) > 0 {
				bars = append(bars, bar{mode: m, ratio: measure.of(x)})
			}
		}
		b.add(c, bars)
	}
	for _, x := range r.Benchmarks {
		c := Chart{Title: x.Package + "." + x.Name}
		plain := x.Modes[plainMode]
		if plain != nil && len(plain.Runs) > 0 {
			c.Unit = fmt.Sprintf("plain: %.4g ns per operation", plain.Median.Time)
		}
		var bars []bar
		for _, m := range r.Modes {
			s := x.Modes[m]
			if s == nil || m == plainMode {
				continue
			}
			y := bar{mode: m, failed: s.Failed}
			if s.Ratios != nil {
				y.ratio = s.Ratios.Time
			}
			if plain != nil && plain.Median.Time > 0 && len(s.Runs) > 1 {
				byTime := func(a, b bench.Run) int { return cmp.Compare(a.Time, b.Time) }
				y.low = slices.MinFunc(s.Runs, byTime).Time / plain.Median.Time
				y.high = slices.MaxFunc(s.Runs, byTime).Time / plain.Median.Time
			}
			bars = append(bars, y)
		}
		b.add(c, bars)
	}
	return b
}

// A bar is a Bar before it has lengths.
type bar struct {
	mode             string
	ratio, low, high float64
	failed           string
}

// add adds a chart whose longest bar, or spread, has the whole width.
func (b *Bench) add(c Chart, bars []bar) {
	if len(bars) == 0 {
		return
	}
	longest := 1.0
	for _, x := range bars {
		longest = max(longest, x.ratio, x.high)
	}
	length := func(ratio float64) int { return int(ratio / longest * chartWidth) }
	c.Plain = length(1)
	for _, x := range bars {
		y := Bar{Mode: x.mode, Value: "-", W: length(x.ratio), Low: length(x.low), High: length(x.high), Failed: x.failed}
		if x.ratio > 0 {
			y.Value = fmt.Sprintf("%.2fx", x.ratio)
		}
		c.Bars = append(c.Bars, y)
	}
	b.Charts = append(b.Charts, c)
}
