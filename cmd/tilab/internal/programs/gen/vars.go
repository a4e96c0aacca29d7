package gen

import (
	"fmt"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// A variable is a probe or a guard. Its accesses name bytes relative to it.
type variable struct {
	decl  string // its field in the struct of the case, if it has one
	local string // its name, if it is a slice of its own
	guard bool
	// forms of access; each is drawn anew at every access.
	forms []form
	seen  []*node
}

type form struct {
	text, expr string
	write      bool
	lo, hi     int
	// noStock says that go build -race may miss a race on the variable: that detector has
	// four records for every eight bytes, and of some accesses it knows only the first byte.
	noStock bool
}

type access struct {
	v *variable
	form
}

// draw returns a random variable, the k-th of its case.
func draw(rng random.Source, k int) *variable {
	switch rng.IntN(6) {
	case 0, 1:
		return scalar(rng, k)
	case 2:
		return element(rng, k)
	case 3:
		return slice(rng, k)
	case 4:
		return record(rng, k)
	default:
		return text(k)
	}
}

// scalar is a field of one of the four widths, next to the fields of other probes.
func scalar(rng random.Source, k int) *variable {
	bits := 8 << rng.IntN(4)
	e := fmt.Sprintf("v.f%d", k)
	n := bits / 8
	narrow := n < 8
	return &variable{
		decl: fmt.Sprintf("f%d uint%d", k, bits),
		forms: []form{
			{text: e + " = 1", expr: e, write: true, hi: n, noStock: narrow},
			{text: e + "++", expr: e, write: true, hi: n, noStock: narrow},
			{text: "sink(" + e + ")", expr: e, hi: n, noStock: narrow},
		},
	}
}

// element is one byte of a slice whose other bytes belong to other probes.
func element(rng random.Source, k int) *variable {
	e := fmt.Sprintf("bytes[%d]", k)
	return &variable{forms: []form{
		{text: e + " = 1", expr: e, write: true, hi: 1, noStock: true},
		{text: e + " |= 2", expr: e, write: true, hi: 1, noStock: true},
		{text: "sink(" + e + ")", expr: e, hi: 1, noStock: true},
	}}
}

// sliceLen is the number of elements of a slice probe.
const sliceLen = 40

// slice is accessed by ranges that may or may not overlap.
func slice(rng random.Source, k int) *variable {
	const size = 2 // bytes of an element
	s := fmt.Sprintf("s%d", k)
	v := &variable{local: s}
	add := func(f form, lo, hi int) {
		f.lo, f.hi = lo*size, hi*size
		v.forms = append(v.forms, f)
	}
	for range 3 {
		lo := rng.IntN(sliceLen - 10)
		hi := lo + 1 + rng.IntN(10)
		r := fmt.Sprintf("%s[%d:%d]", s, lo, hi)
		cp := fmt.Sprintf("copy(%s, source[:])", r)
		add(form{text: cp, expr: r, write: true}, lo, hi)
		to := fmt.Sprintf("copy(make([]uint16, sliceLen), %s)", r)
		add(form{text: to, expr: r}, lo, hi)
		cl := fmt.Sprintf("clear(%s)", r)
		add(form{text: cl, expr: r, write: true, noStock: true}, lo, hi)
		e := fmt.Sprintf("%s[%d]", s, lo)
		add(form{text: e + "++", expr: e, write: true}, lo, lo+1)
		add(form{text: "sink(" + e + ")", expr: e}, lo, lo+1)
	}
	return v
}

// record is accessed as a whole and by field.
func record(rng random.Source, k int) *variable {
	e := fmt.Sprintf("v.r%d", k)
	return &variable{
		decl: fmt.Sprintf("r%d record", k),
		forms: []form{
			{text: e + " = record{1, 2, [3]uint16{1, 2, 3}}", expr: e, write: true, hi: 16, noStock: true},
			{text: "sink(" + e + ")", expr: e, hi: 16, noStock: true},
			{text: e + ".a = 1", expr: e + ".a", write: true, hi: 1},
			{text: e + ".b++", expr: e + ".b", write: true, lo: 4, hi: 8},
			{text: e + ".c[2] = 1", expr: e + ".c[2]", write: true, lo: 12, hi: 14},
			{text: "sink(" + e + ".c[1])", expr: e + ".c[1]", lo: 10, hi: 12},
		},
	}
}

// text is a string variable: two words.
func text(k int) *variable {
	e := fmt.Sprintf("v.s%d", k)
	return &variable{
		decl: fmt.Sprintf("s%d string", k),
		forms: []form{
			{text: fmt.Sprintf("%s = words[%d]", e, k%4), expr: e, write: true, hi: 16},
			{text: "sink(" + e + ")", expr: e, hi: 16},
		},
	}
}

// guard is a number that is accessed under its lock only.
func guard(k int) *variable {
	e := fmt.Sprintf("v.g%d", k)
	return &variable{
		decl:  fmt.Sprintf("g%d int", k),
		guard: true,
		forms: []form{
			{text: e + "++", expr: e, write: true, hi: 8},
			{text: "sink(" + e + ")", expr: e, hi: 8},
		},
	}
}
