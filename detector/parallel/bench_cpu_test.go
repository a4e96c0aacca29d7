//go:build unix

package parallel

import (
	"syscall"
	"testing"
	"time"
)

// processorTime returns the processor time that the process has used. On a shared machine
// it says more than wall time.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpuTime reports the processor time of the rest of a benchmark.
func cpuTime(b *testing.B) func() {
	b.ResetTimer()
	from := processorTime()
	return func() {
		b.ReportMetric(float64(processorTime()-from)/float64(b.N), "cpu-ns/op")
	}
}
