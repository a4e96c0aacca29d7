package fields

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/cmd/tilab/internal/programs/random"
)

var flags = random.Define(programs.DefaultSets, 60, "of the types of each package")

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
	exe := filepath.Join(t.TempDir(), "fields.exe")
	faults, err := p.Compare(t.Context(), programs.Toolchain{Tool: tool}.With(passes), flags.Folder(t.TempDir()), exe, numberRE)
	if err != nil {
		t.Fatalf("-seed=%d -cases=%d -passes=%s: %v", seed, flags.Cases, passes, err)
	}
	for _, fault := range faults {
		t.Errorf("-seed=%d -cases=%d -passes=%s: %s", seed, flags.Cases, passes, fault)
	}
	t.Logf("seed %d, -passes=%s: %d cases, %d with a race", seed, passes, p.N, len(p.Races))
}

var numberRE = regexp.MustCompile(`(?:main|made)\.(?:\(\*?Object|case|New|zero|poke)(\d+)`)

// TestEverything keeps the generator from losing a way silently.
func TestEverything(t *testing.T) {
	p, err := New(1, 3000)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Races); n < 1000 || n > 3000 {
		t.Errorf("%d of 6000 cases have a race", n)
	}
	text := string(p.Files["main.go"]) + string(p.Files["made/made.go"])
	for _, w := range slices.Concat(overwrites, plainWrites, plainReads, atomicWrites, atomicReads, methodWrites, methodReads, methodCopies) {
		line, _, _ := strings.Cut(w.text, "$")
		line, _, _ = strings.Cut(line, "\n")
		if !strings.Contains(text, strings.TrimSpace(line)) {
			t.Errorf("no case has %q", w.text)
		}
	}
}
