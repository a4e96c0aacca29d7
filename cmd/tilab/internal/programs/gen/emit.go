package gen

import (
	"bytes"
	"fmt"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// Program returns the files of a main package with n random cases; every second case is
// scripted. Equal arguments give equal text.
func Program(seed uint64, n int) (map[string][]byte, error) {
	var b bytes.Buffer
	b.WriteString("package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\n")
	for i := range n {
		rng := random.New(seed, i)
		newCase(rng, fmt.Sprintf("Case%d", i), i%2 == 1).emit(&b)
	}
	cases, err := random.Format(b.String())
	if err != nil {
		return nil, err
	}
	return map[string][]byte{
		"go.mod":   []byte("module generated\n\ngo 1.25\n"),
		"main.go":  fmt.Appendf(nil, mainText, sliceLen),
		"cases.go": cases,
	}, nil
}

func (c *oneCase) emit(b *bytes.Buffer) {
	recv := "fixed"
	if len(c.pairs) > 0 {
		recv = "racy"
	}
	fmt.Fprintf(b, "func (%s) %s() {\n", recv, c.name)
	b.WriteString("var v struct {\n")
	for _, v := range c.vars {
		if v.decl != "" {
			fmt.Fprintln(b, v.decl)
		}
	}
	fmt.Fprintf(b, "}\nbytes := make([]uint8, %d)\n", probeCount)
	var used []string
	for _, v := range c.vars {
		if v.local != "" {
			fmt.Fprintf(b, "%s := make([]uint16, sliceLen)\n", v.local)
			used = append(used, v.local)
		}
	}
	for _, ch := range c.chans {
		fmt.Fprintf(b, "%s := make(chan int, %d)\n", ch.name, ch.cap)
		used = append(used, ch.name)
	}
	for k := range c.flags {
		fmt.Fprintf(b, "var flag%d atomic.Bool\n", k)
		used = append(used, fmt.Sprintf("&flag%d", k))
	}
	for _, l := range c.locks {
		kind := "Mutex"
		if l.rw {
			kind = "RWMutex"
		}
		fmt.Fprintf(b, "var %s sync.%s\n", l.name, kind)
		used = append(used, "&"+l.name)
	}
	b.WriteString("var s script\nvar all sync.WaitGroup\n")
	for _, t := range c.tasks {
		for g := range groups {
			fmt.Fprintf(b, "var w%d_%d sync.WaitGroup\n", t.id, g)
			used = append(used, fmt.Sprintf("&w%d_%d", t.id, g))
		}
	}
	used = append(used, "&v", "bytes", "&s")
	fmt.Fprint(b, "use(")
	for _, u := range used {
		fmt.Fprint(b, u, ", ")
	}
	fmt.Fprint(b, ")\n")
	// Children have higher numbers than their parents.
	for i := len(c.tasks) - 1; i > 0; i-- {
		t := c.tasks[i]
		fmt.Fprintf(b, "t%d := func() {\ndefer all.Done()\ndefer w%d_%d.Done()\n", t.id, t.parent.id, t.group)
		c.emitBody(b, t)
		b.WriteString("}\n")
	}
	c.emitBody(b, c.tasks[0])
	b.WriteString("all.Wait()\n}\n\n")
}

func (c *oneCase) emitBody(b *bytes.Buffer, t *task) {
	for _, s := range t.body {
		if c.scripted {
			fmt.Fprintf(b, "s.await(%d)\n", s.turn)
		}
		if s.lock[0] != "" {
			fmt.Fprintln(b, s.lock[0])
		}
		var child int
		if n, _ := fmt.Sscanf(s.text, "go t%d()", &child); n == 1 {
			fmt.Fprintf(b, "all.Add(1)\nw%d_%d.Add(1)\n", t.id, c.tasks[child].group)
		}
		if s.text != "" {
			b.WriteString(s.text)
			for i, p := range c.pairs {
				if s.node == p.a || s.node == p.b {
					stock := ""
					if p.a.at.noStock || p.b.at.noStock {
						stock = " nostock"
					}
					fmt.Fprintf(b, " // want %s %d%s: %s", p.tier, i, stock, s.node.at.expr)
				}
			}
			b.WriteString("\n")
		}
		if s.lock[1] != "" {
			fmt.Fprintln(b, s.lock[1])
		}
		if c.scripted {
			fmt.Fprintf(b, "s.pass(%d)\n", s.turn)
		}
	}
}

// mainText is the part that all generated programs share.
const mainText = `package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
)

type (
	racy  struct{}
	fixed struct{}
)

type record struct {
	a uint8
	b uint32
	c [3]uint16
}

const sliceLen = %d

var source [sliceLen]uint16 // only ever read

var words = [4]string{"one", "two", "three", "four"}

//go:noinline
func sink[T any](T) {}

//go:noinline
func use(...any) {}

func awaitFlag(f *atomic.Bool) {
	for !f.Load() {
		runtime.Gosched()
	}
}

// A script orders the statements of a case in time, unseen by any detector.
type script struct{ turn uint32 }

//go:norace
//go:noinline
func (s *script) pass(k uint32) { s.turn = k + 1 }

//go:norace
//go:noinline
func (s *script) is(k uint32) bool { return s.turn == k }

func (s *script) await(k uint32) {
	for !s.is(k) {
		runtime.Gosched()
	}
}

func main() {
	for _, name := range os.Args[1:] {
		form, method, _ := strings.Cut(name, "/")
		v := reflect.ValueOf(fixed{})
		if form == "racy" {
			v = reflect.ValueOf(racy{})
		}
		v.MethodByName(method).Call(nil)
		fmt.Fprintf(os.Stderr, "case %%s ended\n", name)
	}
}
`
