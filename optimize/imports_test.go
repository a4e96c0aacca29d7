package optimize_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"taskinstr/optimize"
)

const module = "taskinstr/optimize"

// dependencies returns the packages below this one that a package needs, itself excluded.
func dependencies(t *testing.T, path string) (list []string) {
	out, err := exec.Command("go", "list", "-deps", path).Output()
	if err != nil {
		t.Fatalf("go list -deps %s: %v", path, err)
	}
	for _, p := range strings.Fields(string(out)) {
		if below, ok := strings.CutPrefix(p, module); ok && p != path {
			list = append(list, strings.TrimPrefix(below, "/"))
		}
	}
	return list
}

// TestImports: each row of the table has a folder of its name with a doc.go and a test.
// A pass imports no other pass, and neither does a package that passes share.
func TestImports(t *testing.T) {
	passes := optimize.Names()
	for _, name := range passes {
		for _, file := range []string{"doc.go", name + "_test.go"} {
			if _, err := os.Stat(filepath.Join(name, file)); err != nil {
				t.Errorf("pass %s: %v", name, err)
			}
		}
	}
	folders, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		name := f.Name()
		if !f.IsDir() || name == "testdata" || name == "passtest" {
			continue // passtest is imported by tests alone
		}
		for _, dep := range dependencies(t, module+"/"+name) {
			if dep == "" {
				t.Errorf("package %s imports %s, which imports the passes", name, module)
			} else if slices.Contains(passes, dep) {
				t.Errorf("package %s imports the pass %s", name, dep)
			}
		}
	}
	if deps := dependencies(t, module); slices.Contains(deps, "passtest") {
		t.Errorf("%s imports passtest", module)
	}
}

// TestDoc compares the passes in the package's documentation with the table.
func TestDoc(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "|"); len(cells) == 4 && strings.TrimSpace(cells[1]) != "pass" && !strings.Contains(line, "---") {
			got = append(got, strings.TrimSpace(cells[1]))
		}
	}
	if want := optimize.Names(); !slices.Equal(got, want) {
		t.Errorf("doc.go lists the passes %v, the table has %v", got, want)
	}
}
