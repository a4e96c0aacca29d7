package diagnosis

import "taskinstr/detector/event"

// A term is an expression whose reads are variables of a problem.
type term struct {
	expr  event.Expr
	reads map[uint32]int // from sites to variables
}

// A source is one way in which a read may get its value: from a write, or from the contents
// of the bytes before all writes.
type source struct {
	write int  // node, -1: none
	known bool // whether the value can be told
	term  term // the value of the write
	shift uint // bits of it to the right of the value read
	size  uint // bytes that are read
}

// A read is a variable: a read whose value a condition depends on.
type read struct {
	node    int
	sources []source
	writes  []int // nodes of all writes that the read may see or that may hide one from it
}

// A condition must have a value other than 0 (want), or the value 0, if its node is in the
// prefix. A condition that is not to flip is also met if its value is not known, like a condition
// without an expression.
type condition struct {
	node int
	term term
	want bool
	flip bool
}

func (s *source) cut(v uint64) uint64 {
	v >>= s.shift
	if s.size < wordSize {
		v &= 1<<(8*s.size) - 1
	}
	return v
}

// A valuation gives reads their values from their sources; choice returns the source
// of a read. Order among writes and reads rules out that a value depends on itself.
type valuation struct {
	p      *Problem
	choice func(read int) int
	used   map[int]bool // the reads that were looked at
}

func (v *valuation) term(x *term) (uint64, bool) {
	known := true
	value, ok := x.expr.Eval(func(site uint32) (uint64, bool) {
		u, ok := v.read(x.reads[site])
		known = known && ok
		return u, true // go on: the reads behind this one count as used
	})
	return value, ok && known
}

func (v *valuation) read(r int) (uint64, bool) {
	v.used[r] = true
	s := &v.p.reads[r].sources[v.choice(r)]
	if !s.known {
		return 0, false
	}
	u, ok := v.term(&s.term)
	return s.cut(u), ok
}
