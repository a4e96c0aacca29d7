package measure

import (
	"math"
	"slices"
)

// Median returns the median of figures, 0 without any.
func Median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return (list[(len(list)-1)/2] + list[len(list)/2]) / 2
}

// GeometricMean returns the geometric mean of positive factors, 0 without any.
func GeometricMean(factors []float64) float64 {
	if len(factors) == 0 {
		return 0
	}
	sum := 0.0
	for _, f := range factors {
		sum += math.Log(f)
	}
	return math.Exp(sum / float64(len(factors)))
}
