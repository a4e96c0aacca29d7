package selftest

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskinstr/cmd/tilab/internal/racelog"
)

// goraceSuite runs the tests of Go's own race detector. Their names give the expected
// result: TestRace... must have a report, TestNoRace... must have none.
var goraceSuite = suite{
	name:  "gorace",
	about: "the race detector's tests in GOROOT/src/runtime/race/testdata, beside go's own -race",
	limit: 10 * time.Minute,
	list:  listGorace,
	run:   runGorace,
}

func listGorace(ctx context.Context, h *harness) ([]string, error) {
	files, err := goraceFiles(h)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && isGoraceName(fn.Name.Name) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names, nil
}

func goraceFiles(h *harness) ([]string, error) {
	dir, err := h.tc.need("the tests of the race detector", "src", "runtime", "race", "testdata")
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("no test files in %s", dir)
	}
	return files, err
}

func isGoraceName(name string) bool {
	return strings.HasPrefix(name, "TestRace") || strings.HasPrefix(name, "TestNoRace")
}

func runGorace(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	ours, err := goraceVerdicts(ctx, h, h.mode, names)
	if err != nil {
		return err
	}
	var stock map[string]verdict
	switch {
	case h.mode == race:
		stock = ours
	case h.stock:
		if stock, err = goraceVerdicts(ctx, h, race, names); err != nil {
			return err
		}
	}
	for _, name := range names {
		s, ok := stock[name]
		if !ok {
			s.note = "-"
		}
		emit(judgeGorace(h, name, ours[name], s))
	}
	return nil
}

// judgeGorace returns the result of one test for the verdicts of both detectors.
func judgeGorace(h *harness, name string, ours, stock verdict) Result {
	r := Result{Name: name, Status: passed, Seconds: ours.seconds}
	expected := verdict{race: strings.HasPrefix(name, "TestRace")}
	switch {
	case ours.note == noteSkipped:
		r.Status, r.Reason = skipped, "the test skips itself"
	case ours.note != "":
		r = h.fail("gorace", name, "the test "+ours.note, ours.log)
	case ours.race && !expected.race:
		r = h.fail("gorace", name, "false report", ours.log)
	case !ours.race && expected.race:
		reason := "race not reported"
		if ours.predicted > 0 {
			reason += " (reported as predicted only)"
		}
		r = h.fail("gorace", name, reason, ours.log)
	}
	r.Columns = []Column{{"expected", expected.String()}, {"stock", stock.String()}, {h.mode.String(), ours.String()}}
	r.Notes = append(r.Notes, predictions(racelog.Parse(ours.log))...)
	return r
}

// A verdict is the answer of a detector for one test.
type verdict struct {
	race      bool
	predicted int
	note      string // why there is no verdict: noteSkipped, crashed, ...
	seconds   float64
	log       []byte
}

const noteSkipped = "skipped"

func (v verdict) String() string {
	switch {
	case v.note != "":
		return v.note
	case v.race:
		return "race"
	}
	return "none"
}

// goraceEnv is the environment that race_test.go sets. Equal reports are not suppressed,
// because the tests reuse a few addresses. GOMAXPROCS is 1, because the races of some tests
// need a certain order of execution.
var goraceEnv = []string{"GOMAXPROCS=1", "GORACE=suppress_equal_stacks=0 suppress_equal_addresses=0"}

// goraceVerdicts builds the tests in mode m and runs the named tests. If a test ends the
// process, the tests behind it have no verdict, so the binary is started again for them;
// each start has at least one test fewer.
func goraceVerdicts(ctx context.Context, h *harness, m mode, names []string) (map[string]verdict, error) {
	files, err := goraceFiles(h)
	if err != nil {
		return nil, err
	}
	overlay, err := goraceOverlay(h, m, files)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(files[0])
	bin := filepath.Join(h.work, "gorace-"+m.String()+h.tc.GOEXE)
	args := append([]string{"-c", "-vet=off", "-overlay=" + overlay, "-o", bin}, files...)
	// The files may import internal packages because the go command runs inside GOROOT.
	if o := h.goTool(ctx, m, command{dir: dir, env: h.overlayEnv()}, "test", args...); !o.ok {
		return nil, fmt.Errorf("building %s with tool %s: %s\n%s", dir, m, o.status, excerpt(o.output))
	}

	verdicts := map[string]verdict{}
	left := slices.Clone(names)
	for len(left) > 0 && ctx.Err() == nil {
		o := h.exec(ctx, command{
			dir: dir,
			env: goraceEnv,
			// The limit of package testing is shorter, since it prints stacks.
			limit: h.limit + 30*time.Second,
			args:  slices.Concat(h.runner, []string{bin, "-test.v", "-test.timeout=" + h.limit.String(), "-test.run=^(" + strings.Join(left, "|") + ")$"}),
		})
		before := len(left)
		for name, v := range scoreGorace(o) {
			if _, ok := verdicts[name]; !ok {
				verdicts[name] = v
			}
		}
		left = slices.DeleteFunc(left, func(n string) bool { _, ok := verdicts[n]; return ok })
		if len(left) == before {
			if len(verdicts) == 0 && ctx.Err() == nil {
				return nil, fmt.Errorf("no test ran with tool %s: %s\n%s", m, o.status, excerpt(o.output))
			}
			for _, name := range left {
				verdicts[name] = verdict{note: "did not run: " + o.status, log: o.output}
			}
			break
		}
	}
	return verdicts, nil
}

const (
	goraceRun      = "=== RUN   "
	goraceComplete = "ALL TESTS COMPLETE"
)

// elapsed matches the line that package testing prints at the end of a test.
var elapsed = regexp.MustCompile(`(?m)^--- [A-Z]+: \S+ \(([0-9.]+)s\)`)

// scoreGorace splits the output at the line that begins each test. Output before the first
// such line, about races of package initializers, belongs to no test.
func scoreGorace(o outcome) map[string]verdict {
	verdicts := map[string]verdict{}
	lines := strings.SplitAfter(string(o.output), "\n")
	last := ""
	for i := 0; i < len(lines); {
		name, isRun := strings.CutPrefix(lines[i], goraceRun)
		i++
		if !isRun {
			continue
		}
		name, _, _ = strings.Cut(strings.TrimSpace(name), "/") // a subtest counts for its test
		start := i
		for i < len(lines) && !strings.HasPrefix(lines[i], goraceRun) {
			i++
		}
		v := scoreTest(strings.Join(lines[start:i], ""))
		if earlier, ok := verdicts[name]; ok {
			v.race = v.race || earlier.race
			v.predicted += earlier.predicted
			v.log = append(earlier.log, v.log...)
		}
		verdicts[name] = v
		last = name
	}
	// The runtime's own detection of concurrent map use ends the process and counts as a
	// report. Any other early end is a failure of the last test.
	if v := verdicts[last]; last != "" && !v.race && !strings.Contains(string(o.output), goraceComplete) {
		v.note = "ended the process: " + o.status
		verdicts[last] = v
	}
	return verdicts
}

// scoreTest reads the output of one test.
func scoreTest(log string) verdict {
	v := verdict{
		race:      strings.Contains(log, racelog.RaceBanner) || strings.Contains(log, "fatal error: concurrent map"),
		predicted: strings.Count(log, racelog.PredictedBanner),
		log:       []byte(log),
	}
	if !v.race && strings.Contains(log, "--- SKIP:") {
		v.note = noteSkipped
	}
	if m := elapsed.FindStringSubmatch(log); m != nil {
		v.seconds, _ = strconv.ParseFloat(m[1], 64)
	}
	return v
}

// runtimeRace matches functions that package runtime has only under the build tag race.
// Package internal/race has them in every build.
var runtimeRace = regexp.MustCompile(`\bruntime\.Race(Disable|Enable|Acquire|Release|ReleaseMerge)\b`)

// goraceOverlay writes an overlay for the files that refer to go's own detector: a test
// that runs go with -race must run it in mode m, and calls of runtimeRace's functions must
// go to internal/race.
func goraceOverlay(h *harness, m mode, files []string) (string, error) {
	replace := map[string]string{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		text := retarget(string(src), m, h.toolexec)
		if text == string(src) {
			continue
		}
		to := filepath.Join(h.work, fmt.Sprintf("%s-%s", m, filepath.Base(file)))
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			return "", err
		}
		replace[file] = to
	}
	return writeOverlay(filepath.Join(h.work, "overlay-"+m.String()+".json"), replace)
}

// retarget rewrites the text of one test file for mode m.
func retarget(src string, m mode, toolexec string) string {
	if m == race {
		return src
	}
	var flags []string
	for _, f := range m.buildFlags(toolexec) {
		flags = append(flags, strconv.Quote(f)+", ")
	}
	out := strings.ReplaceAll(src, `"-race", `, strings.Join(flags, ""))
	if runtimeRace.MatchString(out) {
		out = runtimeRace.ReplaceAllString(out, "internalrace.$1")
		out = strings.Replace(out, "import (", "import (internalrace \"internal/race\";", 1)
		out += "\nvar _ = runtime.GC // the import may have no other use left\n"
	}
	return out
}

// writeOverlay writes the file that go's -overlay takes and returns its name.
func writeOverlay(name string, replace map[string]string) (string, error) {
	data, err := json.Marshal(struct{ Replace map[string]string }{replace})
	if err != nil {
		return "", err
	}
	return name, os.WriteFile(name, data, 0o666)
}
