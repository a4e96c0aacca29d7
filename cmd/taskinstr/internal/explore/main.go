package explore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/detector/event"
)

// Help is the text of `taskinstr help explore`.
func Help() string {
	return `Builds a program and runs it again and again, each time with its critical sections
(Mutex, RWMutex, Isolated of package rt/task) in another order, until each order that can
make a difference has been seen. Sections of different locks, two that only read, and two
that access nothing in common do not count as different orders. Detectors look at each of
these executions; a run in which no race is found then is a proof that no schedule of the
program has one, for this input. A race is reported with the order of sections that shows
it.

	taskinstr explore ./cmd/server -config=x
	taskinstr explore -record=order.txt ./examples/structured
	taskinstr explore -exe=./pool.test -test.run=TestPool -test.timeout=0

` + ownFlags.Help() + `
The flags of go build and the options of taskinstr (taskinstr help options) stand in front
of the package as well. Input is part of what is proved: arguments, environment, files, and
standard input, which is given to each run again if it is a file, and is empty otherwise.
What the program prints is shown for the first run. Each run has one goroutine at a time
(TASKINSTR=schedule=dfs, docs/design/schedule.md) and, unless GOGC or GOMEMLIMIT is set, collects
no garbage.

Exit codes:

	0	a proof: all orders were seen, no race
	66	a race was found
	69	neither: -max-runs was met, or what the program does is outside of the
		detectors' models (the result says what and where)
	1	the program did not build, or a run failed; the message says in which order
	2	the command line is no good
`
}

// Main runs the command and returns its exit code.
func Main(base option.Set, args []string, stdout, stderr io.Writer) int {
	say := func(format string, args ...any) {
		fmt.Fprintf(stderr, "taskinstr explore: "+format+"\n", args...)
	}
	o, err := parse(base, args)
	if errors.Is(err, errHelp) {
		fmt.Fprintf(stdout, "usage: taskinstr explore [flags] PACKAGE [arguments]\n\n%s", Help())
		return exitcode.OK
	} else if err != nil {
		say("%v", err)
		return exitcode.Usage
	}
	programOut := stdout
	if o.json {
		programOut = stderr
	}
	p, err := newProgram(base, o, programOut, stderr)
	if err != nil {
		say("%v", err)
		return exitcode.Failed
	}
	defer p.close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s := newSession(o, p)
	s.progress = terminal.NewProgress(stderr)
	s.note = func(format string, args ...any) {
		s.progress.Clear()
		say(format, args...)
	}
	out := &output{w: stdout, json: o.json, record: o.record}
	s.found = func(f *finding) error {
		s.progress.Clear()
		return out.race(f, p)
	}
	err = s.explore(ctx)
	s.progress.Clear()
	if err != nil {
		say("%v", err)
		if err := s.where(err, out, stderr); err != nil {
			say("%v", err)
		}
		if s.counted[event.TierRace] > 0 {
			return exitcode.Races
		}
		return exitcode.Failed
	}
	if err := out.result(s); err != nil {
		say("%v", err)
		return exitcode.Failed
	}
	switch {
	case s.counted[event.TierRace] > 0:
		return exitcode.Races
	case len(s.proved()) == 0:
		return exitcode.Open
	}
	return exitcode.OK
}

// where returns the order of sections in which a run has failed.
func (s *session) where(err error, out *output, stderr io.Writer) error {
	var f *failure
	if !errors.As(err, &f) || s.failed == nil {
		return nil
	}
	if list := entries(s.failed); len(list) > 0 {
		writeOrder(stderr, list)
	}
	if out.record == "" {
		return nil
	}
	if err := s.program.keep(out.record); err != nil {
		return fmt.Errorf("-record: %w", err)
	}
	fmt.Fprintf(stderr, againText, out.record)
	return nil
}
