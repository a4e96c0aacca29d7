package selftest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/tilab/internal/racelog"
)

const events = `{"Action":"start","Package":"p"}
# a line of an older release
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"run","Package":"p","Test":"TestA/sub"}
{"Action":"fail","Package":"p","Test":"TestA/sub","Elapsed":0}
{"Action":"fail","Package":"p","Test":"TestA","Elapsed":0}
{"Action":"run","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p","Test":"TestB","Elapsed":0}
{"Action":"run","Package":"p","Test":"TestC"}
{"Action":"fail","Package":"p","Elapsed":1.5}
`

func TestParseEvents(t *testing.T) {
	r := parseEvents(outcome{output: []byte(events)})
	if r.action != "fail" || r.elapsed != 1500*time.Millisecond {
		t.Errorf("package: %s %v", r.action, r.elapsed)
	}
	want := map[string]string{"TestA": "fail", "TestB": "pass", "TestC": "run"}
	if len(r.tests) != len(want) {
		t.Errorf("tests: %v", r.tests)
	}
	for n, a := range want {
		if r.tests[n] != a {
			t.Errorf("%s: %s, want %s", n, r.tests[n], a)
		}
	}
	if !strings.HasPrefix(string(r.text), "# a line") || !strings.Contains(string(r.text), "=== RUN   TestA") {
		t.Errorf("text: %s", r.text)
	}
}

func TestBroken(t *testing.T) {
	want := testRun{tests: map[string]string{"TestA": "pass", "TestB": "fail", "TestC": "pass", "TestD": "pass", "TestE": "pass"}}
	got := testRun{action: "pass", tests: map[string]string{"TestA": "pass", "TestB": "fail", "TestC": "skip", "TestD": "run"}}
	fail, skip := broken(want, got)
	if !slices.Equal(fail, []string{"TestD", "TestE"}) || !slices.Equal(skip, []string{"TestC"}) {
		t.Errorf("fail %q, skip %q", fail, skip)
	}
	got.raceTag = true
	fail, skip = broken(want, got)
	if !slices.Equal(fail, []string{"TestD"}) || !slices.Equal(skip, []string{"TestC", "TestE"}) {
		t.Errorf("with the tag: fail %q, skip %q", fail, skip)
	}
}

func TestComplete(t *testing.T) {
	want := testRun{tests: map[string]string{"TestA": "pass", "TestB": "pass", "TestC": "pass", "TestD": "pass"}}
	for _, tt := range []struct {
		name string
		runs []testRun // of successive processes
		end  string    // the actions of A to D in the end
	}{
		{"whole", []testRun{{action: "fail", tests: map[string]string{"TestA": "pass", "TestB": "fail", "TestC": "pass", "TestD": "pass"}}}, "pass fail pass pass"},
		{"ends in B", []testRun{
			{action: "fail", last: "TestB", tests: map[string]string{"TestA": "pass", "TestB": "run"}},
			{action: "pass", tests: map[string]string{"TestC": "pass", "TestD": "pass"}},
		}, "pass run pass pass"},
		{"ends after B failed", []testRun{
			{action: "fail", last: "TestB", tests: map[string]string{"TestA": "pass", "TestB": "fail"}},
			{action: "pass", tests: map[string]string{"TestC": "pass", "TestD": "pass"}},
		}, "pass run pass pass"},
		{"ends twice, D waits", []testRun{
			{action: "fail", last: "TestB", tests: map[string]string{"TestA": "pass", "TestB": "cont", "TestD": "pause"}},
			{action: "fail", last: "TestC", tests: map[string]string{"TestC": "run"}},
			{action: "pass", tests: map[string]string{"TestD": "pass"}},
		}, "pass run run pass"},
		{"nothing more runs", []testRun{
			{action: "fail", last: "TestA", tests: map[string]string{"TestA": "run"}},
			{action: "fail", tests: map[string]string{}},
		}, "run   "},
	} {
		n := 0
		got := complete(want, tt.runs[0], func(names []string) testRun {
			n++
			for name := range tt.runs[n].tests {
				if !slices.Contains(names, name) {
					t.Errorf("%s: process %d was not asked for %s", tt.name, n, name)
				}
			}
			return tt.runs[n]
		})
		end := strings.Join([]string{got.tests["TestA"], got.tests["TestB"], got.tests["TestC"], got.tests["TestD"]}, " ")
		if end != tt.end || n != len(tt.runs)-1 {
			t.Errorf("%s: %q after %d further processes, want %q", tt.name, end, n, tt.end)
		}
	}
}

// judgeFake judges fixed runs; stock is the run with -race.
func judgeFake(t *testing.T, want, got, stock testRun) Result {
	t.Helper()
	h := &harness{tc: &toolchain{GOVERSION: "go1.26.8"}, options: options{mode: taskinstr}, stock: true}
	j := &testJudge{h: h, suite: "fake", pkg: "p"}
	rs := j.judge(t.Context(), want, got, func() testRun { return stock })
	return rs[len(rs)-1]
}

func TestJudgePackage(t *testing.T) {
	ok := testRun{action: "pass", tests: map[string]string{"TestA": "pass"}}
	racy := ok
	racy.reports = []racelog.Report{{Places: [2]string{"a.go:1", "b.go:2"}}}
	predicted := ok
	predicted.reports = []racelog.Report{{Places: [2]string{"a.go:1", "b.go:2"}, Predicted: true}}
	exit := testRun{action: "fail", tests: map[string]string{"TestA": "pass"}}
	for _, tt := range []struct {
		name             string
		want, got, stock testRun
		status           status
		text             string // part of the reason or of the notes
	}{
		{"pass", ok, ok, ok, passed, ""},
		{"no tests", testRun{action: "skip"}, ok, ok, skipped, "no tests"},
		{"no plain build", testRun{}, ok, ok, skipped, "does not build"},
		{"no build", ok, testRun{}, ok, failed, "no test ran"},
		{"exit", ok, exit, ok, failed, "the package fails though every test passes"},
		{"exit, plain too", exit, exit, ok, passed, ""},
		{"false report", ok, racy, ok, failed, "race that -race does not report: a.go:1 and b.go:2"},
		{"true report", ok, racy, racy, passed, "race, confirmed by -race: a.go:1 and b.go:2"},
		{"predicted", ok, predicted, ok, passed, "predicted race: a.go:1 and b.go:2"},
	} {
		r := judgeFake(t, tt.want, tt.got, tt.stock)
		if all := r.Reason + strings.Join(r.Notes, "\n"); r.Status != tt.status || !strings.Contains(all, tt.text) {
			t.Errorf("%s: %s %q, want %s %q", tt.name, r.Status, all, tt.status, tt.text)
		}
	}
}
