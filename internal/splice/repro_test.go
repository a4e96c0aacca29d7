package splice

import (
	"os/exec"
	"strings"
	"testing"
)

// TestNoValueOfLinknamed looks for values of linknamed functions in a compiled package.
// Such a value has the name of the function's target. Inlined bodies bring such values of
// several packages along, all of one name, and the compiler sorts values by name. So its
// output would differ from run to run.
func TestNoValueOfLinknamed(t *testing.T) {
	const path = "encoding/pem"
	w := newWorld(t, "", path)
	l := w.pkgs[len(w.pkgs)-1]
	c, err := w.check(l)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Package(c)
	if err != nil {
		t.Fatal(err)
	}
	files, err := w.write(l, c, r)
	if err != nil {
		t.Fatal(err)
	}
	archive, err := w.compile(l, "", files)
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "nm", archive).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "runtime.taskinstr_check") {
		t.Fatal("the package calls no checks")
	}
	for _, line := range strings.Split(string(out), "\n") {
		if strings.HasSuffix(line, "·f") && (strings.Contains(line, "_ti_check") || strings.Contains(line, "_ti_enter") || strings.Contains(line, "_ti_begin") || strings.Contains(line, "_ti_atomic·")) {
			t.Errorf("value of a linknamed function: %s", line)
		}
	}
}
