//go:build !unix

package cputime

import "time"

var start = time.Now()

// Used returns the wall time since the start of the program, as an
// approximation.
func Used() time.Duration { return time.Since(start) }
