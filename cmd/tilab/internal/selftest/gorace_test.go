package selftest

import (
	"strings"
	"testing"
)

const goraceOutput = `==================
WARNING: DATA RACE
Write at 0x01 by goroutine 7:
  a_test.init()
      /a/init_test.go:3 +0x1
==================
=== RUN   TestRaceFound
==================
WARNING: DATA RACE
Write at 0x01 by goroutine 7:
  a_test.f()
      /a/f_test.go:3 +0x1
==================
--- FAIL: TestRaceFound (0.25s)
=== RUN   TestRaceMissed
--- PASS: TestRaceMissed (0.00s)
=== RUN   TestNoRaceQuiet
--- PASS: TestNoRaceQuiet (0.00s)
=== RUN   TestNoRaceLoud
WARNING: DATA RACE
--- FAIL: TestNoRaceLoud (0.00s)
=== RUN   TestRacePredicted
WARNING: PREDICTED DATA RACE
Write at 0x01 by goroutine 7:
  a_test.f()
      /a/p_test.go:3 +0x1

Previous read at 0x01 by main goroutine:
  a_test.g()
      /a/p_test.go:9 +0x1
==================
--- PASS: TestRacePredicted (0.00s)
=== RUN   TestRaceSkip
--- SKIP: TestRaceSkip (0.00s)
=== RUN   TestRaceMap
fatal error: concurrent map writes
`

func TestScoreGorace(t *testing.T) {
	got := scoreGorace(outcome{output: []byte(goraceOutput), status: "exit status 2"})
	want := map[string]string{
		"TestRaceFound":     "race",
		"TestRaceMissed":    "none",
		"TestNoRaceQuiet":   "none",
		"TestNoRaceLoud":    "race",
		"TestRacePredicted": "none",
		"TestRaceSkip":      noteSkipped,
		"TestRaceMap":       "race",
	}
	if len(got) != len(want) {
		t.Errorf("%d tests, want %d", len(got), len(want))
	}
	for name, w := range want {
		if g := got[name].String(); g != w {
			t.Errorf("%s: %s, want %s", name, g, w)
		}
	}
	if s := got["TestRaceFound"].seconds; s != 0.25 {
		t.Errorf("TestRaceFound took %v", s)
	}
}

func TestScoreGoraceCrash(t *testing.T) {
	got := scoreGorace(outcome{output: []byte("=== RUN   TestNoRaceA\n=== RUN   TestNoRaceB\nSIGSEGV\n"), status: "exit status 2"})
	if a, b := got["TestNoRaceA"], got["TestNoRaceB"]; a.note != "" || b.note != "ended the process: exit status 2" {
		t.Errorf("%+v\n%+v", a, b)
	}
}

func TestJudgeGorace(t *testing.T) {
	h := &harness{tc: &toolchain{GOVERSION: "go1.26.8"}, options: options{mode: taskinstr}}
	verdicts := scoreGorace(outcome{output: []byte(goraceOutput), status: "exit status 2"})
	for name, want := range map[string]struct {
		status status
		reason string
	}{
		"TestRaceFound":     {passed, ""},
		"TestRaceMissed":    {failed, "race not reported"},
		"TestNoRaceQuiet":   {passed, ""},
		"TestNoRaceLoud":    {failed, "false report"},
		"TestRacePredicted": {failed, "race not reported (reported as predicted only)"},
		"TestRaceSkip":      {skipped, "the test skips itself"},
		"TestRaceMap":       {passed, ""},
	} {
		r := judgeGorace(h, name, verdicts[name], verdict{})
		if r.Status != want.status || r.Reason != want.reason {
			t.Errorf("%s: %s %q, want %s %q", name, r.Status, r.Reason, want.status, want.reason)
		}
	}
	r := judgeGorace(h, "TestRacePredicted", verdicts["TestRacePredicted"], verdict{})
	if len(r.Notes) != 1 || !strings.HasSuffix(r.Notes[0], "/a/p_test.go:3 and /a/p_test.go:9") {
		t.Errorf("notes: %q", r.Notes)
	}
}

func TestRetarget(t *testing.T) {
	const src = "package p\n\nimport (\n\t\"runtime\"\n)\n\nfunc f() { runtime.RaceDisable(); run(\"run\", \"-race\", \"x.go\") }\n"
	if got := retarget(src, race, "x"); got != src {
		t.Errorf("-race: %s", got)
	}
	got := retarget(src, taskinstr, "/a b/t -locks=hb")
	for _, want := range []string{
		`import (internalrace "internal/race";`,
		`internalrace.Disable(); run("run", "-toolexec=/a b/t -locks=hb", "x.go")`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in:\n%s", want, got)
		}
	}
	if got := retarget(src, plain, ""); !strings.Contains(got, `run("run", "x.go")`) {
		t.Errorf("plain: %s", got)
	}
}
