package swaptions

import (
	"math"
	"math/rand/v2"
)

const (
	factors = 3
	step    = 0.25 // years
)

// A model is the curve of forward rates of today, one a step, and how it moves.
type model struct {
	rates []float64
	// volatility[i][k] is the movement of the rate k steps ahead by factor i, per root of a year.
	volatility [factors][]float64
	drift      []float64 // the same, in one step, for certain
}

func newModel(steps int) *model {
	m := &model{rates: make([]float64, steps), drift: make([]float64, steps)}
	for i := range m.volatility {
		m.volatility[i] = make([]float64, steps)
	}
	for k := range steps {
		years := float64(k) * step
		m.rates[k] = 0.03 + 0.02*(1-math.Exp(-years/4))
		m.volatility[0][k] = 0.008
		m.volatility[1][k] = 0.006 * math.Exp(-years/3)
		m.volatility[2][k] = 0.004 * (math.Exp(-years/2) - 0.4)
	}
	// The sum of the drifts up to a maturity balances half the variance of the bond's
	// logarithm.
	var sums [factors]float64
	before := 0.0
	for k := 1; k < steps; k++ {
		after := 0.0
		for i := range sums {
			sums[i] += m.volatility[i][k] * step
			after += sums[i] * sums[i] / 2
		}
		m.drift[k] = after - before
		before = after
	}
	return m
}

// bond returns the value under a curve of one unit that is paid at step at.
func bond(curve []float64, at int) float64 {
	sum := 0.0
	for _, f := range curve[:at] {
		sum += f
	}
	return math.Exp(-sum * step)
}

// simulate moves curve, whose first rate is today's, a number of steps on and
// returns the discount up to there. The rates that have passed are dropped.
func (m *model) simulate(curve []float64, steps int, r *rand.Rand) (later []float64, discount float64) {
	sum := 0.0
	root := math.Sqrt(step)
	for range steps {
		sum += curve[0]
		var z [factors]float64
		for i := range z {
			z[i] = r.NormFloat64() * root
		}
		for k := 1; k < len(curve); k++ {
			move := m.drift[k]
			for i := range z {
				move += m.volatility[i][k] * z[i]
			}
			curve[k] += move
		}
		curve = curve[1:]
	}
	return curve, math.Exp(-sum * step)
}
