package tooltest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// prune removes the oldest files.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"c", "a", "d", "b"} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, make([]byte, 100), 0o666); err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(file, used, used); err != nil {
			t.Fatal(err)
		}
	}
	if err := prune(dir, 250); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{filepath.Join(dir, "b"), filepath.Join(dir, "d")}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
}
