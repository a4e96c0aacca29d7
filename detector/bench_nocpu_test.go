//go:build !unix

package detector

import "testing"

func cpuTime(b *testing.B) func() {
	b.ResetTimer()
	return func() {}
}
