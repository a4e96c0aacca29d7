//go:build !unix

package parallel

import (
	"testing"
	"time"
)

var started = time.Now()

// processorTime is wall time on systems without a processor clock.
func processorTime() time.Duration { return time.Since(started) }

func cpuTime(b *testing.B) func() {
	b.ResetTimer()
	return func() {}
}
