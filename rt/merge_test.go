package rt

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"testing/fstest"
)

func TestMerge(t *testing.T) {
	src := fstest.MapFS{
		"host.go": {Data: []byte("//go:build !taskinstr_runtime\n\npackage detector\n\nimport \"os\"\n\nfunc hostExit() { os.Exit(1) }\n")},
		"a.go": {Data: []byte(`// Package detector.
package detector

type node struct{ link }

type link struct{ next uint32 }

var free = link{next: 1}

func step(link uint32) uint32 {
	free := link
	n := node{}
	n.link.next = free
	hostExit()
	return max(n.next, limit)
}

const limit = 3
`)},
		"a_test.go": {Data: []byte("package detector\nfunc broken(")},
	}
	files, err := merge(source{"detector", "ti_", src})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 1 || files[0].Name != "taskinstr_detector_a.go" {
		t.Fatalf("merged %v, want a.go alone", files)
	}
	want := `//line taskinstr/detector/a.go:1
// Package detector.
package runtime

type ti_node struct{ ti_link }

type ti_link struct{ next uint32 }

var ti_free = ti_link{next: 1}

func ti_step(link uint32) uint32 {
	free := link
	n := ti_node{}
	n.ti_link.next = free
	ti_hostExit()
	return max(n.next, ti_limit)
}

const ti_limit = 3
`
	if got := string(files[0].Data); got != want {
		t.Errorf("merged text:\n%s\nwant:\n%s", got, want)
	}
}

// pkg makes a source of files, name and text in turn.
func pkg(dir, prefix string, files ...string) source {
	m := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return source{dir, prefix, m}
}

const base = `package base

type Engine struct {
	free uint32
	Task
}

type Task struct{ ID uint32 }

func (e *Engine) Find() uint32 { return e.Task.ID + e.free }

const Max = 3

func Next(i uint32) uint32 { return i + 1 }
`

// A package may import others that are merged, under another name as well.
func TestMergeImports(t *testing.T) {
	files, err := merge(pkg("detector/base", "se_", "base.go", base), pkg("detector/top", "ti_",
		"a.go", `package top

import (
	"unsafe"

	"taskinstr/detector/base"
)

type Engine struct {
	base.Engine
	tasks *[base.Max]Task
}

type Task = base.Task

type pair struct{ Task }

func (e *Engine) step(p unsafe.Pointer) uint32 {
	e.Engine = base.Engine{Task: base.Task{ID: e.Engine.Task.ID}}
	x := pair{Task: Task{ID: e.Find()}}
	base := x.Task
	return base.ID
}
`, "b.go", `package top

import under "taskinstr/detector/base"

func next(i uint32) uint32 { return under.Next(i) + unrelated.base }

var unrelated struct{ base uint32 }
`))
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, f := range files {
		got.WriteString(f.Name + "\n" + string(f.Data))
	}
	want := `taskinstr_base_base.go
//line taskinstr/detector/base/base.go:1
package runtime

type se_Engine struct {
	free uint32
	se_Task
}

type se_Task struct{ ID uint32 }

func (e *se_Engine) Find() uint32 { return e.se_Task.ID + e.free }

const se_Max = 3

func se_Next(i uint32) uint32 { return i + 1 }
taskinstr_top_a.go
//line taskinstr/detector/top/a.go:1
package runtime

import (
	"unsafe"

	
)

type ti_Engine struct {
	se_Engine
	tasks *[se_Max]ti_Task
}

type ti_Task = se_Task

type ti_pair struct{ ti_Task }

func (e *ti_Engine) step(p unsafe.Pointer) uint32 {
	e.se_Engine = se_Engine{se_Task: se_Task{ID: e.se_Engine.se_Task.ID}}
	x := ti_pair{ti_Task: ti_Task{ID: e.Find()}}
	base := x.ti_Task
	return base.ID
}
taskinstr_top_b.go
//line taskinstr/detector/top/b.go:1
package runtime



func ti_next(i uint32) uint32 { return se_Next(i) + ti_unrelated.base }

var ti_unrelated struct{ base uint32 }
`
	if got.String() != want {
		t.Errorf("merged text:\n%s\nwant:\n%s", got.String(), want)
	}
}

// Code that cannot be merged is an error with a position and a reason.
func TestMergeErrors(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
	}{
		{"dot import", "import . \"taskinstr/detector/base\"\n\nvar x = Max", "detector/top/a.go:3:8: an import of taskinstr/detector/base as . is not supported"},
		{"blank import", "import _ \"taskinstr/detector/base\"", "detector/top/a.go:3:8: an import of taskinstr/detector/base as _ is not supported"},
		{"import of std", "import \"os\"\n\nvar x = os.Args", "detector/top/a.go:3:8: os is not a part of package runtime"},
		{"import of what is not merged", "import \"taskinstr/detector/event\"\n\nvar x event.Op", "detector/top/a.go:3:8: taskinstr/detector/event is not a part of package runtime"},
		{"a name that is not there", "import \"taskinstr/detector/base\"\n\nvar x = base.Min", "detector/top/a.go:5:14: undefined: base.Min"},
		{"a name that is not exported", "import \"taskinstr/detector/base\"\n\nvar e base.Engine\n\nvar x = e.free", "detector/top/a.go:7:11: e.free undefined"},
		{"a shadowed package", "import \"taskinstr/detector/base\"\n\nfunc f(base int) uint32 { return base.Max }", "detector/top/a.go:5:39: base.Max undefined"},
		{"a prefix in use", "func f(se_Max int) {}", "detector/top/a.go:3:8: se_Max begins like the names of detector/base in package runtime"},
		{"an unexported name of both packages", "import \"taskinstr/detector/base\"\n\ntype E struct {\n\tbase.Engine\n\tmine\n}\n\ntype mine struct{ free int }\n\nfunc (e *E) f() int { return e.free }",
			"detector/top/a.go:12:32: free is an unexported name of taskinstr/detector/base, too"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := merge(pkg("detector/base", "se_", "base.go", base), pkg("detector/top", "ti_", "a.go", "package top\n\n"+test.text+"\n"))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
	_, err := merge(pkg("detector/top", "ti_", "a.go", "package top\n\nvar x int\n"), pkg("detector/other", "ti_", "a.go", "package other\n\nvar x int\n"))
	if want := "detector/other/a.go:3:5: ti_x is declared at detector/top/a.go:3:5, too"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
	// A package that comes after its importers is not merged yet.
	_, err = merge(pkg("detector/top", "ti_", "a.go", "package top\n\nimport \"taskinstr/detector/base\"\n\nvar x = base.Max\n"), pkg("detector/base", "se_", "base.go", base))
	if want := "a package that is comes before those that import it"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestMergedImportsOnlyUnsafe(t *testing.T) {
	for name, e := range engines {
		files, err := e.merged()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			syntax, err := parser.ParseFile(token.NewFileSet(), f.Name, f.Data, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range syntax.Imports {
				if spec.Path.Value != `"unsafe"` {
					t.Errorf("%s: %s imports %s", name, f.Name, spec.Path.Value)
				}
			}
		}
	}
}
