package nest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"taskinstr/cmd/tilab/internal/programs"
)

// runTime bounds one run of a case.
const runTime = 3 * time.Minute

// An Executable is a built program.
type Executable struct {
	Path  string
	Tests bool // it is the test binary
}

// Build builds the program in dir, or its tests, with the static optimizations of tc. The
// executable is in out.
func Build(ctx context.Context, tc programs.Toolchain, tests bool, dir, out string) (exe Executable, err error) {
	exe = Executable{filepath.Join(out, "nested-"+strings.NewReplacer(",", "_").Replace(tc.Passes)+".exe"), tests}
	args := []string{"build"}
	if tests {
		args = []string{"test", "-c"}
	}
	return exe, tc.Build(ctx, dir, append(args, "-o", exe.Path)...)
}

// Run runs one case and returns its faults.
func (c *Case) Run(ctx context.Context, exe Executable) []string {
	ctx, cancel := context.WithTimeout(ctx, runTime)
	defer cancel()
	args := []string{strconv.Itoa(c.Number)}
	if exe.Tests {
		args = []string{"-test.timeout=10m", "-test.run=TestCase"}
		if c.Number%2 == 1 {
			args = []string{"-test.timeout=10m", "-test.run=^$", "-test.bench=BenchmarkCase", "-test.benchtime=1x"}
		}
	}
	cmd := exec.CommandContext(ctx, exe.Path, args...)
	cmd.Env = append(programs.Environ("GORACE", "TASKINSTR", "GOMAXPROCS"), Environment, fmt.Sprint("NESTED_CASE=", c.Number))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return []string{fmt.Sprintf("the case did not end: %v\n%s", ctx.Err(), out.String())}
	case err != nil && !(errors.As(err, &exit) && (exit.ExitCode() == programs.ExitRace || exe.Tests && exit.ExitCode() == 1)):
		return []string{fmt.Sprintf("%v\n%s", err, out.String())}
	}
	faults := c.Check(out.String())
	if c.Racy() != (err != nil) && !c.perhaps() {
		faults = append(faults, fmt.Sprintf("exit status %v", err))
	}
	return faults
}

// Racy reports whether some byte certainly races.
func (c *Case) Racy() bool { return c.has(racy) }

func (c *Case) perhaps() bool { return c.has(perhaps) }

func (c *Case) has(s status) bool {
	return slices.ContainsFunc(c.truth, func(t []status) bool {
		return slices.ContainsFunc(t, func(b status) bool { return b&s != 0 })
	})
}

// RunAll runs the cases, n at a time, and calls done for each.
func RunAll(ctx context.Context, cases []*Case, exe Executable, n int, done func(*Case, []string)) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	slots := make(chan struct{}, n)
	for _, c := range cases {
		if ctx.Err() != nil {
			break
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f := c.Run(ctx, exe)
			mu.Lock()
			defer mu.Unlock()
			done(c, f)
		})
	}
	wg.Wait()
}
