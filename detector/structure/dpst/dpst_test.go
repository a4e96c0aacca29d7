package dpst_test

import (
	"math/rand/v2"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/structure/dpst"
)

// For all pairs of accesses of random programs the tree says parallel if and only if
// brute force finds the pair unordered.
func TestParallel(t *testing.T) {
	pairs := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 7))
		f := differential.Features{Finish: true, Sync: seed%2 == 0}
		trace := differential.Random(r, 60, f).Run(r)
		b := dpst.NewBuilder()
		steps := map[uint32]dpst.Node{}
		kinds := map[uint32]*event.Event{}
		for i := range trace {
			e := &trace[i]
			b.Event(e)
			if e.Op == event.Access {
				steps[e.Site], kinds[e.Site] = b.Step(e.Task), e
			}
		}
		if b.Escaped > 0 {
			t.Fatalf("seed %d: %d tasks or scopes escape", seed, b.Escaped)
		}
		want := differential.Judge(trace).Order
		for s, a := range steps {
			for u, c := range steps {
				x, y := kinds[s], kinds[u]
				if s >= u || x.Addr != y.Addr || !x.Kind.Conflicts(y.Kind) {
					continue
				}
				pairs++
				if got := b.Parallel(a, c); got != want[differential.Pair{A: s, B: u}] {
					t.Fatalf("seed %d: sites %d and %d: parallel is %v", seed, s, u, got)
				}
			}
		}
	}
	if pairs < 1000 {
		t.Errorf("only %d pairs", pairs)
	}
}
