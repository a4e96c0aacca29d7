//go:build !unix

package detector

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
