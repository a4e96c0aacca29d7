//go:build unix

package wrapper

import (
	"fmt"
	"os"
	"syscall"
)

// start becomes the go command: its exit code and the signals sent to this
// process need no forwarding then. It returns only if that fails.
func start(line []string) (int, error) {
	err := syscall.Exec(line[0], line, os.Environ())
	return 0, fmt.Errorf("cannot run %s: %w", line[0], err)
}
