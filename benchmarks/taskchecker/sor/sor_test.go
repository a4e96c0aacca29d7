package sor

import (
	"testing"

	"taskinstr/benchmarks/program/programtest"
)

func Test(t *testing.T)         { programtest.Test(t, Program) }
func BenchmarkSOR(b *testing.B) { programtest.Bench(b, Program) }
