package view

import (
	"cmp"
	"fmt"
	"path"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/detector/trace/report"
)

// A Scheme is the part of the task graph that a report speaks of: the common ancestor, both
// goroutines with their accesses, and the edge between the accesses that is missing. Lengths
// are in pixels.
type Scheme struct {
	Width, Height int
	Boxes         []Cell
	Edges         []Edge
	Missing       Edge // between the accesses
	Text          string
}

// A Cell is a goroutine, or an access of it.
type Cell struct {
	X, Y, W, H int
	Class      string
	Lines      []string
}

// TextX and TextY place the i-th line of the label.
func (c Cell) TextX() int      { return c.X + 10 }
func (c Cell) TextY(i int) int { return c.Y + 18 + i*lineHeight }

// An Edge is an arrow with a label.
type Edge struct {
	X1, Y1, X2, Y2 int
	Label          string
	LabelX, LabelY int
	End            bool // whether the label ends at its place
}

const (
	cellWidth  = 210
	lineHeight = 16
	columnGap  = 96
	schemeTop  = 12
	rowGap     = 44
	labelChars = 30
	labelWidth = 7 // of a character, about

	schemeWidth = 4 + cellWidth + columnGap + cellWidth + 4
)

func (l *loader) scheme(m *reports.Merged) *Scheme {
	accesses := []*report.Access{&m.Previous, &m.Access} // the earlier one on the left
	left, right := 4, 4+cellWidth+columnGap
	s := &Scheme{Width: schemeWidth}
	name, parent := ancestor(m, accesses)
	top := Cell{X: (left + right) / 2, Y: schemeTop, W: cellWidth, H: lineHeight + 14, Class: "task", Lines: []string{name}}
	if parent >= 0 {
		top.X = []int{left, right}[parent]
	}
	s.Boxes = append(s.Boxes, top)
	y := top.Y + top.H + rowGap
	var branches [2]*Cell
	for i, a := range accesses {
		if a.Branch == nil {
			continue
		}
		name := "an ancestor"
		if a.Branch.Goroutine != 0 {
			name = fmt.Sprintf("goroutine %d", a.Branch.Goroutine)
		}
		branches[i] = &Cell{X: []int{left, right}[i], Y: y, W: cellWidth, H: top.H, Class: "task", Lines: []string{name}}
	}
	if branches[0] != nil || branches[1] != nil {
		y += top.H + rowGap
	}
	for i, a := range accesses {
		c := Cell{X: []int{left, right}[i], Y: y, W: cellWidth, H: 2*lineHeight + 14, Class: "access", Lines: l.accessLines(a)}
		if i != parent {
			c.Lines = append([]string{goroutine(a)}, c.Lines...)
			c.H += lineHeight
		}
		s.Boxes = append(s.Boxes, c)
		from := top
		if b := branches[i]; b != nil {
			s.Edges = append(s.Edges, edge(top, *b, i, parent < 0, l.goStatement(a.Branch.Created)))
			from = *b
		}
		label := l.goStatement(a.Created)
		if i == parent {
			label = ""
		}
		s.Edges = append(s.Edges, edge(from, c, i, parent < 0 && from.Y == top.Y, label))
	}
	a, b := s.Boxes[1], s.Boxes[2]
	bottom := max(a.Y+a.H, b.Y+b.H)
	s.Height = bottom + 8
	mid := min(a.Y+a.H, b.Y+b.H) - 20
	s.Missing = Edge{X1: a.X + a.W, Y1: mid, X2: b.X, Y2: mid, Label: "no order", LabelX: (a.X + a.W + b.X) / 2, LabelY: mid - 12}
	for _, b := range branches {
		if b != nil {
			s.Boxes = append(s.Boxes, *b)
		}
	}
	s.Text = fmt.Sprintf("%s leads to %s and %s. Nothing orders the two accesses.", name, goroutine(accesses[0]), goroutine(accesses[1]))
	if m.Type == report.TypePredicted {
		s.Missing.Label = "lock order"
		s.Text = fmt.Sprintf("%s leads to %s and %s. Only the order in which a lock was taken orders the two accesses.", name, goroutine(accesses[0]), goroutine(accesses[1]))
	}
	return s
}

// ancestor returns the name of the goroutine from which both accesses descend. parent is the
// side whose goroutine is the other's ancestor, or -1.
func ancestor(m *reports.Merged, accesses []*report.Access) (name string, parent int) {
	parent = -1
	for i, a := range accesses {
		if a.Goroutine == m.Ancestor.Goroutine && m.Ancestor.Goroutine != 0 {
			parent = i
		}
	}
	name = "a common ancestor"
	switch {
	case parent >= 0:
		name = goroutine(accesses[parent])
	case m.Ancestor.Goroutine == 1:
		name = "main goroutine"
	case m.Ancestor.Goroutine != 0:
		name = fmt.Sprintf("goroutine %d", m.Ancestor.Goroutine)
	}
	return name, parent
}

// accessLines returns the lines of an access in a scheme: its kind with its memory, and its place.
func (l *loader) accessLines(a *report.Access) []string {
	place := "at an unknown place"
	if file, line, _ := excerpt.SplitPosition(a.Position); file != "" {
		place = fmt.Sprintf("%s:%d", path.Base(l.root.Find(file, line, 0, "").File), line)
	}
	return []string{cut(a.Kind + " of " + cmp.Or(a.Expression, a.What())), cut(place)}
}

// edge returns the arrow from a task to one below it, on the left (side 0) or right. spread
// says that the upper one has arrows to both sides.
func edge(from, to Cell, side int, spread bool, label string) Edge {
	e := Edge{X1: from.X + from.W/2, Y1: from.Y + from.H, X2: to.X + to.W/2, Y2: to.Y, Label: label}
	if spread {
		e.X1 += []int{-20, 20}[side]
	}
	e.LabelX, e.LabelY = e.X2+8, e.Y2-8
	if side == 0 {
		e.LabelX, e.End = e.X2-8, true
	}
	if spread { // the arrow is flat: there is room above its point
		e.LabelX += []int{36, -36}[side]
		e.LabelY -= 6
	}
	// A long label moves over the arrow.
	if n := labelWidth * len(e.Label); e.End && n > e.LabelX {
		e.LabelX, e.End = 0, false
	} else if !e.End && e.LabelX+n > schemeWidth {
		e.LabelX, e.End = schemeWidth, true
	}
	return e
}

// goStatement names the place of the go statement on a stack that created a goroutine, or of
// the call outside of the standard library that led to it.
func (l *loader) goStatement(created []report.Frame) string {
	for _, f := range created {
		if f.File == "" {
			continue
		}
		if p := l.root.Find(f.File, f.Line, 0, ""); p.Inside {
			return fmt.Sprintf("go, %s:%d", path.Base(p.File), f.Line)
		}
	}
	for _, f := range created {
		if f.File != "" {
			return fmt.Sprintf("go, %s:%d", path.Base(f.File), f.Line)
		}
	}
	return "go"
}

// cut shortens a text for a cell.
func cut(text string) string {
	if r := []rune(text); len(r) > labelChars {
		return string(r[:labelChars-1]) + "…"
	}
	return text
}
