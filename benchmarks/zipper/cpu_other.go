//go:build !unix

package main

import "time"

var start = time.Now()

// processorTime returns the wall time since the start of the program, as an
// approximation.
func processorTime() time.Duration { return time.Since(start) }
