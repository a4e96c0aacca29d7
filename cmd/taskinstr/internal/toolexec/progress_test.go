package toolexec

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNote(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	note(parseCall("compile", []string{"-p", "fmt", "-std", "-o", "x", "a.go"}), "")
	for _, c := range []*call{
		parseCall("compile", []string{"-p", "fmt", "-std", "-o", "x", "a.go"}),
		parseCall("compile", []string{"-p", "example.com/p", "-o", "x", "a.go"}),
		parseCall("asm", []string{"-p", "runtime", "-std", "-o", "x", "a.s"}),
		parseCall("link", []string{"-o", "x", "a.a"}),
	} {
		note(c, file)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "fmt\nexample.com/p\nlink\n" {
		t.Errorf("notes %q, error %v", text, err)
	}
	note(parseCall("link", []string{"-o", "x", "a.a"}), filepath.Join(t.TempDir(), "missing")) // no error
}
