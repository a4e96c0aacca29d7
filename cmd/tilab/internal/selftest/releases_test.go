package selftest

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"taskinstr/cmd/tilab/internal/releases"
)

func TestReleasesList(t *testing.T) {
	code, stdout, stderr := runMain(t, "releases", "-list", "-run", "^zap-")
	if want := "zap-withlazy@v1.27.0\nzap-withlazy@v1.27.1\n"; code != exitOK || stdout != want {
		t.Errorf("exit %d, stderr %q, list:\n%swant:\n%s", code, stderr, stdout, want)
	}
}

// TestReleasesTable prints one case of each verdict.
func TestReleasesTable(t *testing.T) {
	figures := func(race, predicted int) releases.Figures {
		return releases.Figures{Counts: []releases.Count{{Procs: 2, Runs: 3, Race: race, Predicted: predicted}}}
	}
	stock := figures(3, 0)
	r := func(ours releases.Figures, v releases.Verdict) releases.Result {
		return releases.Result{Ours: ours, Stock: &stock, Verdict: v}
	}
	tc := &toolchain{GOVERSION: "go1.99"}
	var out bytes.Buffer
	h := &harness{tc: tc, stock: true, stderr: &out}
	rep := newReport(releasesSuite, h, 4, &out)
	for _, c := range []struct {
		name string
		res  releases.Result
		err  error
	}{
		{"a", releases.Result{}, errors.New("cannot download it\nin detail")},
		{"b", r(figures(3, 0), releases.Verdict{OK: true, Text: "reported"}), nil},
		{"c", r(figures(0, 2), releases.Verdict{Text: "missed", Evidence: "PASS"}), nil},
		{"d", r(figures(0, 0), releases.Verdict{Undecided: true, Text: "in no run"}), nil},
	} {
		rep.add(h.releaseResult(releases.Case{Release: &releases.Release{Name: c.name, Before: "v1"}}, c.res, c.err))
	}
	if err := rep.finish(); err != nil {
		t.Fatal(err)
	}
	want := `
case  -race  race  predicted  verdict
a@v1                          cannot download it
b@v1  3/3    3/3   0/3        reported
c@v1  3/3    0/3   2/3        missed
d@v1  3/3    0/3   0/3        in no run
failed:
  a@v1: cannot download it
  c@v1  -race=3/3  race=0/3  predicted=2/3: missed
1 passed, 2 failed, 1 skipped
`
	if got := "\n" + out.String(); got != want {
		t.Errorf("got:%swant:%s", got, want)
	}

	out.Reset()
	h.stock, h.noStock = false, "no C compiler (cc)"
	rep = newReport(releasesSuite, h, 1, &out)
	if err := rep.finish(); err != nil || !strings.Contains(out.String(), "not compared with -race: no C compiler (cc)\n") {
		t.Errorf("%v, without a C compiler:\n%s", err, out.String())
	}
}
