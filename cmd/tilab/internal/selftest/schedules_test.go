package selftest

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/tilab/internal/releases"
)

func TestSchedulesList(t *testing.T) {
	code, stdout, stderr := runMain(t, "schedules", "-list", "-run", "^puddle-acquire")
	if want := "puddle-acquire@v1.1.2\npuddle-acquire@v1.1.3\n"; code != exitOK || stdout != want {
		t.Errorf("exit %d, stderr %q, list:\n%swant:\n%s", code, stderr, stdout, want)
	}
	for _, test := range []struct{ args, want string }{
		{"schedules -explore=0", `"0" is no number of schedules`},
		{"releases -csv=x", "suite releases has no data file"},
	} {
		if code, _, stderr := runMain(t, strings.Fields(test.args)...); code != exitUsage || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit %d, stderr %q", test.args, code, stderr)
		}
	}
	if code, _, stderr := runMain(t, "schedules", "-mode=plain"); code != exitFailed || !strings.Contains(stderr, "only taskinstr explores schedules") {
		t.Errorf("-mode=plain: exit %d, stderr %q", code, stderr)
	}
}

// TestSchedulesTable prints the table and the data file, which is not written if a case has no figures.
func TestSchedulesTable(t *testing.T) {
	stock := releases.Figures{Counts: []releases.Count{{Procs: 2, Runs: 10, Race: 1, Shown: 3}}}
	release := &releases.Release{Name: "a", Module: "example.com/a", Before: "v1", After: "v2", Kind: "deadlock", Source: "the log"}
	var out bytes.Buffer
	name := filepath.Join(t.TempDir(), "x.csv")
	h := &harness{tc: &toolchain{GOVERSION: "go1.99"}, stock: true, stderr: &out, options: options{csv: name, args: []string{"schedules", "-csv", name}, runs: 10, procs: []int{2}}}
	rep := newReport(schedulesSuite, h, 2, &out)
	rep.add(h.scheduleResult(releases.Case{Release: release}, releases.Exploration{Stock: &stock, Schedules: 50, First: 3, Shown: 7, Verdict: releases.Verdict{OK: true, Text: "found"}}, nil))
	rep.add(h.scheduleResult(releases.Case{Release: release, Fixed: true}, releases.Exploration{Schedules: 60, Verdict: releases.Verdict{OK: true, Text: "nothing found"}}, nil))
	if err := rep.finish(); err != nil {
		t.Fatal(err)
	}
	want := `
case  -race  first schedule  shown by  verdict
a@v1  3/10   3               7 of 50   found
a@v2                         0 of 60   nothing found
2 passed, 0 failed, 0 skipped
`
	if got := "\n" + out.String(); got != want {
		t.Errorf("got:%swant:%s", got, want)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"# command: taskinstr selftest schedules\n", "# conditions: 10 runs with -race",
		"\nmodule,version,defect,the project on its fix,-race,first schedule,shown by,verdict\n",
		"\nexample.com/a,v1,deadlock,the log,3/10,3,7 of 50,found\n",
		"\nexample.com/a,v2,deadlock,the log,,,0 of 60,nothing found\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	rep.add(h.scheduleResult(releases.Case{Release: &releases.Release{Name: "b", Before: "v1"}}, releases.Exploration{}, errors.New("cannot download it")))
	if err := rep.finish(); err == nil || !strings.Contains(err.Error(), "-csv: b@v1 has no figures (cannot download it)") {
		t.Errorf("error %v", err)
	}
}
