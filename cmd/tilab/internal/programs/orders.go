package programs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"taskinstr/detector/schedule/dfs"
)

// EachOrder runs a program once for each order of its operations (docs/design/schedule.md), and calls visit with
// the output and the exit code of each run, until visit returns false. dir holds files of the runs.
func EachOrder(ctx context.Context, dir, exe string, args []string, visit func(out, errs string, code int) bool) (*dfs.Explorer, error) {
	record, start := filepath.Join(dir, "record"), filepath.Join(dir, "prefix")
	last := &dfs.Record{}
	e := &dfs.Explorer{}
	for {
		prefix, ok := e.Next()
		if !ok {
			return e, nil
		}
		options := "schedule=dfs:all"
		if prefix != nil {
			var b strings.Builder
			if err := last.WritePrefix(&b, prefix); err != nil {
				return e, err
			}
			if err := os.WriteFile(start, []byte(b.String()), 0o666); err != nil {
				return e, err
			}
			options = "schedule=replay:" + start
		}
		out, errs, code, err := Run(ctx, exe, options+" record="+record+" atexit_wait_ms=0", args...)
		if err != nil {
			return e, err
		}
		text, err := os.ReadFile(record)
		if err != nil {
			return e, err
		}
		if last, err = dfs.ParseRecord(string(text)); err != nil {
			return e, err
		}
		orders := e.Orders
		if err := e.Done(last.Choices); err != nil {
			return e, fmt.Errorf("%w\n%s%s", err, out, errs)
		}
		if e.Orders != orders && !visit(out, errs, code) { // the others are redundant
			return e, nil
		}
	}
}

// Run runs a program with a value of TASKINSTR and returns its standard output, its standard error and its exit code.
func Run(ctx context.Context, exe, options string, args ...string) (out, errs string, code int, err error) {
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(Environ("GORACE", "TASKINSTR", "GOMAXPROCS"), "TASKINSTR="+options)
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%s: %v: %w\n%s", options, cmd, err, e.String())
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode(), err
}
