package owners

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/cmd/tilab/internal/programs/random"
)

const lib = `package lib

// A Doer is an object of which its package lets others know.
type Doer interface{ Do(field int) }

var Done = make(chan bool, 1)

// Tell has another task use the object.
func Tell(d Doer, field int) { Start(func() { d.Do(field) }) }

// Get has another task use the object that f returns.
func Get(f func() Doer, field int) { Tell(f(), field) }

// Start starts f as a task.
func Start(f func()) {
	go func() {
		f()
		Done <- true
	}()
}

// Slice has another task use the first element of s, or the second if field is 8 or 9.
func Slice(s []int, field int) {
	Start(func() {
		if p := &s[field/8]; field%2 == 0 {
			*p++
		} else {
			_ = *p + 1
		}
	})
}

// Take returns a slice of which another task uses an element.
func Take(field int) []int {
	s := make([]int, 4)
	Slice(s, field)
	return s
}

// An Item is an object with the number of a field.
type Item struct {
	Doer
	Field int
}

var Items = make(chan Item)

func init() {
	go func() {
		for i := range Items {
			Tell(i, i.Field)
		}
	}()
}
`

// header is the first part of a package. The types of the cases differ in name.
const header = `package %s

import (
	"sync"
	"unsafe"

	"example.com/owners/lib"
)

func same[T any](x T) T { return x }

var (
	_ unsafe.Pointer
	_ sync.Pool
)

`

// declarations of a case, whose number stands for %[1]d.
const declarations = `
type part%[1]d struct{ n int }

func (p *part%[1]d) Do(field int) { p.n++ }

func (p *part%[1]d) get() int { return p.n }

type object%[1]d struct {
	a, b int
	p    part%[1]d
	to   *part%[1]d
	list [4]int
	buf  []int
	arr  [4]int
}

func (x *object%[1]d) Do(field int) {
	switch field {
	case 0:
		x.a++
	case 1:
		_ = x.a
	case 2:
		x.b++
	case 3:
		_ = x.b
	case 4:
		x.p.n++
	case 5:
		_ = x.to.n
	case 6:
		x.buf[0]++
	case 7:
		_ = x.buf[0]
	case 8:
		x.arr[1]++
	case 9:
		_ = x.arr[1]
	}
}

func fill%[1]d(s []int, k int) { s[k] = 2 }

func sum%[1]d(s []int) (n int) {
	for _, x := range s {
		n += x
	}
	return n
}

func (x *object%[1]d) then(field int) {
	x.Do(field)
	lib.Done <- true
}

`

// A share is a way to let another task know the object x of the owner: statements that start the task, which accesses $f and says
// that it is done. those are the fields that it can access, nil for all.
type share struct {
	text  string
	decl  string
	those []int
}

// Fields of Do: pairs of a write and a read of the same variable.
var shares = []share{
	{text: "lib.Tell(x, $f)"},
	{text: "for i := range 3 {\nif i == 1 {\nlib.Tell(x, $f)\n}\n}"},
	{text: "switch lib.Tell(x, $f); {\ncase x == nil:\n}"},
	{text: "func() {\ndefer lib.Tell(x, $f)\n}()"},
	{text: "var d lib.Doer = x\nlib.Tell(d, $f)"},
	{text: "tell$i(x, $f)", decl: "func tell$i(x *object$i, field int) { lib.Tell(x, field) }\n"},
	{text: "tell$i(x)", decl: "func tell$i(x *object$i) {\nif x.list[0] == 0 {\ngoto show\n}\nx.list[1]++\nshow:\nlib.Tell(x, $f)\n}\n"},
	{text: "go x.then($f)"},
	{text: "go func() { x.then($f) }()"},
	{text: "f := x.then\ngo f($f)"},
	{text: "last$i = x\ngo last$i.then($f)", decl: "var last$i *object$i\n"},
	{text: "c := make(chan *object$i, 1)\nc <- x\ngo (<-c).then($f)"},
	{text: "c := make(chan any, 1)\nc <- x\ngo (<-c).(*object$i).then($f)"},
	{text: "go holder$i{x}.then($f)", decl: "type holder$i struct{ x *object$i }\n\nfunc (h holder$i) then(field int) { h.x.then(field) }\n"},
	{text: "l := []*object$i{x}\ngo l[0].then($f)"},
	{text: "go same(x).then($f)"},
	{text: "go x.same().then($f)", decl: "func (x *object$i) same() *object$i { return x }\n"},
	{text: "lib.Tell(&x.p, 4)", those: []int{4}},
	{text: "lib.Tell(x.to, 4)", those: []int{4}},
	{text: "go func(p *int) {\n*p++\nlib.Done <- true\n}(&x.a)", those: []int{0}},
	{text: "go func(p *object$i) { p.then($f) }((*object$i)(unsafe.Pointer(x)))"},
	{text: "start$i(&x.p)", decl: "func start$i(p *part$i) {\ngo func() {\np.n++\nlib.Done <- true\n}()\n}\n", those: []int{4}},
	{text: "lib.Get(func() lib.Doer { return x }, $f)"},
	{text: "lib.Get(x.doer, $f)", decl: "func (x *object$i) doer() lib.Doer { return x }\n"},
	{text: "lib.Start(func() { x.Do($f) })"},
	{text: "lib.Items <- lib.Item{x, $f}"},
	{text: "all$i = append(all$i, x)\ngo all$i[0].then($f)", decl: "var all$i []*object$i\n"},
	{text: "lib.Slice(x.buf, $f)", those: []int{6, 7}},
	{text: "lib.Slice(x.arr[:], $f)", those: []int{8, 9}},
	{text: "slice$i = x.buf\nlib.Slice(slice$i[:1], $f)", decl: "var slice$i []int\n", those: []int{6, 7}},
	{text: "go func(s []int) {\ns[0]++\nlib.Done <- true\n}(x.buf)", those: []int{6}},
	{text: "go func(p *int) {\n*p++\nlib.Done <- true\n}(&x.buf[0])", those: []int{6}},
	{text: "var a any = x.arr[:]\nlib.Slice(a.([]int), $f)", those: []int{8, 9}},
	{text: "y := new(object$i)\ny.buf = x.buf\nlib.Slice(y.buf, $f)", those: []int{6, 7}},
	{text: "lib.Slice(give$i(x), $f)", decl: "func give$i(x *object$i) []int { return x.buf[:2] }\n", those: []int{6, 7}},
	{text: "c := make(chan []int, 1)\nc <- x.buf\nlib.Slice(<-c, $f)", those: []int{6, 7}},
	{text: "x.buf = lib.Take($f)", those: []int{6, 7}},
	{text: "swap$i(x, lib.Take($f))", decl: "func swap$i(x *object$i, s []int) { x.buf = s }\n", those: []int{6, 7}},
	{text: "s := make([]int, 4)\ny := new(object$i)\nx.buf, y.buf = s, s\nlib.Slice(y.buf, $f)", those: []int{6, 7}},
	{text: "y := *x\nlib.Slice(y.buf, $f)", those: []int{6, 7}},
	{text: "kept$i.to = x.to\ngo func() {\nkept$i.to.n++\nlib.Done <- true\n}()", decl: "var kept$i object$i\n", those: []int{4}},
}

// steps are the owner's accesses of each field, in the order of the fields of Do.
var steps = [...][]string{
	{"x.a++", "x.a = 1", "x.Do(0)", "add$i(x)"},
	{"_ = x.a + 1", "x.Do(1)"},
	{"x.b++", "x.Do(2)"},
	{"_ = x.b + 1", "x.Do(3)"},
	{"x.p.n++", "x.to.n++", "x.p.Do(4)", "x.to.Do(4)"},
	{"_ = x.p.n + 1", "_ = x.to.get()", "x.Do(5)"},
	{"x.buf[0]++", "x.Do(6)", "fill$i(x.buf, 0)", "x.buf = append(x.buf[:0], 1, 2)", "{\ns := x.buf[:1]\ns[0]++\n}", "copy(x.buf, []int{3})"},
	{"_ = x.buf[0] + 1", "x.Do(7)", "_ = sum$i(x.buf)"},
	{"x.arr[1]++", "x.Do(8)", "fill$i(x.arr[:], 1)", "{\ns := x.arr[:]\ns[1]++\n}"},
	{"_ = x.arr[1] + 1", "x.Do(9)", "_ = sum$i(x.arr[1:])"},
}

// A kind is a kind of owner: the declarations and the beginning of a case, and the ways to end the ownership. A way that begins with
// defer stands at the beginning.
type kind struct {
	pkg, decl, begin string
	gives            []string
}

var kinds = []kind{
	{
		pkg: "main", decl: "var pool$i = sync.Pool{New: func() any { return new(object$i) }}\n\nfunc (x *object$i) free() {\nx.list[2] = 0\npool$i.Put(x)\n}\n\n",
		begin: "func case$i() {\nx := pool$i.Get().(*object$i)\n", gives: []string{"pool$i.Put(x)", "defer pool$i.Put(x)", "x.free()"},
	},
	{
		pkg: "made", decl: "type box$i struct{ x *object$i }\n\nfunc new$i() *object$i { return &object$i{a: 1} }\n\nfunc (b box$i) get() *object$i { return b.x }\n\nfunc Case$i() lib.Doer { return Make$i() }\n\n",
		begin: "func Make$i() *object$i {\nx := new$i()\n", gives: []string{"return x", "return box$i{x}.get()", "defer add$i(x)\nreturn x"},
	},
}

// New returns the program of a seed, with the number of cases for each kind of owner. The cases of the first kind come first.
func New(seed uint64, cases int) (*programs.Numbered, error) {
	r := rand.New(rand.NewPCG(seed, 0))
	p := &programs.Numbered{Files: map[string][]byte{"lib/lib.go": []byte(lib), "go.mod": []byte("module example.com/owners\n\ngo 1.25\n")}, Races: map[int]bool{}, N: len(kinds) * cases}
	texts := map[string]*strings.Builder{}
	var calls strings.Builder
	for n, k := range kinds {
		b := new(strings.Builder)
		fmt.Fprintf(b, header, k.pkg)
		texts[k.pkg] = b
		for i := n * cases; i < (n+1)*cases; i++ {
			text, race := newCase(r, &k, i)
			b.WriteString(text)
			if k.pkg != "main" {
				text, again := newUse(r, i)
				texts["main"].WriteString(text)
				race = race || again
			}
			if race {
				p.Races[i] = true
			}
			fmt.Fprintf(&calls, "case%d()\n", i)
		}
	}
	fmt.Fprintf(texts["main"], "func main() {\n%s}\n", calls.String())
	for _, k := range kinds {
		text := texts[k.pkg].String()
		name := k.pkg + "/" + k.pkg + ".go"
		if k.pkg == "main" {
			name = "main.go"
			text = strings.Replace(text, "import (", "import (\n\"example.com/owners/made\"", 1)
		}
		formatted, err := random.Format(text)
		if err != nil {
			return nil, err
		}
		p.Files[name] = formatted
	}
	return p, nil
}

// newUse returns a function of the main package that gets the object of a case from package made and lets two tasks use it, and whether these have a race.
func newUse(r *rand.Rand, number int) (text string, race bool) {
	f, g, ordered := r.IntN(len(steps)), r.IntN(len(steps)), r.IntN(2) == 0
	first, second := fmt.Sprintf("go func() {\nx.Do(%d)\nlib.Done <- true\n}()\n", f), fmt.Sprintf("x.Do(%d)\n", g)
	wait := "<-lib.Done\n"
	if ordered {
		second, wait = wait, second
	}
	text = fmt.Sprintf("func case%d() {\nx := made.Case%d()\n%s%s%s}\n\n", number, number, first, second, wait)
	return text, !ordered && conflict(f, g)
}

// conflict reports whether accesses of two fields of Do are accesses of one variable, one of them a write.
func conflict(f, g int) bool { return f/2 == g/2 && (f%2 == 0 || g%2 == 0) }

// newCase returns the declarations of a case, and whether it has a race.
func newCase(r *rand.Rand, k *kind, number int) (text string, race bool) {
	var b strings.Builder
	fmt.Fprintf(&b, declarations, number)
	give := k.gives[r.IntN(len(k.gives))]
	b.WriteString("func add$i(x *object$i) { x.a++ }\n\n" + k.decl)
	body := k.begin + "x.to = &x.p\nif x.buf == nil {\nx.buf = make([]int, 4)\n}\n"
	if strings.HasPrefix(give, "defer") {
		first, rest, _ := strings.Cut(give, "\n")
		body, give = body+first+"\n", rest
	}
	field := -1 // of the other task, while it may run
	shared := r.IntN(3) == 0
	var decl string
	for range 2 + r.IntN(8) {
		if shared && field < 0 && r.IntN(3) == 0 {
			s := shares[r.IntN(len(shares))]
			field = r.IntN(len(steps))
			if s.those != nil {
				field = s.those[r.IntN(len(s.those))]
			}
			shared = false
			decl = strings.ReplaceAll(s.decl, "$f", fmt.Sprint(field))
			body += "{\n" + strings.ReplaceAll(s.text, "$f", fmt.Sprint(field)) + "\n}\n"
		}
		if field >= 0 && r.IntN(5) == 0 {
			body += "<-lib.Done\n"
			field = -1
		}
		f := r.IntN(len(steps))
		body += steps[f][r.IntN(len(steps[f]))] + "\n"
		race = race || field >= 0 && conflict(f, field)
	}
	if field >= 0 {
		body += "<-lib.Done\n"
	}
	b.WriteString(decl + body + give + "\n}\n\n")
	return strings.ReplaceAll(b.String(), "$i", fmt.Sprint(number)), race
}
