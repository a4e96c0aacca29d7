package diagnosis

import (
	"testing"

	"taskinstr/detector/event"
)

// Locks decide whether a task can see half of the writes that another task makes under one lock.
func TestCases(t *testing.T) {
	const a, c = memory, memory + 8
	write := func(task uint32, addr, v uint64) event.Event {
		return event.Event{Op: event.Access, Kind: event.Write, Task: task, Addr: addr, Size: 8, Value: v, Valued: true}
	}
	read := func(task uint32, addr, v uint64, site uint32) event.Event {
		return event.Event{Op: event.Access, Task: task, Addr: addr, Size: 8, Value: v, Valued: true, Site: site}
	}
	hold := func(o event.Op, task uint32, shared bool) event.Event {
		return event.Event{Op: o, Task: task, Obj: lockBase, Shared: shared}
	}
	differ := event.Expr{{Op: event.ReadAt, Arg: 1}, {Op: event.ReadAt, Arg: 2}, {Op: event.Ne}}
	pair := func(shared1, shared2 bool) []event.Event {
		return []event.Event{
			{Op: event.FinishBegin, Obj: 9}, write(0, a, 0), write(0, c, 0), {Op: event.Fork, Other: 1}, {Op: event.Fork, Other: 2},
			hold(event.Lock, 1, shared1), write(1, a, 1), write(1, c, 1), hold(event.Unlock, 1, shared1),
			hold(event.Lock, 2, shared2), read(2, a, 1, 1), read(2, c, 1, 2), hold(event.Unlock, 2, shared2),
			{Op: event.Branch, Task: 2, Obj: 1, Expr: differ},
			{Op: event.End, Task: 1, Obj: 9}, {Op: event.End, Task: 2, Obj: 9}, {Op: event.FinishEnd, Obj: 9},
		}
	}
	one := event.Expr{{Op: event.ReadAt, Arg: 1}}
	for name, x := range map[string]struct {
		trace []event.Event
		want  Verdict
	}{
		"both exclusive": {pair(false, false), Infeasible},
		"a reader":       {pair(false, true), Infeasible},
		"a writer":       {pair(true, false), Infeasible},
		"both shared":    {pair(true, true), Feasible},
		"a section that cannot end before the branch": {[]event.Event{
			{Op: event.FinishBegin, Obj: 9}, write(0, a, 0), {Op: event.Fork, Other: 1}, {Op: event.Fork, Other: 2},
			hold(event.Lock, 2, false), read(2, a, 0, 1), hold(event.Unlock, 2, false),
			{Op: event.Branch, Task: 2, Obj: 1, Expr: one}, {Op: event.Set, Task: 2, Obj: 7},
			hold(event.Lock, 1, false), write(1, a, 1), {Op: event.Get, Task: 1, Obj: 7}, hold(event.Unlock, 1, false),
			{Op: event.End, Task: 1, Obj: 9}, {Op: event.End, Task: 2, Obj: 9}, {Op: event.FinishEnd, Obj: 9},
		}, Infeasible},
		"a value that is passed on": {[]event.Event{
			{Op: event.FinishBegin, Obj: 9}, write(0, a, 0), write(0, c, 0), {Op: event.Fork, Other: 1}, {Op: event.Fork, Other: 2},
			read(1, a, 0, 3),
			{Op: event.Access, Kind: event.Write, Task: 1, Addr: c, Size: 8, Valued: true, Expr: event.Expr{{Op: event.ReadAt, Arg: 3}}},
			write(0, a, 5),
			read(2, c, 0, 1), {Op: event.Branch, Task: 2, Obj: 1, Expr: event.Expr{{Op: event.ReadAt, Arg: 1}, {Op: event.Const, Arg: 5}, {Op: event.Eq}}},
			{Op: event.End, Task: 1, Obj: 9}, {Op: event.End, Task: 2, Obj: 9}, {Op: event.FinishEnd, Obj: 9},
		}, Feasible},
	} {
		t.Run(name, func(t *testing.T) {
			if err := event.Check(x.trace); err != nil {
				t.Fatal(err)
			}
			q := Question{Flip: []uint64{1}}
			p, err := New(x.trace).Problem(q)
			if err != nil {
				t.Fatal(err)
			}
			a := SAT{}.Solve(p)
			if a.Verdict != x.want || bruteVerdict(x.trace, q) != x.want {
				t.Fatalf("%v (%s), brute force %v, want %v", a.Verdict, a.Why, bruteVerdict(x.trace, q), x.want)
			}
			if x.want == Feasible {
				t.Log(New(x.trace).Text(a.Order))
			}
		})
	}
	for name, trace := range map[string][]event.Event{
		"no condition":              {{Op: event.Branch, Obj: 1}},
		"a read that never was":     {{Op: event.Branch, Obj: 1, Expr: one}},
		"other values than decided": {read(0, a, 1, 1), {Op: event.Branch, Obj: 1, Expr: one}},
		"no such decision":          {},
	} {
		if p, err := New(trace).Problem(Question{Flip: []uint64{1}}); err == nil {
			t.Errorf("%s: %v", name, p)
		}
	}
}
