package random

import (
	"os"
	"path/filepath"
	"testing"
)

// A cycle, a chain that enters it, and a node without edges.
func TestReach(t *testing.T) {
	r := Reach([][]int{{1}, {2}, {3}, {1}, nil})
	want := []string{".xxx.", ".xxx.", ".xxx.", ".xxx.", "....."}
	for a, row := range want {
		for b := range row {
			if got := r.Has(a, b); got != (row[b] == 'x') {
				t.Errorf("%d reaches %d: %v", a, b, got)
			}
		}
	}
}

// Nodes whose bits lie in different words.
func TestReachFar(t *testing.T) {
	succ := make([][]int, 200)
	for i := range len(succ) - 1 {
		succ[i] = []int{i + 1}
	}
	r := Reach(succ)
	for a := range succ {
		for b := range succ {
			if r.Has(a, b) != (a < b) {
				t.Fatalf("%d reaches %d: %v", a, b, r.Has(a, b))
			}
		}
	}
}

func TestSource(t *testing.T) {
	a, b, other := New(1, 2), New(1, 2), New(1, 3)
	same, differs := true, false
	for range 100 {
		n := a.Between(3, 9)
		if n < 3 || n > 9 {
			t.Fatalf("%d is not from 3 to 9", n)
		}
		same = same && n == b.Between(3, 9)
		differs = differs || n != other.Between(3, 9)
	}
	if !same || !differs {
		t.Errorf("equal sources choose alike: %v; others differ: %v", same, differs)
	}
	for range 100 {
		if a.Chance(0) || !a.Chance(100) {
			t.Fatal("a chance of 0 or 100 percent fails")
		}
	}
}

func TestFiles(t *testing.T) {
	if _, err := Format("package p\n\nfunc {"); err == nil {
		t.Error("no error for text that does not parse")
	}
	text, err := Format("package p\nvar  x int")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := Write(dir, map[string][]byte{"sub/p.go": text}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "sub", "p.go"))
	if err != nil || string(got) != "package p\n\nvar x int\n" {
		t.Errorf("%q, %v", got, err)
	}
}
