package recorded

import (
	"slices"
	"strings"

	"taskinstr/detector/event"
	"taskinstr/detector/schedule/dfs"
)

// A matcher finds the events of each section.
type matcher struct {
	run    *Run
	now    int     // the number of the next event
	next   int     // the next choice of a section, or the number of choices if there is none
	chosen int     // the choice whose Lock event is awaited, or none
	open   []*span // the sections that have not ended
	spans  []*span // by section
}

// A span is a section during matching.
type span struct {
	section  int
	task     uint32
	lock     uint64
	accesses []dfs.Access
	fresh    []dfs.Access // memory that the section was given
	whole    bool         // no event of another task came in between
	closed   bool
}

func newMatcher(r *Run) *matcher {
	m := &matcher{run: r, chosen: none}
	m.advance(0)
	return m
}

// advance moves to the next choice of a section, at or after from.
func (m *matcher) advance(from int) {
	choices := m.run.Record.Choices
	for m.next = from; m.next < len(choices) && !(isSection(choices[m.next]) && choices[m.next].Event >= 0); m.next++ {
	}
}

func (m *matcher) event(e *event.Event) {
	choices := m.run.Record.Choices
	for m.next < len(choices) && choices[m.next].Event <= m.now {
		m.failed()
		m.chosen = m.next
		m.cut()
		m.advance(m.next + 1)
	}
	if m.chosen != none && e.Op == event.Lock {
		m.lock(e)
	}
	for i := 0; i < len(m.open); i++ {
		if s := m.open[i]; s.task != e.Task {
			s.whole = false
		} else if s.add(e) {
			m.run.Sections[s.section].Last = m.now
			m.open = slices.Delete(m.open, i, i+1)
			i--
		}
	}
	m.now++
}

// end ends the matching. It is called after the last event.
func (m *matcher) end() {
	m.failed()
	m.cut()
}

// failed records that the awaited choice has taken no lock.
func (m *matcher) failed() {
	if m.chosen != none {
		m.run.Tries = append(m.run.Tries, Section{Choice: m.chosen, Name: m.run.Record.Choices[m.chosen].Task, Last: none})
		m.chosen = none
	}
}

// cut records that another section begins, or the trace ends, while these are open.
func (m *matcher) cut() {
	for _, s := range m.open {
		s.whole = false
	}
}

// lock begins the chosen section.
func (m *matcher) lock(e *event.Event) {
	r := m.run
	s := Section{Choice: m.chosen, Name: r.Record.Choices[m.chosen].Task, Task: e.Task, Site: e.Site, Stack: e.Stack, Lock: e.Obj, Shared: e.Shared, First: m.now, Last: none}
	m.chosen = none
	if r.tried(e) {
		r.Tries = append(r.Tries, s)
	}
	x := &span{section: len(r.Sections), task: e.Task, lock: e.Obj, whole: true}
	r.Sections = append(r.Sections, s)
	m.open = append(m.open, x)
	m.spans = append(m.spans, x)
}

// tried reports whether one of the functions that may fail took a lock.
func (r *Run) tried(e *event.Event) bool {
	for _, c := range r.Symbols.Calls(e.Site, e.Stack) {
		if strings.HasPrefix(c.Func, "sync.(*") && strings.HasSuffix(c.Func, "Lock") {
			return strings.Contains(c.Func, ").Try")
		}
	}
	return false
}

// add records an event of the section's task. It reports whether the section ends.
func (s *span) add(e *event.Event) (over bool) {
	switch e.Op {
	case event.Unlock:
		if s.closed = e.Obj == s.lock; s.closed {
			return true
		}
	case event.Alloc, event.Free:
		s.fresh = append(s.fresh, dfs.Access{Lo: e.Addr, Hi: e.Addr + e.Size})
	case event.Access:
		if e.Addr <= s.lock && s.lock < e.Addr+e.Size && e.Kind.Atomic() {
			break // the lock's own word
		}
		s.access(e.Addr, e.Addr+e.Size, e.Kind.Writes())
	case event.Fork:
		s.whole = false
	case event.Acquire, event.Release, event.ReleaseMerge, event.ReleaseAcquire, event.Meet, event.Outside:
		if e.Use != event.UseWaitGroup && e.Use != event.UsePool && e.Obj != s.lock {
			s.access(e.Obj, e.Obj+1, e.Op != event.Acquire)
		}
	}
	return false
}

func (s *span) access(lo, hi uint64, write bool) {
	if !s.whole {
		return // nothing uses the accesses any more
	}
	if n := len(s.accesses); n > 0 && s.accesses[n-1].Write == write && s.accesses[n-1].Hi == lo {
		s.accesses[n-1].Hi = hi
		return
	}
	for _, f := range s.fresh {
		if f.Lo <= lo && hi <= f.Hi {
			return
		}
	}
	s.accesses = append(s.accesses, dfs.Access{Lo: lo, Hi: hi, Write: write})
}

// tell adds the accesses to the choices of the record.
func (m *matcher) tell() {
	for i, s := range m.spans {
		if s.whole && s.closed {
			c := &m.run.Record.Choices[m.run.Sections[i].Choice]
			c.Accesses, c.Known = s.accesses, true
		}
	}
}
