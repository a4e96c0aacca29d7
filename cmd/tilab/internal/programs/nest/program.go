package nest

import (
	"bytes"
	"fmt"
	"strings"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// A Program is the text of a main package with many cases. It runs the case whose number is
// its argument. Its tests run the case that the environment names, in a subtest or a
// benchmark.
type Program struct {
	Files map[string][]byte
	Cases []*Case
}

// A Case describes one case.
type Case struct {
	Number  int
	Objects []string // expressions for their addresses, by the numbers that the program prints
	truth   [][]status
}

// New draws a program of n cases. Equal arguments give equal programs.
func New(seed uint64, n int) (*Program, error) {
	p := &Program{Files: map[string][]byte{"go.mod": []byte("module nested\n\ngo 1.25\n")}}
	var main, w strings.Builder
	w.WriteString("package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\nvar _ sync.Mutex\n\nvar _ atomic.Bool\n\n")
	main.WriteString(mainText + typesText + "\nfunc run(name string) {\nswitch name {\n")
	for i := range n {
		c := newCase(random.New(seed, i), i)
		c.emit(&w)
		fmt.Fprintf(&main, "case \"%d\":\ncase%d()\n", i, i)
		k := &Case{Number: i}
		for _, o := range c.objects {
			k.Objects = append(k.Objects, o.addr)
			t := c.truth[o]
			if t == nil {
				t = make([]status, o.size)
			}
			k.truth = append(k.truth, t)
		}
		p.Cases = append(p.Cases, k)
	}
	main.WriteString("}\nprintln(\"end\")\n}\n")
	for name, text := range map[string]string{"cases.go": w.String(), "main.go": main.String(), "main_test.go": testText} {
		var err error
		if p.Files[name], err = random.Format(text); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Library moves the cases to a package that the main package imports, so that the static
// optimizations know neither its callers nor whether they call it in parallel.
func (p *Program) Library() {
	delete(p.Files, "main_test.go")
	for _, name := range []string{"cases.go", "main.go"} {
		text := bytes.Replace(p.Files[name], []byte("package main\n"), []byte("package lib\n"), 1)
		text = bytes.Replace(text, []byte("func main() { run(os.Args[1]) }"), []byte("func Main() { run(os.Args[1]) }"), 1)
		delete(p.Files, name)
		p.Files["lib/"+name] = text
	}
	p.Files["main.go"] = []byte("package main\n\nimport \"nested/lib\"\n\nfunc main() { lib.Main() }\n")
}

const mainText = `package main

import (
	"os"
	"runtime"
	"sync/atomic"
)

//go:noinline
func sink[T any](T) {}

//go:noinline
func opaque(n int) int { return n }

func await(f *atomic.Bool) {
	for !f.Load() {
		runtime.Gosched()
	}
}

func main() { run(os.Args[1]) }

`

const testText = `package main

import (
	"os"
	"testing"
)

func TestCase(t *testing.T) {
	t.Run("sub", func(t *testing.T) { run(os.Getenv("NESTED_CASE")) })
}

func BenchmarkCase(b *testing.B) {
	b.Run("sub", func(b *testing.B) { run(os.Getenv("NESTED_CASE")) })
}
`

// emit writes the case.
func (c *oneCase) emit(w *strings.Builder) {
	for _, g := range c.globals {
		fmt.Fprintln(w, g)
	}
	for _, fn := range c.fns {
		fn.emit(w)
	}
	fmt.Fprintf(w, "func case%d() {\n", c.id)
	for _, l := range c.locals {
		fmt.Fprintln(w, l)
	}
	for _, o := range c.objects {
		fmt.Fprintf(w, "println(\"object\", %d, %s)\n", o.id, o.addr)
	}
	body(w, c.body)
	w.WriteString("}\n\n")
}
