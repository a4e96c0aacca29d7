package blackscholes

import (
	"fmt"
	"math"
	"math/rand/v2"

	"taskinstr/benchmarks/ptracer/blocks"
)

type option struct {
	spot, strike     float64
	rate, volatility float64 // a year
	years            float64 // to expiry
	put              bool
}

func run(in input, racy bool) error {
	os := options(in.options)
	prices := make([]float64, len(os))
	for round := range in.rounds {
		overlap := 0
		if racy && round == 0 {
			overlap = 1
		}
		blocks.Each(len(os), in.block, func(lo, hi int) {
			hi = min(hi+overlap, len(os))
			for i := lo; i < hi; i++ {
				prices[i] = os[i].price()
			}
		})
	}
	if racy {
		return nil
	}
	return check(os, prices)
}

// options come in pairs, a call and a put that are alike otherwise.
func options(n int) []option {
	r := rand.New(rand.NewPCG(1, 2))
	os := make([]option, n)
	for i := range os {
		if i%2 == 1 {
			os[i] = os[i-1]
			os[i].put = true
			continue
		}
		os[i] = option{
			spot: 20 + 100*r.Float64(), strike: 20 + 100*r.Float64(),
			rate: 0.01 + 0.09*r.Float64(), volatility: 0.05 + 0.6*r.Float64(),
			years: 0.1 + 2*r.Float64(),
		}
	}
	return os
}

func (o *option) price() float64 {
	d1, d2, discounted := o.terms()
	if o.put {
		return discounted*normal(-d2) - o.spot*normal(-d1)
	}
	return o.spot*normal(d1) - discounted*normal(d2)
}

// terms returns the two arguments of the normal distribution, and the strike as of
// today.
func (o *option) terms() (d1, d2, discounted float64) {
	width := o.volatility * math.Sqrt(o.years)
	d1 = (math.Log(o.spot/o.strike) + (o.rate+o.volatility*o.volatility/2)*o.years) / width
	return d1, d1 - width, o.strike * math.Exp(-o.rate*o.years)
}

// normal approximates the cumulative normal distribution to 7.5e-8.
func normal(x float64) float64 {
	if x < 0 {
		return 1 - normal(-x)
	}
	const p = 0.2316419
	k := 1 / (1 + p*x)
	tail := k * (0.319381530 + k*(-0.356563782+k*(1.781477937+k*(-1.821255978+k*1.330274429))))
	return 1 - tail*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi)
}

// tolerance bounds the error of a price, in units of spot and strike together.
const tolerance = 2e-7

func check(os []option, prices []float64) error {
	exact := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	for i := range os {
		o := &os[i]
		limit := tolerance * (o.spot + o.strike)
		d1, d2, discounted := o.terms()
		sign := 1.0
		if o.put {
			sign = -1
		}
		want := sign * (o.spot*exact(sign*d1) - discounted*exact(sign*d2))
		if d := math.Abs(prices[i] - want); !(d <= limit) {
			return fmt.Errorf("option %d costs %g, want %g", i, prices[i], want)
		}
		if o.put {
			if d := math.Abs(prices[i-1] - prices[i] - (o.spot - discounted)); !(d <= 2*limit) {
				return fmt.Errorf("option %d: call minus put misses the parity by %g", i, d)
			}
		}
	}
	return nil
}
