package fields

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
	dir := flags.Keep
	if dir == "" {
		dir = t.TempDir()
	}
	if err := random.Write(dir, p.Files); err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(t.TempDir(), "fields.exe")
	out, err := programs.Toolchain{Tool: tool}.With(passes).Output(t.Context(), dir, exe)
	if err != nil {
		t.Fatalf("-seed=%d -cases=%d -passes=%s: %v\n%s", seed, flags.Cases, passes, err, out)
	}
	found := found(out)
	for i := range 2 * flags.Cases {
		if found[i] != p.Races[i] {
			t.Errorf("-seed=%d -cases=%d -passes=%s: case%d: race reported: %v, want %v", seed, flags.Cases, passes, i, found[i], p.Races[i])
		}
	}
	t.Logf("seed %d, -passes=%s: %d cases, %d with a race", seed, passes, 2*flags.Cases, len(p.Races))
}

var numberRE = regexp.MustCompile(`(?:main|made)\.(?:\(\*?Object|case|New|zero|poke)(\d+)`)

// found returns the numbers of the cases with a race in the output.
func found(out string) map[int]bool {
	list := map[int]bool{}
	for _, r := range programs.ParseReports(out, map[string]bool{"main.go": true, "made.go": true}) {
		if r.Tier != programs.Race {
			continue
		}
		for _, m := range numberRE.FindAllStringSubmatch(r.Text, -1) {
			n, _ := strconv.Atoi(m[1])
			list[n] = true
		}
	}
	return list
}

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
