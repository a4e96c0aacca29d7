package online

// Among tasks with promises one reader cannot speak for all that run in parallel, as it
// can among tasks with finish scopes alone. A word with several has a list of them, the
// newest first. Lists do not change once they are made, and words share them.
type reader struct {
	rest   uint32 // the older readers; also the link of the free chain
	step   uint32
	origin uint32
	length uint32
	mark   uint32
}

// A reference to readers is a step, whose origin its holder knows, or isList and the
// number of a list. 0: none.
const isList = 1 << (idBits - 1)

//go:nosplit
func (e *Engine) readerAt(r uint32) *reader {
	return (*reader)(e.readers.at(r&^isList - e.listBase))
}

// past reports whether readers, or a step, are of before the last forget.
//
//go:nosplit
func (e *Engine) past(r uint32) bool {
	if r&isList != 0 {
		return r&^isList < e.listBase
	}
	return r < e.base
}

// newestOf takes the newest reader off; ro is what the holder knows.
func (e *Engine) newestOf(r, ro uint32) (step, origin, rest uint32) {
	if r&isList == 0 {
		return r, ro, 0
	}
	x := e.readerAt(r)
	return x.step, x.origin, x.rest
}

// memoized lists are found again: neighbouring words are read in the same way.
const listMemos = 1 << 10

func (e *Engine) listOf(step, origin, rest uint32) uint32 {
	slot := &e.listed[(step^origin*31^rest*0x9e37)%listMemos]
	if r := *slot; r != 0 && !e.past(r) {
		if x := e.readerAt(r); x.step == step && x.origin == origin && x.rest == rest {
			return r
		}
	}
	length := uint32(1)
	if rest != 0 {
		length += e.readerAt(rest).length
	}
	r := e.freeReader
	if r != 0 {
		e.freeReader = e.readerAt(r).rest
	} else {
		if e.nextList == isList-1 {
			hostExhausted("readers")
		}
		r = e.nextList | isList
		e.nextList++
	}
	*e.readerAt(r) = reader{rest: rest, step: step, origin: origin, length: length}
	*slot = r
	return r
}

// gone reports whether a reader need not be remembered beside a read of t: forks and
// links put it in front of t, so whatever races with it races with t.
func (e *Engine) gone(t *Task, step uint32) bool {
	if e.precedes(t, step) {
		return true
	}
	s := e.stepOf(step)
	if !e.quickly(s.task, s.seq, t) {
		return false
	}
	*e.answer(step, t.id) = answer{step: step, task: t.id}
	return true
}

// remember adds a read of t at origin o to readers and returns them, with what their
// holder is to know. Readers that are gone are left out where that is cheap to find out:
// the newest ones, and all whenever their number has doubled.
func (e *Engine) remember(t *Task, r, ro, o uint32) (readers, origin uint32) {
	if e.past(r) {
		return t.step, o
	}
	for r != 0 {
		step, origin, rest := e.newestOf(r, ro)
		if step == t.step {
			return r, ro
		}
		if !e.gone(t, step) {
			if rest == 0 && r&isList != 0 {
				r, ro = step, origin
			}
			break
		}
		r = rest
	}
	if r == 0 {
		return t.step, o
	}
	if r&isList == 0 {
		r = e.listOf(r, ro, 0)
	} else if n := e.readerAt(r).length; n >= 8 && n&(n-1) == 0 {
		if r = e.pruned(t, r); r == 0 {
			return t.step, o
		}
	}
	return e.listOf(t.step, o, r), 0
}

// pruned returns the readers of a list that are not gone.
func (e *Engine) pruned(t *Task, r uint32) uint32 {
	n := uint32(0)
	for r != 0 {
		step, origin, rest := e.newestOf(r, 0)
		if !e.gone(t, step) {
			*e.queueAt(n) = place{step, origin}
			n++
		}
		r = rest
	}
	for n > 0 {
		n--
		p := e.queueAt(n)
		r = e.listOf(p.task, p.at, r)
	}
	return r
}

// behind reports whether all of some readers precede t.
func (e *Engine) behind(t *Task, r uint32) bool {
	for !e.past(r) {
		step, _, rest := e.newestOf(r, 0)
		if e.parallel(t, step) {
			return false
		}
		r = rest
	}
	return true
}
