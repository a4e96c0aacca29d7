package view

import (
	"fmt"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/detector/trace/report"
)

// A Report is a report as the page shows it.
type Report struct {
	Kind        string // of kinds
	Title       string // what is accessed
	Fingerprint string
	Times       int
	Tests       []string
	Sides       [2]*Side
	Why         []string
	Predicted   bool
	Detectors   []string
	Scheme      *Scheme
	Order       *Lanes // a schedule that shows it, from an exploration; nil if unknown
	Steps       []Step // the critical sections of this order, if it is one of sections
	Again       string // the command that runs the schedule again
	Words       string // what a search finds, in lower case
}

// The kinds of reports, in the order of the page.
var kinds = []Count{{Kind: "race", Name: "Data race"}, {Kind: "predicted", Name: "Predicted"}, {Kind: "possible", Name: "Possible"}, {Kind: "known", Name: "Known"}}

// KindName is the name of the report's kind.
func (r *Report) KindName() string {
	i := slices.IndexFunc(kinds, func(c Count) bool { return c.Kind == r.Kind })
	return kinds[i].Name
}

// A Side is one access of a report.
type Side struct {
	Title     string // Write by goroutine 19
	Brief     string // write of x in f
	Finished  bool
	What      string
	Position  string
	Lines     []Line // the source around the access; empty if it is unknown
	Note      string // on the source
	Also      []string
	Locks     []Lock
	Stack     []Frame
	Recursion bool
	Created   []Frame // where the goroutine was created; empty for main
	Ancestor  string  // the goroutine between the common ancestor and this one; "" if there is none
	Branch    []Frame // where that was created
}

// A Line is a line of source text. Marked is the accessed expression.
type Line struct {
	Number                int
	Before, Marked, After string
	Hit                   bool // the access is on the line
}

// A Frame is a call on a stack.
type Frame struct {
	Function, Position string
	Text               string // the source line
	Own                bool   // the file is in the repository
}

// A Lock is a lock that is held at an access.
type Lock struct {
	Name, Declared, Position, Text string
	Shared                         bool
}

// A Step is a critical section of an order.
type Step struct {
	Who, Lock, Position, Before string
}

// report makes the model of a report.
func (l *loader) report(m *reports.Merged) *Report {
	r := &Report{
		Kind: "possible", Title: "memory", Fingerprint: m.Fingerprint, Times: m.Reports, Tests: m.Tests, Detectors: m.Detectors,
		Predicted: m.Type == report.TypePredicted, Scheme: l.scheme(m),
	}
	switch {
	case m.Known:
		r.Kind = "known"
	case m.Type == report.TypeRace:
		r.Kind = "race"
	case m.Type == report.TypePredicted:
		r.Kind = "predicted"
	}
	for i, a := range []*report.Access{&m.Access, &m.Previous} {
		r.Sides[i] = l.side(a)
	}
	for _, a := range []*report.Access{&m.Previous, &m.Access} {
		if a.Expression != "" {
			r.Title = a.Expression
		} else if a.Declared != "" {
			r.Title = a.Declared
		}
	}
	for _, w := range m.Why {
		r.Why = append(r.Why, l.root.Relative(w))
	}
	if order := l.order[m.Fingerprint]; len(order) > 0 {
		r.Order, r.Steps = l.sections(order)
	}
	words := []string{r.Title, r.Fingerprint, m.Type, strings.Join(r.Tests, "\n")}
	for _, s := range r.Sides {
		words = append(words, s.Brief, s.What, s.Position)
		for _, f := range slices.Concat(s.Stack, s.Created, s.Branch) {
			words = append(words, f.Function, f.Position)
		}
		for _, k := range s.Locks {
			words = append(words, k.Name)
		}
	}
	r.Words = strings.ToLower(strings.Join(words, "\n"))
	return r
}

func (l *loader) side(a *report.Access) *Side {
	s := &Side{Brief: reports.Brief(a), Finished: a.Finished, What: a.What(), Position: l.shown(a.Position), Recursion: a.Recursion}
	if a.Kind != "" {
		s.Title = strings.ToUpper(a.Kind[:1]) + a.Kind[1:]
	}
	s.Title += " by " + goroutine(a)
	for _, o := range a.Also {
		s.Also = append(s.Also, fmt.Sprintf("%s of %s at %s", o.Kind, o.Expression, l.shown(o.Position)))
	}
	for i := range a.Locks {
		s.Locks = append(s.Locks, l.lock(&a.Locks[i]))
	}
	s.Stack, s.Created = l.frames(a.Stack), l.frames(a.Created)
	if b := a.Branch; b != nil {
		s.Ancestor, s.Branch = "a goroutine", l.frames(b.Created)
		if b.Goroutine != 0 {
			s.Ancestor = fmt.Sprintf("goroutine %d", b.Goroutine)
		}
	}
	s.Lines, s.Note = l.around(a)
	return s
}

// goroutine names the goroutine of an access in a sentence.
func goroutine(a *report.Access) string {
	if n := reports.Goroutine(a); n != "main" {
		return "goroutine " + n
	}
	return "main goroutine"
}

func (l *loader) lock(h *report.Held) Lock {
	k := Lock{Name: reports.LockName(h), Declared: h.Declared, Position: l.shown(h.Position), Shared: h.Shared}
	if file, line, _ := excerpt.SplitPosition(h.Position); file != "" {
		k.Text = l.text(file, line)
	}
	return k
}

func (l *loader) frames(stack []report.Frame) (list []Frame) {
	for _, f := range stack {
		x := Frame{Function: f.Function, Position: "<autogenerated>"}
		if f.File != "" {
			p := l.root.Find(f.File, f.Line, 0, "")
			x.Position, x.Own = fmt.Sprintf("%s:%d", p.File, f.Line), p.Inside
			x.Text = l.text(f.File, f.Line)
		}
		list = append(list, x)
	}
	return list
}

// text returns a line of a source file without the white space around it.
func (l *loader) text(file string, line int) string {
	text, _ := l.root.Text(file).Line(line)
	return strings.TrimSpace(text)
}

// margin is the number of lines that are shown in front of an access and behind it.
const margin = 3

// around returns the source around an access. A note says why nothing is there or marked.
func (l *loader) around(a *report.Access) (list []Line, note string) {
	file, line, column := excerpt.SplitPosition(a.Position)
	if file == "" {
		return nil, "The place of the access is unknown."
	}
	text := l.root.Text(file)
	if _, ok := text.Line(line); !ok {
		return nil, "The source is not at hand: " + file
	}
	expr := a.Expression
	if a.Shortened {
		expr += "…"
	}
	reg := text.Region(line, column, expr)
	for n := max(line-margin, 1); n <= max(line+margin, reg.EndLine); n++ {
		t, ok := text.Line(n)
		if !ok {
			break
		}
		x := Line{Number: n, Before: t}
		if n >= line && n <= max(line, reg.EndLine) {
			x.Hit = true
			runes := []rune(t)
			from, to := len(runes)-len([]rune(strings.TrimLeft(t, " \t"))), len(runes)
			if n == line {
				from = reg.Column - 1
			}
			if n == reg.EndLine {
				to = reg.EndColumn - 1
			}
			if column > 0 && reg.EndLine > 0 && from >= 0 && from <= to && to <= len(runes) {
				x.Before, x.Marked, x.After = string(runes[:from]), string(runes[from:to]), string(runes[to:])
			}
		}
		list = append(list, x)
	}
	if a.Expression != "" && column > 0 && !text.Reads(line, column, expr) {
		note = "The source does not read " + a.Expression + " there: it has changed since the program was built, or the expression is written in another way."
	}
	return list, note
}
