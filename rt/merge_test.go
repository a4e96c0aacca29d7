package rt

import (
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

func TestMergedImportsOnlyUnsafe(t *testing.T) {
	for name, e := range engines {
		files, err := e.merged()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, line := range strings.Split(string(f.Data), "\n") {
				if strings.HasPrefix(line, "import ") && line != `import "unsafe"` {
					t.Errorf("%s: %s: %s", name, f.Name, line)
				}
			}
		}
	}
}
