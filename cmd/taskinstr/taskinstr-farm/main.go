// Taskinstr-farm speaks with the server that hands batches of schedules to workers on other
// machines. The command taskinstr starts it: for `taskinstr test -explore=... -workers=...` as the
// coordinator, for `taskinstr worker` as a worker. docs/use/farm.md describes both, and
// docs/design/dependencies.md why it is a command of its own.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/explore/local"
	"taskinstr/cmd/taskinstr/internal/farm"
	"taskinstr/cmd/taskinstr/internal/farm/link"
)

const usage = `taskinstr-farm is started by taskinstr; use these commands instead:

	taskinstr worker -trust=KEY nats://HOST
	taskinstr test -explore=... -workers=nats://HOST|N PACKAGES
`

// batchCommand has a worker start this program for one batch.
const batchCommand = "batch"

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return exitcode.Usage
	}
	var err error
	switch args[0] {
	case "coordinate":
		err = coordinate(args[1:])
	case link.WorkerCommand:
		err = worker(args[1:], false)
	case farm.LocalWorker:
		err = worker(args[1:], true)
	case batchCommand:
		err = farm.RunChild(schedules, os.Stdin, os.Stdout)
	default:
		fmt.Fprint(os.Stderr, usage)
		return exitcode.Usage
	}
	var wrong *usageError
	switch {
	case err == nil:
		return exitcode.OK
	case errors.Is(err, flag.ErrHelp):
		fmt.Print(link.WorkerUsage + link.WorkerHelp())
		return exitcode.OK
	case errors.As(err, &wrong):
		fmt.Fprintf(os.Stderr, "taskinstr %s: %v\n", args[0], err)
		return exitcode.Usage
	}
	fmt.Fprintf(os.Stderr, "taskinstr %s: %v\n", args[0], err)
	return exitcode.Failed
}

// usageError is an error in the command line.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

// coordinate serves the command that has started this one. That command decides what a signal to both
// means; this one ends when its standard input does.
func coordinate(args []string) error {
	config, err := link.ParseCoordinator(args)
	if err != nil {
		return &usageError{err}
	}
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	ctx := context.Background()
	var c *farm.Coordinator
	err = link.Serve(ctx, os.Stdin, os.Stdout, func(note func(string), earlier func(*link.Outcome)) (link.Coordinator, *link.Ready, error) {
		var err error
		if c, err = farm.Open(ctx, *config, note, earlier); err != nil {
			return nil, nil, err
		}
		return c, c.Ready(), nil
	})
	if c != nil {
		c.Close()
	}
	if errors.Is(err, link.ErrLeft) {
		return nil
	}
	return err
}

// worker runs batches until it is interrupted, or its standard input ends.
func worker(args []string, local bool) error {
	config, err := link.ParseWorker(args)
	if err != nil {
		return &usageError{err}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if config.Alone = local; local {
		signal.Ignore(os.Interrupt)
		farm.EndWith(os.Stdin, stop)
	}
	note := func(line string) { fmt.Fprintf(os.Stderr, "taskinstr worker: %s\n", line) }
	child := &farm.Child{Command: []string{self, batchCommand}, Memory: config.Memory, Cgroup: config.Cgroup}
	w, err := farm.NewWorker(*config, child.Execute, note)
	if err != nil {
		return err
	}
	if !local {
		note(fmt.Sprintf("connected to %s; runs %d batches at a time, and ends with Ctrl-C", config.Shown(), config.Slots))
	}
	err = w.Run(ctx)
	if !local {
		note(fmt.Sprintf("has run %d batches", w.Done()))
	}
	return err
}

// schedules runs the schedules of a batch.
func schedules(ctx context.Context, j *farm.Job) (json.RawMessage, error) {
	b := new(batch.Batch)
	if err := json.Unmarshal(j.Payload, b); err != nil {
		return nil, fmt.Errorf("the batch cannot be read: %w", err)
	}
	exe := j.Files[b.Binary]
	if exe == "" {
		return nil, fmt.Errorf("the batch names the binary %s, which is not among its files", b.Binary)
	}
	if b.Dir != "" && !fs.ValidPath(b.Dir) {
		return nil, fmt.Errorf("the batch names the folder %q, which is none below that of its files", b.Dir)
	}
	r, err := (&local.Runner{Exe: exe, Digest: b.Binary, Dir: filepath.Join(j.Dir, filepath.FromSlash(b.Dir)), Scratch: filepath.Dir(j.Dir)}).Run(ctx, b)
	if err != nil {
		return nil, err
	}
	return json.Marshal(r)
}
