package blackscholes

import (
	"testing"

	"taskinstr/benchmarks/program/programtest"
)

func Test(t *testing.T)                  { programtest.Test(t, Program) }
func BenchmarkBlackScholes(b *testing.B) { programtest.Bench(b, Program) }
