package callers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"taskinstr/cmd/tilab/internal/programs"
)

// The packages that are checked: all but trace and quiet, or the program's main package
// alone, so that the standard library calls back from code without checks, too.
const (
	WithStd = "example.com/calls,std"
	Alone   = "example.com/calls"
)

// Build builds the program in dir with the static optimizations of tc and checks in pkgs,
// and returns the path of the executable in out.
func Build(ctx context.Context, tc programs.Toolchain, pkgs, dir, out string) (string, error) {
	exe := filepath.Join(out, "calls.exe")
	return exe, tc.Build(ctx, dir, "build", "-pkgs="+pkgs, "-o", exe)
}

const (
	runTime         = 2 * time.Minute // of one process
	casesPerProcess = 25
)

// Run runs the cases, several in a process, and calls done for each case with its faults
// and its counts.
func Run(ctx context.Context, exe string, cases []*Case, done func(*Case, []string, Counts)) error {
	for len(cases) > 0 && ctx.Err() == nil {
		n := min(len(cases), casesPerProcess)
		r, err := runSome(ctx, exe, cases[:n])
		if err != nil {
			return fmt.Errorf("cases %d to %d: %w", cases[0].Number, cases[n-1].Number, err)
		}
		if f := r.strangers(cases[:n]); f != nil {
			return fmt.Errorf("cases %d to %d: %s", cases[0].Number, cases[n-1].Number, strings.Join(f, "\n"))
		}
		for _, c := range cases[:n] {
			faults, counts := r.compare(c)
			done(c, faults, counts)
		}
		cases = cases[n:]
	}
	return ctx.Err()
}

func runSome(ctx context.Context, exe string, cases []*Case) (*run, error) {
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	for _, c := range cases {
		cmd.Args = append(cmd.Args, strconv.Itoa(c.Number))
	}
	cmd.Env = append(programs.Environ("GORACE", "TASKINSTR"), Environment)
	var log, reports bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &reports
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == programs.ExitRace) {
		text := reports.String()
		return nil, fmt.Errorf("%w\n%s", err, text[max(0, len(text)-10000):])
	}
	return parse(log.Bytes(), reports.Bytes())
}
