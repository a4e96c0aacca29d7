package releases

import (
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTable checks the table as far as possible without the modules.
func TestTable(t *testing.T) {
	list, err := Races()
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`^v\d+\.\d+\.\d+(\+incompatible)?$`)
	projects := map[string]bool{}
	for _, r := range list {
		projects[r.Module] = true
		if !version.MatchString(r.Before) || !version.MatchString(r.After) {
			t.Errorf("%s: versions %s and %s", r.Name, r.Before, r.After)
		}
		for _, f := range r.Files {
			checkFile(t, r, f.Name, f.Data)
		}
	}
	if len(projects) < 10 {
		t.Errorf("%d projects, want ten at least", len(projects))
	}
	for _, k := range Kinds {
		if !slices.ContainsFunc(list, func(r *Release) bool { return r.Kind == k }) {
			t.Errorf("no release of kind %s", k)
		}
	}
}

// TestSchedulesTable checks the releases whose defects depend on the schedule.
func TestSchedulesTable(t *testing.T) {
	list, err := Schedules()
	if err != nil {
		t.Fatal(err)
	}
	projects := map[string]bool{}
	for _, r := range list {
		projects[r.Module] = true
		if len(r.Upstream) > 0 || len(r.Files) != 1 || r.Test == "" {
			t.Errorf("%s: want one file of our own with a test", r.Name)
			continue
		}
		checkFile(t, r, r.Files[0].Name, r.Files[0].Data)
	}
	if len(projects) < 4 {
		t.Errorf("%d projects, want four at least", len(projects))
	}
}

// checkFile checks that a file of an exposing program is formatted Go and uses the module.
func checkFile(t *testing.T, r *Release, name string, text []byte) {
	f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Errorf("%s: %v", r.Name, err)
		return
	}
	if out, err := format.Source(text); err != nil || string(out) != string(text) {
		t.Errorf("%s: %s is not formatted as gofmt does", r.Name, name)
	}
	uses := false
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		uses = uses || p == r.Module || strings.HasPrefix(p, r.Module+"/")
	}
	if !uses {
		t.Errorf("%s: %s does not import %s", r.Name, name, r.Module)
	}
	if test := strings.HasSuffix(name, "_test.go"); test != (r.Test != "") || test != (f.Name.Name != "main") {
		t.Errorf("%s: %s is of package %s and the tests are %q", r.Name, name, f.Name.Name, r.Test)
	}
}

const recipe = `module example.com/m
before v1.0.0
after v1.0.1
kind map
fixed CHANGELOG
in m.go
in sub/n.go
test ^TestX$
require example.com/n v1.2.0
proof a.go:1 b.go:2 neither holds a lock

Two lines of
prose.
-- x_test.go --
package x
`

func TestParse(t *testing.T) {
	r, err := parse("m", []byte(recipe), Kinds)
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "m" || r.Module != "example.com/m" || r.Before != "v1.0.0" || r.After != "v1.0.1" || r.Kind != "map" ||
		r.Source != "CHANGELOG" || !slices.Equal(r.Places, []string{"m.go", "sub/n.go"}) || r.Test != "^TestX$" ||
		!slices.Equal(r.Require, []string{"example.com/n v1.2.0"}) || r.About != "Two lines of\nprose." || len(r.Files) != 1 || r.Files[0].Name != "x_test.go" {
		t.Errorf("%+v", r)
	}
	if want := []Proof{{[2]string{"a.go:1", "b.go:2"}, "neither holds a lock"}}; !slices.Equal(r.Proofs, want) {
		t.Errorf("proofs %v", r.Proofs)
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"module example.com/m\n", "", "no module"},
		{"after v1.0.1", "after v1.0.0", "both versions are v1.0.0"},
		{"kind map", "kind odd", `kind "odd" is none of wrapper`},
		{"kind map", "kind", `"kind" is no key with a value`},
		{"kind map", "sort map", `unknown key "sort"`},
		{"fixed CHANGELOG\n", "", "no fixed"},
		{"in m.go\nin sub/n.go\n", "", "no in"},
		{"Two lines of\nprose.\n", "", "no prose"},
		{"^TestX$", "(", "missing closing )"},
		{"proof a.go:1 b.go:2 neither holds a lock", "proof a.go:1 b.go:2", "two places and a reason"},
		{"test ^TestX$", "test ^TestX$\nupstream m_test.go", "upstream tests and files of our own"},
		{"-- x_test.go --\npackage x\n", "", "neither upstream tests nor files"},
	} {
		text := strings.Replace(recipe, tt.old, tt.new, 1)
		if _, err := parse("m", []byte(text), Kinds); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q for %q: %v, want %q", tt.new, tt.old, err, tt.want)
		}
	}
	own, _, _ := strings.Cut(recipe, "-- x_test.go")
	for _, tt := range []struct{ add, want string }{
		{"upstream a_test.go\nupstream sub/b_test.go", "test files of one folder"},
		{"upstream a.go", "test files of one folder"},
	} {
		text := strings.Replace(own, "test ^TestX$", "test ^TestX$\n"+tt.add, 1)
		if _, err := parse("m", []byte(text), Kinds); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.add, err, tt.want)
		}
	}
}
