package ssapass

import (
	"path"
	"regexp"
	"testing"
)

// changes returns the lines of a unit with the comments "want fixed" and "want changing" that
// are not as the comment says. A line changes if another task may write memory that the line
// reads.
func changes(a *Analysis, src string) []string {
	got := map[int]bool{}
	for _, s := range a.Sites.List {
		if s.Key.Write {
			continue
		}
		changing := got[s.Key.Line] || len(s.Accesses) == 0
		for _, c := range s.Accesses {
			mem := a.Where(s, c)
			changing = changing || a.WrittenBeside(c.Instr, mem) || a.FilledInParallel(mem) || a.Outside(mem)
		}
		got[s.Key.Line] = changing
	}
	return unlike(src, "changing", got)
}

// TestInitPhase: a variable that only initializers write, before the unit hands out any of
// its functions, is read-only. Each other case is a way by which other code writes it, or runs
// beside its initializer.
func TestInitPhase(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"array with a value", `
var table = [4]byte{1, 2}
func Get(i int) byte { return table[i] } // want fixed
`},
		{"slice that a function makes", `
var table = fill()
func fill() []int { t := make([]int, 8); for i := range t { t[i] = i }; return t }
func Get(i int) int { return table[i] } // want fixed
`},
		{"filled by init", `
var table [8]int
func init() { for i := range table { table[i] = i } }
func Get(i int) int { return table[i] } // want fixed
`},
		{"pointers that lead to more", `
type node struct{ next *node; n int }
var list = &node{next: &node{n: 1}}
func Get() int { return list.next.n } // want fixed
`},
		{"behind calls that hand out nothing", `
var kind = reflect.TypeFor[box]()
var err = errors.New("x")
type box struct{ n int }
func (box) String() string { return "" }
var table = [4]byte{1, 2}
func Get(i int) byte { return table[i] } // want fixed
func Err() error { return err }
`},
		{"behind calls that keep a function in their result", `
var first = sync.OnceValue(func() byte { return Get(0) })
var value = reflect.ValueOf(box{})
type box struct{ n int }
func (box) String() string { return string(rune(Get(0))) }
var table = [4]byte{1, 2}
func Get(i int) byte { return table[i] } // want fixed
func First() byte { return first() }
func Kind() reflect.Kind { return value.Kind() }
`},
		{"behind a call that gets interfaces of others", `
var empty = io.NopCloser(strings.NewReader(""))
var none = io.NopCloser(nil)
type box struct{ n int }
func (box) Read([]byte) (int, error) { return int(Get(0)), io.EOF }
var table = [4]byte{1, 2}
func Get(i int) byte { return table[i] } // want fixed
func Empty() io.ReadCloser { return empty }
`},
		{"exported variable", `
var Table = [4]byte{1, 2}
func Get(i int) byte { return Table[i] } // want changing
`},
		{"exported variable that leads to it", `
var table = []byte{1, 2}
var Table = table
func Get(i int) byte { return table[i] } // want changing
`},
		{"its address is a result", `
var table = [4]byte{1, 2}
func Table() []byte { return table[:] }
func Get(i int) byte { return table[i] } // want changing
`},
		{"its address is an argument", `
var table = []int{1, 2}
func init() { sort.Ints(table) }
func Get(i int) int { return table[i] } // want changing
`},
		{"a field of a struct that external code copies", `
type T struct{ n int }
var first = &T{}
func First() *T { return first }
func Get() int { return first.n } // want changing
`},
		{"a field of an unexported struct that external code copies", `
type box struct{ n int }
var first = &box{}
func First() *box { return first }
func Get() int { return first.n } // want changing
`},
		{"an exported function writes it", `
var table = [4]byte{1, 2}
func Set(i int) { table[i] = 1 }
func Get(i int) byte { return table[i] } // want changing
`},
		{"init and an exported function write it by one function", `
var table [8]int
func init() { set(0) }
func set(i int) { table[i] = i }
func Set(i int) { set(i) }
func Get(i int) int { return table[i] } // want changing
`},
		{"a function value that escapes writes it", `
var table [8]int
var hook func(int)
func init() { hook = func(i int) { table[i] = i } }
func Hook() func(int) { return hook }
func Get(i int) int { return table[i] } // want changing
`},
		{"a task of init writes it", `
var table [8]int
func init() { go func() { table[0] = 1 }() }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it beside a task", `
var table [8]int
func init() { go Get(0); table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it hands out a function", `
var table [8]int
func init() { time.AfterFunc(0, func() { Get(0) }); table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after a callee hands out a function", `
var table [8]int
func init() { register(); table[0] = 1 }
func register() { time.AfterFunc(0, func() { Get(0) }) }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it hands out a value with methods", `
type box struct{}
func (box) String() string { return string(rune(Get(0))) }
var table [8]int
func init() { expvar.Publish("x", box{}); table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it hands out a value with methods in a struct", `
type box struct{}
func (*box) Write(p []byte) (int, error) { return Get(0), nil }
var table [8]int
func init() { log.Default().SetOutput(&box{}); table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it hands out what OnceFunc returns", `
var first = sync.OnceFunc(func() { Get(0) })
var table [8]int
func init() { time.AfterFunc(0, first); table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it hands out a value with methods in a reflect.Value", `
type box struct{}
func (box) String() string { return string(rune(Get(0))) }
var value = reflect.ValueOf(box{})
var list atomic.Value
var table [8]int
func init() { reflect.ValueOf(&list).Elem().Set(value); table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it hands out a value with methods in an interface of another one", `
type box struct{}
func (*box) Write(p []byte) (int, error) { return Get(0), nil }
var table [8]int
func init() { log.SetOutput(io.Writer(&box{})); table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it stores a function in another package", `
var table [8]int
func init() { flag.Usage = func() { Get(0) }; table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it stores a function in a struct of another package", `
var table [8]int
func init() { flag.CommandLine.Usage = func() { Get(0) }; table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it after it passes a struct of another package with a function", `
var table [8]int
func init() { p := &sync.Pool{New: func() any { return Get(0) }}; runtime.SetFinalizer(p, nil); table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"init writes it, and a directive names its reader", `
var table [8]int
func init() { table[0] = 1 }
//go:linkname get
func get(i int) int { return table[i] } // want changing
`},
		{"a directive names the variable", `
//go:linkname table
var table [8]int
func Get(i int) int { return table[i] } // want changing
`},
		{"a generic function writes it", `
var table [8]int
func Set[E any](e E) { table[0] = 1 }
func Get(i int) int { return table[i] } // want changing
`},
		{"sync.Once writes it", `
var once sync.Once
var table [8]int
func Get(i int) int { once.Do(func() { table[0] = 1 }); return table[i] } // want changing
`},
		{"it was made by a function that tasks run, too", `
var table = fill(1)
func fill(n int) []int { t := make([]int, 8); t[0] = n; return t }
func Fill() int { return fill(2)[0] }
func Get(i int) int { return table[i] } // want changing
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := "package unit\n\nimport (\n"
			for _, p := range []string{"errors", "expvar", "flag", "io", "log", "reflect", "runtime", "sort", "strings", "sync", "sync/atomic", "time"} {
				if regexp.MustCompile(`\b` + path.Base(p) + `\.`).MatchString(c.src) {
					src += "\t\"" + p + "\"\n"
				}
			}
			src += "\t_ \"unsafe\"\n)\n" + c.src
			for _, w := range changes(unitOf(t, src), src) {
				t.Error(w)
			}
		})
	}
}

// TestUnitUnchecked: other packages have checks where they publish memory, unless the build
// leaves some out.
func TestUnitUnchecked(t *testing.T) {
	src := `package unit

type box struct{ n int }

func New() *box { return &box{1} }

var last *box

//go:norace
func Keep() { last = &box{2} }
`
	for _, c := range []struct {
		line    int
		partial bool
		want    bool
	}{{5, false, false}, {5, true, true}, {10, false, true}, {10, true, true}} {
		u := checkUnit(t, unitFset, unitImporter, "unit", src)
		u.Partial = c.partial
		a := analyzeUnits(t, u)
		unchecked := a.Unchecked(func(string) bool { return c.partial })
		found := false
		for _, s := range a.Sites.List {
			if s.Key.Line == c.line && s.Fresh {
				found = true
				if got := unchecked(a.Where(s, s.Accesses[0])); got != c.want {
					t.Errorf("line %d, partial %v: unchecked %v, want %v", c.line, c.partial, got, c.want)
				}
			}
		}
		if !found {
			t.Errorf("line %d: no first value", c.line)
		}
	}
}
