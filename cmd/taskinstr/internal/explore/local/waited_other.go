//go:build !linux

package local

import "time"

// waited returns how long a process could run and got no processor, which is not known here.
func waited(pid int) time.Duration { return 0 }
