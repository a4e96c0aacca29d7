package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

// A Runner runs the schedules of one test binary. Its methods may be called at the same time.
type Runner struct {
	Exe     string // the test binary
	Digest  string // of the binary, as batch.Digest returns it
	Dir     string // the folder in which the tests run
	Scratch string // a folder for records and reports, without spaces in its name
}

var _ batch.Runner = (*Runner)(nil)

const (
	// memoryLimit is the memory from which on a program collects garbage. A schedule does not
	// choose when memory is collected, so it is not collected before.
	memoryLimit = "GOMEMLIMIT=1GiB"

	// exitWait bounds the time, in milliseconds, for which a program that ends waits for
	// goroutines that can still run.
	exitWait = 100

	// scheduleName is the name of the file with the schedule to replay.
	scheduleName = "schedule"

	// grace is the time that a process has to print its stacks.
	grace = 3 * time.Second

	// maxTimeouts is the number of schedules without an end after which a batch is given up.
	maxTimeouts = 1
)

// Run implements batch.Runner.
func (r *Runner) Run(ctx context.Context, b *batch.Batch) (*batch.Result, error) {
	if r.Digest != b.Binary {
		return nil, fmt.Errorf("the test binary %s has the digest %s, and not %s", r.Exe, r.Digest, b.Binary)
	}
	dir, err := os.MkdirTemp(r.Scratch, "batch-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if b.Strategy == "" && b.Schedule == "" && b.Patience > 0 {
		result, err := r.ordinary(ctx, b, func() (string, error) { return os.MkdirTemp(dir, "run-") })
		if interrupted(err) {
			return &batch.Result{Batch: b.ID()}, nil
		}
		return result, err
	}
	result := &batch.Result{Batch: b.ID()}
	timeouts := 0
	for i := range b.Count {
		if timeouts == maxTimeouts && b.Schedule == "" {
			result.Skipped = true
			break
		}
		o, err := r.one(ctx, b, dir, b.Seed+uint64(i), nil)
		if interrupted(err) {
			break
		}
		if err != nil {
			return nil, err
		}
		if o.timeout {
			timeouts++
		}
		result.Merge(o.result(b))
		if b.Counts == "" && needsCounts(b) {
			// The further schedules of the batch need them, too.
			with := *b
			with.Counts = o.record
			b, result.Record = &with, o.record
		}
	}
	return result, nil
}

func interrupted(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// one runs one schedule until over is closed or b.Timeout has passed, at most. If ctx has ended the run, one returns ctx's error.
func (r *Runner) one(ctx context.Context, b *batch.Batch, dir string, seed uint64, over <-chan struct{}) (*outcome, error) {
	o := &outcome{strategy: b.Strategy, seed: seed, dir: r.Dir}
	record, folder := filepath.Join(dir, "record"), filepath.Join(dir, "reports")
	for _, old := range []string{record, folder} {
		if err := os.RemoveAll(old); err != nil {
			return nil, err
		}
	}
	options, err := runOptions(b, dir, seed, record)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(r.Exe, Args(b)...)
	cmd.Dir = r.Dir
	cmd.Env = append(Environ(r.Dir), "TASKINSTR="+options, "TASKINSTR_REPORTS="+folder)
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = grace
	separate(cmd)
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot run %s: %w", r.Exe, err)
	}
	o.timeout, err = wait(ctx, cmd, over, b.Timeout)
	o.elapsed = time.Since(begin)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("cannot run %s: %w", r.Exe, err)
	}
	o.state, o.out = cmd.ProcessState, out.String()
	if reason, ok := rejected(o.state, o.out); ok {
		if rest, ok := strings.CutPrefix(reason, "schedule=replay: "+filepath.Join(dir, scheduleName)+":"); ok {
			number, _, _ := strings.Cut(rest, ":")
			if n, err := strconv.Atoi(number); err == nil {
				return nil, &ScheduleError{n}
			}
		}
		return nil, Rejected(o.state, o.out)
	}
	if err := o.readRecord(record, b); err != nil {
		return nil, err
	}
	return o, o.readReports(folder)
}

// wait waits for the end of a process, and ends it if ctx has ended, over is closed or limit has passed. It
// returns whether its time was over, and the error of waiting.
func wait(ctx context.Context, cmd *exec.Cmd, over <-chan struct{}, limit time.Duration) (timeout bool, err error) {
	done := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		if timeout = overtime(ctx, done, over, limit, cmd.Process.Pid); timeout {
			cmd.Process.Signal(syscall.SIGQUIT) // it prints the stacks of all goroutines
			select {
			case <-done:
			case <-time.After(grace):
			}
		}
		select {
		case <-done:
		default:
			kill(cmd.Process)
		}
	})
	err = cmd.Wait()
	close(done)
	ended.Wait()
	return timeout, err
}

// runOptions returns the value of TASKINSTR for a run of b. It writes the files that the options
// name into dir.
func runOptions(b *batch.Batch, dir string, seed uint64, record string) (string, error) {
	words := []string{os.Getenv("TASKINSTR"), "atexit_wait_ms=" + strconv.Itoa(exitWait), b.Options}
	switch {
	case b.Schedule != "":
		name := filepath.Join(dir, scheduleName)
		if err := os.WriteFile(name, []byte(b.Schedule), 0o600); err != nil {
			return "", err
		}
		words = append(words, "schedule=replay:"+name, "record="+record)
	case b.Strategy != "":
		words = append(words, "schedule="+Strategy(b.Strategy, seed), "record="+record)
		if needsCounts(b) && b.Counts != "" {
			name := filepath.Join(dir, "counts")
			if err := os.WriteFile(name, []byte(b.Counts), 0o600); err != nil {
				return "", err
			}
			words = append(words, "counts="+name)
		}
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " "), nil
}

// Strategy returns the value of the option schedule for a strategy and a seed. A strategy may
// have a setting, as pct:d=3.
func Strategy(name string, seed uint64) string {
	name, setting, ok := strings.Cut(name, ":")
	value := fmt.Sprintf("%s:%d", name, seed)
	if ok {
		value += "," + setting
	}
	return value
}

// counting are the strategies that need the number of a test's steps: the option counts names
// a record of an earlier schedule.
var counting = []string{"pct", "surw", "preempt"}

// needsCounts reports whether the strategy of a batch is one of counting.
func needsCounts(b *batch.Batch) bool {
	name, _, _ := strings.Cut(b.Strategy, ":")
	return slices.Contains(counting, name)
}

// An OptionError says that the test binary rejects an option: a strategy that it does not
// know, or a schedule that is none.
type OptionError struct{ Text string }

func (e *OptionError) Error() string { return e.Text }

// rejected returns the reason for which a program has rejected its options. ok is false if it has not.
func rejected(state *os.ProcessState, out string) (reason string, ok bool) {
	rest, ok := strings.CutPrefix(out, "taskinstr: ")
	reason, _, _ = strings.Cut(rest, "\n")
	return reason, ok && state.ExitCode() == exitcode.Usage
}

// Rejected returns an *OptionError if a test binary that has printed out has rejected its options, otherwise nil.
func Rejected(state *os.ProcessState, out string) error {
	if reason, ok := rejected(state, out); ok {
		return &OptionError{"the test binary rejects an option: " + reason}
	}
	return nil
}

// A ScheduleError says which line of a batch's Schedule is none of a record.
type ScheduleError struct{ Line int }

func (e *ScheduleError) Error() string {
	return fmt.Sprintf("line %d is no line of a recorded schedule", e.Line)
}

// Args returns the arguments of the test binary for a batch.
func Args(b *batch.Batch) []string {
	args := []string{"-test.paniconexit0", "-test.timeout=0"} // a timer would hide deadlocks from the runtime
	if b.Run != "" {
		args = append(args, "-test.run="+b.Run)
	}
	return append(args, b.Args...)
}

// Environ returns the environment of a test that runs in the folder dir.
func Environ(dir string) []string {
	env := os.Environ()
	if dir != "" {
		env = append(env, "PWD="+dir) // as the go command sets it
	}
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		env = append(env, "GOGC=off", memoryLimit)
	}
	return env
}

// An output keeps the beginning and the end of what a process prints.
type output struct {
	mu   sync.Mutex
	head bytes.Buffer
	tail []byte
	cut  bool
}

// maxOutput bounds the two parts of an output, in bytes.
const maxOutput = 256 << 10

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(b)
	if room := maxOutput - o.head.Len(); room > 0 {
		k := min(room, len(b))
		o.head.Write(b[:k])
		b = b[k:]
	}
	o.tail = append(o.tail, b...)
	if len(o.tail) > 2*maxOutput {
		o.tail, o.cut = append([]byte{}, o.tail[len(o.tail)-maxOutput:]...), true
	}
	return n, nil
}

func (o *output) String() string {
	middle := ""
	if o.cut {
		middle = "\n[output left out]\n"
	}
	return o.head.String() + middle + string(o.tail)
}
