package selftest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	audit "taskinstr/cmd/tilab/internal/accesses"
	"taskinstr/cmd/tilab/internal/programs"
	"taskinstr/internal/nearest"
)

// Exit codes of the sub-command.
const (
	exitOK     = 0
	exitFailed = 1 // a case failed, or the suite could not be run
	exitUsage  = 2
)

// A suite is one source of cases.
type suite struct {
	name  string
	about string
	// limit is the default of -timeout, the time limit of one command.
	limit time.Duration
	// list returns the names of all cases. It builds nothing.
	list func(ctx context.Context, h *harness) ([]string, error)
	// run runs the named cases and calls emit with each result, possibly from several
	// goroutines.
	run func(ctx context.Context, h *harness, names []string, emit func(Result)) error
	// table says that the report shows the figures of every case in a table.
	table bool
}

// accessesName is the name of the comparison with the compiler's instrumentation. It is not
// a suite of cases, and has a command line of its own (package accesses).
const accessesName = "accesses"

// suites is the table of suites, in the order in which help shows them.
var suites = []suite{
	goraceSuite,
	gotestSuite,
	stdSuite,
	modulesSuite,
	programsSuite,
	releasesSuite,
	schedulesSuite,
	exploredSuite,
}

// toolFlag begins the first argument if it names the tool under test.
const toolFlag = "-tool="

// options holds the settings of the command line.
type options struct {
	run      *regexp.Regexp
	mode     mode
	tool     string // executable of taskinstr, "" to find one
	toolexec string
	runner   []string // suite gorace: the command that runs a program
	testdir  string   // suite gotest
	seed     uint64   // suite programs
	cases    int      // suite programs
	passes   []string // suite programs
	runs     int      // suites releases, schedules and explored
	procs    []int    // suites releases and schedules
	explore  int      // suites schedules and explored, 0 for the default
	csv      string   // a file for the results, "" for none
	args     []string // of the command line
	parallel int
	timeout  time.Duration
	list     bool
	keep     bool
	json     bool
	verbose  bool
}

// Main runs tilab and returns the exit code of the process: 0 if no case failed, 1 if a case
// failed or the suite could not run, 2 for a wrong command line.
func Main(args []string, stdout, stderr io.Writer) int {
	tool := ""
	if len(args) > 0 && strings.HasPrefix(args[0], toolFlag) {
		tool, args = strings.TrimPrefix(args[0], toolFlag), args[1:]
	}
	if len(args) > 0 && args[0] == accessesName {
		return audit.Main(args[1:], stdout, stderr)
	}
	s, o, err := parse(args)
	o.tool = tool
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, helpOf(s))
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "tilab: %v\nRun 'tilab -h' for usage.\n", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed, err := runSuite(ctx, s, o, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "tilab %s: %v\n", s.name, err)
		return exitFailed
	}
	if failed {
		return exitFailed
	}
	return exitOK
}

// flags declares the flags.
func flags(o *options) *flag.FlagSet {
	fs := flag.NewFlagSet("tilab", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // Main prints errors and help
	fs.Func("run", "run only the cases whose name matches `regexp`", func(v string) (err error) {
		o.run, err = regexp.Compile(v)
		return err
	})
	fs.Func("mode", "tool under test: taskinstr, race (go's own) or plain `tool`; default taskinstr", func(v string) (err error) {
		o.mode, err = parseMode(v)
		return err
	})
	fs.StringVar(&o.toolexec, "toolexec", "", "`command` to give to go's -toolexec (default the tool under test)")
	fs.Func("exec", "run the tests' binary with `command`, as go test does, such as an emulator of the GOARCH in the environment (suite gorace)", func(v string) error {
		if o.runner = gocmd.Fields(v); len(o.runner) == 0 {
			return errors.New("no command")
		}
		return nil
	})
	fs.StringVar(&o.testdir, "testdir", "", "`directory` to use for GOROOT/test where the Go installation lacks it (suite gotest)")
	fs.Uint64Var(&o.seed, "seed", 1, "`number` that chooses the generated programs (suite programs)")
	fs.IntVar(&o.cases, "cases", 300, "generate `n` cases of each kind (suite programs)")
	fs.Func("passes", "build with these `sets` of static optimizations, separated by semicolons, such as all/program for all in program scope (suite programs; default "+programs.DefaultSets+")", func(v string) error {
		o.passes = strings.Split(v, ";")
		for _, p := range o.passes {
			tc := programs.Toolchain{}.With(p)
			var o option.Set
			if err := o.Set("passes", tc.Passes, "-passes="+tc.Passes); err != nil {
				return err
			}
			if tc.Scope == "" {
				continue
			}
			if err := o.Set("scope", tc.Scope, "-scope="+tc.Scope); err != nil {
				return err
			}
		}
		return nil
	})
	fs.IntVar(&o.runs, "runs", 3, "run each program `n` times at each GOMAXPROCS (suites releases and schedules), or each test with -race (suite explored)")
	fs.Func("procs", "run programs at these `values` of GOMAXPROCS, separated by commas (suites releases and schedules; default 1,2)", func(v string) error {
		o.procs = nil
		for _, f := range strings.Split(v, ",") {
			n, err := strconv.Atoi(f)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is no number of processors", f)
			}
			o.procs = append(o.procs, n)
		}
		return nil
	})
	fs.Func("explore", fmt.Sprintf("run each test under at most `n` schedules (suites schedules, default %d, and explored, default %d)", releaseSchedules, moduleSchedules), func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of schedules", v)
		}
		o.explore = n
		return nil
	})
	fs.StringVar(&o.csv, "csv", "", "also write the figures to `file`, for benchmarks/results (suites schedules and explored)")
	fs.IntVar(&o.parallel, "p", runtime.NumCPU(), "run `n` cases at a time")
	fs.DurationVar(&o.timeout, "timeout", 0, "`limit` for each command (default depends on the suite)")
	fs.BoolVar(&o.list, "list", false, "print the names of the cases and run none")
	fs.BoolVar(&o.keep, "keep", false, "keep the temporary directory and print its name")
	fs.BoolVar(&o.json, "json", false, "print one JSON object instead of text")
	fs.BoolVar(&o.verbose, "v", false, "print a line for every case, and details")
	return fs
}

// parse reads the command line; the name of the suite may precede or follow flags. If the
// error is flag.ErrHelp, the result is the suite named before the flags, if any.
func parse(args []string) (suite, options, error) {
	o := options{args: args, mode: taskinstr, passes: strings.Split(programs.DefaultSets, ";"), procs: []int{1, 2}}
	fs := flags(&o)
	var words []string
	for rest := args; ; {
		if err := fs.Parse(rest); err != nil {
			if len(words) == 1 {
				s, _ := lookup(words[0])
				return s, o, nearest.FlagError(fs, err)
			}
			return suite{}, o, nearest.FlagError(fs, err)
		}
		if fs.NArg() == 0 {
			break
		}
		words, rest = append(words, fs.Arg(0)), fs.Args()[1:]
	}
	if o.cases < 1 {
		return suite{}, o, fmt.Errorf("-cases %d: at least one case must be generated", o.cases)
	}
	if o.runs < 1 {
		return suite{}, o, fmt.Errorf("-runs %d: each program must run at least once", o.runs)
	}
	if o.parallel < 1 {
		return suite{}, o, fmt.Errorf("-p %d: at least one case must run at a time", o.parallel)
	}
	switch len(words) {
	case 0:
		return suite{}, o, fmt.Errorf("which suite? one of: %s", suiteNames())
	case 1:
		if s, ok := lookup(words[0]); ok {
			if o.runner != nil && s.name != goraceSuite.name {
				return s, o, fmt.Errorf("-exec: suite %s runs its programs itself; only suite %s has -exec", s.name, goraceSuite.name)
			}
			if o.csv != "" && s.name != schedulesSuite.name && s.name != exploredSuite.name {
				return s, o, fmt.Errorf("-csv: suite %s has no data file in benchmarks/results; suites %s and %s have one", s.name, schedulesSuite.name, exploredSuite.name)
			}
			return s, o, nil
		}
		return suite{}, o, fmt.Errorf("unknown suite %q%s; one of: %s", words[0], nearest.Hint(words[0], strings.Split(suiteNames(), ", ")), suiteNames())
	default:
		return suite{}, o, fmt.Errorf("one suite at a time, got: %s", strings.Join(words, " "))
	}
}

func suiteNames() string {
	var names []string
	for _, s := range suites {
		names = append(names, s.name)
	}
	return strings.Join(append(names, accessesName), ", ")
}

func lookup(name string) (s suite, ok bool) {
	i := slices.IndexFunc(suites, func(s suite) bool { return s.name == name })
	if i < 0 {
		return suite{}, false
	}
	return suites[i], true
}

// Suites lists the suites, in a line each, with a description.
func Suites() string {
	var b strings.Builder
	for _, s := range suites {
		fmt.Fprintf(&b, "\t%-9s %s\n", s.name, s.about)
	}
	fmt.Fprintf(&b, "\t%-9s %s\n", accessesName, audit.About)
	return b.String()
}

// overview is the first part of the help text.
func overview() string {
	return `Tilab is the laboratory of taskinstr.

	tilab [-tool=TASKINSTR] SUITE [flags]
	taskinstr selftest SUITE [flags]

Both run a suite with the Go installation of the go command on PATH, print the failures, and
end with a line "N passed, N failed". The tool under test is TASKINSTR, by default the command
that is built from the sources here. The suites are:

` + Suites() + `
"releases" fetches modules whose release notes or issues name a data race, in the
version before the fix and the version after it, and runs a program that exposes the
race with each. If there is a C compiler, the same program is run with go's own -race.
Each line of its table is a version, with the number of runs that ended in a report, at
GOMAXPROCS 1 and 2:

	case                      -race        race         predicted  verdict
	cobra-completions@v1.1.3  20/20 20/20  20/20 20/20  0/20 0/20  reported as often as by -race
	cobra-completions@v1.2.1  0/20 0/20    0/20 0/20    0/20 0/20  clean

The version before passes if the race is reported in at least as many runs as by -race,
at each GOMAXPROCS. The version after passes if -race confirms every report. Three runs
(the default of -runs) show defects; figures need -runs=20. -run=cobra selects by name,
-procs=1,8 sets other values of GOMAXPROCS, -keep keeps the programs, built both ways.

"schedules" does so for defects that depend on the schedule: deadlocks, lost signals, panics. The
exposing program is a test that uses the module in an obvious way. The version before passes
if "taskinstr test -explore" finds the defect, the version after if it finds nothing. The table
has the number of runs with -race that show a defect of this kind, the number of the first schedule
that shows the defect, and the number of schedules that do:

	case                    -race        first schedule  shown by    verdict
	puddle-acquire@v1.1.2   0/100 3/100  2               29 of 61    found
	puddle-acquire@v1.1.3                                0 of 61     nothing found

"explored" explores the tests of well-known modules. A module passes if each finding is in the table
of known ones, with its cause. The rates are of processor time: schedules, apart from builds, and runs of a test
with -race and -count=N, where N is that of -runs.

"modules" runs tests of some modules, and programs that use others: servers with their
clients, parsers, stores, caches, pools of workers. "-run=^recipes/" selects these programs,
"-list" lists them. A program that passes with go's own -race must pass, and -race must
confirm every report.

Other instruments are programs by themselves, with a help text each (-h):

	go run ./benchmarks/compare          programs under detectors: time, memory
	go run ./benchmarks/table3           the table of TaskChecker's paper
	go run ./benchmarks/drdp/online      -detector=drdp on the programs of its paper
	go run ./benchmarks/drdp/tables      the tables of DRDP's paper, on models
	go run ./benchmarks/ptracer/detector the detector ptracer on its paper's programs
	go run ./benchmarks/zipper           the tables of Zipper's paper

`
}

// helpOf is the help text for one suite, or for all if s has no name.
func helpOf(s suite) string {
	var b strings.Builder
	if s.name != "" {
		fmt.Fprintf(&b, "usage: tilab %s [flags]\n\nThe suite: %s.\n\n", s.name, s.about)
	} else {
		b.WriteString(overview())
	}
	b.WriteString("The flags are:\n\n")
	fs := flags(&options{})
	fs.SetOutput(&b)
	fs.PrintDefaults()
	return b.String()
}

// runSuite runs s and prints its report; failed says that a case failed.
func runSuite(ctx context.Context, s suite, o options, stdout, stderr io.Writer) (failed bool, err error) {
	h, err := newHarness(ctx, s, o, stderr)
	if err != nil {
		return false, err
	}
	defer h.close()

	all, err := s.list(ctx, h)
	if err != nil {
		return false, err
	}
	names := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return o.run != nil && !o.run.MatchString(n) })
	if len(names) == 0 {
		return false, fmt.Errorf("no case matches -run %v (the suite has %d)", o.run, len(all))
	}
	if o.list {
		for _, n := range names {
			fmt.Fprintln(stdout, n)
		}
		return false, nil
	}

	r := newReport(s, h, len(names), stdout)
	if err := s.run(ctx, h, names, r.add); err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		return false, errors.New("interrupted")
	}
	if err := r.finish(); err != nil {
		return false, err
	}
	return r.Failed > 0, nil
}
