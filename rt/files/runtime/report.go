//go:build taskinstr_runtime

// Reports of races, in the layout of Go's own race detector with a paragraph
// added that says what was accessed and why nothing orders it.

package runtime

// ti_hostReport makes the report of a race that the engine found.
func ti_hostReport(e *ti_Engine, r *ti_Report) {
	systemstack(func() {
		lock(&tr_reportLock)
		tr_report(r)
		unlock(&tr_reportLock)
	})
}

func tr_report(r *ti_Report) {
	if tr_suppress(r) {
		return
	}
	if r.Predicted {
		tr_predicted++
	} else {
		tr_races++
	}
	if !r.Predicted || tr_opt.predicted == tr_predictedFail {
		ti_add32(&tr_failures, 1)
	}
	if tr_opt.json {
		tr_reportJSON(r)
	} else {
		tr_reportText(r)
	}
	tr_flush()
	if tr_opt.halt && (!r.Predicted || tr_opt.predicted == tr_predictedFail) {
		exit(int32(tr_opt.exitCode))
	}
}

func tr_reportText(r *ti_Report) {
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
	tr_puts("==================\n")
}

// tr_putVerb writes what was done, in lower case.
func tr_putVerb(a *ti_Side, capital bool) {
	w := "read"
	if a.Kind&tr_write != 0 {
		w = "write"
	}
	if a.Kind&tr_atomic != 0 {
		if capital {
			tr_puts("Atomic ")
			capital = false
		} else {
			tr_puts("atomic ")
		}
	}
	if capital {
		tr_putc(w[0] - 'a' + 'A')
		w = w[1:]
	}
	tr_puts(w)
}

func tr_putTask(name uint64, main bool) {
	if main {
		tr_puts("main goroutine")
		return
	}
	tr_puts("goroutine ")
	tr_putn(name)
}

func tr_putSide(before string, a *ti_Side) {
	if before != "" {
		tr_puts("\n")
	}
	tr_puts(before)
	tr_putVerb(a, before == "")
	tr_puts(" at 0x")
	tr_puthex(uint64(a.Addr), 12)
	tr_puts(" by ")
	tr_putTask(tr_nameOf(a), a.Main)
	tr_puts(":\n")
	tr_putStack(a.PC, a.Stack)
}

func tr_nameOf(a *ti_Side) uint64 {
	if a.Name != 0 {
		return a.Name
	}
	return a.Task
}

func tr_ancestor(r *ti_Report) uint64 {
	if r.AncestorName != 0 {
		return r.AncestorName
	}
	return r.AncestorTask
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
}

func tr_putCreated(a *ti_Side) {
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

// tr_putWhat writes one access's expression and position.
func tr_putWhat(a *ti_Side) {
	tr_puts("  ")
	tr_putVerb(a, false)
	pos, expr, decl, also := tr_describe(a)
	if expr != "" {
		tr_puts(" of ")
		tr_puts(expr)
	} else {
		tr_puts(" of ")
		tr_putn(uint64(a.Size))
		tr_puts(" bytes")
	}
	if decl != "" {
		tr_puts(" (")
		tr_puts(decl)
		tr_puts(")")
	}
	tr_puts(" at ")
	if pos != "" {
		tr_puts(tr_strip(pos))
	} else {
		tr_putLeaf(a.PC, a.Stack)
	}
	if a.Locks != 0 {
		tr_puts(", holding")
		tr_putLocks(a.Locks)
	}
	tr_puts("\n")
	if also != "" {
		tr_puts("    the check there stands for the ")
		tr_putEach(also, ", the ", tr_puts)
		tr_puts(" as well\n")
	}
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

// tr_putLeaf writes the position of the innermost frame that is the program's.
func tr_putLeaf(pc uintptr, stack uint32) {
	l, ok := tr_userFrame(pc, stack)
	if !ok {
		tr_puts("an unknown place")
		return
	}
	tr_puts(tr_strip(l.file))
	tr_puts(":")
	tr_putn(uint64(l.line))
}

func tr_putLocks(set uint32) {
	for i := uint32(0); ; i++ {
		addr, shared, ok := tr_engine.LockOf(set, i)
		if !ok {
			return
		}
		if i > 0 {
			tr_puts(",")
		}
		tr_puts(" 0x")
		tr_puthex(uint64(addr), 12)
		if shared {
			tr_puts(" (shared)")
		}
	}
}

// tr_putWhy says why nothing orders the accesses.
func tr_putWhy(r *ti_Report) {
	tr_puts("Why nothing orders them:\n  ")
	if r.Predicted {
		tr_puts("in this run only the order in which ")
		if r.OrderLock != 0 {
			tr_puts("lock 0x")
			tr_puthex(uint64(r.OrderLock), 12)
			tr_puts(" was")
		} else {
			tr_puts("locks were")
		}
		tr_puts(" taken kept them apart; no lock is held at both, so another schedule runs them at once\n  ")
	}
	tr_putBranch(&r.Cur, r)
	tr_puts("; ")
	tr_putBranch(&r.Prev, r)
	tr_puts("; nothing joins the one before the other's access\n")
}

// tr_putBranch says where the task of an access left the nearest common
// ancestor.
func tr_putBranch(a *ti_Side, r *ti_Report) {
	tr_putTask(tr_nameOf(a), a.Main)
	if a.BranchPC == 0 {
		tr_puts(" is the nearest common ancestor task")
		return
	}
	tr_puts(" comes from the go statement at ")
	tr_putLeaf(a.BranchPC, a.BranchStack)
	tr_puts(" in ")
	tr_putTask(tr_ancestor(r), r.AncestorMain)
}

func tr_reportJSON(r *ti_Report) {
	tr_puts(`{"type":`)
	if r.Predicted {
		tr_puts(`"predicted race"`)
	} else {
		tr_puts(`"race"`)
	}
	tr_puts(`,"access":`)
	tr_sideJSON(&r.Cur)
	tr_puts(`,"previous":`)
	tr_sideJSON(&r.Prev)
	tr_puts(`,"ancestor":{"goroutine":`)
	tr_putn(tr_ancestor(r))
	tr_puts(`}`)
	if r.Predicted && r.OrderLock != 0 {
		tr_puts(`,"orderedBy":"0x`)
		tr_puthex(uint64(r.OrderLock), 12)
		tr_puts(`"`)
	}
	tr_puts("}\n")
}

func tr_sideJSON(a *ti_Side) {
	pos, expr, decl, also := tr_describe(a)
	tr_puts(`{"kind":"`)
	tr_putVerb(a, false)
	tr_puts(`","address":"0x`)
	tr_puthex(uint64(a.Addr), 12)
	tr_puts(`","size":`)
	tr_putn(uint64(a.Size))
	tr_puts(`,"expression":`)
	tr_putq(expr)
	tr_puts(`,"declared":`)
	tr_putq(decl)
	tr_puts(`,"position":`)
	tr_putq(tr_strip(pos))
	if also != "" {
		tr_puts(`,"also":[`)
		tr_putEach(also, ",", tr_putq)
		tr_putc(']')
	}
	tr_puts(`,"goroutine":`)
	tr_putn(tr_nameOf(a))
	tr_puts(`,"finished":`)
	tr_putBool(a.Ended)
	tr_puts(`,"locks":[`)
	for i := uint32(0); ; i++ {
		addr, shared, ok := tr_engine.LockOf(a.Locks, i)
		if !ok {
			break
		}
		if i > 0 {
			tr_putc(',')
		}
		tr_puts(`{"address":"0x`)
		tr_puthex(uint64(addr), 12)
		tr_puts(`","shared":`)
		tr_putBool(shared)
		tr_putc('}')
	}
	tr_puts(`],"stack":`)
	tr_stackJSON(a.PC, a.Stack)
	tr_puts(`,"created":`)
	tr_stackJSON(a.ForkPC, a.ForkStack)
	tr_putc('}')
}

func tr_putBool(b bool) {
	if b {
		tr_puts("true")
	} else {
		tr_puts("false")
	}
}

func tr_stackJSON(pc uintptr, stack uint32) {
	tr_putc('[')
	f := tr_framesOf(pc, stack)
	for n := 0; ; n++ {
		l, ok := f.next()
		if !ok {
			break
		}
		if n > 0 {
			tr_putc(',')
		}
		tr_puts(`{"function":`)
		tr_putq(l.name)
		tr_puts(`,"file":`)
		tr_putq(tr_strip(l.file))
		tr_puts(`,"line":`)
		tr_putn(uint64(l.line))
		tr_putc('}')
	}
	tr_putc(']')
}
