package bench

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"taskinstr/optimize"
)

// An Effect is what one pass changes in the time of the benchmarks.
type Effect struct {
	Pass string `json:"pass"`
	// With and Without are the modes that differ in this pass alone.
	With    string `json:"with"`
	Without string `json:"without"`
	// Change is the geometric mean over the benchmarks of the time with the pass, as a part of
	// the time without it, minus one: -0.1 saves a tenth. Low and High bound it with a
	// confidence of 95 %.
	Change float64 `json:"change"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	// Most is the benchmark with the largest change, and MostChange its change.
	Most       string  `json:"most"`
	MostChange float64 `json:"most_change"`
}

// Verdict says whether the pass helps.
func (e *Effect) Verdict() string {
	switch {
	case e.High < 0:
		return "helps"
	case e.Low > 0:
		return "costs"
	}
	return "no difference shown"
}

// effects returns the effect of each pass that two modes tell, the most helpful first. With
// all modes a pass is judged by leaving it out of all, otherwise by running it alone.
func (r *Report) effects() (list []*Effect) {
	full := ""
	for _, m := range []string{allMode, packageMode, programMode} {
		if full == "" && slices.Contains(r.Modes, m) {
			full = m
		}
	}
	for _, p := range optimize.Names() {
		e := &Effect{Pass: p}
		switch {
		case full != "" && slices.Contains(r.Modes, without+p):
			e.With, e.Without = full, without+p
		case slices.Contains(r.Modes, p) && slices.Contains(r.Modes, noneMode):
			e.With, e.Without = p, noneMode
		default:
			continue
		}
		if r.judge(e) {
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b *Effect) int { return cmp.Compare(a.Change, b.Change) })
	return list
}

// Resampling for the interval of an effect.
const (
	resamples  = 2000
	confidence = 0.95
	leastRuns  = 4 // of each mode; fewer tell too little
)

// judge fills in the figures of an effect. The interval is that of a bootstrap: the runs of
// each benchmark are drawn again, with replacement.
func (r *Report) judge(e *Effect) bool {
	var with, no [][]float64
	logs := 0.0
	labels := r.labels()
	for _, b := range r.Benchmarks {
		w, n := b.Modes[e.With], b.Modes[e.Without]
		if w == nil || n == nil || len(w.Runs) < leastRuns || len(n.Runs) < leastRuns {
			continue
		}
		with, no = append(with, runTimes(w.Runs)), append(no, runTimes(n.Runs))
		change := median(with[len(with)-1])/median(no[len(no)-1]) - 1
		logs += math.Log1p(change)
		if math.Abs(change) >= math.Abs(e.MostChange) {
			e.Most, e.MostChange = labels[b], change
		}
	}
	if len(with) == 0 {
		return false
	}
	e.Change = math.Expm1(logs / float64(len(with)))
	rnd := rand.New(rand.NewPCG(1, 2)) // the same report has the same interval
	draw := func(vs []float64) float64 {
		s := make([]float64, len(vs))
		for i := range s {
			s[i] = vs[rnd.IntN(len(vs))]
		}
		return median(s)
	}
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for k := range with {
			sum += math.Log(draw(with[k]) / draw(no[k]))
		}
		means[i] = math.Expm1(sum / float64(len(with)))
	}
	slices.Sort(means)
	tail := int((1 - confidence) / 2 * resamples)
	e.Low, e.High = means[tail], means[len(means)-1-tail]
	return true
}

func runTimes(runs []Run) (list []float64) {
	for _, r := range runs {
		list = append(list, r.Time)
	}
	return list
}

// effectTable returns the table of the passes' effects, nil if there are none.
func (r *Report) effectTable() *grid {
	if len(r.Passes) == 0 {
		return nil
	}
	title := "which pass helps, which costs: the change of time by each pass, signed"
	how := "against all passes but this one"
	if !slices.ContainsFunc(r.Passes, func(e *Effect) bool { return e.Without != noneMode }) {
		how = "alone, against no pass"
	}
	g := &grid{title: title + " (" + how + ")", head: []string{"pass", "change", "95 % interval", "verdict", "most in"}}
	for _, e := range r.Passes {
		g.row(e.Pass, percent(e.Change), percent(e.Low)+" to "+percent(e.High), e.Verdict(), e.Most+" "+percent(e.MostChange))
	}
	return g
}

func percent(x float64) string { return fmt.Sprintf("%+.1f %%", 100*x) }
