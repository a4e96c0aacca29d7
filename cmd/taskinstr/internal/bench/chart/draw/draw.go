package draw

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
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
	axisWidth   = 90 * vg.Length(1) // with its labels
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
	p := styled(c.Title)
	width := 1 / (float64(len(modes)) + float64(groupSpace/barSpace)) // of a bar, on the axis
	var names []string
	for i, g := range groups {
		names = append(names, shortName(g.Name))
		for k, b := range g.Bars {
			if b.Ratio <= 0 {
				continue
			}
			x := float64(i) + (float64(k)-float64(len(modes))/2)*width
			if err := addBar(p, b, x, width, colors[k%len(colors)]); err != nil {
				return err
			}
		}
	}
	for k, m := range modes {
		box, err := rectangle(0, 0, 0)
		if err != nil {
			return err
		}
		box.Color = colors[k%len(colors)]
		p.Legend.Add(m+"\u00a0", box) // the blank keeps the name off its colour
	}
	p.NominalX(names...)
	// Names that are wider than a group are turned. Their ends stay below the bars.
	for _, n := range names {
		if p.X.Tick.Label.Width(n) > barsWidth(c) {
			p.X.Tick.Label.Rotation = math.Pi / 5
			p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YTop
		}
	}
	p.X.Min, p.X.Max = -0.5, float64(len(groups))-0.5
	p.Y.Min, p.Y.Max = math.Floor(p.Y.Min), math.Ceil(p.Y.Max)+legendRoom(len(modes))
	image, err := p.WriterTo(barsWidth(c)*vg.Length(len(groups))+axisWidth, chartHeight+vg.Length(len(modes))*6, format)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if _, err := image.WriteTo(&b); err != nil {
		return err
	}
	if format == "svg" {
		b = *bytes.NewBuffer(fitted(b.Bytes(), p.Title.TextStyle))
	}
	_, err = w.Write(b.Bytes())
	return err
}

// styled returns a plot without bars: with its fonts, the marks of its axes, the legend's place and a grid.
func styled(title string) *plot.Plot {
	p := plot.New()
	for _, s := range []*text.Style{&p.Title.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		s.Font.Variant = "Sans"
	}
	p.Title.Text = title
	p.Y.Tick.Marker = powers{}
	p.Y.Min, p.Y.Max = 0, 1
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XCenter, draw.YTop
	p.X.Tick.Width, p.X.Tick.Length = 0, vg.Points(4)
	p.X.Padding, p.Y.Padding = vg.Points(4), vg.Points(2)
	p.Legend.ThumbnailWidth, p.Legend.Padding = vg.Points(12), vg.Points(2)
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs = true, false, vg.Points(-4)
	p.Add(plotter.NewGrid())
	return p
}

// addBar draws a bar from x, and the interval of its ratio.
func addBar(p *plot.Plot, b chart.Bar, x, width float64, fill color.Color) error {
	box, err := rectangle(x, x+width, math.Log2(b.Ratio))
	if err != nil {
		return err
	}
	box.Color = fill
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
	return nil
}

var (
	textElement = regexp.MustCompile(`(?s)<text ([^>]*font-size:([0-9.]+)px[^>]*)>([^<]*)</text>`)
	family      = regexp.MustCompile(`font-family:Liberation Sans\b`)
)

// fitted gives each text of an image the width for which it was placed: viewers without the font
// take another one, whose letters may be wider.
func fitted(svg []byte, style text.Style) []byte {
	return textElement.ReplaceAllFunc(svg, func(element []byte) []byte {
		m := textElement.FindSubmatch(element)
		size, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil {
			return element
		}
		style.Font.Size = vg.Length(size)
		attributes := family.ReplaceAll(m[1], []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif"))
		return fmt.Appendf(nil, "<text textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\" %s>%s</text>", float64(style.Width(html.UnescapeString(string(m[3])))), attributes, m[3])
	})
}

func barsWidth(c *chart.Chart) vg.Length {
	n := vg.Length(max(1, len(c.Groups)))
	return max((leastWidth-axisWidth)/n, vg.Length(len(c.Modes))*barSpace+groupSpace)
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
