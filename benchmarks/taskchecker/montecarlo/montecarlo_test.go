package montecarlo

import (
	"testing"

	"taskinstr/benchmarks/program/programtest"
)

func Test(t *testing.T)                { programtest.Test(t, Program) }
func BenchmarkMonteCarlo(b *testing.B) { programtest.Bench(b, Program) }
