//go:build unix

package wrapper

import (
	"fmt"
	"os"
	"syscall"
)

// start replaces this process by the go command, so that neither signals nor the exit
// code need forwarding. It returns only if that fails.
func start(line []string) (int, error) {
	err := syscall.Exec(line[0], line, os.Environ())
	return 0, fmt.Errorf("cannot run %s: %w", line[0], err)
}
