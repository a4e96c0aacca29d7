package main

import (
	"math"
	"strings"
	"testing"

	"taskinstr/benchmarks/micro/kernels"
)

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		in   []float64
		want float64
	}{{[]float64{3, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}, {[]float64{7}, 7}} {
		var ss []sample
		for _, v := range tt.in {
			ss = append(ss, sample{Wall: v})
		}
		if got := median(ss, wallOf); got != tt.want {
			t.Errorf("median of %v is %v, want %v", tt.in, got, tt.want)
		}
	}
}

func TestTable(t *testing.T) {
	slower := func(name string, r float64) result {
		return result{Kernel: name, Kind: kernels.Compute, Medians: map[mode]sample{
			plain:     {Wall: 0.1, CPU: 0.2, Memory: 1e7},
			taskinstr: {Wall: 0.1 * r, CPU: 0.2 * r, Memory: 0},
		}}
	}
	rs := []result{slower("sor", 2), slower("sort", 8)}
	if g := geomean(rs, taskinstr, wallOf); math.Abs(g-4) > 1e-9 {
		t.Errorf("geometric mean %v, want 4", g)
	}
	if g := geomean(rs, taskinstr, memoryOf); g != 0 {
		t.Errorf("geometric mean of nothing is %v, want 0", g)
	}
	var b strings.Builder
	printTable(&b, options{runs: 5, modes: []mode{plain, taskinstr}}, rs)
	for _, want := range []string{"sor", "2.00x", "8.00x", "4.00x", " -"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
