package raycast

import (
	"testing"

	"taskinstr/benchmarks/program/programtest"
)

func Test(t *testing.T)             { programtest.Test(t, Program) }
func BenchmarkRayCast(b *testing.B) { programtest.Bench(b, Program) }
