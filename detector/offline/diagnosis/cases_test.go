package diagnosis

import (
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/event/eventtest"
)

// Locks decide whether a task can see half of the writes that another task makes under one lock.
func TestCases(t *testing.T) {
	const begin = "0 begin 9; 0 write a =0; 0 write c =0; 0 fork 1; 0 fork 2\n"
	const halves = begin + "1 lock l; 1 write a =1; 1 write c =1; 1 unlock l; 2 lock l; 2 read a @1 =1; 2 read c @2 =1; 2 unlock l; 2 branch 1 (r1 r2 !=)"
	shared := func(task string) *strings.Replacer {
		return strings.NewReplacer(task+" lock", task+" rlock", task+" unlock", task+" runlock")
	}
	names := eventtest.Names{"a": memory, "c": memory + 8, "l": lockBase}
	for name, x := range map[string]struct {
		trace string // up to the ends of the tasks
		want  Verdict
	}{
		"both exclusive": {halves, Infeasible},
		"a reader":       {shared("2").Replace(halves), Infeasible},
		"a writer":       {shared("1").Replace(halves), Infeasible},
		"both shared":    {shared("1").Replace(shared("2").Replace(halves)), Feasible},
		"a section that cannot end before the branch": {`
			0 begin 9; 0 write a =0; 0 fork 1; 0 fork 2
			2 lock l; 2 read a @1 =0; 2 unlock l; 2 branch 1 (r1); 2 set 7
			1 lock l; 1 write a =1; 1 get 7; 1 unlock l`, Infeasible},
		"a value that is passed on": {begin + `
			1 read a @3 =0; 1 write c =0 (r3)
			0 write a =5
			2 read c @1 =0; 2 branch 1 (r1 5 ==)`, Feasible},
	} {
		t.Run(name, func(t *testing.T) {
			trace := eventtest.Trace(t, names, x.trace+"\n1 end 9; 2 end 9; 0 finish 9")
			if err := event.Check(trace); err != nil {
				t.Fatal(err)
			}
			q := Question{Flip: []uint64{1}}
			p, err := New(trace).Problem(q)
			if err != nil {
				t.Fatal(err)
			}
			a := SAT{}.Solve(p)
			if a.Verdict != x.want || bruteVerdict(trace, q) != x.want {
				t.Fatalf("%v (%s), brute force %v, want %v", a.Verdict, a.Why, bruteVerdict(trace, q), x.want)
			}
			if x.want == Feasible {
				t.Log(New(trace).Text(a.Order))
			}
		})
	}
	for name, text := range map[string]string{
		"no condition":              "0 branch 1",
		"a read that never was":     "0 branch 1 (r1)",
		"other values than decided": "0 read a @1 =1; 0 branch 1 (r1)",
		"no such decision":          "",
	} {
		trace := eventtest.Trace(t, names, text)
		if p, err := New(trace).Problem(Question{Flip: []uint64{1}}); err == nil {
			t.Errorf("%s: %v", name, p)
		}
	}
}
