package suite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A formulas gives events the expressions that the trace's places have as text (see
// package internal/splice): the conditions of branches, and what writes leave. A trace
// with values has, for each access, what the memory held at the check.
type formulas struct {
	symbols *trace.Symbols
	reads   map[uint32]map[siteOf]read         // the latest by each task
	words   map[uint64]*[pageWords / 64]uint64 // those that were accessed, a bit each, by page
	turn    uint64                             // reads so far
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
	stack uint32
	turn  uint64 // which read of the trace it is
}

// newMemory is the formula of a write whose value is the address of new memory.
const newMemory = "*"

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
	case event.Possible: // its memory is fresh before the access, not when another one comes
		f.fresh(e, emit)
	case event.Access:
		f.fresh(e, emit)
		c := *e
		c.From = f.from(e)
		if !e.Kind.Writes() {
			if e.Valued || e.Size > wordSize {
				f.read(e)
			}
			emit(&c)
			return
		}
		if !e.Valued {
			emit(&c)
			return
		}
		c.Valued, c.Value = false, 0
		p := f.symbols.Place(e.Site)
		if formula := formulaOf(p); formula == newMemory {
			c.Valued, c.Value = true, e.Value
		} else if formula != "" {
			if strings.Contains(formula, fmt.Sprintf("@%d:", p.Site-1)) {
				r := *e
				r.Kind, r.From = event.Read, c.From
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

const (
	// addressFrom parts the formula of a place from the site of the read that its address
	// comes from.
	addressFrom = " from @"

	// calledIn parts a formula from the sites of its reads that are in a function which the
	// formula follows a call to.
	calledIn = " in"
)

func formulaOf(p *trace.Place) string {
	formula, _, _ := strings.Cut(p.Formula, addressFrom)
	formula, _, _ = strings.Cut(formula, calledIn)
	return formula
}

// inCallee reports whether a site is among the reads that the formula at p has in a function.
func inCallee(p *trace.Place, site uint32) bool {
	formula, _, _ := strings.Cut(p.Formula, addressFrom)
	_, sites, ok := strings.Cut(formula, calledIn)
	return ok && slices.Contains(strings.Fields(sites), fmt.Sprintf("@%d", site))
}

// from returns the place of the read that the address of e comes from, 0 if it is not known.
func (f *formulas) from(e *event.Event) uint32 {
	p := f.symbols.Place(e.Site)
	_, number, ok := strings.Cut(p.Formula, addressFrom)
	if !ok {
		return 0
	}
	site, err := strconv.ParseUint(number, 10, 32)
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("the trace's place %d, %s: formula %q: %w", e.Site, p.Position, p.Formula, err)
	}
	if r, ok := f.reads[e.Task][siteOf{p.Package, uint32(site)}]; ok && f.calls(r.stack, e.Stack) {
		return r.place
	}
	return 0
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
	f.turn++
	m := f.reads[e.Task]
	if m == nil {
		m = map[siteOf]read{}
		f.reads[e.Task] = m
	}
	m[siteOf{p.Package, p.Site - 1}] = read{e.Site, e.Value, e.Stack, f.turn}
}

// parse returns the formula at the place of e, nil if it is not known.
func (f *formulas) parse(e *event.Event) event.Expr {
	p := f.symbols.Place(e.Site)
	formula := formulaOf(p)
	if formula == "" {
		return nil
	}
	known := true
	x, err := event.ParseCondition(formula, func(site uint32) uint32 {
		r, ok := f.reads[e.Task][siteOf{p.Package, site}]
		known = known && ok && (f.calls(r.stack, e.Stack) || inCallee(p, site) && f.calls(e.Stack, r.stack))
		return r.place
	})
	if err != nil && f.err == nil {
		f.err = fmt.Errorf("the trace's place %d, %s: %w", e.Site, p.Position, err)
	}
	if !known || f.err != nil {
		return nil
	}
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(formula))
	if _, _, ok := f.evaluated(&words, e.Task, p.Package); !ok {
		return nil
	}
	return x
}

// calls reports whether calling context outer is inner, or one that inner was called from:
// a read elsewhere was another call's of a recursive function.
func (f *formulas) calls(outer, inner uint32) bool {
	for inner != outer && inner != 0 && int(inner) < len(f.symbols.Stacks) {
		inner = f.symbols.Stacks[inner].Parent
	}
	return inner == outer
}

// evaluated takes one formula off words and returns the first and the last turn of its
// reads, (0, 0) without any. It is not ok where the right operand of && or || was not
// evaluated this time, so that its reads, which precede the left one's, are another time's.
func (f *formulas) evaluated(words *[]string, task uint32, pkg string) (first, last uint64, ok bool) {
	w := (*words)[0]
	*words = (*words)[1:]
	ok = true
	switch w[0] {
	case '@':
		number, _, _ := strings.Cut(w[1:], ":")
		var site uint32
		fmt.Sscan(number, &site)
		t := f.reads[task][siteOf{pkg, site}].turn
		return t, t, true
	case '(':
		op := (*words)[0]
		*words = (*words)[1:]
		for (*words)[0] != ")" {
			a, b, fine := f.evaluated(words, task, pkg)
			if !fine || (op == "&&" || op == "||") && a != 0 && a < last {
				ok = false
			}
			if a != 0 && (first == 0 || a < first) {
				first = a
			}
			last = max(last, b)
		}
		*words = (*words)[1:]
	}
	return first, last, ok
}

// value returns what a task's latest read at a place found.
func (f *formulas) value(task uint32) func(place uint32) (uint64, bool) {
	return func(place uint32) (uint64, bool) {
		p := f.symbols.Place(place)
		r, ok := f.reads[task][siteOf{p.Package, p.Site - 1}]
		return r.value, ok && r.place == place
	}
}
