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
	"strings"
	"syscall"
	"time"

	audit "taskinstr/cmd/taskinstr/internal/accesses"
	"taskinstr/optimize"
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
	// limit is the time that one command of the suite may take unless
	// -timeout says otherwise.
	limit time.Duration
	// list returns the names of all cases. It builds nothing.
	list func(ctx context.Context, h *harness) ([]string, error)
	// run runs the named cases and hands each result to emit, which may be
	// called from several goroutines.
	run func(ctx context.Context, h *harness, names []string, emit func(Result)) error
}

// accessesName is the word for what is no suite of cases and has a command line of its
// own: the comparison with the compiler's instrumentation.
const accessesName = "accesses"

// suites is the table of suites, in the order in which help shows them.
var suites = []suite{
	goraceSuite,
	gotestSuite,
	stdSuite,
	modulesSuite,
	programsSuite,
}

// options are the settings that the command line gives.
type options struct {
	run      *regexp.Regexp
	mode     mode
	toolexec string
	testdir  string   // suite gotest
	seed     uint64   // suite programs
	cases    int      // suite programs
	passes   []string // suite programs
	parallel int
	timeout  time.Duration
	list     bool
	keep     bool
	json     bool
	verbose  bool
}

// Main runs "taskinstr selftest" with the arguments that follow the word
// selftest and returns the exit code of the process: 0 when no case failed, 1
// when one did or the suite could not run, 2 for a wrong command line.
func Main(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == accessesName {
		return audit.Main(args[1:], stdout, stderr)
	}
	s, o, err := parse(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "taskinstr selftest: %v\nRun 'taskinstr selftest -h' for usage.\n", err)
		return exitUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	failed, err := runSuite(ctx, s, o, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr selftest %s: %v\n", s.name, err)
		return exitFailed
	}
	if failed {
		return exitFailed
	}
	return exitOK
}

// parse reads the command line; the suite may stand before or after flags.
func parse(args []string, stderr io.Writer) (suite, options, error) {
	o := options{mode: taskinstr, passes: []string{"none", "all"}}
	fs := flag.NewFlagSet("taskinstr selftest", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // Main prints errors; usage prints itself
	fs.Func("run", "run only the cases whose name matches `regexp`", func(v string) (err error) {
		o.run, err = regexp.Compile(v)
		return err
	})
	fs.Func("mode", "tool under test: taskinstr, race (go's own) or plain `tool`; default taskinstr", func(v string) (err error) {
		o.mode, err = parseMode(v)
		return err
	})
	fs.StringVar(&o.toolexec, "toolexec", "", "`command` to give to go's -toolexec (default this executable)")
	fs.StringVar(&o.testdir, "testdir", "", "`directory` to use for GOROOT/test where the Go installation lacks it (suite gotest)")
	fs.Uint64Var(&o.seed, "seed", 1, "`number` that chooses the generated programs (suite programs)")
	fs.IntVar(&o.cases, "cases", 300, "generate `n` cases of each kind (suite programs)")
	fs.Func("passes", "build with these `sets` of static optimizations, separated by semicolons (suite programs; default none;all)", func(v string) error {
		o.passes = strings.Split(v, ";")
		for _, p := range o.passes {
			if _, err := optimize.Parse(p); err != nil {
				return err
			}
		}
		return nil
	})
	fs.IntVar(&o.parallel, "p", runtime.NumCPU(), "run `n` cases at a time")
	fs.DurationVar(&o.timeout, "timeout", 0, "`limit` for each command (default depends on the suite)")
	fs.BoolVar(&o.list, "list", false, "print the names of the cases and run none")
	fs.BoolVar(&o.keep, "keep", false, "keep the temporary directory and print its name")
	fs.BoolVar(&o.json, "json", false, "print one JSON object instead of text")
	fs.BoolVar(&o.verbose, "v", false, "print a line for every case, and details")

	var words []string
	for rest := args; ; {
		if err := fs.Parse(rest); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				usage(stderr, fs)
			}
			return suite{}, o, err
		}
		if fs.NArg() == 0 {
			break
		}
		words, rest = append(words, fs.Arg(0)), fs.Args()[1:]
	}
	if o.cases < 1 {
		return suite{}, o, fmt.Errorf("-cases %d: at least one case must be generated", o.cases)
	}
	if o.parallel < 1 {
		return suite{}, o, fmt.Errorf("-p %d: at least one case must run at a time", o.parallel)
	}
	switch len(words) {
	case 0:
		return suite{}, o, fmt.Errorf("which suite? one of: %s", suiteNames())
	case 1:
		for _, s := range suites {
			if s.name == words[0] {
				return s, o, nil
			}
		}
		return suite{}, o, fmt.Errorf("unknown suite %q; one of: %s", words[0], suiteNames())
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

func usage(w io.Writer, fs *flag.FlagSet) {
	fmt.Fprint(w, "usage: taskinstr selftest SUITE [options]\n\n"+
		"Runs a suite with the Go installation that the go command on PATH belongs to.\n\nSuites:\n")
	for _, s := range suites {
		fmt.Fprintf(w, "  %-9s %s\n", s.name, s.about)
	}
	fmt.Fprintf(w, "  %-9s %s;\n            see taskinstr selftest %s -h\n", accessesName, audit.About, accessesName)
	fmt.Fprint(w, "\nOptions:\n")
	fs.SetOutput(w)
	fs.PrintDefaults()
}

// runSuite runs s and prints its report; failed says whether a case failed.
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
	names := selectNames(all, o.run)
	if len(names) == 0 {
		return false, fmt.Errorf("no case matches -run %v (the suite has %d)", o.run, len(all))
	}
	if o.list {
		for _, n := range names {
			fmt.Fprintln(stdout, n)
		}
		return false, nil
	}

	r := newReport(s.name, h, len(names), stdout)
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

func selectNames(all []string, re *regexp.Regexp) []string {
	if re == nil {
		return all
	}
	var out []string
	for _, n := range all {
		if re.MatchString(n) {
			out = append(out, n)
		}
	}
	return out
}
