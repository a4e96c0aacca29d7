package releases

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"taskinstr/cmd/tilab/internal/racelog"
)

// A Release is one defect of one module, with the version before its fix, the version after
// it, and an exposing program.
type Release struct {
	Name          string // the recipe's file, without .txtar
	Module        string
	Before, After string // versions
	// Require lists the module's requirements as "module version", if it has no go.mod
	// file.
	Require []string
	Kind    string // one of Kinds, or of Findings
	Source  string // the project's statement that it fixed the defect
	// Places names files of the module or, if a test of our own shows the defect, of the
	// exposing program. A report is about the race if a stack of one of its two accesses passes
	// through one of them. A finding of an exploration is about the defect if its text names one.
	Places []string
	// Upstream names test files of the version after, which are copied into each version.
	// Test selects the tests. If Upstream is empty, the exposing program is ours, in Files.
	Upstream []string
	Test     string
	// Proofs lists true races of the version after that -race does not report.
	Proofs []Proof
	Files  []txtar.File
	About  string // explanation of the race
}

// Findings are the kinds of findings of taskinstr test -explore that show defects.
var Findings = []string{"race", "deadlock", "panic", "test failure", "time-out"}

// A Proof explains why two places of the version after race.
type Proof struct {
	Places racelog.Pair // relative to the module
	Why    string
}

// Kinds are the ways in which a race arises or hides. The releases cover all of them.
var Kinds = []string{
	"wrapper",   // an access is in a method that the compiler generated
	"subtests",  // the tasks are parallel subtests
	"reflect",   // an access is made by package reflect
	"exit",      // one access runs after main, or the tests, are done
	"read lock", // a write under a lock that is held for reading
	"server",    // a connection, a listener, its start and end
	"cache",     // a container that is documented as safe for concurrent use
	"slice",     // elements, or the slice's own words
	"map",       // a map
	"field",     // a field or variable that is accessed without its lock
}

//go:embed testdata
var recipes embed.FS

// Races returns the releases with races, in order of their names.
func Races() ([]*Release, error) { return load("testdata/races", Kinds) }

// Schedules returns the releases whose defects depend on the schedule, in order of their names.
func Schedules() ([]*Release, error) { return load("testdata/schedules", Findings) }

// load returns the releases of a folder, which are of some kinds.
func load(dir string, kinds []string) ([]*Release, error) {
	entries, err := recipes.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []*Release
	for _, e := range entries {
		text, err := recipes.ReadFile(path.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		r, err := parse(strings.TrimSuffix(e.Name(), ".txtar"), text, kinds)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		list = append(list, r)
	}
	return list, nil
}

// parse reads a recipe: "key value" lines, an empty line, prose, and files.
func parse(name string, text []byte, kinds []string) (*Release, error) {
	a := txtar.Parse(text)
	head, about, _ := strings.Cut(string(a.Comment), "\n\n")
	r := &Release{Name: name, Files: a.Files, About: strings.TrimSpace(about)}
	single := map[string]*string{"module": &r.Module, "before": &r.Before, "after": &r.After, "kind": &r.Kind, "fixed": &r.Source, "test": &r.Test}
	several := map[string]*[]string{"require": &r.Require, "in": &r.Places, "upstream": &r.Upstream}
	for line := range strings.Lines(head) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), " ")
		value = strings.TrimSpace(value)
		if !ok || value == "" {
			return nil, fmt.Errorf("%q is no key with a value", key)
		}
		switch one, many := single[key], several[key]; {
		case one != nil:
			*one = value
		case many != nil:
			*many = append(*many, value)
		case key == "proof":
			f := strings.SplitN(value, " ", 3)
			if len(f) != 3 {
				return nil, fmt.Errorf("proof %q: want two places and a reason", value)
			}
			r.Proofs = append(r.Proofs, Proof{racelog.Pair{f[0], f[1]}, f[2]})
		default:
			return nil, fmt.Errorf("unknown key %q", key)
		}
	}
	return r, r.check(kinds)
}

// check returns an error if a field is missing or contradicts another.
func (r *Release) check(kinds []string) error {
	for key, value := range map[string]string{
		"module": r.Module, "before": r.Before, "after": r.After, "fixed": r.Source,
		"in": strings.Join(r.Places, " "), "prose": r.About,
	} {
		if value == "" {
			return fmt.Errorf("no %s", key)
		}
	}
	if !slices.Contains(kinds, r.Kind) {
		return fmt.Errorf("kind %q is none of %s", r.Kind, strings.Join(kinds, ", "))
	}
	if r.Before == r.After {
		return fmt.Errorf("both versions are %s", r.Before)
	}
	switch {
	case len(r.Upstream) > 0 && r.Test == "":
		return fmt.Errorf("upstream tests, but no test that selects one")
	case len(r.Upstream) > 0 && len(r.Files) > 0:
		return fmt.Errorf("upstream tests and files of our own")
	case len(r.Upstream) == 0 && len(r.Files) == 0:
		return fmt.Errorf("neither upstream tests nor files of our own")
	}
	for _, f := range r.Upstream {
		if !strings.HasSuffix(f, "_test.go") || path.Dir(f) != path.Dir(r.Upstream[0]) {
			return fmt.Errorf("upstream %s: want test files of one folder", f)
		}
	}
	if _, err := regexp.Compile(r.Test); err != nil {
		return fmt.Errorf("test: %w", err)
	}
	return nil
}
