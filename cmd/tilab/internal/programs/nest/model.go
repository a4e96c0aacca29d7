package nest

import (
	"fmt"
	"strings"
)

// An object is a piece of memory that several tasks may access.
type object struct {
	id   int    // number that the program prints
	addr string // of its first byte, as Go writes it
	size int    // bytes
	// If the object is the variable of a slice, elems is the slice's length.
	elems int
}

// A number is an int variable whose value is known.
type number struct {
	name     string
	min, max int // bounds of its values
	// changed says that the variable is assigned after its declaration, so that a task must
	// not capture it.
	changed bool
}

// An expr is an affine expression of numbers.
type expr struct {
	terms []term
	c     int
}

type term struct {
	v *number
	k int
}

func constant(c int) expr { return expr{c: c} }
func of(v *number) expr   { return expr{terms: []term{{v, 1}}} }

func (e expr) plus(c int) expr { return expr{e.terms, e.c + c} }

func (e expr) eval(f *frame) int {
	n := e.c
	for _, t := range e.terms {
		n += t.k * f.number(t.v)
	}
	return n
}

func (e expr) String() string {
	var b strings.Builder
	for _, t := range e.terms {
		switch {
		case b.Len() == 0 && t.k == 1:
			b.WriteString(t.v.name)
		case b.Len() == 0 && t.k == -1:
			b.WriteString("-" + t.v.name)
		case t.k == 1:
			b.WriteString("+" + t.v.name)
		case t.k == -1:
			b.WriteString("-" + t.v.name)
		case b.Len() > 0 && t.k > 0:
			fmt.Fprintf(&b, "+%d*%s", t.k, t.v.name)
		default:
			fmt.Fprintf(&b, "%d*%s", t.k, t.v.name)
		}
	}
	if b.Len() == 0 || e.c > 0 {
		if b.Len() > 0 {
			b.WriteByte('+')
		}
		fmt.Fprint(&b, e.c)
	} else if e.c < 0 {
		fmt.Fprint(&b, e.c)
	}
	return b.String()
}

// A kind is a type of elements, with its fields.
type kind struct {
	name   string
	size   int
	fields []field // nil if the kind is a number
}

type field struct {
	name     string
	off      int
	size     int
	elems    int // elements of an array, each size bytes; 0 if the field is a number
	typeName string
}

var (
	numbers = []*kind{{"uint8", 1, nil}, {"int16", 2, nil}, {"int32", 4, nil}, {"int", 8, nil}, {"float64", 8, nil}}
	// The kinds that typesText declares.
	rec  = &kind{"rec", 32, []field{{"a", 0, 1, 0, "uint8"}, {"b", 4, 4, 0, "int32"}, {"c", 8, 2, 3, "int16"}, {"d", 16, 8, 0, "int"}, {"in.x", 24, 2, 0, "int16"}, {"in.y", 26, 1, 0, "uint8"}}}
	pair = &kind{"pair", 16, []field{{"a", 0, 8, 0, "int"}, {"b", 8, 4, 0, "int32"}}}
)

const (
	wordSize   = 8
	headerSize = 3 * wordSize
	typesText  = `type inner struct {
	x int16
	y uint8
}

type rec struct {
	a  uint8
	b  int32
	c  [3]int16
	d  int
	in inner
}

type pair struct {
	a int
	b int32
}
`
)

// A slice is a variable that holds a slice.
type slice struct {
	name string
	elem *kind
	n    int // least length
	// header is the memory of the variable itself, nil if tasks do not share it.
	header *object
	task   bool // declared in a task, so other tasks must not capture it
}

// An elems is the value of a slice: a range of elements of an object.
type elems struct {
	obj    *object
	off, n int // off in bytes
}

// A table is a slice of slices.
type table struct {
	name       string
	elem       *kind
	rows, cols int
	spine      *object // the rows' headers
	row        []elems
}

// A pointer is a variable that points into an object.
type pointer struct {
	name string
	elem *kind
	task bool
}

// A place is the operand of an access.
type place interface {
	text() string
	// resolve records the reads that are needed to find the place, and returns its bytes; ok
	// is false if a subscript is out of range.
	resolve(r *runner, f *frame) (obj *object, lo, hi int, ok bool)
	whole() *kind // the kind of a place that holds a struct, nil for others
}

// A fixed place is a number, a field, or a whole struct.
type fixed struct {
	name   string
	obj    *object
	lo, hi int
	k      *kind
}

func (p *fixed) text() string                                      { return p.name }
func (p *fixed) resolve(*runner, *frame) (*object, int, int, bool) { return p.obj, p.lo, p.hi, true }
func (p *fixed) whole() *kind                                      { return p.k }

// An arrayElem is an element of an array variable or field.
type arrayElem struct {
	name string
	obj  *object
	off  int
	size int
	n    int
	i    expr
}

func (p *arrayElem) text() string { return p.name + "[" + p.i.String() + "]" }
func (p *arrayElem) resolve(_ *runner, f *frame) (*object, int, int, bool) {
	i := p.i.eval(f)
	return p.obj, p.off + i*p.size, p.off + (i+1)*p.size, 0 <= i && i < p.n
}
func (p *arrayElem) whole() *kind { return nil }

// A sliceElem is an element of a slice, or a field of one.
type sliceElem struct {
	s *slice
	i expr
	f *field // nil means the whole element
}

func (p *sliceElem) text() string {
	t := p.s.name + "[" + p.i.String() + "]"
	if p.f != nil {
		t += "." + p.f.name
	}
	return t
}

func (p *sliceElem) resolve(r *runner, f *frame) (*object, int, int, bool) {
	v := r.slice(f, p.s)
	i := p.i.eval(f)
	lo, hi := bytesOf(p.s.elem, p.f)
	at := v.off + i*p.s.elem.size
	return v.obj, at + lo, at + hi, 0 <= i && i < v.n
}

func (p *sliceElem) whole() *kind {
	if p.f == nil && p.s.elem.fields != nil {
		return p.s.elem
	}
	return nil
}

// bytesOf returns the bytes of field f in an element of kind k.
func bytesOf(k *kind, f *field) (lo, hi int) {
	if f == nil {
		return 0, k.size
	}
	return f.off, f.off + f.size
}

// A tableElem is an element of a row of a table.
type tableElem struct {
	t    *table
	i, j expr
}

func (p *tableElem) text() string { return p.t.name + "[" + p.i.String() + "][" + p.j.String() + "]" }
func (p *tableElem) resolve(r *runner, f *frame) (*object, int, int, bool) {
	row, ok := r.row(f, p.t, p.i)
	if !ok {
		return nil, 0, 0, false
	}
	j := p.j.eval(f)
	at := row.off + j*p.t.elem.size
	return row.obj, at, at + p.t.elem.size, 0 <= j && j < row.n
}
func (p *tableElem) whole() *kind { return nil }

// A target is the place that a pointer points to, or a field of it.
type target struct {
	p *pointer
	f *field
}

func (p *target) text() string {
	if p.f != nil {
		return p.p.name + "." + p.f.name
	}
	return "*" + p.p.name
}

func (p *target) resolve(_ *runner, f *frame) (*object, int, int, bool) {
	at := f.pointer(p.p)
	lo, hi := bytesOf(p.p.elem, p.f)
	return at.obj, at.off + lo, at.off + hi, true
}

func (p *target) whole() *kind {
	if p.f == nil && p.p.elem.fields != nil {
		return p.p.elem
	}
	return nil
}

// A frame holds the variables of one activation.
type frame struct {
	up       *frame
	numbers  map[*number]int
	slices   map[*slice]elems
	pointers map[*pointer]elems
	groups   map[*group]*groupState
	closures map[*closure]*frame
	defers   *[]func() // the activation's deferred calls, if the frame is its first
}

// later adds a call to the end of the activation.
func (f *frame) later(do func()) {
	for f.defers == nil {
		f = f.up
	}
	*f.defers = append(*f.defers, do)
}

func newFrame(up *frame) *frame {
	return &frame{up, map[*number]int{}, map[*slice]elems{}, map[*pointer]elems{}, map[*group]*groupState{}, map[*closure]*frame{}, nil}
}

// find returns the value of k in the innermost frame whose map has it.
func find[K comparable, V any](f *frame, in func(*frame) map[K]V, k K, name string) V {
	for ; f != nil; f = f.up {
		if v, ok := in(f)[k]; ok {
			return v
		}
	}
	panic("nest: nothing is known of " + name)
}

// closure returns the frame in which the closure was made.
func (f *frame) closure(c *closure) *frame {
	return find(f, func(f *frame) map[*closure]*frame { return f.closures }, c, c.name)
}

func (f *frame) group(g *group) *groupState {
	return find(f, func(f *frame) map[*group]*groupState { return f.groups }, g, g.name)
}

func (f *frame) number(v *number) int {
	return find(f, func(f *frame) map[*number]int { return f.numbers }, v, v.name)
}

func (f *frame) slice(s *slice) elems {
	return find(f, func(f *frame) map[*slice]elems { return f.slices }, s, s.name)
}

func (f *frame) pointer(p *pointer) elems {
	return find(f, func(f *frame) map[*pointer]elems { return f.pointers }, p, p.name)
}
