// Types whose objects belong to one task at a time, and others.
package pools

import (
	"io"
	"sync"
	"unsafe"
)

// A printer has all that a pooled type may have.
type printer struct {
	out   buffer
	f     format
	flags flags
	n     int
	table [4]int
	array [4]byte
	mu    sync.Mutex
	arg   any
	list  []int
}

type buffer []byte

func (b *buffer) write(p string) {
	*b = append(*b, p...) // want *b w: guarded / *b r: guarded
}

// A format has a pointer to the buffer of the same printer.
type format struct {
	out   *buffer
	width int
}

func (f *format) init(out *buffer) {
	f.out = out // want f.out w: guarded
}

func (f *format) pad(s string) {
	for range f.width { // want f.width r: guarded
		f.out.write(" ") // want f.out r: guarded
	}
	f.out.write(s)
}

type flags struct{ plus, minus bool }

var printers = sync.Pool{New: func() any { return new(printer) }}

func newPrinter() *printer {
	p := printers.Get().(*printer)
	p.n = 0 // want p.n w: guarded
	p.f.init(&p.out)
	return p
}

func (p *printer) free() {
	if cap(p.out) > 1<<10 { // want p.out r: guarded
		return
	}
	p.list = p.list[:0] // want p.list w: guarded
	printers.Put(p)
}

func (p *printer) print(a any) {
	p.arg = a         // want p.arg w: guarded
	old := p.flags    // want p.flags r: guarded
	p.flags = flags{} // want p.flags w: guarded
	p.flags.plus = true
	defer p.restore(old)
	p.table[p.n] = 1 // want p.table[p.n] w: guarded / p.n r: guarded
	p.array[1] = 2   // want p.array[1] w: guarded — until other code has a slice of the array
	io.WriteString(io.Discard, string(p.array[:]))
	p.mu.Lock()
	p.mu.Unlock()
	p.f.pad("x")
	for i := range p.list {
		p.list[i]++ // want p.list[i] w: guarded
	}
	switch a := a.(type) {
	case Visitor:
		a.Visit(p)
	}
}

func (p *printer) restore(old flags) { p.flags = old } // want p.flags w: guarded

// Write may be called by other code, once it knows the printer.
func (p *printer) Write(b []byte) (int, error) {
	p.n += len(b) // want p.n w: guarded
	return len(b), nil
}

type Visitor interface{ Visit(io.Writer) }

func Print(a ...any) string {
	p := newPrinter()
	for _, a := range a {
		p.print(a)
	}
	s := string(p.out)
	p.free()
	return s
}

// A batch is put back by a deferred call, in a loop too.
type batch struct{ n int }

var batches = sync.Pool{New: func() any { return new(batch) }}

func Each(list []int) (sum int) {
	b := batches.Get().(*batch)
	defer batches.Put(b)
	for _, x := range list {
		c := batches.Get().(*batch)
		c.n = x    // want c.n w: guarded
		b.n += c.n // want b.n w: guarded / c.n r: guarded
		batches.Put(c)
	}
	return b.n
}

// No pool makes a maybe.
type maybe struct{ n int }

var maybes sync.Pool

func Maybe() int {
	m, ok := maybes.Get().(*maybe)
	if !ok {
		m = &maybe{}
	}
	m.n++    // want m.n w: guarded
	n := m.n // want m.n r: guarded
	maybes.Put(m)
	return n
}

// An object of each of the following may be known to several tasks.

type after struct{ n int }

var afters = sync.Pool{New: func() any { return new(after) }}

func After() int {
	x := afters.Get().(*after)
	afters.Put(x)
	return x.n // want x.n r: kept
}

type again struct{ n int }

var agains = sync.Pool{New: func() any { return new(again) }}

func Again(some bool) {
	x := agains.Get().(*again)
	x.n++ // want x.n w: kept
	if some {
		x.put()
	}
	agains.Put(x)
}

func (x *again) put() { agains.Put(x) }

type deferred struct{ n int }

var deferreds = sync.Pool{New: func() any { return new(deferred) }}

func Deferred() {
	x := deferreds.Get().(*deferred)
	defer x.use()
	x.n++ // want x.n w: kept
	deferreds.Put(x)
}

func (x *deferred) use() { x.n++ }

type both struct{ n int }

var boths = sync.Pool{New: func() any { return new(both) }}

func Both() {
	x := boths.Get().(*both)
	x.put(x)
}

func (x *both) put(y *both) {
	boths.Put(x)
	y.n++ // want y.n w: kept
}

type returned struct{ n int }

var returneds = sync.Pool{New: func() any { return new(returned) }}

func Returned() int {
	x := returneds.Get().(*returned)
	y := x.same()
	returneds.Put(x)
	return y.n // want y.n r: kept
}

func (x *returned) same() *returned { return x }

type stored struct{ n int }

var storeds = sync.Pool{New: func() any { return new(stored) }}
var last *stored

func Stored() {
	x := storeds.Get().(*stored)
	x.n++ // want x.n w: kept
	last = x
}

type sent struct{ n int }

var sents = sync.Pool{New: func() any { return new(sent) }}

func Sent(c chan<- any) {
	x := sents.Get().(*sent)
	x.n++ // want x.n w: guarded
	c <- x
	x.n++
}

func Channel() chan *queued { return make(chan *queued, 1) }

type queued struct{ n int }

var queueds = sync.Pool{New: func() any { return new(queued) }}

func Queued(c chan *queued) {
	x := queueds.Get().(*queued)
	x.n++ // want x.n w: kept
	c <- x
}

type started struct{ n int }

var starteds = sync.Pool{New: func() any { return new(started) }}

func Started() {
	x := starteds.Get().(*started)
	go x.add()
	x.n++ // want x.n w: kept
}

func (x *started) add() { x.n++ }

type captured struct{ n int }

var captureds = sync.Pool{New: func() any { return new(captured) }}

func Captured() func() {
	x := captureds.Get().(*captured)
	x.n++ // want x.n w: kept
	return func() { x.n++ }
}

type bound struct{ n int }

var bounds = sync.Pool{New: func() any { return new(bound) }}

func Bound() func() {
	x := bounds.Get().(*bound)
	x.n++ // want x.n w: kept
	return x.add
}

func (x *bound) add() { x.n++ }

type asserted struct{ n int }

var asserteds = sync.Pool{New: func() any { return new(asserted) }}

func Asserted(a any) {
	x := asserteds.Get().(*asserted)
	x.n++ // want x.n w: kept
	if y, ok := a.(*asserted); ok {
		y.n++
	}
}

type held struct{ n int }

var helds = sync.Pool{New: func() any { return new(held) }}

type Holder struct{ held }

func Held() {
	x := helds.Get().(*held)
	x.n++ // want x.n w: kept
	helds.Put(x)
}

func (x *held) Add() { x.n++ }

type copied struct {
	out  buffer2
	self *buffer2
}

type buffer2 []byte

func (b *buffer2) reset() {
	*b = (*b)[:0] // want *b w: kept
}

var copieds = sync.Pool{New: func() any { return new(copied) }}

func Copied() copied {
	x := copieds.Get().(*copied)
	x.self = &x.out // want x.self w: kept
	x.self.reset()
	y := *x
	copieds.Put(x)
	return y
}

// A linked may have a pointer to a part of another object.
type linked struct {
	out part
	to  *part
	n   int
}

type part struct{ n int }

func (p *part) add() {
	p.n++ // want p.n w: kept
}

var linkeds = sync.Pool{New: func() any { return new(linked) }}

func Linked() {
	x, y := linkeds.Get().(*linked), linkeds.Get().(*linked)
	x.to = &y.out
	x.to.add()
	x.n++ // want x.n w: guarded
	linkeds.Put(x)
	linkeds.Put(y)
}

type shown struct{ n int }

var shown_ = sync.Pool{New: func() any { return new(shown) }}

func Shown() any {
	x := shown_.Get()
	x.(*shown).n++ // want x.(*shown).n w: kept
	return x
}

type opened struct{ n int }

var Openeds = sync.Pool{New: func() any { return new(opened) }}

func Opened() {
	x := Openeds.Get().(*opened)
	x.n++ // want x.n w: kept
	Openeds.Put(x)
}

type listed struct{ n int }

var listeds = sync.Pool{New: func() any { return new(listed) }}

func Listed() []*listed {
	x := listeds.Get().(*listed)
	x.n++ // want x.n w: kept
	return []*listed{x}
}

type cast struct{ n int }

var casts = sync.Pool{New: func() any { return new(cast) }}

func Cast() unsafe.Pointer {
	x := casts.Get().(*cast)
	x.n++ // want x.n w: kept
	return unsafe.Pointer(&x.n)
}

type argued struct{ n int }

var argueds = sync.Pool{New: func() any { return new(argued) }}

func Argued() {
	x := argueds.Get().(*argued)
	x.n++ // want x.n w: kept
	argueds.Put(same(x))
}

func same[T any](x T) T { return x }

// Other packages may have objects of their own of the following.

type aliased struct{ n int }

type Aliased = aliased

var aliaseds = sync.Pool{New: func() any { return new(aliased) }}

func Alias() {
	x := aliaseds.Get().(*aliased)
	x.Add() // a method of others, too
	aliaseds.Put(x)
}

func (x *aliased) Add() {
	x.n++ // want x.n w: kept
}

type listing struct{ n int }

type Listing [2]listing

var listings = sync.Pool{New: func() any { return new(listing) }}

func List() {
	x := listings.Get().(*listing)
	x.n++ // want x.n w: kept
	listings.Put(x)
}

type valued struct{ n int }

var valueds = sync.Pool{New: func() any { return new(valued) }}

func Valued() valued { return valued{} }

func Value() {
	x := valueds.Get().(*valued)
	x.n++ // want x.n w: kept
	valueds.Put(x)
}

type boxed struct{ n int }

var boxeds = sync.Pool{New: func() any { return new(boxed) }}

func Boxed() any { return [1]boxed{} }

func Box() {
	x := boxeds.Get().(*boxed)
	x.n++ // want x.n w: kept
	boxeds.Put(x)
}

type pointed struct{ n int }

var pointeds = sync.Pool{New: func() any { return new(pointed) }}

// Pointed gets a pointer, which no other package has.
func Pointed(x *pointed) {
	if x == nil {
		x = pointeds.Get().(*pointed)
	}
	x.n++ // want x.n w: guarded
	pointeds.Put(x)
}

// A labelled becomes known in a statement with a label.
type labelled struct{ n int }

var labelleds = sync.Pool{New: func() any { return new(labelled) }}

func Labelled(v Visitor) {
	x := labelleds.Get().(*labelled)
	x.n++ // want x.n w: kept
	goto show
show:
	v.Visit(x)
}

func (x *labelled) Write(b []byte) (int, error) { return x.n, nil }
