//go:build taskinstr_runtime

// The verdict of a clean run (TASKINSTR=verdict=1). A run whose tasks met only
// in ways that every schedule repeats speaks for all schedules of its input. A
// run that made choices, such as which of two senders came first, speaks for
// the schedules that make the same ones; the choices are listed. A race, or
// a predicted one, makes both claims untrue, also where its report was suppressed.

package runtime

import "unsafe"

const (
	tr_choiceSelect = iota
	tr_choicePoll
	tr_choiceSenders
	tr_choiceReceivers
	tr_choiceAtomic
	tr_choiceOrder // of a serial detector
)

var tr_choiceText = [...]string{
	"select with several cases",
	"channel operation that may be skipped (select with default)",
	"channel with several senders",
	"channel with several receivers",
	"atomic operation",
	"an order between tasks that no finish scope makes, unknown to this detector,",
}

const tr_maxChoices = 64

type tr_choice struct {
	kind uint32
	pc   uintptr
}

// tr_chanUse remembers who used a channel, or an atomic word (sender).
type tr_chanUse struct {
	ch       uintptr
	sender   uintptr
	receiver uintptr
}

const tr_chanUses = 1 << 12

var tr_verdict struct {
	lock    uint32
	n       uint32 // distinct choices; those past tr_maxChoices are counted only
	choices [tr_maxChoices]tr_choice
	chans   uintptr // [tr_chanUses]tr_chanUse, open addressing by address
	full    bool
}

// tr_noteChoice records a choice made at pc, once for each kind and place.
func tr_noteChoice(kind uint32, pc uintptr) {
	v := &tr_verdict
	tr_spinLock(&v.lock)
	known := min(v.n, tr_maxChoices)
	i := uint32(0)
	for i < known && (v.choices[i].kind != kind || v.choices[i].pc != pc) {
		i++
	}
	if i == known {
		if v.n < tr_maxChoices {
			v.choices[v.n] = tr_choice{kind, pc}
		}
		v.n++
	}
	tr_spinUnlock(&v.lock)
}

// tr_noteSelect records a select with several cases.
//
//go:nosplit
func tr_noteSelect(pc uintptr) {
	if tr_taskOf(getg()) != nil {
		systemstack(func() { tr_noteChoice(tr_choiceSelect, pc) })
	}
}

// tr_notePoll records an operation on a channel that may be skipped.
//
//go:nosplit
func tr_notePoll() {
	gp := getg()
	t := tr_taskOf(gp)
	if t == nil || gp != gp.m.curg {
		return
	}
	fp := getfp()
	systemstack(func() { tr_noteHere(gp, t, tr_choicePoll, fp) })
}

// tr_noteChan records that gp, which runs or waits for it, has sent or received a value, if
// it is not the first to do so on c. Receivers that find the channel closed make no
// choice.
//
//go:nosplit
func tr_noteChan(c *hchan, gp *g, what int) {
	t := tr_taskOf(gp)
	if t == nil || gp != getg() && gp.sched.bp == 0 {
		return
	}
	fp := gp.sched.bp
	if gp == getg() {
		fp = getfp()
	}
	systemstack(func() { tr_noteChanUse(gp, t, c, what == tr_chanSend, fp) })
}

func tr_noteChanUse(gp *g, t *ti_Task, c *hchan, send bool, fp uintptr) {
	kind := uint32(tr_choiceReceivers)
	other := false
	v := &tr_verdict
	tr_spinLock(&v.lock)
	if u := tr_useOf(uintptr(unsafe.Pointer(c))); u != nil {
		who := &u.receiver
		if send {
			who, kind = &u.sender, tr_choiceSenders
		}
		other = *who != 0 && *who != uintptr(unsafe.Pointer(t))
		*who = uintptr(unsafe.Pointer(t))
	}
	tr_spinUnlock(&v.lock)
	if other {
		tr_noteHere(gp, t, kind, fp)
	}
}

// tr_noteHere records a choice of gp, whose frames begin at fp.
func tr_noteHere(gp *g, t *ti_Task, kind uint32, fp uintptr) {
	w := tr_walkOf(t)
	tr_walkUp(gp, t, w, fp)
	w.act = 0
	for i := w.n - 1; i >= 0; i-- {
		f := findfunc(w.at(i).pc)
		if f.valid() && !tr_hidden(funcname(f), false) {
			tr_noteChoice(kind, w.at(i).pc)
			return
		}
	}
}

// tr_noteAtomic is called at an atomic operation on the word at addr. It is a
// choice if several tasks use the word, unless sync.Once does: what it decides
// is the same whoever comes first.
func tr_noteAtomic(gp *g, t *ti_Task, addr, pc, off uintptr) {
	v := &tr_verdict
	tr_spinLock(&v.lock)
	other := true
	if u := tr_useOf(addr); u != nil {
		other = u.sender != 0 && u.sender != uintptr(unsafe.Pointer(t))
		u.sender = uintptr(unsafe.Pointer(t))
	}
	tr_spinUnlock(&v.lock)
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

// tr_useOf finds or makes the record of a channel; nil when the table is full.
func tr_useOf(ch uintptr) *tr_chanUse {
	v := &tr_verdict
	if v.chans == 0 {
		v.chans = uintptr(ti_hostAlloc(tr_chanUses * unsafe.Sizeof(tr_chanUse{})))
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

// tr_putConflicts lists the places of critical sections whose order matters.
func tr_putConflicts() {
	if !tr_engine.JoinsSections() {
		tr_puts("  the order in which locks are taken (predicted=warn would tell which matter)\n")
	}
	for i := uint32(0); ; i++ {
		site, pc, ok := tr_engine.Conflict(i)
		if !ok {
			return
		}
		tr_puts("  the order of critical sections that conflict at ")
		if pos, expr, _, _ := tr_site(site); pos != "" {
			tr_puts(tr_strip(pos))
			tr_puts(" (")
			tr_puts(expr)
			tr_puts(")")
		} else {
			tr_putLeaf(pc, 0)
		}
		tr_puts("\n")
	}
}

// tr_putVerdict writes what a run has earned.
func tr_putVerdict() {
	v := &tr_verdict
	locks := !tr_engine.JoinsSections() // then nobody has looked
	if _, _, ok := tr_engine.Conflict(0); ok {
		locks = true
	}
	switch {
	case tr_tracing:
		tr_puts("verdict: none, since races are not looked for while a trace is written\n")
	case tr_races > 0:
		tr_puts("verdict: data races were found\n")
	case tr_suppressions.races > 0:
		tr_puts("verdict: data races were found, and their reports suppressed\n")
	case tr_predicted > 0:
		tr_puts("verdict: data races were predicted: other schedules of this input have them\n")
	case tr_suppressions.predicted > 0:
		tr_puts("verdict: data races were predicted, and their reports suppressed: other schedules of this input have them\n")
	case v.n == 0 && !v.full && !locks:
		tr_puts("verdict: no race in any schedule for this input")
		tr_puts(tr_theorem)
		tr_putChecked()
		tr_puts("\n")
	default:
		tr_puts("verdict: no race in schedules that keep these choices")
		tr_putChecked()
		tr_puts(":\n")
		for i := uint32(0); i < min(v.n, tr_maxChoices); i++ {
			c := &v.choices[i]
			tr_puts("  ")
			tr_puts(tr_choiceText[c.kind])
			tr_puts(" at ")
			tr_putLeaf(c.pc, 0)
			tr_puts("\n")
		}
		tr_putConflicts()
		if v.n > tr_maxChoices {
			tr_puts("  and ")
			tr_putn(uint64(v.n - tr_maxChoices))
			tr_puts(" more\n")
		}
		if v.full {
			tr_puts("  and channels past the first ")
			tr_putn(tr_chanUses)
			tr_puts("\n")
		}
	}
}

// tr_putChecked limits a claim to the packages that are checked, if these are not all.
func tr_putChecked() {
	if pkgs := tr_setting("taskinstr.pkgs="); pkgs != "" && pkgs != "all" {
		tr_puts(", in the packages that are checked (")
		tr_puts(pkgs)
		tr_puts(")")
	}
}

// tr_setting returns the value of a build setting. Those of taskinstr are put beside the
// go command's when the program is linked.
func tr_setting(name string) string {
	for info := modinfo; info != ""; {
		var line string
		line, info = tr_cut(info, '\n')
		if kind, s := tr_cut(line, '\t'); kind == "build" && tr_hasPrefix(s, name) {
			return s[len(name):]
		}
	}
	return ""
}
