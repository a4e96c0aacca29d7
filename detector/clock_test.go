package detector

import (
	"math/rand/v2"
	"testing"
)

// clockModel runs a program of clock operations and checks the clocks against maps. The
// program has a few registers, each a clock that others may share.
func clockModel(t *testing.T, program []byte) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	const registers = 4
	var clocks [registers]uint32
	var models [registers]map[uint32]uint32
	for i := range models {
		models[i] = map[uint32]uint32{}
	}
	next := func() uint32 {
		if len(program) == 0 {
			return 0
		}
		b := program[0]
		program = program[1:]
		return uint32(b)
	}
	for len(program) > 0 {
		op, x, y := next()%4, next()%registers, next()%registers
		switch op {
		case 0, 1: // set
			k := next()%40 | next()%3<<9 | next()%3<<20
			v := 1 + next()
			clocks[x] = e.clockSet(m, clocks[x], k, v)
			models[x][k] = max(models[x][k], v)
		case 2: // share
			if x == y {
				continue
			}
			e.holdClock(clocks[y])
			e.dropClock(m, clocks[x])
			clocks[x] = clocks[y]
			models[x] = map[uint32]uint32{}
			for k, v := range models[y] {
				models[x][k] = v
			}
		case 3: // merge
			r := e.clockMax(m, clocks[x], clocks[y])
			if r != clocks[x] {
				if r == clocks[y] {
					e.holdClock(r)
				}
				e.dropClock(m, clocks[x])
				clocks[x] = r
			}
			for k, v := range models[y] {
				models[x][k] = max(models[x][k], v)
			}
		}
		for i := range clocks {
			for k, v := range models[i] {
				if g := e.clockGet(clocks[i], k); g != v {
					t.Fatalf("register %d, task %d: %d, want %d", i, k, g, v)
				}
			}
			if k := next() % 64; models[i][k] == 0 && e.clockGet(clocks[i], k) != 0 {
				t.Fatalf("register %d knows task %d", i, k)
			}
		}
	}
	for i := range clocks {
		e.dropClock(m, clocks[i])
	}
	if got := e.clocks.used(); got != m.proc().clocks.size() {
		t.Errorf("%d clock nodes are not given back", got-m.proc().clocks.size())
	}
}

func TestClock(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < 300; i++ {
		b := make([]byte, 20+rnd.IntN(400))
		for k := range b {
			b[k] = byte(rnd.Uint32())
		}
		clockModel(t, b)
	}
}

func FuzzClock(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= 2000 {
			clockModel(t, b)
		}
	})
}

// Two tasks that only meet each other know that their clocks are equal, so that a meeting
// merges nothing and copies nothing: an entry that the test puts into one clock stays there alone.
func TestMeetMergesNothing(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	e.Meet(a, b)
	e.Meet(a, b)
	const other, step = 7, 99 // no task
	e.clock(a.weak).a[other] = step
	for range 10 {
		e.Meet(a, b)
		if !e.beforeWeak(a, b.id, b.step-1) || !e.beforeWeak(b, a.id, a.step-1) {
			t.Fatal("one side does not follow the other")
		}
		if e.clockGet(a.weak, other) != step || e.clockGet(b.weak, other) != 0 {
			t.Fatal("a meeting has copied a clock")
		}
	}
}
