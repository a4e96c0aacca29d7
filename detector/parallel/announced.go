package parallel

// A critical section is announced if its task has released something in it. Another task may then know that the section
// has begun, and not know its end. Such a task must follow the end once it takes the lock, since it can do so only behind
// the section (rule (b)). Each lock remembers its last maxAnnounced announced sections that have ended.
type announced struct {
	n    uint32 // number so far, also the link of the free chain
	last [maxAnnounced]announcement
}

// An announcement is a section that its own task has ended. A task may know its beginning alone if it knows a step of the slot from began
// on, and none from ended on.
type announcement struct {
	section      uint32 // 0: none
	slot         uint32
	began, ended uint32
}

const maxAnnounced = 8

func (e *Engine) announcedAt(i uint32) *announced { return (*announced)(e.announced.At(i)) }

// announce notes that h, t's section of lock o, ends now, if it is announced.
func (e *Engine) announce(t *Task, o *object, h *hold) {
	if h.began == t.step || h.began < t.firstStep {
		return // t has released nothing, or has new steps since, see moreSteps
	}
	if h.section == 0 {
		e.newSection(t, h)
	}
	if o.announced == 0 {
		o.announced = e.announced.Get()
		*e.announcedAt(o.announced) = announced{}
	}
	a := e.announcedAt(o.announced)
	a.last[a.n%maxAnnounced] = announcement{section: h.section, slot: t.slot, began: h.began, ended: t.step}
	a.n++
}

// followAnnounced orders t, whose section h of lock o begins or ends, after the ends of the announced sections
// of the lock that it knows to have begun.
func (e *Engine) followAnnounced(t *Task, o *object, h *hold) {
	a, b := e.announcedAt(o.announced), h.begun()
	for again := true; again; {
		again = false
		for i := range a.last {
			x := &a.last[i]
			if x.section == 0 {
				continue
			}
			if s := e.stepIn(t.weak, x.slot); s < x.began || s >= x.ended {
				continue
			}
			if c := e.section(x.section); c.precedes(&b) && e.orderAfterSection(t, c) {
				again = true
			}
		}
	}
}

// dropAnnounced forgets the announced sections of lock o.
func (e *Engine) dropAnnounced(o *object) {
	if o.announced != 0 {
		e.announced.Put(o.announced)
		o.announced = 0
	}
}

// announced marks the announced sections of lock o that a task may still have to follow, and forgets the others. Those of ended tasks
// are among these: their slots are worth more.
func (s *sweep) announced(o *object) {
	e := s.e
	if o.announced == 0 {
		return
	}
	a := e.announcedAt(o.announced)
	used := false
	for i := range a.last {
		x := &a.last[i]
		if x.section == 0 {
			continue
		}
		c := e.section(x.section)
		if e.info(c.endTask).flags&infoEnded != 0 || s.precedesAll(c) {
			*x = announcement{}
			continue
		}
		c.mark = e.sweeps
		used = true
	}
	if !used {
		e.dropAnnounced(o)
	}
}
