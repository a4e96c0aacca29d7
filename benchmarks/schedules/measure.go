package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"taskinstr/benchmarks/explored"
	"taskinstr/benchmarks/measure"
)

const (
	// atATime is the number of processes that repeat a test at the same time. Those that
	// are blocked need no processor.
	atATime = 6

	// A run counts as blocked after limit, a schedule after exploreLimit.
	limit        = "1s"
	exploreLimit = "3s"
)

// A column has the findings of one way to run the tests.
type column struct {
	name    string
	found   map[string]int // by kernel: the number of runs that failed, or the first schedule
	seconds float64
}

// repeat builds the tests by a command, into the folder tmp, and runs each one n times. It returns how often each failed.
func repeat(ctx context.Context, name string, build []string, tmp string, list []kernel, n int) (*column, error) {
	exe := filepath.Join(tmp, name+".test")
	progress("building for " + name)
	build = append(build, "-c", "-o", exe, "./"+dir)
	if err := measure.Run(ctx, build...); err != nil {
		return nil, err
	}
	c := &column{name: name, found: map[string]int{}}
	start := time.Now()
	var mu sync.Mutex
	var failed error
	var wg sync.WaitGroup
	places := make(chan bool, atATime)
	for i, k := range list {
		progress(fmt.Sprintf("%s: kernel %d of %d", name, i+1, len(list)))
		for range n {
			places <- true
			wg.Go(func() {
				defer func() { <-places }()
				cmd := exec.CommandContext(ctx, exe, "-test.run=^Test"+k.name+"$", "-test.timeout="+limit)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", "TASKINSTR=atexit_wait_ms=0")
				err := cmd.Run()
				mu.Lock()
				defer mu.Unlock()
				var exit *exec.ExitError
				switch {
				case errors.As(err, &exit):
					c.found[k.name]++
				case err != nil:
					failed = err
				}
			})
		}
	}
	wg.Wait()
	c.seconds = time.Since(start).Seconds()
	return c, errors.Join(failed, ctx.Err())
}

// explore explores the tests with a strategy, "default" for the mix of the command. It returns the
// number of the first schedule that showed each kernel.
func explore(ctx context.Context, tool, strategy string, list []kernel, n int) (*column, error) {
	scratch, err := os.MkdirTemp("", "kernels-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	args := []string{"test", "-json", "-explore=" + strconv.Itoa(n), "-explore-dir=" + filepath.Join(scratch, "explore"), "-confirm=false", "-timeout=" + exploreLimit, "-run=" + tests(list)}
	if strategy != "default" {
		args = append(args, "-strategy="+strategy)
	}
	cmd := exec.CommandContext(ctx, tool, append(args, "./"+dir)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c, scanned := scan(out, strategy, func() { cmd.Process.Signal(os.Interrupt) })
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	if scanned != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), scanned, &errs)
	}
	return c, ctx.Err()
}

// scan reads the events of an exploration. It calls enough when all tests have had their schedules.
func scan(out io.Reader, strategy string, enough func()) (*column, error) {
	c := &column{name: strategy, found: map[string]int{}}
	var start time.Time
	var wrong error
	tests := 0
	err := explored.Read(out, func(e explored.Event) error {
		switch e.Event {
		case "start":
			start, tests = e.Time, e.Tests
		case "test":
			if tests--; tests == 0 {
				c.seconds = e.Time.Sub(start).Seconds()
				enough()
			}
		case "finding":
			name := strings.TrimPrefix(e.Test, "Test")
			if strings.HasSuffix(name, "Fixed") {
				wrong = errors.Join(wrong, fmt.Errorf("%s shows a %s: %s", e.Test, e.Kind, e.Title))
			}
			if e.Kind != "predicted race" && e.First > 0 && (c.found[name] == 0 || e.First < c.found[name]) {
				c.found[name] = e.First
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c, wrong
}
