package espbags

import "taskinstr/detector/serial"

// NeedSweep reports whether a sweep pays now.
//
//go:nosplit
func (e *Engine) NeedSweep() bool { return e.Engine.NeedSweep() || e.scopes.Due() }

// Sweep gives back everything that nothing leads to: task ids that no entry, cell or bag
// names, and origins, calling contexts, locksets and lists of accesses under locks. Entries
// about tasks that precede everything become empty.
func (e *Engine) Sweep() uint64 {
	e.shared = serial.NoEntry // its reader's id may be another task's soon
	for i := e.Base; i < e.nextID; i++ {
		if p := e.up(i); *p != 0 && *p&isRoot == 0 {
			*p = e.find(i)
		}
	}
	e.BeginSweep()
	sweep := e.Sweeps()
	for i := uint32(1); i < e.Bodies(); i++ {
		if t := e.Body(i); e.IsTask(i) {
			e.Keep(t.ID)
			e.Keep(stateOf(t).bag)
			e.MarkInfo(e.infoOf(t.ID))
			e.SweepTask(t)
		}
	}
	e.Keep(e.escaped)
	e.sweepScopes()
	// A task that is kept has ancestors that a report may name, and a root.
	for i := e.Base; i < e.nextID; i++ {
		if n := e.infoOf(i); n.Mark == sweep {
			if p := *e.up(i); p != 0 && p&isRoot == 0 {
				e.Keep(p)
			}
			for i := n.Parent; i >= e.Base && e.infoOf(i).Mark != sweep; i = e.infoOf(i).Parent {
				e.Keep(i)
				e.MarkInfo(e.infoOf(i))
			}
			e.MarkInfo(n)
		}
	}
	e.freeID = 0
	e.Kept = 0
	for i := e.nextID - 1; i >= e.Base; i-- {
		if e.infoOf(i).Mark == sweep {
			e.Kept++
		} else {
			e.dropID(i)
		}
	}
	kept := e.EndSweep()
	e.scopes.Swept()
	return kept
}

// sweepScopes gives back the scopes whose bag is empty and that no task that runs is
// to end in.
func (e *Engine) sweepScopes() {
	for i := uint32(1); i < e.Bodies(); i++ {
		if s := stateOf(e.Body(i)).scope; e.IsTask(i) && s != 0 {
			e.scopeAt(s).keep = true
		}
	}
	for s := uintptr(0); s < scopeSlots; s++ {
		l := e.slots.At32(s)
		for *l != 0 {
			i := *l
			c := e.scopeAt(i)
			if c.bag == 0 && !c.keep && c.joiner < e.Base && c.late < e.Base {
				*l = c.next
				*c = scope{}
				e.scopes.Add(i)
				continue
			}
			c.keep = false
			e.Keep(c.bag)
			e.Keep(c.joiner)
			e.Keep(c.late)
			l = &c.next
		}
	}
}
