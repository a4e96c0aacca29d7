package suite

import (
	"fmt"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A formulas gives events the expressions that the trace's places have as text (see
// package ssapass/splice): the conditions of branches, and what writes leave. A trace
// with values has, for each access, what the memory held at the check.
type formulas struct {
	symbols *trace.Symbols
	reads   map[uint32]map[siteOf]read         // the latest by each task
	words   map[uint64]*[pageWords / 64]uint64 // those that were accessed, a bit each, by page
	lo, hi  uint64                             // memory that was not zero when the program began
	err     error
}

const (
	wordSize  = 8
	pageWords = 512
)

// A siteOf is a site of a package, which may have several places in the trace.
type siteOf struct {
	pkg  string
	site uint32
}

type read struct {
	place uint32
	value uint64
}

func newFormulas(s *trace.Symbols) *formulas {
	f := &formulas{symbols: s, reads: map[uint32]map[siteOf]read{}, words: map[uint64]*[pageWords / 64]uint64{}}
	if n, err := fmt.Sscan(s.Meta["initialized"], &f.lo, &f.hi); n != 2 || err != nil {
		f.hi = ^uint64(0) // the trace does not say: nothing is known to be zero
	}
	return f
}

// fresh tells that memory which is accessed for the first time holds zeros.
func (f *formulas) fresh(e *event.Event, emit func(*event.Event)) {
	for w := e.Addr / wordSize; w*wordSize < e.Addr+e.Size; w++ {
		p := f.words[w/pageWords]
		if p == nil {
			p = new([pageWords / 64]uint64)
			f.words[w/pageWords] = p
		}
		if bit := uint64(1) << (w % 64); p[w%pageWords/64]&bit == 0 {
			p[w%pageWords/64] |= bit
			if a := w * wordSize; a < f.lo || a >= f.hi {
				emit(&event.Event{Op: event.Alloc, Task: e.Task, Addr: a, Size: wordSize})
			}
		}
	}
}

// event hands e on to emit, with its expression. The formula of x op= y names the site of
// the write for what x was: such a write is preceded by a read.
func (f *formulas) event(e *event.Event, emit func(*event.Event)) {
	switch e.Op {
	case event.End:
		delete(f.reads, e.Task)
	case event.Branch:
		c := *e
		c.Expr = f.parse(e)
		emit(&c)
		return
	case event.Access:
		f.fresh(e, emit)
		if !e.Valued {
			break
		}
		if !e.Kind.Writes() {
			f.read(e)
			break
		}
		c := *e
		c.Valued, c.Value = false, 0
		p := f.symbols.Place(e.Site)
		if p.Formula != "" {
			if strings.Contains(p.Formula, fmt.Sprintf("@%d:", p.Site-1)) {
				r := *e
				r.Kind = event.Read
				f.read(&r)
				emit(&r)
			}
			if x := f.parse(e); len(x) > 0 {
				v, ok := x.Eval(f.value(e.Task))
				c.Valued, c.Value = ok, cut(v, e.Size)
				if ok && x[0].Op != event.Const || len(x) > 1 {
					c.Expr = x
				}
			}
		}
		emit(&c)
		return
	}
	emit(e)
}

// cut leaves the lowest bytes of a value.
func cut(v, size uint64) uint64 {
	if size >= 8 {
		return v
	}
	return v & (1<<(8*size) - 1)
}

// read takes note of what a task has found.
func (f *formulas) read(e *event.Event) {
	p := f.symbols.Place(e.Site)
	if p.Site == 0 {
		return
	}
	m := f.reads[e.Task]
	if m == nil {
		m = map[siteOf]read{}
		f.reads[e.Task] = m
	}
	m[siteOf{p.Package, p.Site - 1}] = read{e.Site, e.Value}
}

// parse returns the formula at the place of e, nil if it is not known.
func (f *formulas) parse(e *event.Event) event.Expr {
	p := f.symbols.Place(e.Site)
	if p.Formula == "" {
		return nil
	}
	known := true
	x, err := event.ParseCondition(p.Formula, func(site uint32) uint32 {
		r, ok := f.reads[e.Task][siteOf{p.Package, site}]
		known = known && ok
		return r.place
	})
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("the trace's place %d, %s: %w", e.Site, p.Position, err)
	}
	if !known {
		return nil
	}
	return x
}

// value returns what a task's latest read at a place found.
func (f *formulas) value(task uint32) func(place uint32) (uint64, bool) {
	return func(place uint32) (uint64, bool) {
		p := f.symbols.Place(place)
		r, ok := f.reads[task][siteOf{p.Package, p.Site - 1}]
		return r.value, ok && r.place == place
	}
}
