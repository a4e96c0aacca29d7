package selftest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"taskinstr/cmd/tilab/internal/racelog"
)

// A testRun is the result of one "go test -json" of one package.
type testRun struct {
	outcome
	// tests holds the last action of each top-level test: pass, fail, skip; run or cont if
	// the process ended while the test ran; pause if the process ended while the test waited
	// for its turn.
	tests   map[string]string
	last    string        // the test of the last action
	action  string        // of the package: pass, fail, skip; empty when it did not build
	elapsed time.Duration // of the test binary
	text    []byte        // output of the tests
	raceTag bool          // the build tag race was set
	reports []racelog.Report
}

// testEvent holds the fields of test2json's record that are read here.
type testEvent struct {
	Action  string
	Test    string
	Elapsed float64
	Output  string
}

// testPackage runs the tests of one package in mode m. key is the package's name for files
// of the temporary directory; more holds arguments of go test that precede the package.
func (h *harness) testPackage(ctx context.Context, m mode, dir, pkg string, more ...string) testRun {
	log := filepath.Join(h.work, "log-"+m.String()+"-"+strings.ReplaceAll(pkg, "/", "_"))
	c := command{
		dir: dir,
		// Reports go to files, since the output of tests may be interleaved or captured.
		env: []string{m.reportOptions(log)},
	}
	// The tests have go test's own limit, which prints stacks.
	args := append([]string{"-json", "-short", "-count=1", "-vet=off", "-timeout=" + h.limit.String()}, more...)
	r := parseEvents(h.goTool(ctx, m, c, "test", append(args, pkg)...))
	r.raceTag = m == race
	r.reports = racelog.Take(log)
	return r
}

// parseEvents reads the records in the output of go test -json. Other lines, which older
// releases print if a build fails, are added to the text.
func parseEvents(o outcome) testRun {
	r := testRun{outcome: o, tests: map[string]string{}}
	var text bytes.Buffer
	for line := range bytes.Lines(o.output) {
		var e testEvent
		if err := json.Unmarshal(line, &e); err != nil {
			text.Write(line)
			continue
		}
		switch e.Action {
		case "output", "build-output":
			text.WriteString(e.Output)
		case "run", "pause", "cont", "pass", "fail", "skip":
			switch {
			case e.Test == "":
				r.action, r.elapsed = e.Action, time.Duration(e.Elapsed*float64(time.Second))
			case !strings.Contains(e.Test, "/"):
				r.tests[e.Test], r.last = e.Action, e.Test
			}
		}
	}
	r.text = text.Bytes()
	return r
}

// add adds to r the run of the tests that r did not reach.
func (r *testRun) add(more testRun) {
	maps.Copy(r.tests, more.tests)
	r.wall += more.wall
	r.elapsed += more.elapsed
	r.text = append(r.text, more.text...)
	r.reports = append(r.reports, more.reports...)
}

// testJudge compares the runs of one package's tests.
type testJudge struct {
	h     *harness
	suite string
	dir   string
	pkg   string
	more  []string // further arguments of go test
}

func (j *testJudge) run(ctx context.Context, m mode, more ...string) testRun {
	return j.h.testPackage(ctx, m, j.dir, j.pkg, append(j.more[:len(j.more):len(j.more)], more...)...)
}

// complete runs the tests of want that got did not reach because its process ended early.
// If no test was running then, the last test that ended is blamed: a goroutine may fail
// after its test has ended.
func complete(want, got testRun, run func(names []string) testRun) testRun {
	for last := got; last.action == "fail"; {
		var names []string
		for name, action := range want.tests {
			if action == "pass" && !begun(got.tests[name]) {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			break
		}
		slices.Sort(names)
		if last.tests[last.last] != "" {
			got.tests[last.last] = "run"
		}
		last = run(names)
		got.add(last)
		if !slices.ContainsFunc(names, func(n string) bool { return begun(last.tests[n]) }) {
			break
		}
	}
	return got
}

// begun reports whether a test with this last action has run.
func begun(action string) bool { return action != "" && action != "pause" }

// only returns the argument of go test that selects the named tests.
func only(names ...string) string { return "-run=^(" + strings.Join(names, "|") + ")$" }

// broken compares the tests that pass in want with got: fail holds the tests that do not
// pass there, skip the tests that skip themselves there. A test may skip itself because
// it sees that a race detector is on, as with -race.
func broken(want, got testRun) (fail, skip []string) {
	for name, action := range want.tests {
		if action != "pass" {
			continue
		}
		switch got.tests[name] {
		case "pass":
		case "skip":
			skip = append(skip, name)
		case "":
			// -race sets a build tag that may exclude the test's file.
			if got.raceTag && got.action == "pass" {
				skip = append(skip, name)
				continue
			}
			fail = append(fail, name)
		default:
			fail = append(fail, name)
		}
	}
	slices.Sort(fail)
	slices.Sort(skip)
	return fail, skip
}

// judge returns the results of the package: one for the package, and one for each test
// that is a known exception.
func (j *testJudge) judge(ctx context.Context, want, got testRun, stock func() testRun) []Result {
	h := j.h
	r := Result{Name: j.pkg, Status: passed, Seconds: (want.wall + got.wall).Seconds()}
	switch {
	case want.action == "skip" || want.action == "pass" && len(want.tests) == 0:
		r.Status, r.Reason = skipped, "no tests"
		return []Result{r}
	case want.action == "" || len(want.tests) == 0:
		r.Status, r.Reason = skipped, "does not build or run uninstrumented: "+firstLine(want.text)
		return []Result{r}
	case got.action == "" || len(got.tests) == 0:
		return []Result{h.fail(j.suite, j.pkg, "no test ran: "+got.status, got.text)}
	}

	got = complete(want, got, func(names []string) testRun { return j.run(ctx, h.mode, only(names...)) })

	var v judgement
	fail, skip := broken(want, got)
	if len(skip) > 0 {
		v.notes = append(v.notes, "skipped under a race detector: "+strings.Join(skip, " "))
	}
	for _, name := range fail {
		j.failure(ctx, &v, got, name)
	}
	if got.action == "fail" && want.action == "pass" && len(fail) == 0 {
		v.reasons = append(v.reasons, "the package fails though every test passes")
		v.evidence = append(v.evidence, excerpt(got.text)...)
	}

	v.notes = append(v.notes, predictions(got.reports)...)
	if races := racelog.Pairs(got.reports, false); len(races) > 0 && h.mode == taskinstr {
		why, confirmed := j.confirm(races, stock)
		v.reasons, v.notes = append(v.reasons, why...), append(v.notes, confirmed...)
		v.evidence = append(v.evidence, racelog.Text(got.reports)...)
	}

	if len(v.reasons) > 0 {
		r = h.fail(j.suite, j.pkg, strings.Join(v.reasons, "\n"), v.evidence)
		r.Seconds = (want.wall + got.wall).Seconds()
	}
	r.Columns = []Column{
		{"tests", fmt.Sprint(len(want.tests))},
		{"plain", seconds(want.elapsed)},
		{h.mode.String(), seconds(got.elapsed)},
		{"ratio", ratio(got.elapsed, want.elapsed)},
	}
	r.Notes = v.notes
	return append(v.excepted, r)
}

// A judgement collects the result for a package.
type judgement struct {
	reasons  []string // why it fails
	evidence []byte   // output that shows the reasons
	notes    []string
	excepted []Result // the tests that are known exceptions
}

// failure adds a test that does not pass to the judgement. Some tests depend on timing. A test that fails,
// but passes when it is run alone, is a note. An early end of the process has no such excuse.
func (j *testJudge) failure(ctx context.Context, v *judgement, got testRun, name string) {
	h := j.h
	if e := h.fail(j.suite, j.pkg+"."+name, "", nil); e.Status == excepted {
		v.excepted = append(v.excepted, e)
		return
	}
	if got.tests[name] == "fail" {
		if again := j.run(ctx, h.mode, only(name)); again.tests[name] == "pass" && len(again.reports) == 0 {
			v.notes = append(v.notes, "unsteady, failed in the package and passed alone: "+name)
			return
		}
	}
	v.reasons = append(v.reasons, name+" "+verb(got.tests[name]))
	v.evidence = append(v.evidence, testText(got.text, name)...)
}

// confirm compares races with those of -race. It returns the reasons for a failure, and notes.
func (j *testJudge) confirm(races []racelog.Pair, stock func() testRun) (reasons, notes []string) {
	if !j.h.stock {
		wrong, _ := racelog.Confirm(races, nil)
		return []string{"races, not compared with -race: " + strings.Join(wrong, "; ")}, nil
	}
	wrong, notes := racelog.Confirm(races, racelog.Pairs(stock().reports, false))
	if len(wrong) > 0 {
		reasons = []string{"race that -race does not report: " + strings.Join(wrong, "; ")}
	}
	return reasons, notes
}

// verb describes the end of a test that did not pass.
func verb(action string) string {
	switch action {
	case "fail":
		return "fails"
	case "run", "cont":
		return "did not finish"
	}
	return "did not run"
}

// testText returns the output between the start of a test and its end.
func testText(text []byte, name string) []byte {
	start := bytes.Index(text, []byte("=== RUN   "+name+"\n"))
	if start < 0 {
		return []byte(excerpt(text) + "\n")
	}
	text = text[start:]
	if end := bytes.Index(text, []byte("\n--- FAIL: "+name)); end >= 0 {
		if nl := bytes.IndexByte(text[end+1:], '\n'); nl >= 0 {
			text = text[:end+1+nl+1]
		}
	}
	return []byte(excerpt(text) + "\n")
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2fs", d.Seconds()) }
