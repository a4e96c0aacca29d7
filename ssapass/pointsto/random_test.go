package pointsto_test

import (
	"bufio"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

var (
	randomPrograms = flag.Int("pointsto.programs", 50, "random programs that TestRandom executes")
	randomSeed     = flag.Uint64("pointsto.seed", 1, "seed of the random programs")
)

// A random program calls use where it dereferences a pointer, and made where it allocates
// an object; both have the number of their line. In the program that the test analyses they
// do nothing.
const analysedHelpers = `package main

func use[T any](line int, p *T)  {}
func made[T any](line int, p *T) {}
func finish()                    {}
`

// executedHelpers print, for each line that dereferences a pointer, the addresses with their
// sizes, and the lines that made the objects there. They keep all memory alive, so that an
// address belongs to one object all the time.
const executedHelpers = `package main

import (
	"fmt"
	"unsafe"
)

type span struct{ from, size uintptr }

type object struct {
	span
	line int
}

var (
	alive   []unsafe.Pointer
	objects []object
	uses    = map[int]map[span]unsafe.Pointer{}
)

func use[T any](line int, p *T) {
	if p == nil {
		return
	}
	if uses[line] == nil {
		uses[line] = map[span]unsafe.Pointer{}
	}
	uses[line][span{uintptr(unsafe.Pointer(p)), unsafe.Sizeof(*p)}] = unsafe.Pointer(p)
}

func made[T any](line int, p *T) {
	alive = append(alive, unsafe.Pointer(p))
	objects = append(objects, object{span{uintptr(unsafe.Pointer(p)), unsafe.Sizeof(*p)}, line})
}

func finish() {
	for line, spans := range uses {
		for s := range spans {
			from := 0
			for _, o := range objects {
				if o.from <= s.from && s.from < o.from+o.size {
					from = o.line
				}
			}
			fmt.Println(line, s.from, s.size, from)
		}
	}
}
`

// A writer writes one random program. Its statements move pointers to nodes through every
// construct that package pointsto models, from and to the variables p0, p1, ...
type writer struct {
	*rand.Rand
	out   *strings.Builder
	lines int
	id    int // of the program; part of the names of its types and functions
	depth int
}

const (
	randomVars   = 6  // variables of each program
	randomLength = 14 // statements of its body
)

func (w *writer) line(format string, args ...any) {
	w.lines++
	w.out.WriteString(strings.ReplaceAll(fmt.Sprintf(format, args...), "#", fmt.Sprint(w.id)) + "\n")
}

// variable returns the name of a random variable.
func (w *writer) variable() string { return fmt.Sprintf("p%d", w.IntN(randomVars)) }

// use writes a dereference of p at the next line.
func (w *writer) use(p string) { w.line("use(%d, %s)", w.lines+1, p) }

// made writes an allocation.
func (w *writer) made(p, value string) { w.line("%s = %s; made(%d, %s)", p, value, w.lines+1, p) }

// guarded writes statements that need a variable which is not nil.
func (w *writer) guarded(p string, statements ...string) {
	w.line("if %s != nil {", p)
	w.use(p)
	for _, s := range statements {
		w.line("%s", s)
	}
	w.line("}")
}

// declarations writes the types of the program. The methods of a node and of a box differ.
func (w *writer) declarations() {
	w.line("type node# struct {")
	w.line("a, b *node#; in part#; arr [2]*node#; list []*node#; dict map[int]*node#; any any; f func(*node#) *node# }")
	w.line("type part# struct { p *node#; n int }")
	w.line("type box# struct { p *node# }")
	w.line("type mover# interface { move(*node#) *node# }")
	w.line("type outer# struct { *node#; mover# }")
	w.line("func (n *node#) move(p *node#) *node# {")
	w.use("n")
	if w.IntN(2) == 0 {
		w.line("n.b = p")
	}
	w.line("return %s }", []string{"n", "p", "n.a"}[w.IntN(3)])
	w.line("func (b box#) move(p *node#) *node# { return %s }", []string{"b.p", "p"}[w.IntN(2)])
	w.line("var global# *node#")
	w.line("func same#[T any](v T) T { return v }")
	w.line("func swap#[T any](x, y *T) { *x, *y = *y, *x }")
	w.line("func pick#(list ...*node#) *node# { return list[len(list)-1] }")
}

func (w *writer) program() {
	w.declarations()
	w.line("func program#() {")
	w.line("var p0, p1, p2, p3, p4, p5 *node#")
	w.line("var pp **node#")
	w.line("var list []*node#")
	w.line("dict := map[int]*node#{}")
	w.line("ch := make(chan *node#, 64)")
	w.line("var m mover# = box#{}")
	w.line("var f func(*node#) *node# = same#[*node#]")
	w.line("var x any")
	for i := range randomVars - 1 {
		w.made(fmt.Sprintf("p%d", i), "new(node#)")
	}
	w.body(randomLength)
	for i := range randomVars {
		w.use(fmt.Sprintf("p%d", i))
	}
	w.line("_, _, _, _, _, _, _ = pp, list, dict, ch, m, f, x")
	w.line("}")
}

func (w *writer) body(n int) {
	for range n {
		w.statement()
	}
}

// block writes a statement with a body.
func (w *writer) block(head, tail string) {
	if w.depth == 2 {
		return
	}
	w.depth++
	w.line("%s", head)
	w.body(3)
	w.line("%s", tail)
	w.depth--
}

func (w *writer) statement() {
	p, q := w.variable(), w.variable()
	switch w.IntN(40) {
	case 0, 34, 35, 36:
		w.made(p, "new(node#)")
	case 1, 37, 38, 39:
		w.made(p, fmt.Sprintf("&node#{a: %s, in: part#{p: p1}}", q))
	case 2, 3:
		w.guarded(p, p+".a = "+q)
	case 4, 5:
		w.guarded(q, p+" = "+q+".a")
	case 6:
		w.guarded(p, p+".in.p = "+q)
	case 7:
		w.guarded(q, p+" = "+q+".in.p")
	case 8:
		w.guarded(p, p+".arr[1] = "+q)
	case 9:
		w.guarded(q, []string{p + " = " + q + ".arr[0]", "for _, e := range " + q + ".arr { if e != nil { " + p + " = e } }"}[w.IntN(2)])
	case 10:
		w.line("pp = &%s", p)
	case 11:
		w.guarded(p, "pp = &"+p+"."+[]string{"a", "in.p", "arr[1]"}[w.IntN(3)])
	case 12:
		w.guarded("pp", "*pp = "+p)
	case 13:
		w.guarded("pp", p+" = *pp")
	case 14:
		w.line("list = append(list, %s)", p)
	case 15:
		w.line("if len(list) > 0 { %s = list[%s] }", p, []string{"0", "len(list)-1"}[w.IntN(2)])
	case 16:
		w.line("list = append([]*node#{%s}, list...)", p)
	case 17:
		w.line("if len(list) > 0 { pp = &list[len(list)/2]; list = list[:1] }")
	case 18:
		w.line("dict[%d] = %s", w.IntN(2), p)
	case 19:
		w.line("%s = dict[%d]", p, w.IntN(2))
	case 20:
		w.line("for _, v := range dict { %s = v }", p)
	case 21:
		w.line("select { case ch <- %s: default: }", p)
	case 22:
		w.line("select { case %s = <-ch: default: }", p)
	case 23:
		w.line("x = %s", []string{p, "box#{" + p + "}", "&" + p}[w.IntN(3)])
	case 24:
		w.line("switch v := x.(type) { case *node#: %s = v; case box#: %s = v.p; case **node#: pp = v }", p, q)
	case 25:
		w.guarded(p, "m = "+p)
	case 26:
		w.line("m = box#{%s}", p)
	case 27:
		w.line("%s = m.move(%s)", p, q)
	case 28:
		w.guarded(p, "f = "+p+".move", q+" = f("+q+")")
	case 29:
		w.line("f = func(v *node#) *node# { if v != nil { use(%d, v); v.b = %s }; %s = v; return %s }", w.lines+1, p, p, q)
	case 30:
		w.line("%s = f(%s)", p, q)
	case 31:
		w.line("%s", []string{
			p + " = same#(" + q + ")",
			"swap#(&" + p + ", &" + q + ")",
			p + " = pick#(" + q + ", p0)",
			"global# = " + p,
			p + " = global#",
			p + " = (*node#)(unsafe.Pointer(" + q + "))",
			"pp = (**node#)(unsafe.Pointer(&" + p + "))",
			p + " = outer#{" + q + ", m}.node#",
		}[w.IntN(8)])
	case 32:
		w.block("for range 2 {", "}")
	case 33:
		switch w.IntN(3) {
		case 0:
			w.block("func() { defer func() { recover() }(); defer func() {", "}(); "+p+" = "+q+"; panic("+p+") }()")
		case 1:
			w.block("{ done := make(chan *node#); go func(arg *node#) {", "done <- arg }("+p+"); "+q+" = <-done }")
		case 2:
			w.block("func(yield func(*node#) bool) { _ = yield("+p+") && yield("+q+") }(func(v *node#) bool { p3 = v", "return true })")
		}
	}
	w.use(p)
	w.use("pp")
}

// A dereference is an address with its size.
type dereference struct{ from, size uint64 }

// TestRandom executes random programs and compares each dereference with the points-to set
// of its pointer: the set has the object, and two sets overlap where the pointers had
// overlapping memory.
func TestRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a program")
	}
	w := &writer{Rand: rand.New(rand.NewPCG(*randomSeed, 1)), out: new(strings.Builder)}
	w.line("package main")
	w.line(`import "unsafe"`)
	w.line("var _ unsafe.Pointer")
	first := make([]int, *randomPrograms) // line of each program
	for i := range first {
		w.id, first[i] = i, w.lines
		w.program()
	}
	w.line("func main() {")
	for i := range first {
		w.line("program%d()", i)
	}
	w.line("finish()")
	w.line("}")
	source := w.out.String()
	programOf := func(line int) int {
		i, found := slices.BinarySearch(first, line)
		if !found {
			i--
		}
		return i
	}

	executed := execute(t, map[string]string{"main.go": source, "helpers.go": executedHelpers})
	p := analyze(t, map[string]string{"main.go": source, "helpers.go": analysedHelpers})
	sets := map[int]pointsto.Set{}
	p.marks(func(name string, c *ssa.Call) {
		if at := p.line(c); name == "use" && at.file == "main.go" {
			s, more := sets[at.number], p.Points(c.Call.Args[1])
			s.Cells, s.Unknown, s.Width = append(s.Cells, more.Cells...), s.Unknown || more.Unknown, more.Width
			slices.Sort(s.Cells)
			s.Cells = slices.Compact(s.Cells)
			sets[at.number] = s
		}
	})
	made := map[int][]*pointsto.Object{} // by line
	for i := range p.Objects {
		if at, ok := p.site(&p.Objects[i]); ok && at.file == "main.go" {
			made[at.number] = append(made[at.number], &p.Objects[i])
		}
	}
	text := strings.Split(source, "\n")
	known, objects, unknown := 0, 0, 0
	for number, u := range executed {
		s, ok := sets[number]
		if !ok {
			t.Fatalf("line %d: no call of use: %s", number, text[number-1])
		}
		if s.Unknown {
			unknown++
		}
		for from := range u.objects {
			known++
			if from == 0 { // a variable or an element of a slice
				continue
			}
			objects++
			has := slices.ContainsFunc(made[from], func(o *pointsto.Object) bool {
				return s.Unknown && o.Escaped || slices.ContainsFunc(s.Cells, func(c uint32) bool { return p.Object(c) == o })
			})
			if !has {
				t.Errorf("seed %d, line %d: %s\npoints to an object of line %d: %s\nwhich the set %v does not have", *randomSeed, number, text[number-1], from, text[from-1], s)
			}
		}
	}

	// Pairs of dereferences of one program.
	numbers := slices.Sorted(maps.Keys(executed))
	pairs, met, may := 0, 0, 0
	for i, x := range numbers {
		for _, y := range numbers[i+1:] {
			if programOf(y) != programOf(x) {
				break
			}
			pairs++
			overlap := p.Overlap(sets[x], sets[y])
			meets := executed[x].meets(executed[y])
			if overlap {
				may++
			}
			if meets {
				met++
			}
			if meets && !overlap {
				t.Errorf("seed %d: lines %d and %d dereference the same memory, but the sets are apart:\n%s\n%v\n%s\n%v", *randomSeed, x, y, text[x-1], sets[x], text[y-1], sets[y])
			}
		}
	}
	t.Logf("%d programs: %d lines with %d dereferences, %d of them of objects, %d sets unknown; of %d pairs %d meet and %d may meet",
		len(first), len(executed), known, objects, unknown, pairs, met, may)
	if len(executed) < 20*len(first) || met < 2*len(executed) {
		t.Errorf("%d lines dereference a pointer, %d pairs meet: too few", len(executed), met)
	}
	if 20*unknown > len(executed) || 10*may > 6*pairs {
		t.Errorf("%d of %d sets are unknown, %d of %d pairs may meet: the test is too weak", unknown, len(executed), may, pairs)
	}
}

// A lineUse holds the dereferences of one line.
type lineUse struct {
	memory  []dereference
	objects map[int]bool // lines that made the objects
}

func (u *lineUse) meets(v *lineUse) bool {
	for _, a := range u.memory {
		for _, b := range v.memory {
			if a.from < b.from+b.size && b.from < a.from+a.size {
				return true
			}
		}
	}
	return false
}

// execute runs a program with executedHelpers and returns its dereferences by line.
func execute(t *testing.T, files map[string]string) map[int]*lineUse {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, files)
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go run: %v\n%s", err, stderr.String())
	}
	executed := map[int]*lineUse{}
	for sc := bufio.NewScanner(strings.NewReader(string(out))); sc.Scan(); {
		var number, from int
		var d dereference
		if _, err := fmt.Sscan(sc.Text(), &number, &d.from, &d.size, &from); err != nil {
			t.Fatalf("output %q: %v", sc.Text(), err)
		}
		u := executed[number]
		if u == nil {
			u = &lineUse{objects: map[int]bool{}}
			executed[number] = u
		}
		u.memory = append(u.memory, d)
		u.objects[from] = true
	}
	return executed
}
