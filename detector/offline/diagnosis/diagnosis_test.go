package diagnosis

import (
	"flag"
	"math/rand/v2"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
)

var (
	programs = differential.Flags(100)
	z3Every  = flag.Int("z3-every", 4, "z3 is asked about each nth trace")
)

// questions returns one or two decisions to flip, with and without an event to be ready.
func questions(r *rand.Rand, trace []event.Event) (list []Question) {
	var decisions []uint64
	var accesses []int
	for i := range trace {
		switch trace[i].Op {
		case event.Branch:
			if trace[i].Expr != nil {
				decisions = append(decisions, trace[i].Obj)
			}
		case event.Access:
			accesses = append(accesses, i)
		}
	}
	for k, d := range decisions {
		list = append(list, Question{Flip: []uint64{d}})
		list = append(list, Question{Flip: []uint64{d}, Ready: []int{accesses[r.IntN(len(accesses))]}})
		if k > 0 {
			list = append(list, Question{Flip: []uint64{decisions[k-1], d}})
		}
	}
	return list
}

func bruteVerdict(trace []event.Event, q Question) Verdict {
	switch {
	case newBrute(trace, q, false).feasible():
		return Feasible
	case newBrute(trace, q, true).feasible():
		return Unknown
	}
	return Infeasible
}

// The solvers agree with each other and with the execution of all orders.
func TestSolvers(t *testing.T) {
	z3, err := FindZ3()
	if err != nil {
		t.Logf("not compared with z3: %v", err)
	}
	verdicts := map[Verdict]int{}
	asked := 0
	for s, r := range programs.All(33) {
		trace := randomTrace(r)
		if err := event.Check(trace); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
		can := New(trace)
		for _, q := range questions(r, trace) {
			want := bruteVerdict(trace, q)
			verdicts[want]++
			p, err := can.Problem(q)
			if err != nil {
				t.Fatalf("seed %d: %v: %v", s, q, err)
			}
			if a := (SAT{}).Solve(p); a.Verdict != want || want == Unknown && a.Why != whyNoValue {
				t.Fatalf("seed %d: %v is %v (%s), brute force: %v\n%s", s, q, a.Verdict, a.Why, want, p.SMT(false))
			}
			if z3.Path == "" || int(s)%*z3Every != 0 {
				continue
			}
			asked++
			if a := z3.Solve(p); a.Verdict != want || want == Unknown && a.Why != whyNoValue {
				t.Fatalf("seed %d: %v is %v by z3 (%s), brute force: %v\n%s", s, q, a.Verdict, a.Why, want, p.SMT(false))
			}
		}
	}
	t.Logf("%d traces: %v; %d questions to z3", *programs.N, verdicts, asked)
	for _, v := range []Verdict{Feasible, Infeasible, Unknown} {
		if verdicts[v] == 0 {
			t.Errorf("no question is %v", v)
		}
	}
}
