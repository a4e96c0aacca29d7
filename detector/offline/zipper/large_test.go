package zipper_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/zipper"
)

const (
	largeNodes = 100_000
	largeTime  = 10 * time.Second // for a graph; measured far below one second
)

// A recorder records large executions in depth-first order.
type recorder struct {
	trace []event.Event
	tasks uint32
	scope uint64
}

func (r *recorder) add(o event.Op, task uint32, obj uint64) {
	r.trace = append(r.trace, event.Event{Op: o, Task: task, Obj: obj})
}

func (r *recorder) fork(task uint32) uint32 {
	r.tasks++
	r.trace = append(r.trace, event.Event{Op: event.Fork, Task: task, Other: r.tasks})
	return r.tasks
}

func (r *recorder) open(task uint32) uint64 {
	r.scope++
	r.add(event.FinishBegin, task, 1000+r.scope)
	return 1000 + r.scope
}

func (r *recorder) access(task uint32, k event.Kind, word uint64) {
	r.trace = append(r.trace, event.Event{Op: event.Access, Task: task, Kind: k, Addr: 1<<20 + 8*word, Size: 8})
}

func (r *recorder) isolated(task uint32, word uint64) {
	r.add(event.Lock, task, event.Isolation)
	r.access(task, event.Write, word)
	r.add(event.Unlock, task, event.Isolation)
}

// crowd makes n tasks of one scope, and returns the scope.
func (r *recorder) crowd(n uint32, body func(c uint32)) (scope uint64) {
	scope = r.open(0)
	for r.tasks < n {
		c := r.fork(0)
		body(c)
		r.add(event.End, c, scope)
	}
	return scope
}

// large holds executions of 100,000 nodes. Only the last access races.
var large = map[string]func() []event.Event{
	"one scope": func() []event.Event {
		r := new(recorder)
		s := r.crowd(largeNodes/2, func(c uint32) { r.access(c, event.Write, uint64(c)) })
		r.access(0, event.Read, 1)
		r.add(event.FinishEnd, 0, s)
		return r.trace
	},
	"nested forks": func() []event.Event {
		r := new(recorder)
		s := r.open(0)
		task := uint32(0)
		for r.tasks < largeNodes/3 {
			c := r.fork(task)
			r.access(c, event.Write, uint64(c))
			task = c
		}
		for ; task > 0; task-- {
			r.access(task, event.Write, uint64(task))
			r.add(event.End, task, s)
		}
		r.access(0, event.Read, 5)
		r.add(event.FinishEnd, 0, s)
		return r.trace
	},
	"nested scopes": func() []event.Event {
		r := new(recorder)
		var scopes []uint64
		for len(scopes) < largeNodes/3 {
			s := r.open(0)
			scopes = append(scopes, s)
			c := r.fork(0)
			r.access(c, event.Write, uint64(c))
			r.add(event.End, c, s)
		}
		r.access(0, event.Read, 5)
		for i := len(scopes) - 1; i >= 0; i-- {
			r.add(event.FinishEnd, 0, scopes[i])
			r.access(0, event.Write, uint64(i)+2)
		}
		return r.trace
	},
	"one counter": func() []event.Event {
		r := new(recorder)
		s := r.crowd(largeNodes/2, func(c uint32) { r.isolated(c, 0) })
		r.access(0, event.Read, 0)
		r.add(event.FinishEnd, 0, s)
		return r.trace
	},
	"read by all": func() []event.Event {
		r := new(recorder)
		s := r.crowd(largeNodes/2, func(c uint32) { r.access(c, event.Read, 0) })
		r.add(event.FinishEnd, 0, s)
		r.access(0, event.Write, 0)
		r.access(r.fork(0), event.Read, 1)
		r.access(0, event.Write, 1)
		return r.trace
	},
	"divide and conquer": func() []event.Event {
		r := new(recorder)
		var sort func(task uint32, lo, hi uint64)
		sort = func(task uint32, lo, hi uint64) {
			if hi-lo > 1 {
				mid := (lo + hi) / 2
				s := r.open(task)
				for _, half := range [][2]uint64{{lo, mid}, {mid, hi}} {
					c := r.fork(task)
					sort(c, half[0], half[1])
					r.add(event.End, c, s)
				}
				r.add(event.FinishEnd, task, s)
			}
			r.trace = append(r.trace, event.Event{Op: event.Access, Task: task, Kind: event.Write, Addr: 1<<20 + 8*lo, Size: 8 * (hi - lo)})
		}
		sort(0, 0, largeNodes/6)
		r.access(r.fork(0), event.Read, 0)
		r.access(0, event.Write, 0)
		return r.trace
	},
	"random": func() []event.Event {
		r := new(recorder)
		rnd := rand.New(rand.NewPCG(1, 2))
		var body func(task uint32, scope uint64, depth int)
		body = func(task uint32, scope uint64, depth int) {
			for k := 4 + rnd.IntN(8); k > 0 && len(r.trace) < 4*largeNodes; k-- {
				switch {
				case depth > 0 && rnd.IntN(3) > 0:
					c := r.fork(task)
					body(c, scope, depth-1)
					r.add(event.End, c, scope)
				case depth > 0 && rnd.IntN(2) == 0:
					s := r.open(task)
					body(task, s, depth-1)
					r.add(event.FinishEnd, task, s)
				case rnd.IntN(2) == 0:
					r.isolated(task, rnd.Uint64N(100))
				}
				r.access(task, event.Read, rnd.Uint64N(100)+1000)
				r.access(task, event.Write, uint64(task)+2000)
			}
		}
		s := r.open(0)
		for len(r.trace) < 4*largeNodes {
			body(0, s, 12)
		}
		r.add(event.FinishEnd, 0, s)
		r.access(r.fork(0), event.Read, 0)
		r.access(0, event.Write, 0)
		return r.trace
	},
}

// Graphs of 100,000 nodes, deep and flat, take at most seconds, and the detector finds
// their single race.
func TestLarge(t *testing.T) {
	for name, make := range large {
		t.Run(name, func(t *testing.T) {
			trace := make()
			if err := event.Check(trace); err != nil {
				t.Fatal(err)
			}
			begin := time.Now()
			g := build(t, trace)
			built := time.Since(begin)
			races := map[[2]int32]bool{}
			if err := zipper.Races(g, zipper.ByIndex, func(r graph.Race) { races[[2]int32{r.First, r.Second}] = true }); err != nil {
				t.Fatal(err)
			}
			took := time.Since(begin)
			t.Logf("%d nodes: graph built in %v, races found in %v", len(g.Nodes), built, took-built)
			if len(g.Nodes) < largeNodes*2/3 {
				t.Errorf("only %d nodes", len(g.Nodes))
			}
			if len(races) != 1 {
				t.Errorf("%d races, want 1", len(races))
			}
			if took > largeTime {
				t.Errorf("took %v, more than %v", took, largeTime)
			}
		})
	}
}

// The racy loop of Antidep1 of DataRaceBench: task i reads element i+1 and writes
// element i; 2,005 nodes.
func antidep(tasks uint32) []event.Event {
	r := new(recorder)
	s := r.open(0)
	for r.tasks < tasks {
		c := r.fork(0)
		r.access(c, event.Read, uint64(c)+1)
		r.access(c, event.Write, uint64(c))
		r.add(event.End, c, s)
	}
	r.add(event.FinishEnd, 0, s)
	return r.trace
}

func BenchmarkAntidep(b *testing.B) {
	for _, c := range []struct {
		name  string
		tasks uint32
	}{{"11 nodes", 5}, {"2003 nodes", 1001}} {
		g, err := graph.Build(antidep(c.tasks))
		if err != nil {
			b.Fatal(err)
		}
		nothing := func(graph.Race) {}
		b.Run(c.name+"/graph", func(b *testing.B) {
			for b.Loop() {
				g.Races(nothing)
			}
		})
		for _, m := range []zipper.Method{zipper.ByPairs, zipper.ByIndex} {
			b.Run(c.name+"/"+string(m), func(b *testing.B) {
				for b.Loop() {
					zipper.Races(g, m, nothing)
				}
			})
		}
		b.Run(c.name+"/index, memory reused", func(b *testing.B) {
			var o zipper.Order
			var x zipper.Index
			for b.Loop() {
				o.Reset(g)
				x.Races(&o, nothing)
			}
		})
	}
}
