package suites

import (
	"path/filepath"
	"testing"
)

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
