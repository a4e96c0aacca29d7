package rerun

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/explore/lanes"
	"taskinstr/cmd/taskinstr/internal/explore/local"
	"taskinstr/cmd/taskinstr/internal/explore/schedulefile"
	"taskinstr/cmd/taskinstr/internal/explore/suite"
	"taskinstr/detector/trace"
)

const defaultTimeout = time.Minute

// Help is the text of `taskinstr help replay`.
func Help() string {
	return `Runs the schedule of a finding again. FILE is one that "taskinstr test -explore" has
written. The test binary is the one beside FILE, if it is still there; otherwise it is built,
from the package that FILE names, as seen from the current folder. If the binary is not
the one of the finding, the command says so: then the schedule may not fit.

	-n=N
		run it N times (default 1)
	-picture
		draw the steps of the schedule in the files of the test's folder: a column for
		each goroutine
	-dlv
		run it once under the debugger delve, without a limit of time. Its dlv must be in
		the PATH; what stands behind -- goes to "dlv exec"
	-timeout=DURATION
		end a run that takes longer (default ` + defaultTimeout.String() + `)

	taskinstr replay FILE
	taskinstr replay -n=20 FILE
	taskinstr replay -dlv FILE
	taskinstr replay -dlv FILE -- --headless --listen=:2345

With one run its report is printed in full. The last line is a command for a debugger or for
a run by hand.

Exit codes: 0 if each run has shown the finding, 1 if not, or if the tests do not build, 2 if
the command line or FILE is no good.
`
}

// Main runs the command and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	r := &rerun{stdout: stdout, stderr: stderr}
	r.say = func(format string, args ...any) { fmt.Fprintf(stderr, "taskinstr replay: "+format+"\n", args...) }
	switch err := r.options(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stdout, "usage: taskinstr replay [flags] FILE\n\n%s", Help())
		return exitcode.OK
	case err != nil:
		r.say("%v; see `taskinstr help replay`", err)
		return exitcode.Usage
	}
	var err error
	if r.file, err = schedulefile.Read(r.name); err != nil {
		r.say("%v", err)
		return exitcode.Usage
	}
	if r.delve != nil {
		if _, err := exec.LookPath(delveName); err != nil {
			r.say("%v", errNoDelve)
			return exitcode.Failed
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	again, err := r.replay(ctx)
	var wrong *local.OptionError
	var line *local.ScheduleError
	switch {
	case ctx.Err() != nil && r.delve == nil: // under delve Ctrl-C stops the program
		return exitcode.Interrupted
	case errors.As(err, &line):
		r.say("%s:%d: this is no line of a recorded schedule; copy the file again", r.name, r.file.Line(line.Line))
		return exitcode.Usage
	case errors.As(err, &wrong):
		r.say("%s", wrong.Text)
		return exitcode.Usage
	case err != nil:
		r.say("%v", err)
		return exitcode.Failed
	case again < r.n:
		return exitcode.Failed
	}
	return exitcode.OK
}

// options reads the command line. Its error is flag.ErrHelp if the line asks for help.
func (r *rerun) options(args []string) (err error) {
	f := flag.NewFlagSet("replay", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.IntVar(&r.n, "n", 1, "")
	f.BoolVar(&r.picture, "picture", false, "")
	dlv := f.Bool("dlv", false, "")
	f.DurationVar(&r.timeout, "timeout", defaultTimeout, "")
	args, further, split := cut(args)
	r.name, err = parse(f, args)
	switch {
	case err != nil:
		return err
	case r.n < 1 || r.timeout <= 0:
		return errors.New("-n and -timeout must be more than 0")
	case split && !*dlv:
		return errors.New("what stands behind -- goes to delve: add -dlv")
	case *dlv && (r.picture || r.n > 1):
		return errors.New("-dlv runs the schedule once, and draws no picture")
	}
	if *dlv {
		r.delve = append([]string{}, further...)
	}
	return nil
}

// cut returns the arguments in front of -- and those behind it.
func cut(args []string) (front, behind []string, split bool) {
	i := slices.Index(args, "--")
	if i < 0 {
		return args, nil, false
	}
	return args[:i], args[i+1:], true
}

// parse reads flags in front of and behind the name of the file.
func parse(f *flag.FlagSet, args []string) (name string, err error) {
	for {
		if err := f.Parse(args); err != nil {
			return "", err
		}
		switch {
		case f.NArg() == 0 && name == "":
			return "", errors.New("which schedule? taskinstr replay FILE")
		case f.NArg() == 0:
			return name, nil
		case name != "":
			return "", fmt.Errorf("one schedule at a time, not %s and %s", name, f.Arg(0))
		}
		name, args = f.Arg(0), f.Args()[1:]
	}
}

// A rerun runs one schedule again.
type rerun struct {
	file           *schedulefile.File
	name           string
	n              int
	timeout        time.Duration
	picture        bool
	delve          []string // further arguments of dlv; nil: without delve
	stdout, stderr io.Writer
	say            func(string, ...any)
	local.Runner
}

// replay runs or draws the schedule. It returns the number of runs that showed the finding, r.n for a
// picture.
func (r *rerun) replay(ctx context.Context) (int, error) {
	var err error
	if r.Scratch, err = os.MkdirTemp("", "taskinstr-replay-"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(r.Scratch)
	if err := r.findBinary(ctx); err != nil {
		return 0, err
	}
	if r.Dir, err = r.folder(); err != nil {
		return 0, err
	}
	f := r.file
	b := &batch.Batch{
		Binary: r.Digest, Package: f.Package, Test: f.Test, Run: f.Run, Args: f.Args, Schedule: f.Record, Count: r.n, Timeout: r.timeout,
		Options: strings.ReplaceAll(f.Options, f.Dir, r.Dir), // positions of accesses (hold)
	}
	switch {
	case r.picture:
		return r.n, r.draw(ctx, b)
	case r.delve != nil:
		if shown, err := r.debug(b, r.delve); !shown {
			return 0, err
		}
		return 1, nil
	}
	return r.run(ctx, b)
}

// run returns the number of runs that showed the finding.
func (r *rerun) run(ctx context.Context, b *batch.Batch) (int, error) {
	f := r.file
	result, err := r.Run(ctx, b)
	if err != nil {
		return 0, err
	}
	again := 0
	for _, x := range result.Findings {
		if x.Fingerprint == f.Fingerprint && (string(x.Kind) == f.Kind || x.Kind == batch.Race) {
			again = x.Runs
		}
		if r.n == 1 || x.Fingerprint != f.Fingerprint {
			fmt.Fprintf(r.stdout, "%s\n", strings.TrimRight(x.Text, "\n"))
		}
	}
	fmt.Fprintf(r.stdout, "%s %s in %s: reproduced %d of %d\n", f.Kind, f.Fingerprint, test(f), again, result.Runs)
	if n := result.Notes[batch.NoteDiverged]; n > 0 {
		fmt.Fprintf(r.stdout, "  %s: %d of %d\n", batch.NoteDiverged, n, result.Runs)
	}
	abs, err := filepath.Abs(r.name)
	if err != nil {
		abs = r.name
	}
	if strings.HasPrefix(r.Exe, r.Scratch) {
		return again, nil
	}
	fmt.Fprintf(r.stdout, "  by hand: cd %s && TASKINSTR=\"%s\" %s %s\n", r.Dir, strings.TrimSpace(b.Options+" schedule=replay:"+abs), r.Exe, quoted(local.Args(b)))
	return again, nil
}

func (r *rerun) draw(ctx context.Context, b *batch.Batch) error {
	f, log := r.file, filepath.Join(r.Scratch, "trace")
	// No race is looked for in a run with a trace, so the test does not report it, and ends otherwise.
	b.Schedule, b.Options, b.Count = f.Loose(), b.Options+" trace="+log, 1
	if _, err := r.Run(ctx, b); err != nil {
		return err
	}
	fmt.Fprintf(r.stdout, "%s %s in %s\n", f.Kind, f.Fingerprint, test(f))
	if err := lanes.Draw(r.stdout, trace.File(log), r.Dir); err != nil {
		return err
	}
	for line := range strings.SplitSeq(f.Title, "; ") {
		fmt.Fprintf(r.stdout, "=> %s\n", strings.ReplaceAll(line, f.Dir+"/", ""))
	}
	return nil
}

// quoted returns arguments as a shell takes them.
func quoted(args []string) string {
	list := make([]string, len(args))
	for i, a := range args {
		if list[i] = a; strings.ContainsAny(a, " $^*|()&;<>'\"\\`?[]") {
			list[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
	}
	return strings.Join(list, " ")
}

func test(f *schedulefile.File) string { return cmp.Or(f.Test, f.Package) }

// findBinary finds the test binary: the one beside the schedule, or one that it builds.
func (r *rerun) findBinary(ctx context.Context) error {
	exe := r.file.Exe
	if !filepath.IsAbs(exe) {
		exe = filepath.Join(filepath.Dir(r.name), exe)
	}
	var err error
	if r.Exe, err = filepath.Abs(exe); err != nil {
		return err
	}
	r.Digest, err = batch.Digest(r.Exe)
	if err == nil && r.Digest == r.file.Binary {
		return nil
	}
	if err == nil {
		r.say("%s is not the binary of the finding; building the tests of %s", r.Exe, r.file.Package)
	} else {
		r.say("the binary of the finding is not there; building the tests of %s", r.file.Package)
	}
	r.Exe = filepath.Join(r.Scratch, "replay.test")
	if err := suite.Build(ctx, "", r.file.Build, r.file.Package, r.Exe, r.stderr); err != nil {
		return err
	}
	if r.Digest, err = batch.Digest(r.Exe); err != nil {
		return fmt.Errorf("%s has no tests", r.file.Package)
	}
	if r.Digest != r.file.Binary {
		r.say("the binary differs from that of the finding: the source, Go, taskinstr or the folder is another one, and the schedule may not fit")
	}
	return nil
}

// folder returns the folder of the package.
func (r *rerun) folder() (string, error) {
	if fi, err := os.Stat(r.file.Dir); err == nil && fi.IsDir() {
		return r.file.Dir, nil
	}
	goPath, err := gocmd.Find()
	if err != nil {
		return "", err
	}
	out, err := exec.Command(goPath, "list", "-tags=race", "-f", "{{.Dir}}", r.file.Package).Output()
	if err != nil {
		return "", fmt.Errorf("the folder %s of the finding is not there, and package %s is not found from here: change to the folder of its module", r.file.Dir, r.file.Package)
	}
	return strings.TrimSpace(string(out)), nil
}
