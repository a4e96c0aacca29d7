//go:build !unix

package wrapper

import (
	"os"
	"os/signal"
)

// start runs the go command and returns its exit code.
func start(line []string) (int, error) {
	s, err := child(line, os.Environ())
	if err != nil {
		return 0, err
	}
	return end(s), nil
}

// relay ignores interrupts, which reach both processes through the console.
func relay() (pass func(*os.Process), stop func()) {
	signal.Ignore(os.Interrupt)
	return func(*os.Process) {}, func() { signal.Reset(os.Interrupt) }
}

// end returns the exit code of the go command.
func end(s *os.ProcessState) int { return s.ExitCode() }
