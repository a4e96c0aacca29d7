package wrapper

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// child runs the go command and waits for its end. Signals that reach this process alone
// are passed on; those of the terminal reach both. The go command shares the terminal and
// the process group.
func child(line, env []string) (*os.ProcessState, error) {
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.Env = os.Stdin, os.Stdout, os.Stderr, env
	pass, stop := relay()
	defer stop()
	err := cmd.Start()
	if err == nil {
		pass(cmd.Process)
		err = cmd.Wait()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, fmt.Errorf("cannot run %s: %w", line[0], err)
	}
	return cmd.ProcessState, nil
}
