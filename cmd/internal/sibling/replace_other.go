//go:build !unix

package sibling

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

// Replace runs a program and returns its exit code. The terminal's interrupts reach the program by
// themselves.
func Replace(program string, args []string) (int, error) {
	signal.Ignore(os.Interrupt)
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return 0, fmt.Errorf("cannot run %s: %w", program, err)
	}
	return cmd.ProcessState.ExitCode(), nil
}
