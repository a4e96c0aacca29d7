package tracefile

import (
	"bufio"
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

var svgColors = [...]string{next: "#57606a", spawn: "#1f6feb", join: "#1a7f37", promise: "#8250df", race: "#cf222e"}

// A place in the picture.
type box struct{ x, y, w, h int }

func (d *drawing) svg(out *bufio.Writer) {
	column := map[uint32]int{}
	for i, t := range d.tasks {
		column[t] = i
	}
	ranks := 0
	for _, s := range d.steps {
		ranks = max(ranks, s.rank+1)
	}
	widths, heights := make([]int, len(d.tasks)), make([]int, ranks)
	boxes := make([]box, len(d.steps))
	for i, s := range d.steps {
		b := &boxes[i]
		for _, line := range d.label(i) {
			b.w = max(b.w, charWidth*len([]rune(line))+2*boxPad)
			b.h += lineHeight
		}
		b.h += boxPad
		widths[column[s.task]] = max(widths[column[s.task]], b.w)
		heights[s.rank] = max(heights[s.rank], b.h)
	}
	lefts, width := offsets(widths, columnGap)
	tops, height := offsets(heights, rowGap)
	for i, s := range d.steps {
		c := column[s.task]
		boxes[i].x = lefts[c] + (widths[c]-boxes[i].w)/2
		boxes[i].y = tops[s.rank]
	}
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="Helvetica, Arial, sans-serif" font-size="11">`+"\n", width, height)
	fmt.Fprint(out, `<rect width="100%" height="100%" fill="white"/>`+"\n")
	for kind, color := range svgColors {
		fmt.Fprintf(out, `<marker id="arrow%d" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="%s"/></marker>`+"\n", kind, color)
	}
	for _, e := range d.edges {
		d.svgEdge(out, e, boxes[e.from], boxes[e.to])
	}
	for i, b := range boxes {
		stroke, thick := "#57606a", 1
		if len(d.steps[i].races) > 0 {
			stroke, thick = svgColors[race], 2
		}
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" rx="3" fill="white" stroke="%s" stroke-width="%d"/>`+"\n", b.x, b.y, b.w, b.h, stroke, thick)
		for k, line := range d.label(i) {
			fill := "black"
			if k > 0 {
				fill = svgColors[race]
			}
			fmt.Fprintf(out, `<text x="%d" y="%d" fill="%s">%s</text>`+"\n", b.x+boxPad, b.y+lineHeight*(k+1), fill, html.EscapeString(line))
		}
	}
	fmt.Fprint(out, "</svg>\n")
}

// offsets returns where parts of these sizes begin, and where the last ends.
func offsets(sizes []int, gap int) (at []int, end int) {
	end = margin
	for _, n := range sizes {
		at = append(at, end)
		end += n + gap
	}
	return at, end - gap + margin
}

func (d *drawing) svgEdge(out *bufio.Writer, e edge, a, b box) {
	color := svgColors[e.kind]
	style := fmt.Sprintf(`marker-end="url(#arrow%d)"`, e.kind)
	switch e.kind {
	case promise:
		style += ` stroke-dasharray="5,3"`
	case race:
		style = `stroke-dasharray="4,3" stroke-width="2"`
	}
	x1, y1, x2, y2 := a.x+a.w/2, a.y+a.h, b.x+b.w/2, b.y
	if e.kind == race {
		y1, y2 = a.y+a.h/2, b.y+b.h/2
		if a.x < b.x {
			x1, x2 = a.x+a.w, b.x
		} else {
			x1, x2 = a.x, b.x+b.w
		}
	}
	mid := (y1 + y2) / 2
	fmt.Fprintf(out, `<path d="M%d,%d C%d,%d %d,%d %d,%d" fill="none" stroke="%s" %s/>`+"\n", x1, y1, x1, mid, x2, mid, x2, y2, color, style)
}
