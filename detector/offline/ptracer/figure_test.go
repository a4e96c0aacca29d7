package ptracer

import (
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/diagnosis"
)

// The program of figures 1 and 4 of the paper. Sites are the lines of figure 6, which
// has it in this order:
//
//	T1: X = 0; Y = 0; C = false; spawn T2; spawn T3; sync
//	T3: lock L1; C = true; Y = X + 1; unlock L1
//	T2: lock L1; t = C; unlock L1
//	    if t { lock L1; Y = X - 1; unlock L1 } else { Y = X - 1 }
const (
	varX, varY, varC = 0xc000000000, 0xc000000010, 0xc000000020
	lockL1           = 0xc000000030
)

// figure returns the trace; first is the value that T1 writes to C, second the value of T3.
func figure(first, second uint64) []event.Event {
	write := func(task uint32, addr, size, v uint64, site uint32, x ...event.Token) event.Event {
		return event.Event{Op: event.Access, Kind: event.Write, Task: task, Addr: addr, Size: size, Value: v, Valued: true, Site: site, Expr: x}
	}
	read := func(task uint32, addr, size, v uint64, site uint32) event.Event {
		return event.Event{Op: event.Access, Task: task, Addr: addr, Size: size, Value: v, Valued: true, Site: site}
	}
	lock := func(task uint32, o event.Op) event.Event { return event.Event{Op: o, Task: task, Obj: lockL1} }
	possible := func(k event.Kind, addr uint64, site uint32) event.Event {
		return event.Event{Op: event.Possible, Task: 1, Obj: 1, Kind: k, Addr: addr, Size: 8, Site: site}
	}
	plus := func(site uint64, n uint64) []event.Token {
		return []event.Token{{Op: event.ReadAt, Arg: site}, {Op: event.Const, Arg: n}, {Op: event.Add}}
	}
	const minusOne = 1<<64 - 1
	return []event.Event{
		{Op: event.FinishBegin, Obj: 1},
		write(0, varX, 8, 0, 1),
		write(0, varY, 8, 0, 2),
		write(0, varC, 1, first, 3),
		{Op: event.Fork, Other: 1},
		{Op: event.Fork, Other: 2},
		lock(2, event.Lock),
		write(2, varC, 1, second, 7),
		read(2, varX, 8, 0, 80),
		write(2, varY, 8, 1, 8, plus(80, 1)...),
		lock(2, event.Unlock),
		lock(1, event.Lock),
		read(1, varC, 1, 1, 11),
		lock(1, event.Unlock),
		{Op: event.Branch, Task: 1, Obj: 1, Site: 13, Taken: true, Expr: event.Expr{{Op: event.ReadAt, Arg: 11}, {Op: event.Const, Arg: 1}, {Op: event.Eq}}},
		lock(1, event.Lock),
		read(1, varX, 8, 0, 150),
		write(1, varY, 8, minusOne, 15, plus(150, minusOne)...),
		lock(1, event.Unlock),
		possible(event.Read, varX, 17),
		possible(event.Write, varY, 18),
		{Op: event.End, Task: 1, Obj: 1},
		{Op: event.End, Task: 2, Obj: 1},
		{Op: event.FinishEnd, Obj: 1},
	}
}

func diagnose(t *testing.T, trace []event.Event, how string) ([]event.Race, map[string]int64) {
	t.Helper()
	var races []event.Race
	d, err := Spec.New(event.Config{
		Option: map[string]string{"diagnosis": how},
		Report: func(r event.Race) { races = append(races, r) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := event.Check(trace); err != nil {
		t.Fatal(err)
	}
	for i := range trace {
		d.Event(&trace[i])
	}
	counters := map[string]int64{}
	for _, c := range d.Close() {
		counters[c.Name] = c.Value
	}
	return races, counters
}

// Figures 6 and 7: T2's write of Y on the other side races with T3's, and is feasible,
// since T2 may read C before T3 writes it. Where no task writes false it is not.
func TestFigures(t *testing.T) {
	solvers := []string{"sat"}
	if _, err := diagnosis.FindZ3(); err != nil {
		t.Logf("not decided by z3: %v", err)
	} else {
		solvers = append(solvers, "z3", "both")
	}
	for _, how := range solvers {
		races, _ := diagnose(t, figure(0, 1), how)
		if len(races) != 1 {
			t.Fatalf("%s: races %v", how, races)
		}
		r := races[0]
		if r.Tier != event.TierPredicted || r.Addr != varY || r.First.Site != 8 || r.Second.Site != 18 || r.Second.Branch != 1 {
			t.Errorf("%s: race %+v", how, r)
		}
		if !strings.HasPrefix(r.Note, "the branch decides otherwise in this order: ") || !strings.HasSuffix(r.Note, "both accesses can come next") {
			t.Errorf("%s: note %q", how, r.Note)
		}
		const order = "taskinstr schedule 1\nstrategy diagnosis\npoints stops\nmain to go 2\nmain.1 to branch 1\nmain.2 to held 1\nmain.1\nmain.2\n"
		if how == "sat" && r.Schedule != order {
			t.Errorf("%s: schedule\n%swant\n%s", how, r.Schedule, order)
		}
		t.Logf("%s: %s", how, r.Note)
		races, counters := diagnose(t, figure(1, 1), how)
		if len(races) != 0 || counters["pairs of them that are infeasible"] != 1 || counters["possible races"] != 1 {
			t.Errorf("%s: C is never false: races %v, %v", how, races, counters)
		}
	}
	races, _ := diagnose(t, figure(0, 1), "off")
	if len(races) != 1 || races[0].Tier != event.TierPossible {
		t.Errorf("without a diagnosis: %v", races)
	}
}

// A task writes a message and then, under a lock, that it is ready; another one would read
// the message if it was. The branch can decide otherwise, but not before the write.
func TestHandedOver(t *testing.T) {
	lock := func(task uint32, o event.Op) event.Event { return event.Event{Op: o, Task: task, Obj: lockL1} }
	trace := []event.Event{
		{Op: event.FinishBegin, Obj: 1},
		{Op: event.Access, Kind: event.Write, Addr: varC, Size: 1, Valued: true, Site: 1},
		{Op: event.Fork, Other: 1},
		{Op: event.Fork, Other: 2},
		lock(1, event.Lock),
		{Op: event.Access, Task: 1, Addr: varC, Size: 1, Valued: true, Site: 11},
		lock(1, event.Unlock),
		{Op: event.Branch, Task: 1, Obj: 1, Site: 12, Expr: event.Expr{{Op: event.ReadAt, Arg: 11}}},
		{Op: event.Possible, Task: 1, Obj: 1, Kind: event.Read, Addr: varX, Size: 8, Site: 13},
		{Op: event.End, Task: 1, Obj: 1},
		{Op: event.Access, Task: 2, Kind: event.Write, Addr: varX, Size: 8, Value: 7, Valued: true, Site: 20},
		lock(2, event.Lock),
		{Op: event.Access, Task: 2, Kind: event.Write, Addr: varC, Size: 1, Value: 1, Valued: true, Site: 21},
		lock(2, event.Unlock),
		{Op: event.End, Task: 2, Obj: 1},
		{Op: event.FinishEnd, Obj: 1},
	}
	const ordered = "possible races whose branch can flip, but whose accesses are ordered"
	if races, counters := diagnose(t, trace, "sat"); len(races) != 0 || counters[ordered] != 1 {
		t.Errorf("races %v, %v", races, counters)
	}
}

// A detector keeps one access of a step: the first, before a value is handed over. The second
// one, behind that, races.
func TestRivals(t *testing.T) {
	lock := func(task uint32, o event.Op) event.Event { return event.Event{Op: o, Task: task, Obj: lockL1} }
	shown := func(task uint32, kind event.Kind, site uint32) event.Event {
		return event.Event{Op: event.Access, Task: task, Kind: kind, Addr: varC, Size: 8, Site: site, Valued: true, Value: varX}
	}
	behind := event.Event{Op: event.Access, Task: 1, Kind: event.Write, Addr: varX, Size: 8, Site: 12}
	for _, last := range [][]event.Event{{behind}, nil} {
		trace := append([]event.Event{
			{Op: event.FinishBegin, Obj: 1},
			{Op: event.Alloc, Addr: varC, Size: 8},
			{Op: event.Branch, Obj: 1, Taken: true},
			{Op: event.Fork, Other: 1},
			{Op: event.Fork, Other: 2},
			{Op: event.Access, Task: 1, Kind: event.Write, Addr: varX, Size: 8, Site: 10},
			lock(1, event.Lock),
			shown(1, event.Write, 11),
			lock(1, event.Unlock),
		}, last...)
		trace = append(trace,
			lock(2, event.Lock),
			shown(2, event.Read, 20),
			lock(2, event.Unlock),
			event.Event{Op: event.Access, Task: 2, Addr: varX, Size: 8, Site: 21, From: 20},
			event.Event{Op: event.End, Task: 1, Obj: 1},
			event.Event{Op: event.End, Task: 2, Obj: 1},
			event.Event{Op: event.FinishEnd, Obj: 1},
		)
		races, _ := diagnose(t, trace, "sat")
		if last == nil && len(races) != 0 {
			t.Errorf("without the second access: races %v", races)
		}
		if last != nil && (len(races) != 1 || races[0].First.Site != 12 || races[0].Second.Site != 21 || races[0].Tier != event.TierRace) {
			t.Errorf("races %v", races)
		}
	}
}

// A task holds a lock while it waits for the tasks that it has made. The lock protects these
// from others, but not from each other.
func TestHeldAcrossSpawn(t *testing.T) {
	lock := func(task uint32, o event.Op) event.Event { return event.Event{Op: o, Task: task, Obj: lockL1} }
	write := func(task, site uint32, addr uint64) event.Event {
		return event.Event{Op: event.Access, Task: task, Kind: event.Write, Addr: addr, Size: 8, Site: site}
	}
	trace := []event.Event{
		{Op: event.FinishBegin, Obj: 1},
		{Op: event.Fork, Other: 1},
		lock(1, event.Lock),
		{Op: event.FinishBegin, Task: 1, Obj: 2},
		{Op: event.Fork, Task: 1, Other: 3},
		write(3, 30, varX),
		write(3, 31, varY),
		{Op: event.End, Task: 3, Obj: 2},
		{Op: event.Fork, Task: 1, Other: 4},
		write(4, 41, varY),
		{Op: event.End, Task: 4, Obj: 2},
		{Op: event.FinishEnd, Task: 1, Obj: 2},
		lock(1, event.Unlock),
		{Op: event.End, Task: 1, Obj: 1},
		{Op: event.Fork, Other: 2},
		lock(2, event.Lock),
		write(2, 20, varX),
		lock(2, event.Unlock),
		{Op: event.End, Task: 2, Obj: 1},
		{Op: event.FinishEnd, Obj: 1},
	}
	races, counters := diagnose(t, trace, "sat")
	if len(races) != 1 || races[0].First.Site != 31 || races[0].Second.Site != 41 || races[0].Tier != event.TierRace {
		t.Errorf("races %v", races)
	}
	if n := counters["pairs of accesses that happened and are infeasible"]; n != 1 {
		t.Errorf("%d infeasible pairs", n)
	}
}

// A task reads a slice under a lock and then its elements without; another one has made the
// slice and put it there under the lock. The same with a pointer.
func TestShown(t *testing.T) {
	lock := func(task uint32, o event.Op) event.Event { return event.Event{Op: o, Task: task, Obj: lockL1} }
	trace := func(size uint64, from uint32) []event.Event {
		shown := func(task uint32, kind event.Kind, site uint32) event.Event {
			return event.Event{Op: event.Access, Task: task, Kind: kind, Addr: varC, Size: size, Site: site, Valued: size == 8, Value: varX}
		}
		return []event.Event{
			{Op: event.FinishBegin, Obj: 1},
			{Op: event.Alloc, Addr: varC, Size: 24},
			{Op: event.Branch, Obj: 1, Taken: true},
			{Op: event.Fork, Other: 1},
			{Op: event.Access, Task: 1, Kind: event.Write, Addr: varX, Size: 8, Site: 10},
			lock(1, event.Lock),
			shown(1, event.Write, 11),
			lock(1, event.Unlock),
			{Op: event.End, Task: 1, Obj: 1},
			{Op: event.Fork, Other: 2},
			lock(2, event.Lock),
			shown(2, event.Read, 20),
			lock(2, event.Unlock),
			{Op: event.Access, Task: 2, Addr: varX, Size: 8, Site: 21, From: from},
			{Op: event.End, Task: 2, Obj: 1},
			{Op: event.FinishEnd, Obj: 1},
		}
	}
	for _, size := range []uint64{8, 24} {
		for _, how := range []string{"sat", "both"} {
			if _, err := diagnosis.FindZ3(); err != nil && how == "both" {
				continue
			}
			if races, _ := diagnose(t, trace(size, 20), how); len(races) != 0 {
				t.Errorf("%d bytes, %s: races %v", size, how, races)
			}
			races, _ := diagnose(t, trace(size, 0), how)
			if len(races) != 1 || races[0].Tier != event.TierPredicted || races[0].Schedule == "" {
				t.Errorf("%d bytes, %s, reached in another way: races %v", size, how, races)
			}
		}
	}
}

// A task decides under a lock, and the other side gives the lock up before its access. Where
// it does not, the lock protects the access.
func TestGivenUp(t *testing.T) {
	lock := func(task uint32, o event.Op) event.Event { return event.Event{Op: o, Task: task, Obj: lockL1} }
	trace := func(locks ...uint64) []event.Event {
		return []event.Event{
			{Op: event.FinishBegin, Obj: 1},
			{Op: event.Access, Kind: event.Write, Addr: varC, Size: 1, Valued: true, Site: 1},
			{Op: event.Fork, Other: 1},
			{Op: event.Fork, Other: 2},
			lock(1, event.Lock),
			{Op: event.Access, Task: 1, Kind: event.Write, Addr: varC, Size: 1, Value: 1, Valued: true, Site: 10},
			{Op: event.Access, Task: 1, Kind: event.Write, Addr: varX, Size: 8, Site: 11},
			lock(1, event.Unlock),
			{Op: event.End, Task: 1, Obj: 1},
			lock(2, event.Lock),
			{Op: event.Access, Task: 2, Addr: varC, Size: 1, Value: 1, Valued: true, Site: 20},
			{Op: event.Branch, Task: 2, Obj: 1, Site: 21, Taken: true, Expr: event.Expr{{Op: event.ReadAt, Arg: 20}}},
			{Op: event.Possible, Task: 2, Obj: 1, Kind: event.Write, Addr: varX, Size: 8, Site: 22, Locks: locks},
			lock(2, event.Unlock),
			{Op: event.End, Task: 2, Obj: 1},
			{Op: event.FinishEnd, Obj: 1},
		}
	}
	const givenUp = 2 // a bit: see event.LockOf
	races, _ := diagnose(t, trace(lockL1|givenUp), "sat")
	if len(races) != 1 || races[0].Tier != event.TierPredicted || races[0].Second.Site != 22 {
		t.Fatalf("races %v", races)
	}
	const order = "taskinstr schedule 1\nstrategy diagnosis\npoints stops\nmain to go 2\nmain.2 to branch 1\nmain.2\nmain.1\n"
	if got := races[0].Schedule; got != order {
		t.Errorf("schedule\n%swant\n%s", got, order)
	}
	if races, _ := diagnose(t, trace(), "sat"); len(races) != 0 {
		t.Errorf("under the lock: races %v", races)
	}
}

// Where the condition is not known, the race is possible, with an order in which the decision
// comes first.
func TestGuess(t *testing.T) {
	trace := []event.Event{
		{Op: event.FinishBegin, Obj: 1},
		{Op: event.Fork, Other: 1},
		{Op: event.Access, Task: 1, Kind: event.Write, Addr: varX, Size: 8, Site: 11},
		{Op: event.End, Task: 1, Obj: 1},
		{Op: event.Fork, Other: 2},
		{Op: event.Branch, Task: 2, Obj: 1, Site: 21, Taken: true},
		{Op: event.Possible, Task: 2, Obj: 1, Kind: event.Write, Addr: varX, Size: 8, Site: 22},
		{Op: event.End, Task: 2, Obj: 1},
		{Op: event.FinishEnd, Obj: 1},
	}
	races, _ := diagnose(t, trace, "sat")
	const order = "taskinstr schedule 1\nstrategy diagnosis\npoints stops\nmain to go 2\nmain.2 to branch 1\nmain.1\nmain.2\n"
	if len(races) != 1 || races[0].Tier != event.TierPossible || races[0].Schedule != order {
		t.Errorf("races %v", races)
	}
}

// The histories of Y in figure 6, line by line: the number of accesses kept for each lockset.
func TestFigureHistory(t *testing.T) {
	d := newDetector(func(event.Race) {}, fullSizes, &diagnoser{})
	type row struct{ locks, writes int }
	want := map[uint32][]row{
		2:  {{0, 1}},
		8:  {{0, 1}, {1, 1}},
		15: {{0, 1}, {1, 2}}, // two writes under L1
		18: {{0, 1}, {1, 2}, {0, 1}},
	}
	trace := figure(0, 1)
	for i := range trace {
		d.Event(&trace[i])
		rows, ok := want[trace[i].Site]
		if !ok {
			continue
		}
		var got []row
		d.shadow.Update(varY, 8, func(h *history, lo, hi uint64) *history {
			for _, e := range h.entries {
				if e.kind != event.Write {
					continue
				}
				n := 1
				if e.second.step != 0 {
					n = 2
				}
				got = append(got, row{len(d.held.Locks(e.locks)), n})
			}
			return h
		})
		if len(got) != len(rows) {
			t.Fatalf("line %d: %v, want %v", trace[i].Site, got, rows)
		}
		for k := range got {
			if got[k] != rows[k] {
				t.Errorf("line %d: %v, want %v", trace[i].Site, got, rows)
			}
		}
	}
}
