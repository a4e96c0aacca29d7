//go:build unix

package sibling

import (
	"fmt"
	"os"
	"syscall"
)

// Replace puts a program in the place of this process. It returns only if that fails.
func Replace(program string, args []string) (int, error) {
	err := syscall.Exec(program, append([]string{program}, args...), os.Environ())
	return 0, fmt.Errorf("cannot run %s: %w", program, err)
}
