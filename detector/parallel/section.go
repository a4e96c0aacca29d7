package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A section is a critical section in which an access was recorded. Once its own task has
// ended it, its end is an epoch of the weak order.
type section struct {
	mark    uint32
	lock    uint32 // object.serial
	ended   uint32 // written last, see sectionEnded
	how     uint32 // hold.pc << howBits, with sectionShared and sectionQuiet
	endTask uint32
	endStep uint32 // also the link of the free chain
	endWeak clock
	endOwn  uint32 // Task.weakChange.own at the end
	addr    uintptr
}

// States of section.ended.
const (
	sectionLasts  = iota
	sectionForked // lasts, and its task has forked in it
	sectionEnded
	sectionVoid // ended by another task, or its task has ended: no access is ordered after it
)

// lasts reports whether c has neither ended nor become void.
//
//go:nosplit
func (c *section) lasts() bool { return mem.Load32(&c.ended) < sectionEnded }

// The bits of section.how below the place, which is less than 1 GiB away from Options.PCBase.
const (
	sectionShared = 1 << iota
	sectionQuiet
	howBits = iota
)

//go:nosplit
func (c *section) shared() bool { return c.how&sectionShared != 0 }

func (c *section) quiet() bool { return c.how&sectionQuiet != 0 }

// precedes reports whether d, a later section of the same lock that conflicts with c or knows its beginning, must follow the end of c.
func (c *section) precedes(d *section) bool {
	return mem.Load32(&c.ended) == sectionEnded && !(c.shared() && d.shared()) && !(c.quiet() && d.quiet())
}

func (e *Engine) section(i uint32) *section {
	return (*section)(unsafe.Add(nil, e.sections.Base+uintptr(i)*unsafe.Sizeof(section{})))
}

// begun returns the critical section that begins with h.
//
//go:nosplit
func (h *hold) begun() section {
	how := h.pc << howBits
	if h.shared {
		how |= sectionShared
	}
	if h.quiet {
		how |= sectionQuiet
	}
	state := uint32(sectionLasts)
	if h.forked {
		state = sectionForked
	}
	return section{lock: h.serial, ended: state, how: how, addr: h.addr}
}

func (e *Engine) newSection(t *Task, h *hold) {
	h.section = e.draw(&t.proc().sections, &e.sections)
	*e.section(h.section) = h.begun()
}

// endSection records the end of section i, in t's present step.
func (e *Engine) endSection(t *Task, i uint32) {
	c := e.section(i)
	c.endTask, c.endStep, c.endWeak, c.endOwn = t.id, t.step, t.weak, t.weakChange.own
	e.keepClock(t.weak)
	mem.Store32(&c.ended, sectionEnded)
	if t.setKnown && t.set == i|oneLock {
		for _, r := range t.records {
			if r != noRecord {
				e.record(r).ends = 1
			}
		}
	}
}
