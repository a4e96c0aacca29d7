package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"taskinstr/detector/trace"
)

// A Report is a report as programs and detectors write it with format=json
// (docs/use/report-format.md).
type Report struct {
	Type        string   `json:"type"`
	Fingerprint string   `json:"fingerprint"`
	Known       bool     `json:"known,omitempty"`
	Confirmed   bool     `json:"confirmed,omitempty"` // an earlier run has reported the pair (TASKINSTR=confirm)
	Package     string   `json:"package,omitempty"`
	Test        string   `json:"test,omitempty"`
	Access      Access   `json:"access"`
	Previous    Access   `json:"previous"`
	Ancestor    Ancestor `json:"ancestor"`
	OrderedBy   *Held    `json:"orderedBy,omitempty"`
	Why         []string `json:"why"`
	Detectors   []string `json:"detectors,omitempty"`
}

// The values of Report.Type. Others of event.Tier belong to traces.
const (
	TypeRace      = "race"
	TypePredicted = "predicted race"
)

// An Ancestor is the nearest common ancestor of the two tasks.
type Ancestor struct {
	Goroutine uint64 `json:"goroutine"`
}

// An Access is one side of a report.
type Access struct {
	Kind       string   `json:"kind"`
	Address    string   `json:"address"`
	Size       uint64   `json:"size"`
	Expression string   `json:"expression"`
	OneOf      []string `json:"oneOf,omitempty"`
	Shortened  bool     `json:"shortened,omitempty"`
	Declared   string   `json:"declared"`
	Position   string   `json:"position"`
	Also       []Also   `json:"also,omitempty"`
	Goroutine  uint64   `json:"goroutine"`
	Finished   bool     `json:"finished"`
	Locks      []Held   `json:"locks"`
	Stack      []Frame  `json:"stack"`
	Recursion  bool     `json:"recursion,omitempty"`
	Created    []Frame  `json:"created"`
	Branch     *Branch  `json:"branch,omitempty"` // nil if the goroutine is a child of the ancestor, or the ancestor

	text string // of what is accessed, if the trace knows more than the other fields say
}

// A Branch is the child of the nearest common ancestor from which a goroutine descends.
type Branch struct {
	Goroutine uint64  `json:"goroutine"` // 0: forgotten
	Created   []Frame `json:"created"`
}

// A Held is a lock that is held at an access.
type Held struct {
	Address    string   `json:"address"`
	Shared     bool     `json:"shared"`
	Expression string   `json:"expression"`
	OneOf      []string `json:"oneOf,omitempty"`
	Shortened  bool     `json:"shortened,omitempty"`
	Declared   string   `json:"declared"`
	Position   string   `json:"position"`
}

// Also is a further access that the check covers.
type Also struct {
	Kind       string `json:"kind"`
	Expression string `json:"expression"`
	Position   string `json:"position"`
}

// A Frame is a call on a stack.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`

	offset uint64 // of the instruction in the function; 0: unknown
}

// JSON returns the report of a race as one line.
func JSON(s *trace.Symbols, x *Race) ([]byte, error) { return json.Marshal(newReport(s, x)) }

// newReport returns the report of a race.
func newReport(s *trace.Symbols, x *Race) *Report {
	p := printer{s}
	return &Report{
		Type:        x.Tier.String(),
		Fingerprint: fmt.Sprintf("%016x", Fingerprint(s, x.First.Party, x.Second.Party)),
		Access:      p.access(&x.Second),
		Previous:    p.access(&x.First),
		Ancestor:    Ancestor{s.Goroutine(x.Ancestor)},
		Why:         p.facts(x),
		Detectors:   x.By,
	}
}

func (p printer) access(a *Side) Access {
	place := p.s.Place(a.Site)
	expr, oneOf, shortened := names(place)
	x := Access{
		Kind: a.Kind.String(), Address: fmt.Sprintf("0x%012x", a.Addr), Size: a.Size,
		Expression: expr, OneOf: oneOf, Shortened: shortened, Declared: place.Decl(), Position: p.s.Position(a.Site, a.Stack),
		Goroutine: p.s.Goroutine(a.Task), Finished: a.Ended,
		Locks: []Held{}, Stack: p.frames(a.Site, a.Stack), Created: []Frame{},
		text: named(place),
	}
	if x.text == "" {
		x.text = nameless(place.Hook, a.Size)
	}
	if a.Task != 0 {
		x.Created = p.frames(a.Fork.Site, a.Fork.Stack)
	}
	if b := a.Branch; b.Task != 0 && b.Task != a.Task {
		x.Branch = &Branch{p.s.Goroutine(b.Task), p.frames(b.Site, b.Stack)}
	}
	for _, l := range a.Locks {
		place := p.s.Place(l.Site)
		expr, oneOf, shortened := names(place)
		x.Locks = append(x.Locks, Held{fmt.Sprintf("0x%012x", l.Addr), l.Shared, expr, oneOf, shortened, place.Decl(), p.s.Position(l.Site, 0)})
	}
	if place.Also != "" {
		for text := range strings.SplitSeq(place.Also, "\t") {
			kind, rest, _ := strings.Cut(text, " of ")
			i := max(strings.LastIndex(rest, " at "), 0)
			x.Also = append(x.Also, Also{kind, rest[:i], strings.TrimPrefix(rest[i:], " at ")})
		}
	}
	return x
}

// names returns the expression of a place, or the expressions that it may be.
func names(place *trace.Place) (expr string, oneOf []string, shortened bool) {
	const more = "…"
	for _, n := range place.Names {
		oneOf = append(oneOf, strings.TrimSuffix(n.Expr, more))
		shortened = shortened || strings.HasSuffix(n.Expr, more)
	}
	if len(oneOf) == 1 && place.Count <= 1 {
		return oneOf[0], nil, shortened
	}
	return "", oneOf, false
}

func (p printer) frames(site, stack uint32) []Frame {
	list := []Frame{}
	for _, c := range p.s.Calls(site, stack) {
		f := Frame{c.Func, c.File, c.Line, c.Offset}
		if c.File == "" || c.File[0] == '<' || c.File[0] == '?' {
			f.File, f.Line = "", 0
		}
		list = append(list, f)
	}
	return list
}
