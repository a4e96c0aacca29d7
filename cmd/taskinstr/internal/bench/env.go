package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/scope"
)

// An env holds the settings and tools that all measurements share.
type env struct {
	opts     *options
	goPath   string
	self     string
	dir      string // working directory
	tmp      string // removed at the end
	vars     map[string]string
	progress *terminal.Progress
	notes    []string // of the report
}

func newEnv(o *options, progress *terminal.Progress) (*env, error) {
	e := &env{opts: o, progress: progress}
	var err error
	if e.dir, err = filepath.Abs(o.dir); err != nil {
		return nil, err
	}
	if e.goPath, err = gocmd.Find(); err != nil {
		return nil, err
	}
	if e.self, err = os.Executable(); err != nil {
		return nil, fmt.Errorf("cannot find its own executable: %w", err)
	}
	e.vars, err = gocmd.Env(e.goPath, e.dir, "GOVERSION", "GOOS", "GOARCH", "GOCACHE", "CGO_ENABLED", "CC", "GOEXE", "GOHOSTOS", "GOHOSTARCH", "GOFLAGS")
	if err != nil {
		return nil, err
	}
	fixed, _ := gocmd.Split(gocmd.Fields(e.vars["GOFLAGS"]), gocmd.None)
	for _, f := range fixed {
		if f.Name == "toolexec" || f.Name == "race" && f.On() || f.Name == "msan" && f.On() || f.Name == "asan" && f.On() {
			return nil, fmt.Errorf("GOFLAGS sets -%s, which would be part of every mode, plain too; unset it for this command", f.Name)
		}
	}
	if e.vars["GOOS"] != e.vars["GOHOSTOS"] || e.vars["GOARCH"] != e.vars["GOHOSTARCH"] {
		return nil, fmt.Errorf("GOOS=%s GOARCH=%s: benchmarks for another platform cannot run here", e.vars["GOOS"], e.vars["GOARCH"])
	}
	e.tmp, err = os.MkdirTemp("", "taskinstr-bench-")
	return e, err
}

// judge returns an error if a pattern of -pkgs selects no package of any test binary. It is
// no error if a single test binary has no selected package.
func (e *env) judge() error {
	if scope.Everything(e.opts.pkgs) {
		return nil
	}
	r, err := planner.FromLine(e.vars, "", e.dir, "test", append(slices.Clone(e.opts.build), e.opts.patterns...), option.Set{})
	if err != nil {
		return err
	}
	pkgs, err := r.List()
	if err != nil {
		return err
	}
	v := scope.Judge(e.opts.pkgs, pkgs, scope.ByFolder(e.dir))
	return v.Err()
}

func (e *env) close() { os.RemoveAll(e.tmp) }

// noRace returns the reason why go's own detector cannot be built here, "" if it can.
func (e *env) noRace() string {
	if e.vars["CGO_ENABLED"] != "1" {
		return "CGO_ENABLED is not 1"
	}
	cc := gocmd.Fields(e.vars["CC"])
	if len(cc) == 0 {
		return "no C compiler is set"
	}
	if _, err := exec.LookPath(cc[0]); err != nil {
		return fmt.Sprintf("no C compiler (%s)", cc[0])
	}
	return ""
}

// endDelay is the time that a process gets to end after an interrupt.
const endDelay = 5 * time.Second

// tool runs a command line of the go command or the wrapper and returns its standard
// output. The error contains the command's messages.
func (e *env) tool(ctx context.Context, line []string, vars ...string) (string, error) {
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = e.dir
	cmd.Env = append(append(os.Environ(), "PWD="+e.dir), vars...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // the go command ends its tools
	cmd.WaitDelay = endDelay
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		if text := strings.TrimSpace(stderr.String()); text != "" {
			return "", fmt.Errorf("%w\n%s", err, text)
		}
		return "", fmt.Errorf("%w\n%s", err, strings.TrimSpace(stdout.String()))
	}
	return stdout.String(), nil
}
