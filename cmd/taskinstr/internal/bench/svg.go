package bench

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// Sizes of the chart, in pixels.
const (
	barWidth   = 9
	groupGap   = 18
	plotHeight = 320
	plotTop    = 34
	axisWidth  = 52
	labelSpace = 150 // below the bars, for slanted names
	legendLine = 18
	legendCell = 130
)

// colors are the modes' colours, in order, distinct in print and to most eyes. After the
// last the first is used again.
var colors = []string{
	"#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7", "#9c755f",
	"#86bcb6", "#d37295", "#8cd17d", "#499894", "#fabfd2", "#79706e",
}

// A group holds the bars of one benchmark.
type group struct {
	name string
	bars []float64 // ratios by mode, 0: none
}

// groups returns the bars, with the geometric means behind them.
func (r *Report) groups() (list []group) {
	labels := r.labels()
	for _, b := range r.Benchmarks {
		g := group{name: labels[b]}
		for _, m := range r.others() {
			v := 0.0
			if s := b.Modes[m]; s != nil && s.Ratios != nil {
				v = s.Ratios.Time
			}
			g.bars = append(g.bars, v)
		}
		list = append(list, g)
	}
	mean := group{name: "geometric mean"}
	for _, m := range r.others() {
		v := 0.0
		if x := r.Means[m]; x != nil {
			v = x.Time
		}
		mean.bars = append(mean.bars, v)
	}
	return append(list, mean)
}

// writeSVG prints a bar chart of the slowdowns, like TaskChecker's figure 14: a group for
// each benchmark, a bar for each mode. The axis is logarithmic, since slowdowns are ratios. A
// bar below the line of plain is faster than plain.
func (r *Report) writeSVG(w io.Writer) error {
	groups, modes := r.groups(), r.others()
	low, high := 0, 1 // powers of two
	for _, g := range groups {
		for _, v := range g.bars {
			if v > 0 {
				low, high = min(low, int(math.Floor(math.Log2(v)+0.05))), max(high, int(math.Ceil(math.Log2(v))))
			}
		}
	}
	groupWidth := len(modes)*barWidth + groupGap
	plotWidth := len(groups) * groupWidth
	perLine := max(1, plotWidth/legendCell)
	lines := (len(modes) + perLine - 1) / perLine
	width := max(axisWidth+plotWidth+groupGap, 2*axisWidth+legendCell)
	height := plotTop + plotHeight + labelSpace + lines*legendLine + 10
	y := func(v float64) float64 {
		return plotTop + plotHeight*(float64(high)-math.Log2(v))/float64(high-low)
	}

	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+"\n", width, height, width, height)
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	fmt.Fprintf(b, `<text x="%d" y="18" font-size="13">Slowdown (multiple of plain time), medians of %d runs</text>`+"\n", axisWidth, r.Count)
	for e := low; e <= high; e++ {
		v := math.Pow(2, float64(e))
		stroke := "#ddd"
		if e == 0 {
			stroke = "#333"
		}
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="%s"/><text x="%d" y="%.1f" text-anchor="end">%gx</text>`+"\n",
			axisWidth, axisWidth+plotWidth, y(v), y(v), stroke, axisWidth-6, y(v)+4, v)
	}
	for i, g := range groups {
		x := axisWidth + i*groupWidth + groupGap/2
		for k, v := range g.bars {
			if v <= 0 {
				continue
			}
			top, bottom := min(y(v), y(1)), max(y(v), y(1))
			fmt.Fprintf(b, `<rect x="%d" y="%.1f" width="%d" height="%.1f" fill="%s"><title>%s, %s: %s</title></rect>`+"\n",
				x+k*barWidth, top, barWidth-1, max(bottom-top, 0.5), colors[k%len(colors)], html.EscapeString(g.name), html.EscapeString(modes[k]), times(v))
		}
		cx, cy := x+(groupWidth-groupGap)/2, plotTop+plotHeight+14
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end" transform="rotate(-40 %d %d)">%s</text>`+"\n", cx, cy, cx, cy, html.EscapeString(shortName(g.name)))
	}
	for k, m := range modes {
		x := axisWidth + k%perLine*legendCell
		ly := plotTop + plotHeight + labelSpace + k/perLine*legendLine
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="10" height="10" fill="%s"/><text x="%d" y="%d">%s</text>`+"\n", x, ly-9, colors[k%len(colors)], x+15, ly, html.EscapeString(m))
	}
	fmt.Fprintln(b, "</svg>")
	return b.Flush()
}

// shortName shortens a name so that it fits below a group.
func shortName(s string) string {
	const most = 32
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}
