package tracefile

import (
	"bufio"
	"cmp"
	"fmt"
	"html"
)

// The picture has a column for each task and a row for each rank, so that all edges except
// races lead down. Lengths are in pixels.
const (
	lineHeight = 14
	charWidth  = 6 // about, of the font below
	boxPad     = 8
	rowGap     = 34
	columnGap  = 40
	margin     = 16
)

var kindNames = [...]string{next: "next", spawn: "spawn", join: "join", promise: "promise", race: "race"}

var svgColors = [...]string{next: "#57606a", spawn: "#1f6feb", join: "#1a7f37", promise: "#8250df", race: "#cf222e"}

// A Picture is a drawing of the task structure. Lengths are in pixels.
type Picture struct {
	Width, Height int
	Boxes         []Box
	Lines         []Line
}

// A Box is a step of a task. The first line of its label names the task, the others are
// accesses that race.
type Box struct {
	X, Y, W, H int
	Label      []Text
	Racing     bool
}

// A Text is a line of a label, with the place of its base line.
type Text struct {
	X, Y int
	Text string
}

// A Line leads from one step to another. Path is in the language of SVG paths.
type Line struct {
	Kind string // next, spawn, join, promise or race
	Path string
}

// Draw returns the picture of a trace, or an error if it has more steps than limit. If limit
// is 0, it is the default of `taskinstr trace graph`.
func Draw(file string, limit int) (*Picture, error) {
	d, err := (&options{file: file, limit: cmp.Or(limit, defaultLimit)}).draw()
	if err != nil {
		return nil, err
	}
	return d.picture(), nil
}

// picture places the steps.
func (d *drawing) picture() *Picture {
	column := map[uint32]int{}
	for i, t := range d.tasks {
		column[t] = i
	}
	ranks := 0
	for _, s := range d.steps {
		ranks = max(ranks, s.rank+1)
	}
	p := &Picture{Boxes: make([]Box, len(d.steps))}
	widths, heights := make([]int, len(d.tasks)), make([]int, ranks)
	for i, s := range d.steps {
		b := &p.Boxes[i]
		for _, line := range d.label(i) {
			b.W = max(b.W, charWidth*len([]rune(line))+2*boxPad)
			b.H += lineHeight
		}
		b.H += boxPad
		widths[column[s.task]] = max(widths[column[s.task]], b.W)
		heights[s.rank] = max(heights[s.rank], b.H)
	}
	var lefts, tops []int
	lefts, p.Width = offsets(widths, columnGap)
	tops, p.Height = offsets(heights, rowGap)
	for i, s := range d.steps {
		b, c := &p.Boxes[i], column[s.task]
		b.X = lefts[c] + (widths[c]-b.W)/2
		b.Y = tops[s.rank]
		b.Racing = len(s.races) > 0
		for k, line := range d.label(i) {
			b.Label = append(b.Label, Text{b.X + boxPad, b.Y + lineHeight*(k+1), line})
		}
	}
	for _, e := range d.edges {
		p.Lines = append(p.Lines, Line{kindNames[e.kind], curve(e.kind, p.Boxes[e.from], p.Boxes[e.to])})
	}
	return p
}

func (d *drawing) svg(out *bufio.Writer) {
	p := d.picture()
	below := p.Height
	p.Width, p.Height = max(p.Width, legendWidth), p.Height+(len(legend)+1)*lineHeight+margin
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="Helvetica, Arial, sans-serif" font-size="11">`+"\n", p.Width, p.Height)
	fmt.Fprint(out, `<rect width="100%" height="100%" fill="white"/>`+"\n")
	for kind, color := range svgColors {
		fmt.Fprintf(out, `<marker id="arrow%d" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="%s"/></marker>`+"\n", kind, color)
	}
	for i, e := range d.edges {
		style := fmt.Sprintf(`marker-end="url(#arrow%d)"`, e.kind)
		switch e.kind {
		case promise:
			style += ` stroke-dasharray="5,3"`
		case race:
			style = `stroke-dasharray="4,3" stroke-width="2"`
		}
		fmt.Fprintf(out, `<path d="%s" fill="none" stroke="%s" %s/>`+"\n", p.Lines[i].Path, svgColors[e.kind], style)
	}
	for _, b := range p.Boxes {
		stroke, thick := "#57606a", 1
		if b.Racing {
			stroke, thick = svgColors[race], 2
		}
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="white" stroke="%s" stroke-width="%d"/>`+"\n", b.X, b.Y, b.W, b.H, stroke, thick)
		for k, t := range b.Label {
			fill := "black"
			if k > 0 {
				fill = svgColors[race]
			}
			fmt.Fprintf(out, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", t.X, t.Y, fill, html.EscapeString(t.Text))
		}
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" fill="#57606a">%s</text>`+"\n", margin, below+lineHeight, legendHead)
	for i, l := range legend {
		y := below + (i+2)*lineHeight
		dashes := ""
		if l.kind == promise || l.kind == race {
			dashes = ` stroke-dasharray="4,3"`
		}
		fmt.Fprintf(out, `<path d="M%d,%d H%d" stroke="%s" stroke-width="2"%s/><text x="%d" y="%d">%s</text>`+"\n",
			margin, y-lineHeight/3, margin+legendLine, svgColors[l.kind], dashes, margin+legendLine+boxPad, y, l.text)
	}
	fmt.Fprint(out, "</svg>\n")
}

// legend explains the lines, and legendHead the boxes.
const legendHead = "A box is a step: a run of one task without synchronization. Red lines in it race."

var legend = []struct {
	kind edgeKind
	text string
}{
	{next, "to the next step of its task"},
	{spawn, "to the first step of a new task (go)"},
	{join, "to the step behind a wait for the task"},
	{promise, "to a step that gets a promise"},
	{race, "steps that race"},
}

// Sizes of the legend.
const (
	legendWidth = 480
	legendLine  = 30
)

// offsets returns where parts of these sizes begin, and where the last ends.
func offsets(sizes []int, gap int) (at []int, end int) {
	end = margin
	for _, n := range sizes {
		at = append(at, end)
		end += n + gap
	}
	return at, end - gap + margin
}

// curve returns the path of an edge from a box to another one.
func curve(kind edgeKind, a, b Box) string {
	x1, y1, x2, y2 := a.X+a.W/2, a.Y+a.H, b.X+b.W/2, b.Y
	if kind == race {
		y1, y2 = a.Y+a.H/2, b.Y+b.H/2
		if a.X < b.X {
			x1, x2 = a.X+a.W, b.X
		} else {
			x1, x2 = a.X, b.X+b.W
		}
	}
	mid := (y1 + y2) / 2
	return fmt.Sprintf("M%d,%d C%d,%d %d,%d %d,%d", x1, y1, x1, mid, x2, mid, x2, y2)
}
