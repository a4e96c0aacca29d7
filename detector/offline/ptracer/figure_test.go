package ptracer

import (
	"fmt"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/event/eventtest"
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

var names = eventtest.Names{"x": varX, "y": varY, "c": varC, "l": lockL1}

// figure returns the trace; first is the value that T1 writes to C, second the value of T3.
func figure(t *testing.T, first, second int) []event.Event {
	return eventtest.Trace(t, names, fmt.Sprintf(`
		0 begin 1; 0 write x @1 =0; 0 write y @2 =0; 0 write c:1 @3 =%d; 0 fork 1; 0 fork 2
		2 lock l; 2 write c:1 @7 =%d; 2 read x @80 =0; 2 write y @8 =1 (r80 1 +); 2 unlock l
		1 lock l; 1 read c:1 @11 =1; 1 unlock l
		1 branch 1 @13 taken (r11 1 ==)
		1 lock l; 1 read x @150 =0; 1 write y @15 =-1 (r150 -1 +); 1 unlock l
		1 may-read x @17 of 1; 1 may-write y @18 of 1; 1 end 1
		2 end 1; 0 finish 1`, first, second))
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
		races, _ := diagnose(t, figure(t, 0, 1), how)
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
		races, counters := diagnose(t, figure(t, 1, 1), how)
		if len(races) != 0 || counters["pairs of them that are infeasible"] != 1 || counters["possible races"] != 1 {
			t.Errorf("%s: C is never false: races %v, %v", how, races, counters)
		}
	}
	races, _ := diagnose(t, figure(t, 0, 1), "off")
	if len(races) != 1 || races[0].Tier != event.TierPossible {
		t.Errorf("without a diagnosis: %v", races)
	}
}

// A task writes a message and then, under a lock, that it is ready; another one would read
// the message if it was. The branch can decide otherwise, but not before the write.
func TestHandedOver(t *testing.T) {
	trace := eventtest.Trace(t, names, `
		0 begin 1; 0 write c:1 @1 =0; 0 fork 1; 0 fork 2
		1 lock l; 1 read c:1 @11 =0; 1 unlock l
		1 branch 1 @12 (r11); 1 may-read x @13 of 1; 1 end 1
		2 write x @20 =7; 2 lock l; 2 write c:1 @21 =1; 2 unlock l; 2 end 1
		0 finish 1`)
	const ordered = "possible races whose branch can flip, but whose accesses are ordered"
	if races, counters := diagnose(t, trace, "sat"); len(races) != 0 || counters[ordered] != 1 {
		t.Errorf("races %v, %v", races, counters)
	}
}

// A detector keeps one access of a step: the first, before a value is handed over. The second
// one, behind that, races.
func TestRivals(t *testing.T) {
	for _, behind := range []string{"1 write x @12", ""} {
		trace := eventtest.Trace(t, names, `
			0 begin 1; 0 alloc c; 0 branch 1 taken; 0 fork 1; 0 fork 2
			1 write x @10; 1 lock l; 1 write c @11 =x; 1 unlock l; `+behind+`
			2 lock l; 2 read c @20 =x; 2 unlock l; 2 read x @21 from 20
			1 end 1; 2 end 1; 0 finish 1`)
		races, _ := diagnose(t, trace, "sat")
		if behind == "" && len(races) != 0 {
			t.Errorf("without the second access: races %v", races)
		}
		if behind != "" && (len(races) != 1 || races[0].First.Site != 12 || races[0].Second.Site != 21 || races[0].Tier != event.TierRace) {
			t.Errorf("races %v", races)
		}
	}
}

// A task holds a lock while it waits for the tasks that it has made. The lock protects these
// from others, but not from each other.
func TestHeldAcrossSpawn(t *testing.T) {
	trace := eventtest.Trace(t, names, `
		0 begin 1; 0 fork 1
		1 lock l; 1 begin 2
		1 fork 3; 3 write x @30; 3 write y @31; 3 end 2
		1 fork 4; 4 write y @41; 4 end 2
		1 finish 2; 1 unlock l; 1 end 1
		0 fork 2; 2 lock l; 2 write x @20; 2 unlock l; 2 end 1
		0 finish 1`)
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
	trace := func(size uint64, from uint32) []event.Event {
		value := ""
		if size == 8 {
			value = "=x"
		}
		return eventtest.Trace(t, names, fmt.Sprintf(`
			0 begin 1; 0 alloc c:24; 0 branch 1 taken
			0 fork 1; 1 write x @10; 1 lock l; 1 write c:%[1]d @11 %[2]s; 1 unlock l; 1 end 1
			0 fork 2; 2 lock l; 2 read c:%[1]d @20 %[2]s; 2 unlock l; 2 read x @21 from %[3]d; 2 end 1
			0 finish 1`, size, value, from))
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
	trace := func(locks string) []event.Event {
		return eventtest.Trace(t, names, `
			0 begin 1; 0 write c:1 @1 =0; 0 fork 1; 0 fork 2
			1 lock l; 1 write c:1 @10 =1; 1 write x @11; 1 unlock l; 1 end 1
			2 lock l; 2 read c:1 @20 =1; 2 branch 1 @21 taken (r20); 2 may-write x @22 of 1 `+locks+`
			2 unlock l; 2 end 1; 0 finish 1`)
	}
	// A lock with bit 1 is one that was given up: see event.LockOf.
	races, _ := diagnose(t, trace("under l+2"), "sat")
	if len(races) != 1 || races[0].Tier != event.TierPredicted || races[0].Second.Site != 22 {
		t.Fatalf("races %v", races)
	}
	const order = "taskinstr schedule 1\nstrategy diagnosis\npoints stops\nmain to go 2\nmain.2 to branch 1\nmain.2\nmain.1\n"
	if got := races[0].Schedule; got != order {
		t.Errorf("schedule\n%swant\n%s", got, order)
	}
	if races, _ := diagnose(t, trace(""), "sat"); len(races) != 0 {
		t.Errorf("under the lock: races %v", races)
	}
}

// Where the condition is not known, the race is possible, with an order in which the decision
// comes first.
func TestGuess(t *testing.T) {
	trace := eventtest.Trace(t, names, `
		0 begin 1; 0 fork 1; 1 write x @11; 1 end 1
		0 fork 2; 2 branch 1 @21 taken; 2 may-write x @22 of 1; 2 end 1
		0 finish 1`)
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
	trace := figure(t, 0, 1)
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
