package suite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A formulas attaches expressions to events. The trace's places have them as text (see
// package internal/splice): the conditions of branches and the values of writes. A trace
// with values has, for each access, the contents of the memory at the check.
type formulas struct {
	symbols *trace.Symbols
	reads   map[uint32]map[siteOf]read         // the latest reads of each task
	words   map[uint64]*[pageWords / 64]uint64 // by page: a bit for each word that has been accessed
	turn    uint64                             // the number of reads so far
	lo, hi  uint64                             // bounds of the memory that may not have been zero when the program began
	err     error
}

const (
	wordSize  = 8
	pageWords = 512
)

// A siteOf is a site of a package. Several places of the trace may belong to it.
type siteOf struct {
	pkg  string
	site uint32
}

type read struct {
	place uint32
	value uint64
	stack uint32
	turn  uint64 // the ordinal of the read in the trace
}

// newMemory is the formula of a write whose value is the address of new memory.
const newMemory = "*"

func newFormulas(s *trace.Symbols) *formulas {
	f := &formulas{symbols: s, reads: map[uint32]map[siteOf]read{}, words: map[uint64]*[pageWords / 64]uint64{}}
	if n, err := fmt.Sscan(s.Meta["initialized"], &f.lo, &f.hi); n != 2 || err != nil {
		f.hi = ^uint64(0) // the trace has no bounds: no memory is known to have been zero
	}
	return f
}

// fresh emits an Alloc for memory that is accessed for the first time and holds zeros.
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

// event passes e to emit, with its expression. The formula of x op= y names the site of
// the write for the old value of x: event inserts a read before such a write.
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
	// addressFrom separates the formula of a place from the site of the read that supplies
	// its address.
	addressFrom = " from @"

	// calledIn separates a formula from the sites of its reads in called functions.
	calledIn = " in"
)

func formulaOf(p *trace.Place) string {
	formula, _, _ := strings.Cut(p.Formula, addressFrom)
	formula, _, _ = strings.Cut(formula, calledIn)
	return formula
}

// inCallee reports whether a site is among the formula's reads that are in a called
// function.
func inCallee(p *trace.Place, site uint32) bool {
	formula, _, _ := strings.Cut(p.Formula, addressFrom)
	_, sites, ok := strings.Cut(formula, calledIn)
	return ok && slices.Contains(strings.Fields(sites), fmt.Sprintf("@%d", site))
}

// from returns the place of the read that supplies the address of e, 0 if it is not
// known.
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

// cut keeps the lowest size bytes of a value.
func cut(v, size uint64) uint64 {
	if size >= 8 {
		return v
	}
	return v & (1<<(8*size) - 1)
}

// read records a read as the task's latest at its site.
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

// parse returns the formula at the place of e, nil if the value of a read in it is not
// known.
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

// calls reports whether the calling context outer is inner or a caller of inner. A read
// in any other context belongs to another call of a recursive function.
func (f *formulas) calls(outer, inner uint32) bool {
	for inner != outer && inner != 0 && int(inner) < len(f.symbols.Stacks) {
		inner = f.symbols.Stacks[inner].Parent
	}
	return inner == outer
}

// evaluated takes one formula from words and returns the first and the last turn of its
// reads, (0, 0) if it has none. ok is false if the program did not evaluate the right
// operand of && or || this time: then the reads of the right operand precede the reads of
// the left one.
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

// value returns a function that returns the value of the task's latest read at a place.
func (f *formulas) value(task uint32) func(place uint32) (uint64, bool) {
	return func(place uint32) (uint64, bool) {
		p := f.symbols.Place(place)
		r, ok := f.reads[task][siteOf{p.Package, p.Site - 1}]
		return r.value, ok && r.place == place
	}
}
