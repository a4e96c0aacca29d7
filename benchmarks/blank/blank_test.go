package blank_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"taskinstr/benchmarks/blank"
)

const program = `package main

//go:noinline
func say(s string) { print(s) }

func main() {
	say("a")
	say("b")
	say("c")
}
`

func TestCalls(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skipf("calls are not overwritten on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	dir := t.TempDir()
	source, exe, changed := filepath.Join(dir, "main.go"), filepath.Join(dir, "exe"), filepath.Join(dir, "changed")
	if err := os.WriteFile(source, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", exe, source)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	second := func(file string, line int) bool { return file == source && line == 8 }
	for _, c := range []struct {
		here    func(string, int) bool
		blanked int
		says    string
	}{{nil, 3, ""}, {second, 1, "ac"}} {
		blanked, found, err := blank.Calls(changed, exe, []string{"main.say"}, c.here)
		if err != nil || blanked != c.blanked || found != 3 {
			t.Fatalf("%d of %d calls overwritten, %v; want %d of 3", blanked, found, err, c.blanked)
		}
		out, err := exec.Command(changed).CombinedOutput()
		if err != nil || string(out) != c.says {
			t.Errorf("the program says %q, %v; want %q", out, err, c.says)
		}
	}
	if _, _, err := blank.Calls(changed, exe, []string{"main.nothing"}, nil); err == nil || !strings.Contains(err.Error(), "none of [main.nothing]") {
		t.Errorf("unknown function: %v", err)
	}
	if _, _, err := blank.Calls(changed, source, []string{"main.say"}, nil); err == nil || !strings.Contains(err.Error(), "ELF") {
		t.Errorf("no executable: %v", err)
	}
}
