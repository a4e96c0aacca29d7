package programs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"taskinstr/cmd/internal/option"
)

// Mode is how a program is built.
type Mode string

const (
	StockRace Mode = "race"      // go build -race
	TaskInstr Mode = "taskinstr" // go build -toolexec=taskinstr
)

// ExitRace is the exit code of a program that reported a race.
const ExitRace = 66

// Toolchain holds the commands and options of a build.
type Toolchain struct {
	Go       string   // the go command; "" is go on PATH
	Tool     string   // the taskinstr command, for mode TaskInstr
	Passes   string   // its option -passes; "" is the default
	Scope    string   // its option -scope; "" is the default
	Branches bool     // its option -branches=on: records of branches not taken
	Env      []string // added to the environment of the build
}

// DefaultSets lists the choices of static optimizations with which generated programs are
// built: none, and all in each scope. Semicolons separate them.
const DefaultSets = "none;all;all/" + option.ScopeProgram

// With returns the toolchain with a choice of static optimizations: a value of -passes and,
// behind a slash, one of -scope. Without the slash the scope stays as it is.
func (tc Toolchain) With(set string) Toolchain {
	var given bool
	var scope string
	if tc.Passes, scope, given = strings.Cut(set, "/"); given {
		tc.Scope = scope
	}
	return tc
}

// Output builds the program in dir as exe, runs it, and returns its output. The program may report races.
func (tc Toolchain) Output(ctx context.Context, dir, exe string) (string, error) {
	if err := tc.Build(ctx, dir, "build", "-o", exe); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, exe)
	cmd.Env = append(Environ("GORACE", "TASKINSTR"), "TASKINSTR=atexit_wait_ms=0")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == ExitRace {
		err = nil
	}
	return string(out), err
}

// options returns the options of the taskinstr command.
func (tc *Toolchain) options() (list []string) {
	if tc.Passes != "" {
		list = append(list, "-passes="+tc.Passes)
	}
	if tc.Scope != "" {
		list = append(list, "-scope="+tc.Scope)
	}
	if tc.Branches {
		list = append(list, "-branches=on")
	}
	return list
}

// Build builds the package, or with "test -c" its tests, in dir with the taskinstr command.
func (tc *Toolchain) Build(ctx context.Context, dir string, args ...string) error {
	args = append(args, tc.options()...)
	cmd := exec.CommandContext(ctx, tc.Tool, append(args, ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), tc.Env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s in %s: %w\n%s", strings.Join(cmd.Args, " "), dir, err, text)
	}
	return nil
}

// Program is a built program with its cases.
type Program struct {
	Dir   string // of its source
	Mode  Mode
	Test  bool // a test package
	Cases []*Case

	Schedule string // value of TASKINSTR=schedule=; "" leaves it out

	exe string
	own map[string]bool // base names of its source files
}

// Build reads the expectations of the package in dir and builds it into the
// folder out.
func Build(ctx context.Context, tc Toolchain, dir string, m Mode, out string) (*Program, error) {
	cases, err := Cases(dir)
	if err != nil {
		return nil, err
	}
	if m == StockRace {
		cases = slices.DeleteFunc(cases, func(c *Case) bool { return c.NoStock })
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &Program{Dir: dir, Mode: m, Cases: cases, own: map[string]bool{}}
	for _, f := range files {
		p.own[filepath.Base(f)] = true
		p.Test = p.Test || strings.HasSuffix(f, "_test.go")
	}
	p.exe = filepath.Join(out, filepath.Base(dir)+"."+string(m)+".exe")
	args := []string{"build"}
	if p.Test {
		// vet would refuse some faults that the tests contain on purpose.
		args = []string{"test", "-c", "-vet=off"}
	}
	args = append(args, "-o", p.exe)
	switch m {
	case StockRace:
		args = append(args, "-race")
	case TaskInstr:
		// With the wrapper's tag, so that both ways share the compiled standard library.
		args = append(args, "-toolexec="+tc.Tool, "-tags="+option.RaceTag)
	default:
		return nil, fmt.Errorf("unknown mode %q: want %s or %s", m, StockRace, TaskInstr)
	}
	if m == TaskInstr && len(tc.options()) > 0 {
		// In program scope the wrapper keeps plans out of the compiler's identity, so that
		// programs share the compiled standard library.
		if err := tc.Build(ctx, dir, args[:len(args)-2]...); err != nil {
			return nil, err
		}
		return p, nil
	}
	gocmd := tc.Go
	if gocmd == "" {
		gocmd = "go"
	}
	cmd := exec.CommandContext(ctx, gocmd, append(args, ".")...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), tc.Env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building %s for %s: %w\n%s", dir, m, err, text)
	}
	return p, nil
}

// runTime bounds one run of a case.
const runTime = 2 * time.Minute

// Run runs one case in a process of its own, with GOMAXPROCS=procs unless procs is 0, and
// returns its faults.
func (p *Program) Run(ctx context.Context, c *Case, procs int) []string {
	args := []string{c.Name}
	if p.Test {
		args = []string{"-test.run=^" + regexp.QuoteMeta(c.Name) + "$", "-test.v"}
	}
	out, code, err := p.exec(ctx, args, procs)
	if err != nil {
		return []string{err.Error() + "\n" + out}
	}
	faults := c.Check(p.Mode, ParseReports(out, p.own))
	if want := c.wantExit(p.Mode, p.Test); code != want && len(faults) == 0 && !(p.Mode == StockRace && c.loose()) {
		faults = append(faults, fmt.Sprintf("exit code %d, want %d\n%s", code, want, out))
	}
	if p.Test && c.Expects(Race, p.Mode == StockRace) && !strings.Contains(out, testingSays) {
		faults = append(faults, fmt.Sprintf("the testing package did not notice the race:\n%s", out))
	}
	if !p.Test && !strings.Contains(out, caseEnd(c.Name)) {
		faults = append(faults, fmt.Sprintf("the case did not run to its end:\n%s", out))
	}
	return faults
}

// testingSays is the error of a test during which a race was reported.
const testingSays = "race detected during execution of test"

// RunAll runs the cases one after the other in one process and returns the faults by case
// name. The lines that the program prints between its cases tell to which case a report
// belongs.
func (p *Program) RunAll(ctx context.Context, cases []*Case, procs int) (map[string][]string, error) {
	args := make([]string, len(cases))
	code := 0
	for i, c := range cases {
		args[i] = c.Name
		code = max(code, c.wantExit(p.Mode, p.Test))
	}
	out, got, err := p.exec(ctx, args, procs)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	faults := map[string][]string{}
	rest := out
	for _, c := range cases {
		text, after, ok := strings.Cut(rest, caseEnd(c.Name)+"\n")
		if !ok {
			return nil, fmt.Errorf("case %s did not run to its end:\n%s", c.Name, rest)
		}
		rest = after
		if f := c.Check(p.Mode, ParseReports(text, p.own)); len(f) > 0 {
			faults[c.Name] = f
		}
	}
	if got != code && len(faults) == 0 && !(p.Mode == StockRace && slices.ContainsFunc(cases, (*Case).loose)) {
		return faults, fmt.Errorf("exit code %d, want %d:\n%s", got, code, rest)
	}
	return faults, nil
}

// Environ returns the environment without the named variables, since the caller's own
// settings would change the reports.
func Environ(names ...string) []string {
	return slices.DeleteFunc(os.Environ(), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(names, name)
	})
}

// caseEnd returns the line that a program prints at the end of a case.
func caseEnd(name string) string { return "case " + name + " ended" }

func (p *Program) exec(ctx context.Context, args []string, procs int) (out string, code int, err error) {
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.exe, args...)
	cmd.Dir = p.Dir
	// go build -race waits a second at the end of a program by default. Only cases about the
	// end of a program need that.
	cmd.Env = append(Environ("GORACE", "TASKINSTR", "GOMAXPROCS"), "GORACE=atexit_sleep_ms=0")
	if p.Schedule != "" {
		cmd.Env = append(cmd.Env, "TASKINSTR=schedule="+p.Schedule)
	}
	if procs > 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMAXPROCS=%d", procs))
	}
	var buf bytes.Buffer
	cmd.Stdout, cmd.Stderr = &buf, &buf
	err = cmd.Run()
	out = buf.String()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return out, -1, fmt.Errorf("%s %s: %w", filepath.Base(p.exe), strings.Join(args, " "), ctx.Err())
	case errors.As(err, &exit):
		return out, exit.ExitCode(), nil
	case err != nil:
		return out, -1, err
	}
	return out, 0, nil
}
