package explore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/offline/zipper/orders/recorded"
	"taskinstr/detector/schedule/dfs"
	"taskinstr/detector/trace"
)

// A program is run in controlled schedules.
type program struct {
	exe, dir string // dir: the working directory, "": the present one
	args     []string
	tmp      string // a directory for records and traces
	input    string // the file that is its standard input
	timeout  time.Duration
	out, err io.Writer // the output of the first run goes there
	runs     int
	commute  bool // sections commute unless their accesses conflict

	last *dfs.Record // of the last run: the next beginning names tasks as it does
}

// newProgram builds the program, unless it is built. The caller must close it.
func newProgram(base option.Set, o *options, stdout, stderr io.Writer) (*program, error) {
	tmp, err := os.MkdirTemp("", "taskinstr-explore-")
	if err != nil {
		return nil, err
	}
	p := &program{dir: o.dir, args: o.args, tmp: tmp, timeout: o.timeout, out: stdout, err: stderr, commute: !o.every}
	if err := p.prepare(base, o, stderr); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *program) close() { os.RemoveAll(p.tmp) }

func (p *program) prepare(base option.Set, o *options, stderr io.Writer) (err error) {
	if strings.ContainsAny(p.tmp, " \t") {
		return fmt.Errorf("the folder for temporary files, %s, has a space in its name, which TASKINSTR cannot express: set TMPDIR", p.tmp)
	}
	if p.input, err = keepInput(p.tmp, stderr); err != nil {
		return err
	}
	if o.exe != "" {
		p.exe, err = filepath.Abs(o.exe)
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find its own executable, which builds the program: %w", err)
	}
	p.exe = filepath.Join(p.tmp, "program.exe")
	args := append(base.Args(), "build")
	if p.dir != "" {
		args = append(args, "-C="+p.dir)
	}
	args = append(append(args, "-o", p.exe), o.build...)
	cmd := exec.Command(self, args...)
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if err := cmd.Run(); err != nil {
		return errNotBuilt
	}
	const executable = 0o111
	if fi, err := os.Stat(p.exe); err != nil || fi.Mode()&executable == 0 && runtime.GOOS != "windows" {
		return fmt.Errorf("%s is no program: explore takes package main, or -exe with a test that `taskinstr test -c` has built", o.build[len(o.build)-1])
	}
	return nil
}

// errNotBuilt says that the build failed; the build has printed the reason.
var errNotBuilt = errors.New("the program does not build")

// keepInput returns the file that each run reads as its standard input: the file to which
// standard input is redirected, or else an empty one.
func keepInput(tmp string, stderr io.Writer) (string, error) {
	fi, err := os.Stdin.Stat()
	switch {
	case err != nil:
		return os.DevNull, nil
	case fi.Mode().IsRegular():
		name := filepath.Join(tmp, "input")
		text, err := io.ReadAll(os.Stdin)
		if err == nil {
			err = os.WriteFile(name, text, 0o600)
		}
		return name, err
	case fi.Mode()&os.ModeNamedPipe != 0 || terminal.Is(stderr) && fi.Mode()&os.ModeCharDevice != 0:
		fmt.Fprintln(stderr, "taskinstr explore: each run finds an empty standard input; < FILE gives each the same file")
	}
	return os.DevNull, nil
}

// A failure is a run that ended with another status than 0.
type failure struct {
	run  int
	text string // the last lines that the program printed
	what string
}

func (f *failure) Error() string {
	text := ""
	if f.text != "" {
		text = "; it said:\n" + f.text
	}
	return fmt.Sprintf("run %d %s%s", f.run, f.what, text)
}

// traced matches the line that a run prints about its trace, which is not the user's trace.
const traced = "taskinstr: wrote the trace "

// run runs the program, with the choices of prefix first. With a *failure it also returns the
// part of the run that was recorded.
func (p *program) run(ctx context.Context, prefix []string) (*recorded.Run, error) {
	p.runs++
	record, trace := filepath.Join(p.tmp, "record"), filepath.Join(p.tmp, "trace")
	schedule, err := p.schedule(prefix)
	if err != nil {
		return nil, err
	}
	for _, old := range []string{record, trace} {
		if err := os.Remove(old); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
	}
	in, err := os.Open(p.input)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	limited, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	cmd := exec.CommandContext(limited, p.exe, p.args...)
	cmd.WaitDelay = time.Second
	cmd.Dir = p.dir
	cmd.Stdin = in
	cmd.Env = append(os.Environ(), "TASKINSTR="+os.Getenv("TASKINSTR")+" schedule="+schedule+" record="+record+" trace="+trace)
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		// The schedule does not choose when memory is collected, so finalizers and Pools
		// act at another time in each run.
		cmd.Env = append(cmd.Env, "GOGC=off", memoryLimit)
	}
	said := &tail{}
	if p.runs == 1 {
		cmd.Stdout = p.out
		said.to = p.err
	}
	cmd.Stderr = said
	err = cmd.Run()
	said.flush()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if limited.Err() != nil {
		return nil, &failure{p.runs, said.String(), fmt.Sprintf("took longer than %v (-timeout)", p.timeout)}
	}
	var failed error
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		return nil, fmt.Errorf("cannot run %s: %w", p.exe, err)
	} else if code := cmd.ProcessState.ExitCode(); code == exitcode.Diverged && strings.Contains(said.String(), "schedule=replay") {
		return nil, &failure{p.runs, said.String(), "does not follow the order that it is told: the program depends on something beside its schedule"}
	} else if code != 0 {
		failed = &failure{p.runs, said.String(), "failed (" + cmd.ProcessState.String() + ")"}
	}
	return p.read(record, failed)
}

// schedule returns the value of the option schedule for a run that begins with a prefix.
func (p *program) schedule(prefix []string) (string, error) {
	if prefix == nil {
		return "dfs", nil
	}
	var b bytes.Buffer
	if err := p.last.WritePrefix(&b, prefix); err != nil {
		return "", err
	}
	name := filepath.Join(p.tmp, "prefix")
	return "replay:" + name, os.WriteFile(name, b.Bytes(), 0o600)
}

// read returns the run that left a record. failed is the error of a run that failed; why the record of such a run cannot be
// read matters less.
func (p *program) read(record string, failed error) (*recorded.Run, error) {
	r, err := p.readRecord(record)
	switch {
	case err == nil:
		p.last = r.Record
		return r, failed
	case failed != nil:
		return nil, failed
	}
	return nil, err
}

func (p *program) readRecord(record string) (*recorded.Run, error) {
	text, err := os.ReadFile(record)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s left no record behind: was it built with taskinstr?", p.exe)
	} else if err != nil {
		return nil, err
	}
	return recorded.Read(string(text), recorded.Source(p.trace()), p.commute)
}

// memoryLimit is the memory from which on a program collects garbage again.
const memoryLimit = "GOMEMLIMIT=2GiB"

func (p *program) trace() suite.Source { return trace.File(filepath.Join(p.tmp, "trace")) }

// keep copies the record of the last run.
func (p *program) keep(name string) error {
	text, err := os.ReadFile(filepath.Join(p.tmp, "record"))
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

// A tail keeps the last lines of a program's standard error, or the first lines from the one
// that reports its failure. It passes all text on.
type tail struct {
	to     io.Writer // nil: nowhere
	kept   []string
	failed bool
	line   []byte
}

// tailLines is the number of lines that are shown of a run that failed.
const tailLines = 12

func (t *tail) Write(b []byte) (int, error) {
	n := len(b)
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			t.line = append(t.line, b...)
			return n, nil
		}
		t.line = append(t.line, b[:i+1]...)
		t.flush()
		b = b[i+1:]
	}
}

func (t *tail) flush() {
	if line := string(t.line); line != "" && !strings.HasPrefix(line, traced) {
		if t.to != nil {
			io.WriteString(t.to, line)
		}
		if !t.failed && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "taskinstr: schedule=")) {
			t.failed, t.kept = true, nil
		}
		if len(t.kept) == tailLines && !t.failed {
			t.kept = t.kept[1:]
		}
		if len(t.kept) < tailLines {
			t.kept = append(t.kept, line)
		}
	}
	t.line = t.line[:0]
}

func (t *tail) String() string {
	var b strings.Builder
	for s := bufio.NewScanner(strings.NewReader(strings.Join(t.kept, ""))); s.Scan(); {
		b.WriteString("  " + s.Text() + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
