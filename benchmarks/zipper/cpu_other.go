//go:build !unix

package main

import "time"

var start = time.Now()

// processorTime returns the time since the start: wall time must do here.
func processorTime() time.Duration { return time.Since(start) }
