package parallel

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
	var held [registers]clocks
	e.nslots = maxSlots
	const alone = pageSlots - 1 // a slot that only happens-before knows
	var later [registers]uint32
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
		op, x, y := next()%5, next()%registers, next()%registers
		switch op {
		case 0, 1: // set
			k := next()%40 + next()%pagesMost*pageSlots
			v := 1 + next()
			e.enter(m, &held[x], k, v)
			models[x][k] = max(models[x][k], v)
		case 2: // share
			if x == y {
				continue
			}
			e.keepBoth(&held[y])
			e.dropBoth(m, &held[x])
			held[x] = held[y]
			later[x] = later[y]
			models[x] = map[uint32]uint32{}
			for k, v := range models[y] {
				models[x][k] = v
			}
		case 3: // in happens-before alone
			v := 1 + next()
			e.divide(&held[x])
			e.setStep(m, &held[x].hb, alone, v)
			e.unite(m, &held[x])
			later[x] = max(later[x], v)
		case 4: // join
			later[x] = max(later[x], later[y])
			e.joinBoth(m, &held[x], &held[y])
			for k, v := range models[y] {
				models[x][k] = max(models[x][k], v)
			}
		}
		for i := range held {
			for k, v := range models[i] {
				if g := e.stepIn(held[i].weak, k); g != v {
					t.Fatalf("register %d, slot %d: %d, want %d", i, k, g, v)
				}
			}
			if k := next() % 64; models[i][k] == 0 && e.stepIn(held[i].weak, k) != 0 {
				t.Fatalf("register %d knows slot %d", i, k)
			}
			if more := held[i].hb; e.stepIn(more, alone) != later[i] || later[i] != 0 && e.stepIn(held[i].weak, alone) != 0 {
				t.Fatalf("register %d: the clocks are not apart", i)
			}
		}
	}
	for i := range held {
		e.dropBoth(m, &held[i])
	}
	e.dropBoth(m, &m.clocks)
	p := m.proc()
	if got := e.clockPages.Used() - 1; got != p.clockPages.Size() {
		t.Errorf("%d pages are not given back", got-p.clockPages.Size())
	}
	if got := e.clockTops.Used(); got != p.clockTops.Size() {
		t.Errorf("%d tops are not given back", got-p.clockTops.Size())
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
