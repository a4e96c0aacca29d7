package datafile

import (
	"strings"
	"testing"
)

func TestHead(t *testing.T) {
	head := Head("3 runs", "go run ./x", []string{"-runs", "5", "-csv", "a", "csv", "--tool=b", "-run=C"}, "csv", "tool")
	lines := strings.Split(head, "\n")
	if len(lines) != 6 || lines[3] != "# conditions: 3 runs" || lines[4] != "# command: go run ./x -runs 5 csv -run=C" {
		t.Errorf("%q", lines)
	}
	for i, key := range []string{"go", "machine", "date"} {
		if !strings.HasPrefix(lines[i], "# "+key+": ") {
			t.Errorf("line %d is %q, want the key %s", i+1, lines[i], key)
		}
	}
}
