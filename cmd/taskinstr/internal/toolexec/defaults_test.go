package toolexec

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"taskinstr/cmd/taskinstr/internal/option"
)

// The options reach the runtime's sources as package rt writes them today.
func TestBakeDefaults(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.Dir}} {{join .GoFiles " "}}`, "runtime").Output()
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(out))
	dir := names[0]
	var files []string
	for _, f := range names[1:] {
		files = append(files, filepath.Join(dir, f))
	}
	c := parseCall("compile", append([]string{"-p", "runtime", "-goversion", runtime.Version()}, files...))
	text := func(locks string) string {
		t.Helper()
		p, ok, err := patchStd(c, option.Set{Locks: locks}, "runtime")
		if err != nil || !ok {
			t.Fatalf("runtime: ok %v, error %v", ok, err)
		}
		var all []byte
		for _, s := range p.sources {
			all = append(all, s.data...)
		}
		return string(all)
	}
	const baked = `tr_parseOptions("the options of taskinstr", "locks=hb"); tr_parseOptions("GORACE"`
	if n := strings.Count(text(option.LocksHB), baked); n != 1 {
		t.Errorf("with -locks=hb the default stands in %d places", n)
	}
	if n := strings.Count(text(option.LocksAll), baked); n != 0 {
		t.Errorf("without it in %d", n)
	}
	if err := bakeDefaults([]source{{name: "other.go"}}, "locks=hb"); err == nil {
		t.Error("no error for sources without the options' file")
	}
	if err := bakeDefaults([]source{{name: optionsFile, data: []byte("package runtime")}}, "locks=hb"); err == nil {
		t.Error("no error for an options' file without the place")
	}
}
