package bench

import (
	"fmt"
	"io"

	"taskinstr/cmd/taskinstr/internal/bench/chart"
)

// A drawer draws a chart as an image in the format svg or png.
type drawer func(w io.Writer, c *chart.Chart, format string) error

// chart returns the bars of the slowdowns, with the geometric means behind them.
func (r *Report) chart() *chart.Chart {
	c := &chart.Chart{
		Title: fmt.Sprintf("Slowdown, as a multiple of plain time (medians of %d runs)", r.runs()),
		Modes: r.others(),
	}
	labels := r.labels()
	of := func(name string, ratios func(mode string) *Ratios) {
		g := chart.Group{Name: name}
		for _, m := range c.Modes {
			var b chart.Bar
			if x := ratios(m); x != nil {
				b = chart.Bar{Ratio: x.Time, Low: x.Low, High: x.High}
			}
			g.Bars = append(g.Bars, b)
		}
		c.Groups = append(c.Groups, g)
	}
	for _, b := range r.Benchmarks {
		of(labels[b], func(m string) *Ratios {
			if s := b.Modes[m]; s != nil {
				return s.Ratios
			}
			return nil
		})
	}
	if len(r.Benchmarks) > 1 {
		of("geometric mean", func(m string) *Ratios { return r.Means[m] })
	}
	return c
}
