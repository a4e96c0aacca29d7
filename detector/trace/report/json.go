package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"taskinstr/detector/trace"
)

type jsonRace struct {
	Type        string     `json:"type"`
	Fingerprint string     `json:"fingerprint"`
	Access      jsonAccess `json:"access"`
	Previous    jsonAccess `json:"previous"`
	Ancestor    struct {
		Goroutine uint64 `json:"goroutine"`
	} `json:"ancestor"`
	Why       []string `json:"why"`
	Detectors []string `json:"detectors,omitempty"`
}

type jsonAccess struct {
	Kind       string   `json:"kind"`
	Address    string   `json:"address"`
	Size       uint64   `json:"size"`
	Expression string   `json:"expression"`
	OneOf      []string `json:"oneOf,omitempty"`
	Shortened  bool     `json:"shortened,omitempty"`
	Declared   string   `json:"declared"`
	Position   string   `json:"position"`
	Also       []also   `json:"also,omitempty"`
	Goroutine  uint64   `json:"goroutine"`
	Finished   bool     `json:"finished"`
	Locks      []lock   `json:"locks"`
	Stack      []frame  `json:"stack"`
	Created    []frame  `json:"created"`
}

type lock struct {
	Address    string   `json:"address"`
	Shared     bool     `json:"shared"`
	Expression string   `json:"expression"`
	OneOf      []string `json:"oneOf,omitempty"`
	Shortened  bool     `json:"shortened,omitempty"`
	Declared   string   `json:"declared"`
	Position   string   `json:"position"`
}

type also struct {
	Kind       string `json:"kind"`
	Expression string `json:"expression"`
	Position   string `json:"position"`
}

type frame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// JSON returns the report of a race as one line.
func JSON(s *trace.Symbols, x *Race) ([]byte, error) {
	p := printer{nil, s}
	r := jsonRace{
		Type:        x.Tier.String(),
		Fingerprint: fmt.Sprintf("%016x", Fingerprint(s, x.First.Party, x.Second.Party)),
		Access:      p.access(&x.Second),
		Previous:    p.access(&x.First),
		Why:         p.facts(x),
		Detectors:   x.By,
	}
	r.Ancestor.Goroutine = s.Goroutine(x.Ancestor)
	return json.Marshal(r)
}

func (p printer) access(a *Side) jsonAccess {
	place := p.s.Place(a.Site)
	expr, oneOf, shortened := names(place)
	x := jsonAccess{
		Kind: a.Kind.String(), Address: fmt.Sprintf("0x%012x", a.Addr), Size: a.Size,
		Expression: expr, OneOf: oneOf, Shortened: shortened, Declared: place.Decl(), Position: p.s.Position(a.Site, a.Stack),
		Goroutine: p.s.Goroutine(a.Task), Finished: a.Ended,
		Locks: []lock{}, Stack: p.frames(a.Site, a.Stack), Created: []frame{},
	}
	if a.Task != 0 {
		x.Created = p.frames(a.Fork.Site, a.Fork.Stack)
	}
	for _, l := range a.Locks {
		place := p.s.Place(l.Site)
		expr, oneOf, shortened := names(place)
		x.Locks = append(x.Locks, lock{fmt.Sprintf("0x%012x", l.Addr), l.Shared, expr, oneOf, shortened, place.Decl(), p.s.Position(l.Site, 0)})
	}
	if place.Also != "" {
		for text := range strings.SplitSeq(place.Also, "\t") {
			kind, rest, _ := strings.Cut(text, " of ")
			i := max(strings.LastIndex(rest, " at "), 0)
			x.Also = append(x.Also, also{kind, rest[:i], strings.TrimPrefix(rest[i:], " at ")})
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

func (p printer) frames(site, stack uint32) []frame {
	list := []frame{}
	for _, c := range p.s.Calls(site, stack) {
		f := frame{c.Func, c.File, c.Line}
		if c.File == "" || c.File[0] == '<' || c.File[0] == '?' {
			f.File, f.Line = "", 0
		}
		list = append(list, f)
	}
	return list
}
