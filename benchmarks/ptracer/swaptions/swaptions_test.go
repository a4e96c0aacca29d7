package swaptions

import (
	"testing"

	"taskinstr/benchmarks/program/programtest"
)

func Test(t *testing.T)               { programtest.Test(t, Program) }
func BenchmarkSwaptions(b *testing.B) { programtest.Bench(b, Program) }
