//go:build unix

package detector

import (
	"syscall"
	"testing"
)

// cpuTime reports the processor time that the rest of a benchmark takes, which
// tells more than wall time where a machine is shared.
func cpuTime(b *testing.B) func() {
	get := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return u.Utime.Nano() + u.Stime.Nano()
	}
	b.ResetTimer()
	from := get()
	return func() {
		b.ReportMetric(float64(get()-from)/float64(b.N), "cpu-ns/op")
	}
}
