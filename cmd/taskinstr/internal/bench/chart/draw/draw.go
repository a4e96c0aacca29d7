package draw

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"taskinstr/cmd/taskinstr/internal/bench/chart"
)

// Sizes of the chart.
const (
	barSpace    = 14 * vg.Length(1) // of one bar, in points
	groupSpace  = 22 * vg.Length(1) // between two benchmarks
	chartHeight = 420 * vg.Length(1)
	leastWidth  = 560 * vg.Length(1)
)

// colors are the modes' colours, in order, distinct in print and to most eyes. After the last
// the first is used again.
var colors = [...]color.RGBA{
	{0x4e, 0x79, 0xa7, 0xff}, {0xf2, 0x8e, 0x2b, 0xff}, {0x59, 0xa1, 0x4f, 0xff}, {0xe1, 0x57, 0x59, 0xff}, {0x76, 0xb7, 0xb2, 0xff},
	{0xed, 0xc9, 0x48, 0xff}, {0xb0, 0x7a, 0xa1, 0xff}, {0xff, 0x9d, 0xa7, 0xff}, {0x9c, 0x75, 0x5f, 0xff}, {0x79, 0x70, 0x6e, 0xff},
}

// Write draws a chart as an image in the format svg or png. The axis is logarithmic, since
// slowdowns are ratios. A bar below the line of plain is faster than plain.
func Write(w io.Writer, c *chart.Chart, format string) error {
	groups, modes := c.Groups, c.Modes
	p := plot.New()
	p.Title.Text = c.Title
	p.Y.Tick.Marker = powers{}
	p.Y.Min, p.Y.Max = 0, 1
	p.X.Tick.Label.Rotation = math.Pi / 5
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YCenter
	p.X.Tick.Width, p.X.Tick.Length = 0, vg.Points(4)
	p.X.Padding, p.Y.Padding = vg.Points(4), vg.Points(2)
	p.Legend.ThumbnailWidth, p.Legend.Padding = vg.Points(12), vg.Points(2)
	p.Legend.Top, p.Legend.Left = true, false
	p.Add(plotter.NewGrid())
	width := 1 / (float64(len(modes)) + float64(groupSpace/barSpace)) // of a bar, on the axis
	var names []string
	for i, g := range groups {
		names = append(names, shortName(g.Name))
		for k, b := range g.Bars {
			if b.Ratio <= 0 {
				continue
			}
			x := float64(i) + (float64(k)-float64(len(modes))/2)*width
			box, err := rectangle(x, x+width, math.Log2(b.Ratio))
			if err != nil {
				return err
			}
			box.Color = colors[k%len(colors)]
			box.LineStyle = draw.LineStyle{Color: color.Gray{0x60}, Width: vg.Points(0.5)}
			p.Add(box)
			if b.Low > 0 && b.High > 0 {
				y := math.Log2(b.Ratio)
				e, err := plotter.NewYErrorBars(interval{x + width/2, y, y - math.Log2(b.Low), math.Log2(b.High) - y})
				if err != nil {
					return err
				}
				p.Add(e)
			}
		}
	}
	for k, m := range modes {
		box, err := rectangle(0, 0, 0)
		if err != nil {
			return err
		}
		box.Color = colors[k%len(colors)]
		p.Legend.Add(m+"  ", box) // the blanks keep the name off its colour
	}
	p.NominalX(names...)
	p.X.Min, p.X.Max = -0.5, float64(len(groups))-0.5
	p.Y.Min, p.Y.Max = math.Floor(p.Y.Min), math.Ceil(p.Y.Max)+legendRoom(len(modes))
	size := max(leastWidth, vg.Length(len(groups))*(vg.Length(len(modes))*barSpace+groupSpace)+90)
	image, err := p.WriterTo(size, chartHeight+vg.Length(len(modes))*6, format)
	if err != nil {
		return err
	}
	_, err = image.WriteTo(w)
	return err
}

// legendRoom is the space above the bars for the legend, in steps of the axis.
func legendRoom(modes int) float64 { return math.Ceil(float64(modes) / 4) }

// rectangle returns a bar from the line of plain to y.
func rectangle(x0, x1, y float64) (*plotter.Polygon, error) {
	return plotter.NewPolygon(plotter.XYs{{X: x0, Y: 0}, {X: x1, Y: 0}, {X: x1, Y: y}, {X: x0, Y: y}})
}

// An interval is one error bar.
type interval struct{ x, y, low, high float64 }

func (i interval) Len() int                       { return 1 }
func (i interval) XY(int) (x, y float64)          { return i.x, i.y }
func (i interval) YError(int) (low, high float64) { return i.low, i.high }

// powers labels an axis of binary logarithms with powers of two.
type powers struct{}

func (powers) Ticks(low, high float64) (list []plot.Tick) {
	for e := math.Ceil(low); e <= high; e++ {
		list = append(list, plot.Tick{Value: e, Label: fmt.Sprintf("%gx", math.Pow(2, e))})
	}
	return list
}

// shortName shortens a name so that it fits below a group.
func shortName(s string) string {
	const most = 32
	if r := []rune(s); len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return s
}
