package parallel

import (
	"maps"
	"testing"

	"taskinstr/detector/mem"
)

// quick reports whether Probe and Quick suffice for an access. The tests below compare
// the results of both with the result of Access.
func quick(e *Engine, t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	switch e.Probe(t, addr, n, k) {
	case Covered:
		return true
	case Open:
		return e.Quick(t, addr, n, k, site, pc, stack)
	}
	return false
}

// The table of an address may exist without a block for it.
func TestProbeBeforeBlocks(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	mem.Store32(e.dir.At32(heap>>tableShift%dirEntries), e.tables.Get())
	if p := e.Probe(m, heap, 8, Read); p == Covered {
		t.Error("an access of unknown bytes is covered")
	}
}

func TestQuick(t *testing.T) {
	for _, stride := range []uintptr{8, 16} { // runs, cells
		e, m := newEngine(t, Options{})
		access := func(c *Task, i uintptr, k Kind, site uintptr) bool {
			if quick(e, c, heap+i*stride, 8, k, site, site, 0) {
				return true
			}
			e.Access(c, heap+i*stride, 8, k, site, site, 0)
			return false
		}
		const n = 500
		quick := 0
		for round := 0; round < 2; round++ {
			for i := uintptr(0); i < n; i++ {
				if access(m, i, Write, 1) {
					quick++
				}
			}
		}
		if quick < 2*n-40 {
			t.Errorf("stride %d: only %d of %d accesses went the quick way", stride, quick, 2*n)
		}
		a := e.Fork(m, 0, 0)
		if access(m, 0, Write, 1) {
			t.Errorf("stride %d: an access of a new step passes for one of the last", stride)
		}
		for i := uintptr(0); i < n; i++ {
			access(a, i, Read, 2)
		}
		if e.races != 1 {
			t.Errorf("stride %d: %d races, want that of the word written after the fork", stride, e.races)
		}
		for i := uintptr(0); i < n; i++ {
			access(m, i, Write, 3)
		}
		if e.races != 2 {
			t.Errorf("stride %d: %d races, want one more", stride, e.races)
		}
	}
}

// A block of cells has become one of runs since Probe. By chance its lock has the number of the block of runs that Probe
// has seen before.
func TestQuickInChangedBlock(t *testing.T) {
	e, m := newEngine(t, Options{})
	e.Fork(m, 0, 0) // keeps history
	const cells, runs = heap + blockBytes, heap
	for i := range uintptr(8) {
		e.Access(m, runs+i*8, 8, Write, 1+i, 1+i, 0)
	}
	for i := range uintptr(200) {
		e.Access(m, cells+i*16, 8, Write, 1, 1, 0)
	}
	e.Release(m, heap+4*blockBytes)
	if e.Probe(m, runs+6*8, 8, Write) != Open || e.Probe(m, cells, 8, Write) != Open {
		t.Fatal("Probe has not found the bytes")
	}
	stale := m.spot
	e.Access(m, cells, blockBytes, Write, 2, 2, 0)
	b := e.block(e.blockAt(cells >> blockShift))
	if b.page != 0 {
		t.Fatal("the block has cells still")
	}
	e.Release(m, heap+4*blockBytes)
	mem.Store32(&b.mu, mem.Load32(&e.block(e.blockAt(runs>>blockShift)).mu))
	m.spot = stale
	if !e.Quick(m, cells, 8, Write, 3, 3, 0) {
		t.Fatal("Quick has not made the access")
	}
	if p := e.Probe(m, cells, 4, Write); p != Covered {
		t.Error("the access is not in the history")
	}
}

// After a sweep no task uses a freed record.
func TestQuickAfterSweep(t *testing.T) {
	e, m := newEngine(t, Options{})
	e.Fork(m, 0, 0) // keeps history
	for i := uintptr(0); i < 100; i++ {
		e.Access(m, heap+i*16, 8, Write, 1, 1, 0)
	}
	for i := uintptr(0); i < 100; i++ {
		e.Access(m, heap+i*16, 8, Write, 2, 2, 0) // replaces m's first write
	}
	if !quick(e, m, heap+100*16, 8, Write, 1, 1, 0) {
		t.Fatal("the next word of a loop takes the long way")
	}
	e.Sweep()
	if quick(e, m, heap+100*16, 8, Write, 1, 1, 0) || quick(e, m, heap+101*16, 8, Write, 1, 1, 0) {
		t.Error("an access uses what it knew before the sweep")
	}
}

// After a sweep a task may get the id and the caches of a forgotten task.
func TestQuickOfHeir(t *testing.T) {
	e, m := newEngine(t, Options{})
	e.Fork(m, 0, 0)
	for i := uintptr(0); i < 100; i++ {
		e.Access(m, heap+4096+i*16, 8, Write, 3, 3, 0) // stays, in cells
	}
	a := e.Fork(m, 0, 0)
	for i := uintptr(0); i < 100; i++ {
		e.Access(a, heap+i*16, 8, Write, 1, 1, 0)
	}
	id := a.id
	e.End(a)
	e.Alloc(heap, 1600)
	e.Sweep()
	b := e.Fork(m, 0, 0)
	if b != a || b.id != id {
		t.Fatal("the next task is no heir of the first")
	}
	if quick(e, b, heap+16, 8, Write, 1, 1, 0) {
		t.Error("an access is entered as one of the dead task")
	}
}

// After a record was renewed, tasks that have judged the old one judge it again.
func TestRenewedRecordIsJudgedAgain(t *testing.T) {
	const sync = heap + 5*blockBytes
	for _, c := range []struct {
		name string
		race uintptr // address at which the last access races
		run  func(e *Engine, access func(c *Task, addr, n uintptr, k Kind), m, u *Task)
	}{
		{"after a hand-over", heap, func(e *Engine, access func(c *Task, addr, n uintptr, k Kind), m, u *Task) {
			access(u, heap, 8, Write)
			e.Release(u, sync)
			e.Acquire(m, sync)
			access(m, heap, 8, Write)
			access(u, heap, 8, Write)
		}},
		{"in part of its bytes", heap, func(e *Engine, access func(c *Task, addr, n uintptr, k Kind), m, u *Task) {
			access(u, heap+7, 1, Write)
			access(m, heap, 8, Write)
			access(u, heap, 8, Write)
		}},
		{"of other bytes, too", heap + 8, func(e *Engine, access func(c *Task, addr, n uintptr, k Kind), m, u *Task) {
			access(m, heap, 8, Write)
			e.Release(m, sync)
			e.Acquire(u, sync)
			access(u, heap, 8, Read)
			access(m, heap, 8, Write)
			access(m, heap+8, 8, Write)
			access(u, heap+8, 8, Read)
		}},
	} {
		for _, cells := range []bool{false, true} {
			e, m := newEngine(t, Options{Repeat: true})
			got := collect(e)
			if cells {
				for i := uintptr(0); i < 2*maxRuns; i++ {
					e.Access(m, heap+4096+i*16, 8, Write, 9, 9, 0)
				}
			}
			access := func(c *Task, addr, n uintptr, k Kind) {
				if site := uintptr(c.id); !quick(e, c, addr, n, k, site, site, 0) {
					e.Access(c, addr, n, k, site, site, 0)
				}
			}
			access(m, heap, 8, Write)
			u := e.Fork(m, 0, 0)
			c.run(e, access, m, u)
			if n := len(*got); n == 0 || (*got)[n-1].Cur.Site != uintptr(u.id) || (*got)[n-1].Cur.Addr != c.race {
				t.Errorf("%s, cells %v: the last access does not race", c.name, cells)
			}
			e.Close()
		}
	}
}

// A record is settled from the end of its step on if the end of its only critical section ends
// the step.
func TestSettled(t *testing.T) {
	const lock, other = heap + 1<<16, heap + 1<<16 + 64
	e, m := newEngine(t, Options{})
	defer e.Close()
	access := func() *record {
		e.Access(m, heap, 8, Write, 1, 1, 0)
		return e.record(m.records[Write])
	}
	free := access()
	e.Lock(m, lock, false)
	inside := access()
	if inside.settled() {
		t.Error("a record is settled in its critical section")
	}
	e.Unlock(m, lock, false)
	if !free.settled() || !inside.settled() {
		t.Error("a record without locks, or of an ended section, is not settled")
	}
	e.Lock(m, lock, false)
	e.Lock(m, other, false)
	both := access()
	e.Unlock(m, other, false)
	outer := access()
	e.Fork(m, 0, 0)
	e.Unlock(m, lock, false)
	if both.settled() {
		t.Error("a record is settled at the end of one of its two critical sections")
	}
	if outer.settled() {
		t.Error("a record is settled though its critical section ended in a later step")
	}
}

// A quick access makes the history of some bytes of a word equal to the history of bytes that it
// reaches later, so that both become one piece.
func TestQuickJoinsPieces(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	const word = heap + 8
	a, b := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
	for i := uintptr(0); i < 200; i++ {
		e.Access(a, heap+16*i, 8, Read, 1, 1, 0) // so many words that the block has cells
	}
	e.Access(a, word+2, 6, Read, 2, 2, 0)
	e.Access(b, word, 1, Read, 3, 3, 0) // takes the place of a piece in front
	e.Access(b, word+2, 3, Read, 3, 3, 0)
	if !quick(e, b, word, 8, Read, 3, 3, 0) {
		t.Error("the read of all bytes did not go the quick way")
	}
	for i := uintptr(2); i < 8; i++ {
		races := e.races
		e.Access(b, word+i, 1, Write, uintptr(10+i), uintptr(10+i), 0)
		if e.races != races+1 {
			t.Errorf("byte %d: %d races, want that with the first task", i, e.races-races)
		}
	}
}

// Two tasks read the same bytes in many steps each. The lists of reads change in place, and a write
// races with the last read of each.
func TestReread(t *testing.T) {
	for _, c := range []struct {
		name            string
		n, stride, size uintptr
		rounds          uintptr
	}{
		{"words", 100, 16, 8, 50},
		{"runs", 10, 16, 8, 200},
		{"pieces", 100, 8, 4, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, m := newEngine(t, Options{Repeat: true})
			a, b, d := e.Fork(m, 0, 0), e.Fork(m, 0, 0), e.Fork(m, 0, 0)
			got := collect(e)
			read := func(by *Task, i, site uintptr) {
				check(e, by, heap+i*c.stride, c.size, Read, site, site, 0)
			}
			used := uint32(0)
			for round := range c.rounds {
				if round == 2 {
					used = e.lists.Next
				}
				for i := range c.n {
					if round == 0 {
						read(a, i, 1)
					}
					read(b, i, 100+round)
					e.Release(b, heap-8)
				}
			}
			// b replaces its read in place but for one step of pruneSteps.
			reads := uint32(c.n * c.rounds)
			if most := used + uint32(c.n) + 2*reads/pruneSteps + 2*mem.Batch; e.lists.Next > most {
				t.Errorf("%d list nodes for %d reads, want %d at most", e.lists.Next, reads, most)
			}
			e.Release(a, heap-8)
			for i := range c.n {
				read(a, i, 2) // behind b's
				read(b, i, 3)
				e.Release(b, heap-8)
				read(b, i, 8) // in place
			}
			// d reads a part, and b the rest: b's older read stays the last one of the part.
			e.Release(b, heap-8)
			for i := range c.n {
				check(e, d, heap+i*c.stride, 2, Read, 6, 6, 0)
				check(e, b, heap+i*c.stride+2, c.size-2, Read, 7, 7, 0)
			}
			for i := range c.n {
				*got = (*got)[:0]
				e.Access(m, heap+i*c.stride, c.size, Write, 5, 5, 0)
				bytes := map[uintptr]uintptr{} // by the site of the read
				for _, r := range *got {
					bytes[r.Prev.Site] += r.Prev.Size
				}
				want := map[uintptr]uintptr{2: c.size, 6: 2, 8: 2, 7: c.size - 2}
				if !maps.Equal(bytes, want) {
					t.Errorf("%d: the write races with bytes %v, by the site of the read; want %v", i, bytes, want)
				}
			}
		})
	}
}

// Three tasks take turns in reading the same words. Each replaces its own read, wherever it is among theirs, and a
// write races with the last read of each.
func TestRereadInTurn(t *testing.T) {
	const words, rounds = 100, 50
	e, m := newEngine(t, Options{Repeat: true})
	tasks := []*Task{e.Fork(m, 0, 0), e.Fork(m, 0, 0), e.Fork(m, 0, 0)}
	got := collect(e)
	used := uint32(0)
	for round := uintptr(1); round <= rounds; round++ {
		if round == 3 {
			used = e.lists.Next
		}
		for i := range uintptr(words) {
			for k, by := range tasks {
				site := 100*uintptr(k+1) + round
				check(e, by, heap+i*16, 8, Read, site, site, 0)
				e.Release(by, heap-8*uintptr(k+1)) // so that words share no list
			}
		}
	}
	reads := uint32(words * rounds * len(tasks))
	if most := used + reads/2; e.lists.Next > most { // only one step of pruneSteps makes nodes
		t.Errorf("%d list nodes for %d reads, want %d at most", e.lists.Next, reads, most)
	}
	for i := range uintptr(words) {
		*got = (*got)[:0]
		e.Access(m, heap+i*16, 8, Write, 5, 5, 0)
		sites := map[uintptr]bool{}
		for _, r := range *got {
			sites[r.Prev.Site] = true
		}
		if want := map[uintptr]bool{100 + rounds: true, 200 + rounds: true, 300 + rounds: true}; !maps.Equal(sites, want) {
			t.Errorf("word %d: the write races with reads at %v, want %v", i, sites, want)
		}
	}
}
