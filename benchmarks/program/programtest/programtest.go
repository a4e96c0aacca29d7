// Package programtest makes the tests and benchmarks of one program.
package programtest

import (
	"flag"
	"strings"
	"testing"

	"taskinstr/benchmarks/program"
)

// Test runs the small size of p, which checks its own result.
func Test(t *testing.T, p program.Program) {
	t.Helper()
	if err := p.Run(program.Small, false); err != nil {
		t.Errorf("%s: %v", p.String(), err)
	}
}

// Bench runs one sub-benchmark for each size. The large sizes run only if they are
// selected by name (-bench=/large): some take minutes.
func Bench(b *testing.B, p program.Program) {
	for _, size := range program.AllSizes {
		b.Run(string(size), func(b *testing.B) {
			if size == program.Large && !strings.Contains(flag.Lookup("test.bench").Value.String(), string(size)) {
				b.Skip("takes long; -bench=/large runs it")
			}
			for b.Loop() {
				if err := p.Run(size, false); err != nil {
					b.Fatalf("%s: %v", p.String(), err)
				}
			}
		})
	}
}
