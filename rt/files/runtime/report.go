//go:build taskinstr_runtime

// Reports of races, in the layout of Go's own race detector, with a paragraph that says
// which memory was accessed and why nothing orders the accesses.

package runtime

import "internal/runtime/atomic"

// ti_hostReport makes the report of a race that the engine has found, unless it withholds it as known.
func ti_hostReport(e *ti_Engine, r *ra_Report) (made bool) {
	systemstack(func() {
		lock(&tr_reportLock)
		made = tr_report(r)
		unlock(&tr_reportLock)
	})
	return made
}

func tr_report(r *ra_Report) (made bool) {
	if tr_opt.silent {
		tr_silenced++
		return true
	}
	if line, ok := tr_suppress(r); ok {
		tr_countWithheld(r)
		tr_keepSuppressed(r, line)
		return false
	}
	news := tr_confirms(r)
	known := !news && tr_knows(r)
	tr_keep(r, known)
	if known {
		tr_countWithheld(r)
		return false
	}
	if r.Predicted {
		tr_predicted++
	} else {
		tr_races++
	}
	if !r.Predicted || tr_opt.predicted == tr_predictedFail {
		atomic.Xadd(&tr_failures, 1)
	}
	if tr_opt.json {
		tr_reportJSON(r, false)
	} else {
		tr_reportText(r)
	}
	tr_flush()
	if tr_opt.halt && (!r.Predicted || tr_opt.predicted == tr_predictedFail) {
		exit(int32(tr_opt.exitCode))
	}
	return true
}

func tr_countWithheld(r *ra_Report) {
	if r.Predicted {
		tr_withheld.predicted++
	} else {
		tr_withheld.races++
	}
}

func tr_reportText(r *ra_Report) {
	tr_puts("==================\n")
	if r.Predicted {
		tr_puts("WARNING: PREDICTED DATA RACE\n")
	} else {
		tr_puts("WARNING: DATA RACE\n")
	}
	tr_putSide("", &r.Cur)
	tr_putSide("Previous ", &r.Prev)
	tr_putCreated(&r.Cur)
	if r.Prev.Task != r.Cur.Task {
		tr_putCreated(&r.Prev)
	}
	tr_puts("\nWhat is accessed:\n")
	tr_putWhat(&r.Cur)
	tr_putWhat(&r.Prev)
	tr_putWhy(r)
	if p := tr_pairOf(r); p != nil && !r.Predicted {
		tr_puts("Confirmed: an earlier run has reported this pair, and here it has happened\n")
	}
	tr_puts("Fingerprint: ")
	tr_puthex(tr_fingerprint(r), 16)
	tr_puts("\n==================\n")
}

// tr_putVerb writes the kind of an access, with a capital letter if capital is set.
func tr_putVerb(a *ra_Side, capital bool) {
	w := tr_verb(a)
	if capital {
		tr_putc(w[0] - 'a' + 'A')
		w = w[1:]
	}
	tr_puts(w)
}

func tr_putTask(a *ra_Side) {
	if a.Main {
		tr_puts("main goroutine")
		return
	}
	tr_puts("goroutine ")
	tr_putn(tr_nameOf(a))
}

func tr_putSide(before string, a *ra_Side) {
	if before != "" {
		tr_puts("\n")
	}
	tr_puts(before)
	tr_putVerb(a, before == "")
	tr_puts(" at 0x")
	tr_puthex(uint64(a.Addr), 12)
	tr_puts(" by ")
	tr_putTask(a)
	tr_puts(":\n")
	tr_putStack(a.PC, a.Stack)
}

func tr_nameOf(a *ra_Side) uint64 { return tr_nameOr(a.Name, a.Task) }

// tr_nameOr returns the name of a task, or its number if it has none.
func tr_nameOr(name, task uint64) uint64 {
	if name != 0 {
		return name
	}
	return task
}

func tr_putStack(pc uintptr, stack uint32) {
	f := tr_framesOf(pc, stack)
	n := 0
	for {
		l, ok := f.next()
		if !ok {
			break
		}
		n++
		tr_puts("  ")
		tr_puts(l.name)
		tr_puts("()\n      ")
		tr_puts(tr_strip(l.file))
		tr_puts(":")
		tr_putn(uint64(l.line))
		tr_puts(" +0x")
		tr_puthex(uint64(l.off), 1)
		tr_puts("\n")
	}
	if n == 0 {
		tr_puts("  [no frames: runtime code]\n")
	}
	if tr_abridged(stack) {
		tr_puts("  [further calls of the recursion are left out; TASKINSTR=recursion=0 records them]\n")
	}
}

func tr_putCreated(a *ra_Side) {
	if a.Main {
		return
	}
	tr_puts("\nGoroutine ")
	tr_putn(tr_nameOf(a))
	if a.Ended {
		tr_puts(" (finished) created at:\n")
	} else {
		tr_puts(" (running) created at:\n")
	}
	tr_putStack(a.ForkPC, a.ForkStack)
}

// tr_putWhat writes the expression, position and locks of one access.
func tr_putWhat(a *ra_Side) {
	w := tr_describe(a)
	tr_puts("  ")
	tr_putVerb(a, false)
	tr_puts(" of ")
	if w.names.n > 0 && w.names.list[0].expr != "" {
		w.names.put()
		if d := w.names.decl(); d != "" {
			tr_puts(" (")
			tr_puts(d)
			tr_puts(")")
		}
	} else {
		tr_putNameless(a, w.hook)
	}
	tr_puts(" at ")
	w.putPosition(a)
	tr_puts("\n")
	if w.also != "" {
		tr_puts("    the check there stands for the ")
		tr_putEach(w.also, ", the ", func(one string) {
			what, _, at := tr_cutAlso(one)
			tr_puts(what)
			w.putAlsoAt(a, at)
		})
		tr_puts(" as well\n")
	}
	if a.Site == tr_newSite() {
		tr_puts("    what the goroutine did with this memory before it next synchronized counts as this write\n")
	}
	for i := uint32(0); ; i++ {
		l, ok := tr_lockOf(a.Locks, i)
		if !ok {
			return
		}
		tr_puts("    holding ")
		l.putFull()
		tr_puts("\n")
	}
}

// tr_putNameless describes the accessed memory if the source has no expression for it.
func tr_putNameless(a *ra_Side, hook string) {
	switch {
	case hook == tr_allocates:
		tr_puts("zeros, when the memory was allocated,")
	case tr_hasPrefix(tr_base(hook), "map") || tr_hasPrefix(tr_base(hook), "reflect_map"):
		tr_puts("a map")
	case tr_contains(hook, "chan"):
		tr_puts("a channel")
	default:
		tr_putn(uint64(a.Size))
		tr_puts(" byte")
		if a.Size != 1 {
			tr_puts("s")
		}
	}
}

// tr_cutAlso splits a part of tr_description.also into the access up to " at ", its kind and
// expression alone, and its position.
func tr_cutAlso(one string) (what, access, at string) {
	const before = " at "
	for k := len(one) - len(before); k > 0; k-- {
		if one[k:k+len(before)] == before {
			return one[:k+len(before)], one[:k], one[k+len(before):]
		}
	}
	return one, one, ""
}

// putAlsoAt writes a position of w.also. It names a file without its folder; the folder is that
// of the access, if the access is in a file of this name.
func (w *tr_description) putAlsoAt(a *ra_Side, at string) {
	name, rest := tr_cut(at, ':')
	file := w.file(a)
	if k := len(file) - len(name); name != "" && k > 0 && file[k:] == name && (file[k-1] == '/' || file[k-1] == '\\') {
		tr_puts(tr_strip(file))
		tr_puts(at[len(at)-len(rest)-1:])
		return
	}
	tr_puts(tr_strip(at))
}

// tr_putEach writes the parts of a list that tabs separate.
func tr_putEach(list, between string, put func(string)) {
	for n := 0; list != ""; n++ {
		if n > 0 {
			tr_puts(between)
		}
		var one string
		one, list = tr_cut(list, '\t')
		put(one)
	}
}

func tr_putLine(l tr_line, ok bool) {
	if !ok {
		tr_puts("an unknown place")
		return
	}
	tr_puts(tr_strip(l.file))
	tr_puts(":")
	tr_putn(uint64(l.line))
}
