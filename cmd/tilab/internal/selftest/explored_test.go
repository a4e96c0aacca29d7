package selftest

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"taskinstr/benchmarks/explored"
)

func TestExploredList(t *testing.T) {
	code, stdout, stderr := runMain(t, "explored", "-list", "-run", "puddle")
	if want := "github.com/jackc/puddle/v2\n"; code != exitOK || stdout != want {
		t.Errorf("exit %d, stderr %q, list:\n%swant:\n%s", code, stderr, stdout, want)
	}
}

// Each module has a folder of its own: several are called v2.
func TestExploredFolders(t *testing.T) {
	modules := map[string]string{}
	for _, m := range exploredModules {
		if other := modules[m.folder()]; other != "" {
			t.Errorf("%s and %s have the folder %s", m.module, other, m.folder())
		}
		modules[m.folder()] = m.module
	}
}

// TestExploredResult judges modules with findings: none, known ones, and others.
func TestExploredResult(t *testing.T) {
	m := exploredModule{
		thirdParty: thirdParty{"example.com/m", "v1.0.0", []string{"."}},
		findings: []knownFinding{
			{"TestA", "race", "write of x", true, "the test has no lock"},
			{"TestB", "time-out", "select", false, "the machine is slow"},
		},
	}
	finding := func(test, kind, title, text string) explored.Event {
		return explored.Event{Test: test, Kind: kind, Title: title, Text: text}
	}
	few := &exploration{schedules: 2, cpu: 3 * time.Second}
	known := []explored.Event{finding("TestA", "race", "write of x, read of x", ""), finding("TestB", "time-out", "no end", "a select")}
	for _, test := range []struct {
		found  []explored.Event
		status status
		reason string
	}{
		{nil, passed, "nothing found"},
		{known, passed, "1 true, 1 false"},
		{append(slices.Clip(known), finding("TestA", "race", "write of y", "")), failed, "not looked into: race in TestA"},
		{[]explored.Event{finding("TestA", "deadlock", "write of x", "")}, failed, "not looked into: deadlock in TestA"},
		{[]explored.Event{finding("TestC", "race", "write of x", "")}, failed, "not looked into: race in TestC"},
	} {
		h := &harness{tc: &toolchain{}}
		many := &exploration{tests: map[string]int{"m": 1, "m/sub": 1}, schedules: 102, cpu: 7 * time.Second, found: test.found, uncontrolled: []string{"TestB"}}
		r := h.exploredResult(m, few, many, "8")
		if r.Status != test.status || r.Reason != test.reason {
			t.Errorf("%+v: %s, %s", test.found, r.Status, r.Reason)
		}
		want := []Column{{"tests", "2"}, {"schedules", "102"}, {"not controlled", "1"}, {"schedules/s/core", "25"}, {"-race runs/s/core", "8"}}
		if !slices.Equal(r.Columns, want) {
			t.Errorf("columns %v, want %v", r.Columns, want)
		}
		if !strings.HasSuffix(strings.Join(r.Notes, "\n"), "not fully controlled: TestB") {
			t.Errorf("notes %q", r.Notes)
		}
		var out bytes.Buffer
		h.stderr = &out
		rep := newReport(exploredSuite, h, 1, &out)
		rep.add(r)
		if err := rep.finish(); err != nil || !strings.Contains(out.String(), test.reason) {
			t.Errorf("%v, report:\n%s", err, &out)
		}
	}
	h := &harness{tc: &toolchain{}}
	if r := h.exploredResult(m, few, &exploration{interrupted: true}, ""); r.Reason != "nothing found, interrupted" {
		t.Errorf("an exploration that was interrupted: %s", r.Reason)
	}
	if rate(10, 0) != "" {
		t.Error("a rate without a time")
	}
}
