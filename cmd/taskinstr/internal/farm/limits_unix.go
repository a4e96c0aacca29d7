//go:build unix

package farm

import (
	"fmt"
	"syscall"
)

// maxFile bounds a file that a process of a job writes, in bytes.
const maxFile = 4 << 30

// limitSelf limits this process and those that it starts: no core files, no file that fills the
// disk.
func limitSelf() error {
	for _, l := range []struct {
		resource int
		max      uint64
	}{{syscall.RLIMIT_CORE, 0}, {syscall.RLIMIT_FSIZE, maxFile}} {
		var now syscall.Rlimit
		if err := syscall.Getrlimit(l.resource, &now); err != nil {
			return fmt.Errorf("the limits of the process cannot be read: %w", err)
		}
		now.Max = min(now.Max, l.max)
		now.Cur = min(now.Cur, now.Max)
		if err := syscall.Setrlimit(l.resource, &now); err != nil {
			return fmt.Errorf("the limits of the process cannot be set: %w", err)
		}
	}
	return nil
}
