package toolexec

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
)

// The runtime's sources, as package rt makes them today, read the build's defaults before
// the environment.
func TestReadDefaults(t *testing.T) {
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
	in, err := c.input()
	if err != nil {
		t.Fatal(err)
	}
	p, ok, err := patchStd(in, option.Default())
	if err != nil || !ok {
		t.Fatalf("runtime: ok %v, error %v", ok, err)
	}
	var all []byte
	for _, s := range p.sources {
		all = append(all, s.data...)
	}
	for _, once := range []string{
		`tr_parseOptions("the options of taskinstr", tr_built); tr_parseOptions("GORACE"`,
		"\nvar tr_built string\n",
	} {
		if n := strings.Count(string(all), once); n != 1 {
			t.Errorf("%s stands in %d places, want 1", once, n)
		}
	}
	if err := readDefaults([]source{{name: "other.go"}}); err == nil {
		t.Error("no error for sources without the options' file")
	}
	if err := readDefaults([]source{{name: optionsFile, data: []byte("package runtime")}}); err == nil {
		t.Error("no error for an options' file without the place")
	}
}

// The linker sets the defaults.
func TestSetDefaults(t *testing.T) {
	for _, test := range []struct {
		o    option.Set
		want string
	}{
		{option.Default(), "-o x"},
		{option.Set{Locks: option.LocksHB}, "-X=runtime.tr_built=locks=hb -o x"},
		{option.Set{Locks: option.LocksAll, Detector: "espbags"}, "-X=runtime.tr_built=schedule=serial -o x"},
	} {
		if got := strings.Join(setDefaults([]string{"-o", "x"}, defaults(test.o)), " "); got != test.want {
			t.Errorf("%+v: flags %s, want %s", test.o, got, test.want)
		}
	}
}
