package parallel

import (
	"testing"

	"taskinstr/detector/mem"
)

func TestProbe(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	a := e.Fork(m, 0, 0)
	want := func(why string, covered bool, by *Task, addr, n uintptr, k Kind) {
		t.Helper()
		if (e.Probe(by, addr, n, k) == Covered) != covered {
			t.Errorf("%s: covered is %v", why, !covered)
		}
	}
	for _, base := range []uintptr{heap, heap + blockBytes} {
		if base != heap { // a block of cells
			for i := uintptr(0); i < 2*maxRuns; i++ {
				e.Access(m, base+4096+i*16, 8, Write, 9, 9, 0)
			}
		}
		want("never accessed", false, m, base, 8, Read)
		e.Access(m, base, 8, Read, 1, 1, 0)
		want("read again", true, m, base, 8, Read)
		want("a part of it", true, m, base+2, 3, Read)
		want("more than it", false, m, base, 16, Read)
		want("written after a read", false, m, base, 8, Write)
		e.Access(m, base, 3, Write, 2, 2, 0)
		want("written again", true, m, base, 3, Write)
		want("only read", false, m, base+3, 1, Write)
		want("read before", true, m, base+3, 5, Read)
		want("another task's", false, a, base, 8, Read)
		want("atomic, was plain", true, m, base, 2, AtomicWrite)
		e.Access(m, base+64, 8, AtomicWrite, 3, 3, 0)
		want("plain, was atomic", false, m, base+64, 8, Read)
		e.Lock(m, heap+5*blockBytes, false)
		want("was without the lock", false, m, base, 3, Write)
		e.Access(m, base, 8, Write, 4, 4, 0)
		want("with the lock", true, m, base, 3, Write)
		e.Unlock(m, heap+5*blockBytes, false)
		want("of a step past", false, m, base, 8, Read)
		e.Access(m, base, 8, Write, 5, 5, 0)
		e.Alloc(base, 4)
		want("fresh", false, m, base, 4, Read)
		want("beside what is fresh", true, m, base+4, 4, Read)
	}
}

// An access is covered by a record of the same step, and not by a record of an earlier
// step, however many steps lie between.
func TestProbeGenerations(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	e.Access(m, heap, 8, Write, 1, 1, 0)
	if e.Probe(m, heap, 8, Write) != Covered {
		t.Fatal("an access repeated is not covered")
	}
	for i := range 2 * maxGeneration {
		e.endStep(m)
		if e.Probe(m, heap, 8, Write) == Covered {
			t.Fatalf("covered by an access %d steps ago", i+1)
		}
	}
}

// A block that another thread has locked keeps no access from the quick way.
func TestProbeLockedBlock(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	e.Access(m, heap, 8, Write, 1, 1, 0)
	e.Access(m, heap+64, 8, Write, 2, 2, 0)
	e.endStep(m)
	b := e.block(e.blockAt(heap >> blockShift))
	mem.LockSeq(&b.mu)
	p := e.Probe(m, heap+64, 8, Write)
	e.unlockSeq(&b.mu)
	if p != Open {
		t.Fatalf("Probe gives %d", p)
	}
	if !e.Quick(m, heap+64, 8, Write, 3, 3, 0) {
		t.Fatal("Quick fails")
	}
	if e.Probe(m, heap+64, 8, Write) != Covered || e.Probe(m, heap, 8, Write) == Covered {
		t.Error("Quick has recorded another word")
	}
}
