package suites

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/benchmarks/program"
)

// TestSmall runs the small size of each program, which checks its own result.
func TestSmall(t *testing.T) {
	for _, p := range All {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			if err := p.Run(program.Small, false); err != nil {
				t.Error(err)
			}
		})
	}
}

// BenchmarkPrograms runs each program with each size. The large sizes run only if they are
// selected by name (-bench=Programs///large): some take minutes.
func BenchmarkPrograms(b *testing.B) {
	for _, p := range All {
		for _, size := range program.AllSizes {
			b.Run(p.String()+"/"+string(size), func(b *testing.B) {
				if size == program.Large && !strings.Contains(flag.Lookup("test.bench").Value.String(), string(size)) {
					b.Skip("takes long; a pattern with large runs it")
				}
				for b.Loop() {
					if err := p.Run(size, false); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestAll fails if a program was added to its suite's folder but not to All.
func TestAll(t *testing.T) {
	listed := map[string]bool{}
	for _, p := range All {
		if listed[p.String()] {
			t.Errorf("%s is listed twice", p)
		}
		listed[p.String()] = true
		if p.Doc == "" || p.Seed == "" || p.Run == nil {
			t.Errorf("%s is not described", p)
		}
		if got, err := Find(p.String()); err != nil || got.String() != p.String() {
			t.Errorf("Find(%q) = %v, %v", p, got, err)
		}
	}
	docs, err := filepath.Glob("../*/*/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	folders := 0
	for _, doc := range docs {
		dir := filepath.Dir(doc)
		suite := filepath.Base(filepath.Dir(dir))
		if suite != "taskchecker" && suite != "drdp" && suite != "ptracer" {
			continue
		}
		folders++
		if name := suite + "/" + filepath.Base(dir); !listed[name] {
			t.Errorf("%s is not listed", name)
		}
	}
	if folders != len(All) {
		t.Errorf("%d programs are listed, %d folders have one", len(All), folders)
	}
}

func TestFind(t *testing.T) {
	if p, err := Find("crypt"); err != nil || p.Suite != "taskchecker" {
		t.Errorf("crypt: %v, %v", p, err)
	}
	for _, name := range []string{"matmul", "sort", "", "drdp/crypt"} {
		if p, err := Find(name); err == nil {
			t.Errorf("%q: %v, want an error", name, p)
		}
	}
}
