package montecarlo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"taskinstr/benchmarks/program"
)

const (
	steps    = 1000 // in a path, in days
	segments = 5    // in a path
	day      = 1.0 / 365

	// Of the logarithm of the price, for a year.
	drift      = 0.15
	volatility = 0.3
)

// An estimate holds the statistics of a segment's returns.
type estimate struct {
	mean, variance float64 // of a daily return
	last           float64 // the last price; the first is 1
}

func run(paths int, racy bool) error {
	estimates := make([]estimate, paths*segments)
	var wg sync.WaitGroup
	for i := range estimates {
		at := i
		if racy {
			at = i / 2
		}
		wg.Go(func() {
			estimates[at] = simulate(rand.New(rand.NewPCG(7, uint64(i)))).estimate()
		})
		if (i+1)%program.Alive == 0 {
			wg.Wait()
		}
	}
	wg.Wait()
	if racy {
		return nil
	}
	return check(estimates)
}

// prices is a sequence of daily prices.
type prices []float64

// simulate draws a segment as geometric Brownian motion.
func simulate(r *rand.Rand) prices {
	p := make(prices, steps/segments+1)
	p[0] = 1
	for i := 1; i < len(p); i++ {
		p[i] = p[i-1] * math.Exp(drift*day+volatility*math.Sqrt(day)*r.NormFloat64())
	}
	return p
}

// estimate computes the unbiased mean and variance of the logarithmic returns.
func (p prices) estimate() estimate {
	returns := make([]float64, len(p)-1)
	sum := 0.0
	for i := range returns {
		returns[i] = math.Log(p[i+1] / p[i])
		sum += returns[i]
	}
	n := float64(len(returns))
	e := estimate{mean: sum / n, last: p[len(p)-1]}
	for _, v := range returns {
		e.variance += (v - e.mean) * (v - e.mean)
	}
	e.variance /= n - 1
	return e
}

// check compares the means of all estimates with the simulated parameters. They may
// differ by five standard errors.
func check(es []estimate) error {
	var mean, variance float64
	for i, e := range es {
		mean += e.mean
		variance += e.variance
		if want := math.Exp(e.mean * steps / segments); !(math.Abs(e.last-want) < 1e-9*want) {
			return fmt.Errorf("estimate %d: last price %g, want %g", i, e.last, want)
		}
	}
	n := float64(len(es))
	draws := n * steps / segments
	mean /= n * day
	variance /= n * day
	if within := 5 * volatility / math.Sqrt(draws*day); math.Abs(mean-drift) > within {
		return fmt.Errorf("drift %g, want %g within %g", mean, drift, within)
	}
	const want = volatility * volatility
	if within := 5 * want * math.Sqrt(2/draws); math.Abs(variance-want) > within {
		return fmt.Errorf("variance %g, want %g within %g", variance, want, within)
	}
	return nil
}
