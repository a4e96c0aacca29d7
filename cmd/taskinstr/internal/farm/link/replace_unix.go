//go:build unix

package link

import (
	"fmt"
	"os"
	"syscall"
)

// replace puts a program in the place of this process. It returns only if that fails.
func replace(program string, args []string) (int, error) {
	err := syscall.Exec(program, append([]string{program}, args...), os.Environ())
	return 0, fmt.Errorf("cannot run %s: %w", program, err)
}
