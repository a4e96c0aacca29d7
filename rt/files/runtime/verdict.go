//go:build taskinstr_runtime

// The verdict of a clean run (TASKINSTR=verdict=1). If the tasks met only in ways that
// every schedule repeats, the run represents all schedules of its input. If the run made
// choices, for example between two senders, it represents the schedules with the same
// choices, and the verdict lists them. A race or predicted race refutes both claims, also
// if its report was suppressed.

package runtime

import "unsafe"

const (
	tr_choiceSelect = iota // also an operation that is given up if it would block
	tr_choiceChannel
	tr_choiceAtomic
	tr_choiceTry
	tr_choiceHandover // an unlock of another task's lock: whoever takes the lock next could have come first
	tr_choiceOrder    // outside of the model of a serial detector
	tr_choiceLeft     // a task left depth-first order, on which a serial detector relies
)

const tr_maxChoices = 64

// tr_choiceText returns the name of a kind.
func tr_choiceText(kind uint32) string {
	switch kind {
	case tr_choiceSelect:
		return th_Select
	case tr_choiceChannel:
		return th_Channel
	case tr_choiceAtomic:
		return th_Atomic
	case tr_choiceTry:
		return th_Try
	case tr_choiceHandover:
		return th_Handover
	case tr_choiceLeft:
		return th_Left
	}
	return th_Order
}

type tr_choice struct {
	kind  uint32
	count uint32
	pc    uintptr
}

// A tr_chanUse remembers the last users of a channel, or the last user of an atomic word
// (sender).
type tr_chanUse struct {
	ch       uintptr
	sender   uintptr
	receiver uintptr
}

const tr_chanUses = 1 << 12

var tr_verdict struct {
	lock    uint32
	n       uint32 // distinct choices; only the first tr_maxChoices are stored
	choices [tr_maxChoices]tr_choice
	chans   uintptr // [tr_chanUses]tr_chanUse, open addressing by address
	full    bool
	left    bool // a task has left depth-first order
}

// tr_noteLeft records that gp, which does not run, has let goroutines behind it in
// depth-first order continue. A serial detector may then assume an order that does not
// exist.
func tr_noteLeft(gp *g) {
	t := tr_taskOf(gp)
	if t == nil {
		return
	}
	fp := gp.sched.bp
	if gp.syscallsp != 0 {
		fp = gp.syscallbp
	}
	if fp == 0 {
		tr_noteChoice(tr_choiceLeft, 0)
		return
	}
	tr_noteCaller(gp, t, tr_choiceLeft, fp)
}

// tr_noteChoice counts a choice made at pc. Choices of package testing, for example which
// test gets a slot first, do not affect the results of tests and are not counted.
func tr_noteChoice(kind uint32, pc uintptr) {
	if f := findfunc(pc); f.valid() && tr_hasPrefix(funcname(f), "testing.") {
		return
	}
	v := &tr_verdict
	v.left = v.left || kind == tr_choiceLeft
	me_Lock(&v.lock)
	known := min(v.n, tr_maxChoices)
	i := uint32(0)
	for i < known && (v.choices[i].kind != kind || v.choices[i].pc != pc) {
		i++
	}
	switch {
	case i < known:
		v.choices[i].count++
	case v.n < tr_maxChoices:
		v.choices[v.n] = tr_choice{kind, 1, pc}
		v.n++
	default:
		v.n++
	}
	me_Unlock(&v.lock)
}

// tr_noteSelect records a select with several cases.
//
//go:nosplit
func tr_noteSelect(pc uintptr) {
	if tr_taskOf(getg()) != nil {
		systemstack(func() { tr_noteChoice(tr_choiceSelect, pc) })
	}
}

// tr_notePoll records a channel operation that is given up if it would block.
//
//go:nosplit
func tr_notePoll() {
	gp := getg()
	t := tr_taskOf(gp)
	if t == nil || gp != gp.m.curg {
		return
	}
	fp := getfp()
	systemstack(func() { tr_noteCaller(gp, t, tr_choiceSelect, fp) })
}

// tr_noteChan records that gp, which runs or waits for this operation, has sent or
// received a value, unless it is the first to do so on c. Receives from a closed channel
// are no choice.
//
//go:nosplit
func tr_noteChan(c *hchan, gp *g, op int) {
	t := tr_taskOf(gp)
	if t == nil || gp != getg() && gp.sched.bp == 0 {
		return
	}
	fp := gp.sched.bp
	if gp == getg() {
		fp = getfp()
	}
	systemstack(func() { tr_noteChanUse(gp, t, c, op == tr_chanSend, fp) })
}

func tr_noteChanUse(gp *g, t *ti_Task, c *hchan, send bool, fp uintptr) {
	v := &tr_verdict
	me_Lock(&v.lock)
	other := false
	if u := tr_useOf(uintptr(unsafe.Pointer(c))); u != nil {
		who := &u.receiver
		if send {
			who = &u.sender
		}
		other = *who != 0 && *who != uintptr(unsafe.Pointer(t))
		*who = uintptr(unsafe.Pointer(t))
	}
	me_Unlock(&v.lock)
	if other {
		tr_noteCaller(gp, t, tr_choiceChannel, fp)
	}
}

// tr_noteCaller records a choice made by the program's code that called the frame fp.
func tr_noteCaller(gp *g, t *ti_Task, kind uint32, fp uintptr) {
	w := tr_walkOf(t)
	tr_walkUp(gp, t, w, fp)
	w.act = 0
	for i := w.n - 1; i >= 0; i-- {
		f := findfunc(w.at(i).pc)
		if !f.valid() {
			continue
		}
		if name := funcname(f); !tr_hidden(name, false) && !tr_synchronizes(name) && name != "time.Sleep" {
			tr_noteChoice(kind, w.at(i).pc)
			return
		}
	}
}

// tr_noted tells package sync to report uses of TryLock.
//
//go:linkname tr_noted
var tr_noted bool

// tr_raceTrying is called at the entry of TryLock and TryRLock.
//
//go:linkname tr_raceTrying internal/race.Trying
//go:nosplit
func tr_raceTrying() {
	if tr_tracing {
		tr_traceOutside(tr_useOfTry, 0)
		return
	}
	gp := getg()
	t := tr_taskOf(gp)
	if t == nil || gp != gp.m.curg || gp.raceignore != 0 {
		return
	}
	fp := getfp()
	systemstack(func() { tr_noteCaller(gp, t, tr_choiceTry, fp) })
}

// tr_noteAtomic is called at an atomic operation on the word at addr. It is a choice if
// several tasks use the word, except inside sync.Once, whose outcome does not depend on
// the order.
func tr_noteAtomic(gp *g, t *ti_Task, addr, pc, off uintptr) {
	v := &tr_verdict
	me_Lock(&v.lock)
	other := true
	if u := tr_useOf(addr); u != nil {
		other = u.sender != 0 && u.sender != uintptr(unsafe.Pointer(t))
		u.sender = uintptr(unsafe.Pointer(t))
	}
	me_Unlock(&v.lock)
	if !other {
		return
	}
	stack := tr_stackFrom(gp, t, gp.stack.hi-off, pc)
	for id := stack; id != 0; {
		up, at := tr_engine.Frame(id)
		f := findfunc(at)
		if !f.valid() {
			return
		}
		if name := funcname(f); tr_hasPrefix(name, "sync.(*Once)") {
			return
		} else if !tr_hasPrefix(name, "sync.") && !tr_hasPrefix(name, "internal/sync.") && !tr_hasPrefix(name, "sync/atomic.") {
			tr_noteChoice(tr_choiceAtomic, at)
			return
		}
		id = up
	}
}

// tr_useOf returns the record of a channel or word and makes it if there is none; nil if
// the table is full.
func tr_useOf(ch uintptr) *tr_chanUse {
	v := &tr_verdict
	if v.chans == 0 {
		v.chans = uintptr(tr_alloc(tr_chanUses * unsafe.Sizeof(tr_chanUse{})))
	}
	for i := uintptr(0); i < tr_chanUses; i++ {
		u := (*tr_chanUse)(unsafe.Pointer(v.chans + ((ch>>4+i)&(tr_chanUses-1))*unsafe.Sizeof(tr_chanUse{})))
		if u.ch == 0 {
			u.ch = ch
		}
		if u.ch == ch {
			return u
		}
	}
	v.full = true
	return nil
}
