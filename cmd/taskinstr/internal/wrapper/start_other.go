//go:build !unix

package wrapper

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// start runs the go command and returns its exit code. Interrupts reach both processes
// through the console; this process waits for the go command to end.
func start(line []string) (int, error) {
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	signal.Ignore(os.Interrupt)
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 0, fmt.Errorf("cannot run %s: %w", line[0], err)
	}
	return 0, nil
}

// forwardSignals keeps this process alive until the other one has ended.
func forwardSignals(*os.Process) (stop func()) {
	signal.Ignore(os.Interrupt)
	return func() {}
}

func exitStatus(p *os.ProcessState) int { return p.ExitCode() }
