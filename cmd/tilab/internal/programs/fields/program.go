package fields

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/cmd/tilab/internal/programs/random"
)

const lib = `package lib

// A Doer is an object of which its package lets others know.
type Doer interface{ Do() }

var Done = make(chan bool, 1)

// Start starts f as a task.
func Start(f func()) {
	go func() {
		f()
		Done <- true
	}()
}

// Do calls f.
func Do(f func()) { f() }

func Set[T any](p *T, x T) { *p = x }

func Zero[T any](p *T) {
	var x T
	*p = x
}

func Get[T any](p *T) T { return *p }

func Use[T any](x T) {}
`

const header = `package %s

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"example.com/fields/lib"
)

var (
	_ unsafe.Pointer
	_ = slices.Max[[]int]
	_ reflect.Value
	_ sync.Once
	_ atomic.Bool
)

`

// A field is the type of a field, and the ways to reach it.
type field struct {
	typ, name           string // for $t and $N
	first               string // a value of it
	plainReads, reads   []way  // reads: atomic ones
	plainWrites, writes []way
	initially           []string // assignments of a constructor
}

var fields = []field{
	{typ: "int", first: "1", plainReads: plainReads, plainWrites: plainWrites, initially: []string{"x.f = 1", "x.f++"}},
	{typ: "uint16", first: "1", plainReads: plainReads, plainWrites: plainWrites, initially: []string{"x.f = 1"}},
	{
		typ: "int32", name: "Int32", first: "1", plainReads: plainReads, reads: atomicReads, plainWrites: plainWrites, writes: atomicWrites,
		initially: []string{"x.f = 1", "atomic.StoreInt32(&x.f, 1)"},
	},
	{
		typ: "uint64", name: "Uint64", first: "1", plainReads: plainReads, reads: atomicReads, plainWrites: plainWrites, writes: atomicWrites,
		initially: []string{"x.f = 1", "atomic.AddUint64(&x.f, 1)"},
	},
	{
		typ: "atomic.Int64", first: "atomic.Int64{}", plainReads: methodCopies, reads: methodReads, writes: methodWrites,
		initially: []string{"x.f.Store(1)", "x.f = atomic.Int64{}"},
	},
	{
		typ: "atomic.Uint32", first: "atomic.Uint32{}", plainReads: methodCopies, reads: methodReads, writes: methodWrites,
		initially: []string{"x.f.Store(1)"},
	},
}

// New returns the program of a seed, with that many cases of types of the main package, and as many of types of a library.
func New(seed uint64, cases int) (*programs.Numbered, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &programs.Numbered{Files: map[string][]byte{"lib/lib.go": []byte(lib), "go.mod": []byte("module example.com/fields\n\ngo 1.25\n")}, Races: map[int]bool{}, N: 2 * cases}
	var own, made, calls strings.Builder
	fmt.Fprintf(&own, header, "main")
	fmt.Fprintf(&made, header, "made")
	for i := range p.N {
		c := newCase(r, i, i >= cases)
		if c.race {
			p.Races[i] = true
		}
		own.WriteString(c.own)
		made.WriteString(c.made)
		fmt.Fprintf(&calls, "case%d()\n", i)
	}
	fmt.Fprintf(&own, "func main() {\n%s}\n", calls.String())
	for name, text := range map[string]string{
		"main.go":      strings.Replace(own.String(), "import (", "import (\n\"example.com/fields/made\"", 1),
		"made/made.go": made.String(),
	} {
		formatted, err := random.Format(text)
		if err != nil {
			return nil, err
		}
		p.Files[name] = formatted
	}
	return p, nil
}

// A generated is a case: its text for the main package and for the library.
type generated struct {
	field     *field
	number    int
	lib       bool // its type is the library's
	global    bool // its object is a package variable, which code may name
	own, made string
	race      bool
	decls     map[string]bool // written so far
}

// A use is one of the ways to reach the field of a case.
type use struct {
	way
	atomic, inside bool // inside: it names the field, and so belongs to the package of the type
}

func choose(r *rand.Rand, list []way) way { return list[r.IntN(len(list))] }

// read returns a way to read the field.
func read(r *rand.Rand, f *field) use {
	if f.reads != nil && (f.plainReads == nil || r.IntN(4) != 0) {
		return use{choose(r, f.reads), true, true}
	}
	return use{choose(r, f.plainReads), false, true}
}

// write returns a way to write it.
func write(r *rand.Rand, f *field) use {
	switch {
	case f.writes != nil && r.IntN(3) != 0:
		return use{choose(r, f.writes), true, true}
	case f.plainWrites != nil && r.IntN(3) == 0:
		return use{choose(r, f.plainWrites), false, true}
	}
	return use{choose(r, overwrites), false, false}
}

// newCase returns case number i. The type is one of the library if lib is set.
func newCase(r *rand.Rand, i int, lib bool) *generated {
	f := &fields[r.IntN(len(fields))]
	g := &generated{field: f, number: i, lib: lib, global: r.IntN(5) == 0, decls: map[string]bool{}}
	reader := read(r, f)
	text := "\nfunc case$i() {\nx := New$i()\n_ = x\n"
	if r.IntN(6) == 0 {
		text += "{\n" + g.code(r, write(r, f), "Before") + "\n}\n"
	}
	one, other := g.code(r, reader, "Read"), ""
	if r.IntN(2) == 0 {
		beside := write(r, f)
		g.race = !(beside.atomic && reader.atomic)
		if other = g.code(r, beside, "Beside"); r.IntN(3) == 0 {
			one, other = other, one
		}
	}
	text += start(r, one) + "{\n" + other + "\n}\n<-lib.Done\n"
	if r.IntN(6) == 0 {
		text += "{\n" + g.code(r, write(r, f), "After") + "\n}\n"
	}
	text += "}\n"
	typ := g.replace("type Object$i struct {\na int\nf $t\nb int\n}\n\n"+constructor(r, g), "Object$i")
	if lib {
		g.made = typ + g.made
		g.own += g.replace(strings.Replace(text, "New$i()", "made.New$i()", 1), "made.Object$i")
	} else {
		g.own = typ + g.own + g.replace(text, "Object$i")
	}
	return g
}

// code returns the code of a use in the case's function, and adds its declarations. In the library it is a method with the given name.
func (g *generated) code(r *rand.Rand, u use, name string) string {
	if g.global && (!g.lib || u.inside) && r.IntN(3) != 0 {
		u.text = strings.ReplaceAll(u.text, "x.f", "one$i.f")
	}
	if !g.lib {
		g.declare(&g.own, u.decl, "Object$i")
		return g.replace(u.text, "Object$i")
	}
	if u.inside || r.IntN(3) == 0 {
		g.declare(&g.made, u.decl, "Object$i")
		g.declare(&g.made, fmt.Sprintf("func (x *Object$i) %s() {\n%s\n}\n", name, u.text), "Object$i")
		return "x." + name + "()"
	}
	g.declare(&g.own, u.decl, "made.Object$i")
	return g.replace(u.text, "made.Object$i")
}

// declare adds a declaration, once.
func (g *generated) declare(to *string, text, typ string) {
	if text = g.replace(text, typ); text != "" && !g.decls[text] {
		g.decls[text] = true
		*to += text
	}
}

// start returns code that runs text as a task.
func start(r *rand.Rand, text string) string {
	switch r.IntN(4) {
	case 0:
		return "lib.Start(func() {\n" + text + "\n})\n"
	case 1:
		return "go func() {\n" + text + "\nlib.Done <- true\n}()\n"
	case 2:
		return "c := make(chan *$T, 1)\nc <- x\ngo func() {\nx := <-c\n_ = x\n" + text + "\nlib.Done <- true\n}()\n"
	}
	return "go func(x *$T) {\n" + text + "\nlib.Done <- true\n}(x)\n"
}

// constructor returns a function that makes the object.
func constructor(r *rand.Rand, g *generated) string {
	first, assign := g.field.first, g.field.initially[r.IntN(len(g.field.initially))]
	var body, decl string
	switch n := r.IntN(6); {
	case g.global && n < 3:
		body, decl = "return &one$i", "var one$i Object$i\n\n"
	case g.global:
		body, decl = "return &one$i", "var one$i = Object$i{f: "+first+"}\n\n"
	case n == 0:
		body = "return &Object$i{f: " + first + "}"
	case n == 1:
		body = "x := new(Object$i)\n" + assign + "\nreturn x"
	case n == 2:
		body = "s := make([]Object$i, 2)\nx := &s[1]\n" + assign + "\nreturn x"
	case n == 3:
		body, decl = "return one$i", "var one$i = &Object$i{f: "+first+"}\n\n"
	case n == 4:
		body = "once$i.Do(func() { one$i = &Object$i{f: " + first + "} })\nreturn one$i"
		decl = "var (\nonce$i sync.Once\none$i *Object$i\n)\n\n"
	default:
		body = "return new(Object$i)"
	}
	return decl + "func New$i() *Object$i {\n" + body + "\n}\n\n"
}

// replace puts the names of the case into a text, see way.
func (g *generated) replace(text, typ string) string {
	i := fmt.Sprint(g.number)
	return strings.NewReplacer("$T", strings.ReplaceAll(typ, "$i", i), "$t", g.field.typ, "$N", g.field.name, "$i", i).Replace(text)
}
