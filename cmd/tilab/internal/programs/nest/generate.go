package nest

import (
	"fmt"
	"maps"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// A oneCase is one case while it is generated and interpreted.
type oneCase struct {
	rng     random.Source
	id      int
	names   int
	objects []*object
	globals []string // declarations
	locals  []string
	shared  []*shared
	symbols []*number
	values  map[*slice]elems
	locks   []*mutex
	fns     []*function
	groups  []*group
	body    block
	truth   map[*object][]status
}

// A shared variable is a variable that several tasks of the case may access.
type shared struct {
	global bool
	// place returns a place of the variable, with its type.
	place func(s *scope) (place, string)
	slice *slice
	table *table
	grid  *grid
}

// A scope holds the variables and permissions at the place of a generated statement.
type scope struct {
	numbers  []*number
	slices   []*slice
	pointers []*pointer
	closures []*closure
	loops    []*loop // of the current function
	groups   *[]*group
	level    int
	looped   bool // inside a loop of the case, which may be around the function
	global   bool // inside a declared function: only global variables are visible
	quiet    bool // task events are not allowed
	fails    bool // a panic is allowed, since it is recovered
	returns  bool // return is allowed
	defers   bool // defer is allowed
}

// inner returns a copy for a block inside.
func (s *scope) inner() *scope {
	c := *s
	c.level++
	c.numbers, c.slices, c.pointers, c.loops, c.closures = c.numbers[:len(c.numbers):len(c.numbers)], c.slices[:len(c.slices):len(c.slices)], c.pointers[:len(c.pointers):len(c.pointers)], c.loops[:len(c.loops):len(c.loops)], c.closures[:len(c.closures):len(c.closures)]
	return &c
}

// newCase draws cases until one is not discarded.
func newCase(rng random.Source, id int) *oneCase {
	for {
		c := &oneCase{rng: rng, id: id, values: map[*slice]elems{}}
		c.generate()
		r, why := run(c)
		if why != "" || len(r.tasks) == 1 {
			continue
		}
		if c.truth = r.truth(); c.truth != nil {
			return c
		}
	}
}

func (c *oneCase) name(prefix string) string {
	c.names++
	return fmt.Sprintf("%s%d", prefix, c.names)
}

// object makes an object whose first byte is at addr.
func (c *oneCase) object(addr string, size int) *object {
	o := &object{id: len(c.objects), addr: addr, size: size}
	c.objects = append(c.objects, o)
	return o
}

// declare gives the variables of the case their values.
func (c *oneCase) declare(f *frame) {
	maps.Copy(f.slices, c.values)
	for _, n := range c.symbols {
		f.numbers[n] = n.min
	}
}

func (c *oneCase) generate() {
	for range 2 + c.rng.IntN(4) {
		c.variable()
	}
	for range c.rng.IntN(3) {
		v := 2 + c.rng.IntN(9)
		n := &number{name: c.name("n"), min: v, max: v}
		c.symbols = append(c.symbols, n)
		c.locals = append(c.locals, fmt.Sprintf("%s := opaque(%d)\n_ = %s", n.name, v, n.name))
	}
	if c.rng.Chance(50) {
		for range 1 + c.rng.IntN(2) {
			m := &mutex{c.name("mu"), c.rng.Chance(50)}
			c.locks = append(c.locks, m)
			kind := "Mutex"
			if m.rw {
				kind = "RWMutex"
			}
			c.locals = append(c.locals, fmt.Sprintf("var %s sync.%s\n_ = &%s", m.name, kind, m.name))
		}
	}
	s := &scope{numbers: c.symbols, groups: &c.groups}
	c.body = c.block(s, 3+c.rng.IntN(4))
	c.body = block{&joined{groups: c.groups, body: c.body}}
	if c.rng.Chance(50) { // after all
		c.body = append(c.body, c.block(&scope{numbers: c.symbols, groups: new([]*group), quiet: true, level: 2}, 2)...)
	}
}

// storage declares a variable, either globally or as a local variable that tasks capture.
func (c *oneCase) storage(name, typ, value string) (global bool) {
	if global = c.rng.Chance(35); global {
		c.globals = append(c.globals, fmt.Sprintf("var %s %s", name, typ))
		if value != "" {
			c.locals = append(c.locals, name+" = "+value)
		}
		return global
	}
	if value == "" {
		c.locals = append(c.locals, fmt.Sprintf("var %s %s", name, typ))
	} else {
		c.locals = append(c.locals, fmt.Sprintf("%s := %s", name, value))
	}
	return global
}

func (c *oneCase) number() *kind { return numbers[c.rng.IntN(len(numbers))] }

// variable adds a shared variable.
func (c *oneCase) variable() {
	switch c.rng.IntN(10) {
	case 0:
		k := c.number()
		name := c.varName("x")
		v := &shared{global: c.storage(name, k.name, "")}
		obj := c.object("&"+name, k.size)
		v.place = func(*scope) (place, string) { return &fixed{name, obj, 0, k.size, nil}, k.name }
		c.shared = append(c.shared, v)
	case 1:
		c.record()
	case 2:
		k, n := c.number(), 4+c.rng.IntN(20)
		name := c.varName("arr")
		v := &shared{global: c.storage(name, fmt.Sprintf("[%d]%s", n, k.name), "")}
		obj := c.object("&"+name, n*k.size)
		v.place = func(s *scope) (place, string) {
			return &arrayElem{name, obj, 0, k.size, n, c.index(s, n)}, k.name
		}
		c.shared = append(c.shared, v)
	case 3, 4, 5:
		k := c.number()
		if c.rng.Chance(30) {
			k = []*kind{rec, pair}[c.rng.IntN(2)]
		}
		c.slice(k)
	case 6, 7:
		c.grid()
	default:
		c.table()
	}
}

// varName returns a name that is unique in the program, for a variable that may be global.
func (c *oneCase) varName(prefix string) string { return fmt.Sprintf("%s_%d", c.name(prefix), c.id) }

// record adds a struct or a pointer to one.
func (c *oneCase) record() {
	k := []*kind{rec, pair}[c.rng.IntN(2)]
	name := c.varName("st")
	whole, addr := name, "&"+name
	v := &shared{}
	if c.rng.Chance(60) {
		whole, addr = "*"+name, name
		v.global = c.storage(name, "*"+k.name, "&"+k.name+"{}")
	} else {
		v.global = c.storage(name, k.name, "")
	}
	obj := c.object(addr, k.size)
	v.place = func(s *scope) (place, string) {
		if c.rng.Chance(15) {
			return &fixed{whole, obj, 0, k.size, k}, k.name
		}
		f := &k.fields[c.rng.IntN(len(k.fields))]
		if f.elems > 0 {
			return &arrayElem{name + "." + f.name, obj, f.off, f.size, f.elems, c.index(s, f.elems)}, f.typeName
		}
		return &fixed{name + "." + f.name, obj, f.off, f.off + f.size, nil}, f.typeName
	}
	c.shared = append(c.shared, v)
}

func (c *oneCase) slice(k *kind) {
	n := 4 + c.rng.IntN(24)
	if k.fields == nil && c.rng.Chance(20) {
		n *= 8
	}
	s := &slice{name: c.varName("s"), elem: k, n: n}
	v := &shared{slice: s, global: c.storage(s.name, "[]"+k.name, fmt.Sprintf("make([]%s, %d)", k.name, n))}
	if v.global || c.rng.Chance(25) {
		s.header = c.object("&"+s.name, headerSize)
		s.header.elems = n
	}
	c.values[s] = elems{c.object("&"+s.name+"[0]", n*k.size), 0, n}
	v.place = func(sc *scope) (place, string) { return c.element(sc, s) }
	c.shared = append(c.shared, v)
}

// element returns an element of the slice, or a field of one.
func (c *oneCase) element(sc *scope, s *slice) (place, string) {
	p := &sliceElem{s: s, i: c.index(sc, s.n)}
	if s.elem.fields == nil || c.rng.Chance(20) {
		return p, s.elem.name
	}
	p.f = c.field(s.elem)
	return p, p.f.typeName
}

// field returns a field of the struct that is not an array.
func (c *oneCase) field(k *kind) *field {
	for {
		if f := &k.fields[c.rng.IntN(len(k.fields))]; f.elems == 0 {
			return f
		}
	}
}

func (c *oneCase) table() {
	k := c.number()
	t := &table{name: c.varName("tab"), elem: k, rows: 2 + c.rng.IntN(8), cols: 2 + c.rng.IntN(8)}
	v := &shared{table: t, global: c.storage(t.name, "[][]"+k.name, fmt.Sprintf("make([][]%s, %d)", k.name, t.rows))}
	t.spine = c.object("&"+t.name+"[0]", t.rows*headerSize)
	if c.rng.Chance(50) {
		c.locals = append(c.locals, fmt.Sprintf("for i := range %s {\n%s[i] = make([]%s, %d)\n}", t.name, t.name, k.name, t.cols))
		for i := range t.rows {
			t.row = append(t.row, elems{c.object(fmt.Sprintf("&%s[%d][0]", t.name, i), t.cols*k.size), 0, t.cols})
		}
	} else {
		flat := c.name("flat")
		c.locals = append(c.locals, fmt.Sprintf("%s := make([]%s, %d)\nfor i := range %s {\n%s[i] = %s[i*%d:(i+1)*%d]\n}", flat, k.name, t.rows*t.cols, t.name, t.name, flat, t.cols, t.cols))
		obj := c.object("&"+flat+"[0]", t.rows*t.cols*k.size)
		for i := range t.rows {
			t.row = append(t.row, elems{obj, i * t.cols * k.size, t.cols})
		}
		// A second name for the same memory, as programs with flat two-dimensional arrays have
		// it.
		s := &slice{name: flat, elem: k, n: t.rows * t.cols}
		c.values[s] = elems{obj, 0, s.n}
		c.shared = append(c.shared, &shared{slice: s, place: func(sc *scope) (place, string) { return c.element(sc, s) }})
	}
	v.place = func(s *scope) (place, string) {
		return &tableElem{t, c.index(s, t.rows), c.index(s, t.cols)}, k.name
	}
	c.shared = append(c.shared, v)
}

// bounds returns the least and the greatest value of e.
func (e expr) bounds() (lo, hi int) {
	lo, hi = e.c, e.c
	for _, t := range e.terms {
		a, b := t.k*t.v.min, t.k*t.v.max
		lo, hi = lo+min(a, b), hi+max(a, b)
	}
	return lo, hi
}

// within draws an expression with values in [lo, hi].
func (c *oneCase) within(s *scope, lo, hi int) expr {
	for range 6 {
		var e expr
		for range 1 + c.rng.IntN(2) {
			if len(s.numbers) == 0 {
				break
			}
			// Variables of inner loops are chosen more often.
			v := s.numbers[max(c.rng.IntN(len(s.numbers)), c.rng.IntN(len(s.numbers)))]
			k := []int{1, 1, 1, 1, 2, -1, 3}[c.rng.IntN(7)]
			if len(e.terms) == 0 || e.terms[0].v != v {
				e.terms = append(e.terms, term{v, k})
			}
		}
		a, b := e.bounds()
		if room := hi - lo - (b - a); room >= 0 {
			e.c = lo - a + c.rng.IntN(room+1)
			if c.rng.Chance(50) && lo <= a && b <= hi {
				e.c = 0
			}
			return e
		}
	}
	return constant(lo + c.rng.IntN(hi-lo+1))
}

// index draws a subscript for n elements. If a panic is recovered, the subscript is
// sometimes out of range.
func (c *oneCase) index(s *scope, n int) expr {
	e := c.within(s, 0, n-1)
	if s.fails && len(e.terms) > 0 && c.rng.Chance(12) {
		e.c += n / 2
	}
	return e
}
