package swaptions

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"taskinstr/benchmarks/ptracer/blocks"
)

const (
	maturity = 40 // steps of the curve
	period   = 2  // steps from one payment to the next
)

type swaption struct {
	seed   uint64
	expiry int // step
	end    int // step of the last payment
	rate   float64

	mu   sync.Mutex
	sums results
}

// results are sums over trials.
type results struct {
	payer, receiver  float64
	discount         float64
	squaredSwap      float64 // of payer less receiver
	squaredDiscounts float64
}

func run(in input, racy bool) error {
	m := newModel(maturity)
	ss := make([]*swaption, in.swaptions)
	for i := range ss {
		expiry := 4 + i%8*2
		ss[i] = &swaption{seed: uint64(i), expiry: expiry, end: expiry + 8 + i%3*4, rate: 0.03 + 0.002*float64(i%10)}
	}
	var wg sync.WaitGroup
	for i, sw := range ss {
		locked := !racy || i > 0
		wg.Go(func() {
			blocks.Each(in.trials, in.block, func(lo, hi int) { sw.trials(m, lo, hi, locked) })
		})
	}
	wg.Wait()
	if racy {
		return nil
	}
	for i, sw := range ss {
		if err := sw.check(m, in.trials); err != nil {
			return fmt.Errorf("swaption %d: %w", i, err)
		}
	}
	return nil
}

// value returns the value of the swap at its start, for the party that pays the fixed rate.
func (sw *swaption) value(curve []float64, start int) float64 {
	v := bond(curve, start) - bond(curve, sw.end-sw.expiry+start)
	for k := period; k <= sw.end-sw.expiry; k += period {
		v -= sw.rate * period * step * bond(curve, start+k)
	}
	return v
}

// trials simulates the trials [lo, hi).
func (sw *swaption) trials(m *model, lo, hi int, locked bool) {
	r := rand.New(rand.NewPCG(sw.seed, uint64(lo)))
	curve := make([]float64, maturity)
	var sums results
	for range hi - lo {
		copy(curve, m.rates)
		later, discount := m.simulate(curve, sw.expiry, r)
		v := sw.value(later, 0) * discount
		sums.payer += max(v, 0)
		sums.receiver += max(-v, 0)
		sums.discount += discount
		sums.squaredSwap += v * v
		sums.squaredDiscounts += discount * discount
	}
	if locked {
		sw.mu.Lock()
		defer sw.mu.Unlock()
	}
	sw.sums.add(&sums)
}

func (s *results) add(o *results) {
	s.payer += o.payer
	s.receiver += o.receiver
	s.discount += o.discount
	s.squaredSwap += o.squaredSwap
	s.squaredDiscounts += o.squaredDiscounts
}

// deviations is how many standard errors a mean may be off.
const deviations = 5

func (sw *swaption) check(m *model, trials int) error {
	n := float64(trials)
	near := func(what string, sum, squares, want float64) error {
		mean := sum / n
		width := math.Sqrt(max(squares/n-mean*mean, 0) / n)
		if !(math.Abs(mean-want) <= deviations*width) {
			return fmt.Errorf("%s is %g with a standard error of %g, want %g", what, mean, width, want)
		}
		return nil
	}
	s := &sw.sums
	if !(s.payer > 0 && s.receiver > 0) {
		return fmt.Errorf("prices %g and %g, want positive ones", s.payer/n, s.receiver/n)
	}
	if err := near("the discount", s.discount, s.squaredDiscounts, bond(m.rates, sw.expiry)); err != nil {
		return err
	}
	return near("payer less receiver", s.payer-s.receiver, s.squaredSwap, sw.value(m.rates, sw.expiry))
}
