package owners

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/cmd/tilab/internal/programs/random"
)

var flags = random.Define(programs.DefaultSets+";pooled", 40, "of each kind, of each program")

// TestPrograms compares the reports of programs with the races that they have.
func TestPrograms(t *testing.T) {
	exe := tooltest.Tool(t, flags.Tool)
	flags.Each(func(seed uint64, set string) { testProgram(t, exe, seed, set) })
}

func testProgram(t *testing.T, tool string, seed uint64, passes string) {
	p, err := New(seed, flags.Cases)
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), "owners.exe")
	faults, err := p.Compare(t.Context(), programs.Toolchain{Tool: tool}.With(passes), flags.Folder(t.TempDir()), exe, numberRE)
	if err != nil {
		t.Fatalf("-seed=%d -cases=%d -passes=%s: %v", seed, flags.Cases, passes, err)
	}
	for _, fault := range faults {
		t.Errorf("-seed=%d -cases=%d -passes=%s: %s", seed, flags.Cases, passes, fault)
	}
	text, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]bool{}
	for _, m := range variableRE.FindAll(text, -1) {
		types[string(m)] = true
	}
	pooled := len(types)
	if removes := passes != "none" && passes != "escape"; removes != (pooled > flags.Cases/2) {
		t.Errorf("-seed=%d -cases=%d -passes=%s: %d types of %d are pooled", seed, flags.Cases, passes, pooled, flags.Cases)
	}
	t.Logf("seed %d, -passes=%s: %d cases, %d with a race, %d pooled types", seed, passes, flags.Cases, len(p.Races), pooled)
}

var numberRE = regexp.MustCompile(`(?:main|made)\.(?:\(\*?object|\(\*?part|object|part|case|Make|Case|add|fill|sum|give|swap|holder|tell|start)(\d+)`)

// variableRE matches the variable of a pooled type that stands for itself and its parts.
var variableRE = regexp.MustCompile(`main\._ti_leaked_object\d+`)

// TestEverything keeps the generator from losing a way to share silently.
func TestEverything(t *testing.T) {
	p, err := New(1, 3000)
	if err != nil {
		t.Fatal(err)
	}
	q, err := New(1, 3000)
	if err != nil || !maps.EqualFunc(p.Files, q.Files, bytes.Equal) {
		t.Errorf("the same seed gave two programs: %v", err)
	}
	races := 0
	for i := range 3000 * len(kinds) {
		if p.Races[i] {
			races++
		}
	}
	if races < 600 || races > 3000 {
		t.Errorf("%d of %d cases have a race", races, 3000*len(kinds))
	}
	for _, name := range []string{"main.go", "made/made.go"} {
		for _, s := range shares {
			line, _, _ := strings.Cut(s.text, "$")
			line = strings.TrimSpace(slices.Collect(strings.SplitSeq(line, "\n"))[0])
			if !strings.Contains(string(p.Files[name]), line) {
				t.Errorf("no case of %s has %q", name, s.text)
			}
		}
	}
}
