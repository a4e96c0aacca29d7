package callers

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// A Program is the text of a main package with many cases. It runs those whose numbers
// are its arguments, one after the other.
type Program struct {
	Seed  uint64
	Files map[string][]byte // by paths relative to the module's folder
	Cases []*Case
}

// A Case describes one case.
type Case struct {
	Number    int
	Variables []Variable
	Forms     map[string]int // numbers of each form of call or access
}

// A Variable is accessed once by each of the two tasks.
type Variable struct {
	Number int // in the program
	Expr   string
	Leaf   [2]string // for each task the prefix of the name of the runtime's function that makes the access, "" if none does
}

// Fixed parts of each program: the recorder, code without checks, helpers.
//
//go:embed testdata/program
var fixed embed.FS

const fixedRoot = "testdata/program"

const header = `package main

import (
	"iter"
	"reflect"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"example.com/calls/quiet"
	"example.com/calls/trace"
)

var (
	_ = iter.Pull[int]
	_ = reflect.ValueOf
	_ = runtime.GC
	_ = slices.Sort[[]int]
	_ = sort.Ints
	_ = strings.Map
	_ sync.Mutex
	_ atomic.Int32
	_ unsafe.Pointer
	_ = quiet.Call
	_ trace.Task
)

`

// casesPerFile keeps files small, since the compiler is slow with large ones.
const casesPerFile = 50

// New draws a program of n cases. Equal arguments give equal programs, and a case depends
// only on the seed and its number.
func New(seed uint64, n int) (*Program, error) {
	p := &Program{Seed: seed, Files: map[string][]byte{"go.mod": []byte("module example.com/calls\n\ngo 1.25\n")}}
	err := fs.WalkDir(fixed, fixedRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fixed.ReadFile(path)
		p.Files[strings.TrimPrefix(path, fixedRoot+"/")] = text
		return err
	})
	if err != nil {
		return nil, err
	}
	var table, w strings.Builder
	table.WriteString("package main\n\nvar cases = []func(){\n")
	flush := func(last int) error {
		text, err := random.Format(header + w.String())
		p.Files[fmt.Sprintf("cases%d.go", last/casesPerFile)] = text
		w.Reset()
		return err
	}
	for i := range n {
		c := newCase(random.New(seed, i), i)
		c.emit(&w)
		fmt.Fprintf(&table, "case%d,\n", i)
		p.Cases = append(p.Cases, &Case{Number: i, Variables: c.variables, Forms: c.forms})
		if i%casesPerFile == casesPerFile-1 || i == n-1 {
			if err := flush(i); err != nil {
				return nil, err
			}
		}
	}
	table.WriteString("}\n")
	p.Files["table.go"], err = random.Format(table.String())
	return p, err
}
