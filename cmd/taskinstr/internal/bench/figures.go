package bench

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
)

// noisySpread is the least spread of plain runs that hides small differences.
const noisySpread = 0.10

// conclude computes medians, ratios and noise from the runs.
func (r *Report) conclude() {
	r.Means = map[string]*Ratios{}
	all := map[string][]*Ratios{}
	for _, b := range r.Benchmarks {
		plain := b.Modes[plainMode]
		for _, m := range r.Modes {
			s := b.Modes[m]
			if s == nil || len(s.Runs) == 0 {
				continue
			}
			s.Median = medianRun(s.Runs)
		}
		if plain == nil || len(plain.Runs) == 0 {
			continue
		}
		b.Spread = spread(plain.Runs)
		for _, m := range r.Modes {
			if s := b.Modes[m]; s != nil && len(s.Runs) > 0 {
				s.Ratios = &Ratios{
					Time: ratio(s.Median.Time, plain.Median.Time), CPU: ratio(s.Median.CPU, plain.Median.CPU),
					Memory: ratio(s.Median.Memory, plain.Median.Memory),
				}
				s.Ratios.Low, s.Ratios.High = bounds(s.Runs, plain.Median.Time)
				all[m] = append(all[m], s.Ratios)
			}
		}
	}
	for m, list := range all {
		r.Means[m] = &Ratios{
			Time:   geomean(list, func(x *Ratios) float64 { return x.Time }),
			CPU:    geomean(list, func(x *Ratios) float64 { return x.CPU }),
			Memory: geomean(list, func(x *Ratios) float64 { return x.Memory }),
		}
	}
	r.Passes = r.effects()
	r.Noise = r.noise()
}

// bounds returns the bounds of the median time of the runs, as multiples of plain; 0 if there
// are too few runs to tell.
func bounds(runs []Run, plain float64) (low, high float64) {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(runTimes(runs), &benchmath.DefaultThresholds), confidence)
	if plain <= 0 || math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return 0, 0
	}
	return s.Lo / plain, s.Hi / plain
}

func (r *Report) noise() (n Noise) {
	worst, noisy := "", 0
	for _, b := range r.Benchmarks {
		if b.Spread > noisySpread {
			noisy++
		}
		if b.Spread > n.Largest {
			n.Largest, worst = b.Spread, b.Name
		}
	}
	n.Noisy = noisy > 0
	switch {
	case r.Count < 2:
		n.Text = "one run of each: nothing tells how noisy the machine was (-count=6 would)"
	case n.Noisy:
		n.Text = fmt.Sprintf("the machine was too noisy for small differences: the plain runs of %d of %d benchmarks differ by more than %.0f %%, the runs of %s by %.0f %%",
			noisy, len(r.Benchmarks), 100*noisySpread, worst, 100*n.Largest)
	default:
		n.Text = fmt.Sprintf("the plain runs of each benchmark differ by at most %.1f %%", 100*n.Largest)
	}
	return n
}

// spread is the difference of the longest and the shortest run, as a part of the median.
func spread(runs []Run) float64 {
	ts := runTimes(runs)
	m := median(ts)
	if m == 0 {
		return 0
	}
	return (slices.Max(ts) - slices.Min(ts)) / m
}

// ratio is a/b, or 0 if either was not measured.
func ratio(a, b float64) float64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	return a / b
}

func medianRun(runs []Run) Run {
	of := func(f func(*Run) float64) float64 {
		var vs []float64
		for i := range runs {
			vs = append(vs, f(&runs[i]))
		}
		return median(vs)
	}
	m := Run{
		Time: of(func(r *Run) float64 { return r.Time }), Wall: of(func(r *Run) float64 { return r.Wall }),
		CPU: of(func(r *Run) float64 { return r.CPU }), Memory: of(func(r *Run) float64 { return r.Memory }),
	}
	for name := range runs[0].Counters {
		if m.Counters == nil {
			m.Counters = map[string]float64{}
		}
		m.Counters[name] = of(func(r *Run) float64 { return r.Counters[name] })
	}
	return m
}

// median of a list that is not empty.
func median(vs []float64) float64 {
	return benchmath.AssumeNothing.Summary(benchmath.NewSample(vs, &benchmath.DefaultThresholds), confidence).Center
}

// geomean is the geometric mean of the known ratios, 0 if none is known.
func geomean(list []*Ratios, of func(*Ratios) float64) float64 {
	sum, n := 0.0, 0
	for _, x := range list {
		if v := of(x); v > 0 {
			sum += math.Log(v)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}
