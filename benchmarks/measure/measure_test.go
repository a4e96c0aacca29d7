package measure

import (
	"math"
	"testing"
)

func TestFigures(t *testing.T) {
	for _, tt := range []struct {
		in           []float64
		median, mean float64
	}{{[]float64{4, 1, 2}, 2, 2}, {[]float64{4, 1, 3, 2}, 2.5, math.Pow(24, 0.25)}, {[]float64{7}, 7, 7}, {nil, 0, 0}} {
		if got := Median(tt.in); got != tt.median {
			t.Errorf("the median of %v is %v, want %v", tt.in, got, tt.median)
		}
		if got := GeometricMean(tt.in); math.Abs(got-tt.mean) > 1e-9 {
			t.Errorf("the geometric mean of %v is %v, want %v", tt.in, got, tt.mean)
		}
	}
}
