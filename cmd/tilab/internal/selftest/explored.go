package selftest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskinstr/benchmarks/explored"
)

// exploredSuite explores the tests of well-known modules.
var exploredSuite = suite{
	name:  "explored",
	about: "tests of well-known modules under the schedules of taskinstr test -explore: each finding is known, with its cause; schedules for a second of a processor, beside runs with -race",
	limit: 30 * time.Minute,
	list:  listExplored,
	run:   runExplored,
	table: true,
}

// moduleSchedules is the default of -explore for the suite.
const moduleSchedules = 100

// A knownFinding is a finding whose cause is known.
type knownFinding struct {
	test  string // the top-level test
	kind  string
	title string // a part of the finding's title or text
	// genuine says that the code of the module or of its test is wrong. Otherwise the tool is.
	genuine bool
	why     string
}

// An exploredModule is a module whose tests are explored.
type exploredModule struct {
	thirdParty
	findings []knownFinding
}

// exploredModules are chosen because their tests are about goroutines, locks, channels and timers, start no
// processes and need no services, and because a run of a test takes less than a second. The package syncmap of
// golang.org/x/sync is left out, whose tests take seconds.
var exploredModules = []exploredModule{
	{thirdParty: thirdParty{"golang.org/x/sync", "v0.16.0", []string{"errgroup", "semaphore", "singleflight"}}},
	{thirdParty: thirdParty{"github.com/sourcegraph/conc", "v0.3.0", []string{".", "iter", "panics", "pool", "stream"}}},
	{thirdParty: thirdParty{"github.com/jackc/puddle/v2", "v2.2.3", []string{"."}}, findings: []knownFinding{
		{"TestPoolAcquireCreatesResourceRespectingContext", "test failure", "pool_test.go:215", true,
			"the test sleeps for 100 ms and expects that a goroutine that sleeps for 10 ms has ended, which fails on a busy machine"},
	}},
	{thirdParty: thirdParty{"github.com/jonboulle/clockwork", "v0.5.0", []string{"."}}, findings: []knownFinding{
		{"TestFakeTicker_DeliveryOrder", "test failure", "Expected ticker event", true,
			"the test expects a tick after the timer, but its goroutine may have advanced the clock ten times by then; the ticker has kept the first tick alone"},
	}},
	{thirdParty: thirdParty{"github.com/hashicorp/golang-lru/v2", "v2.0.7", []string{".", "expirable", "simplelru"}}, findings: []knownFinding{
		{"ExampleLRU", "test failure", "", true,
			"the example sleeps and expects that a goroutine has removed an expired entry, which is known to fail with go test, too (#187)"},
	}},
}

func listExplored(ctx context.Context, h *harness) (names []string, err error) {
	for _, m := range exploredModules {
		names = append(names, m.module)
	}
	return names, nil
}

func runExplored(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	tool, err := h.explorer()
	if err != nil {
		return err
	}
	// The modules run one after the other, since the suite measures time.
	inTurn(ctx, exploredModules, func(m exploredModule) string { return m.module }, names, emit, func(m exploredModule) Result {
		r, err := h.exploreModule(ctx, m, tool)
		if err != nil {
			return h.failWith("explored", m.module, err)
		}
		return r
	})
	return nil
}

// exploreModule explores the tests of a module, and runs them with -race.
func (h *harness) exploreModule(ctx context.Context, m exploredModule, tool []string) (Result, error) {
	dir, err := h.fetch(ctx, m.thirdParty)
	if err != nil {
		return Result{}, err
	}
	n := cmp.Or(h.explore, moduleSchedules)
	var packages []string
	for _, p := range m.packages {
		packages = append(packages, "./"+p)
	}
	// The first run also fills the build cache. What it takes with a full cache is what the builds take.
	var few, many *exploration
	for _, run := range []struct {
		to **exploration
		n  int
	}{{&few, 1}, {&few, 1}, {&many, n}} {
		if *run.to, err = h.exploreTests(ctx, dir, tool, run.n, packages); err != nil {
			return Result{}, err
		}
	}
	stock := ""
	if h.stock {
		if stock, err = h.stockRate(ctx, dir, packages, many.tests); err != nil {
			return Result{}, err
		}
	}
	return h.exploredResult(m, few, many, stock), nil
}

// An exploration is the outcome of an exploration of a module's tests.
type exploration struct {
	tests        map[string]int // by package
	schedules    int
	uncontrolled []string
	interrupted  bool
	found        []explored.Event
	cpu          time.Duration
}

func (h *harness) exploreTests(ctx context.Context, dir string, tool []string, n int, packages []string) (*exploration, error) {
	args := append([]string{tool[0], "test"}, tool[1:]...)
	args = append(args, "-mod=mod", "-json", "-explore="+strconv.Itoa(n), "-explore-dir="+filepath.Join(h.work, "explored"))
	o := h.exec(ctx, command{dir: dir, args: append(args, packages...), limit: h.limit + buildLimit})
	x := &exploration{tests: map[string]int{}, cpu: o.cpu}
	err := explored.Read(bytes.NewReader(explored.Only(o.output)), func(e explored.Event) error {
		switch e.Event {
		case "test":
			x.tests[e.Package]++
			if e.Controlled != nil && !*e.Controlled {
				x.uncontrolled = append(x.uncontrolled, e.Test)
			}
		case "finding":
			x.found = append(x.found, e)
		case "end":
			x.schedules, x.interrupted = e.Runs, e.Interrupted
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("taskinstr test -explore: %s: %w\n%s", o.status, err, o.output)
	}
	return x, nil
}

// stockRate runs the tests of packages with -race, h.runs times in one process, and returns how many runs of a test take a
// second of a processor.
func (h *harness) stockRate(ctx context.Context, dir string, packages []string, tests map[string]int) (string, error) {
	runs := 0
	for _, n := range tests {
		runs += n * h.runs
	}
	var cpu time.Duration
	for i, p := range packages {
		exe := filepath.Join(h.work, fmt.Sprintf("race-%d.test%s", i, h.tc.GOEXE))
		o := h.goTool(ctx, race, command{dir: dir}, "test", "-mod=mod", "-c", "-o", exe, p)
		if !o.ok {
			return "", fmt.Errorf("%s does not build with -race: %s\n%s", p, o.status, o.output)
		}
		o = h.exec(ctx, command{dir: filepath.Join(dir, p), args: []string{exe, "-test.count=" + strconv.Itoa(h.runs)}})
		if o.exceeded {
			return "", fmt.Errorf("%s with -race: %s", p, o.status)
		}
		cpu += o.cpu
	}
	return rate(runs, cpu), nil
}

// rate writes runs for a second of a processor.
func rate(runs int, cpu time.Duration) string {
	if cpu <= 0 {
		return ""
	}
	return strconv.FormatFloat(float64(runs)/cpu.Seconds(), 'f', 0, 64)
}

// exploredResult judges the findings. The case passes if each is known. The processor time of few, with
// a schedule of each test, is that of the builds.
func (h *harness) exploredResult(m exploredModule, few, many *exploration, stock string) Result {
	var genuine, wrong, unknown []string
	evidence := ""
	for _, e := range many.found {
		i := slices.IndexFunc(m.findings, func(k knownFinding) bool {
			return k.test == e.Test && k.kind == e.Kind && strings.Contains(e.Title+"\n"+e.Text, k.title)
		})
		name := e.Kind + " in " + e.Test
		switch {
		case i < 0:
			unknown = append(unknown, name)
			evidence += name + ": " + e.Title + "\n" + e.Text + "\n"
		case m.findings[i].genuine:
			genuine = append(genuine, name+": "+m.findings[i].why)
		default:
			wrong = append(wrong, name+": "+m.findings[i].why)
		}
	}
	r := Result{Name: m.module, Status: passed, Reason: "nothing found"}
	switch {
	case len(unknown) > 0:
		r = h.fail("explored", m.module, "not looked into: "+strings.Join(unknown, "; "), []byte(evidence))
	case len(many.found) > 0:
		r.Reason = fmt.Sprintf("%d true, %d false", len(genuine), len(wrong))
		r.Notes = append(genuine, wrong...)
	}
	if many.interrupted {
		r.Reason += ", interrupted"
	}
	tests := 0
	for _, n := range many.tests {
		tests += n
	}
	if len(many.uncontrolled) > 0 {
		r.Notes = append(r.Notes, "not fully controlled: "+strings.Join(many.uncontrolled, ", "))
	}
	r.About = []Column{{"module", m.module}, {"version", m.version}}
	r.Columns = []Column{
		{"tests", strconv.Itoa(tests)},
		{"schedules", strconv.Itoa(many.schedules)},
		{"not controlled", strconv.Itoa(len(many.uncontrolled))},
		{"schedules/s/core", rate(many.schedules-few.schedules, many.cpu-few.cpu)},
		{"-race runs/s/core", stock},
	}
	return r
}
