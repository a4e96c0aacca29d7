//go:build taskinstr_runtime

// The reasons why nothing orders two accesses: facts of the run, one on each line, with
// the names and lines of the program.

package runtime

// tr_facts counts the facts of a report so far. In JSON they are strings of an array.
var tr_facts int

func tr_fact() {
	if !tr_opt.json {
		tr_puts("  ")
	} else {
		if tr_facts > 0 {
			tr_putc(',')
		}
		tr_quote()
	}
	tr_facts++
}

func tr_endFact() {
	if tr_opt.json {
		tr_unquote()
	} else {
		tr_putc('\n')
	}
}

func tr_putWhy(r *ra_Report) {
	switch {
	case !r.Predicted:
		tr_puts("Why nothing orders them:\n")
	case tr_opt.predicted == tr_predictedAll:
		tr_puts("Why structure alone does not order them:\n")
	default:
		tr_puts("Why only this run orders them:\n")
	}
	tr_putFacts(r)
}

func tr_putFacts(r *ra_Report) {
	tr_facts = 0
	if r.Predicted {
		tr_whyOrdered(r)
	}
	if !tr_whyUsed(&r.Cur, &r.Prev) && !tr_whyUsed(&r.Prev, &r.Cur) {
		tr_whyLocks(r)
		tr_whyAtomic(r)
	}
	tr_whyStarted(r)
	if !r.Predicted {
		tr_fact()
		tr_puts("no lock, channel or other synchronization makes the later access wait for the earlier one")
		tr_endFact()
	}
}

// tr_whyOrdered names the lock whose order hid a predicted race.
func tr_whyOrdered(r *ra_Report) {
	l := tr_lockAt(ra_HeldLock{Addr: r.OrderLock, PC: r.OrderPC})
	tr_fact()
	if r.OrderDirect {
		tr_putTask(&r.Prev)
		tr_puts(" gave up ")
		l.put()
		tr_puts(" before ")
		tr_putTask(&r.Cur)
		tr_puts(" took it")
	} else {
		tr_puts("only the order in which locks were taken kept them apart")
		if r.OrderLock != 0 {
			tr_puts("; last, ")
			tr_putTask(&r.Cur)
			tr_puts(" took ")
			l.put()
		}
	}
	if l.place.line != 0 {
		tr_puts(" at ")
		l.putPlace()
	}
	tr_endFact()
	if tr_opt.predicted == tr_predictedAll {
		tr_fact()
		tr_puts("they are not ordered by structure alone, that is, by go statements, channels and waiting")
		tr_endFact()
		tr_fact()
		tr_puts("they cannot run at once if one critical section depends on what another has done (predicted=warn leaves such pairs out)")
		tr_endFact()
		return
	}
	tr_fact()
	if r.OrderDirect {
		tr_puts("had ")
		tr_putTask(&r.Cur)
		tr_puts(" taken it first, nothing would make one access wait for the other")
	} else {
		tr_puts("in another order nothing would make one access wait for the other")
	}
	tr_endFact()
}

// tr_whyStarted says where the tasks began.
func tr_whyStarted(r *ra_Report) {
	a, b := &r.Cur, &r.Prev
	if a.ForkPC == b.ForkPC && a.ForkStack == b.ForkStack && a.ForkPC != 0 && tr_direct(a) && tr_direct(b) {
		tr_fact()
		tr_puts("goroutines ")
		tr_putn(tr_nameOf(a))
		tr_puts(" and ")
		tr_putn(tr_nameOf(b))
		tr_puts(" come from the same ")
		tr_putStart(a.ForkPC, a.ForkStack)
		tr_putIn(r)
		tr_endFact()
		return
	}
	tr_whyTask(a, r)
	tr_whyTask(b, r)
	for _, s := range [...]*ra_Side{a, b} {
		if s.BranchPC == 0 && r.AncestorTask == s.Task {
			tr_fact()
			tr_putTask(s)
			tr_puts(" makes its own access after that")
			if !r.Predicted {
				tr_puts(", without waiting")
			}
			tr_endFact()
		}
	}
}

// tr_direct reports whether the task of a is a child of the nearest common ancestor.
func tr_direct(a *ra_Side) bool { return a.BranchTask == a.Task }

// tr_whyTask says where the task of a began. If the task is no child of the nearest
// common ancestor, it also says where the child of that ancestor began from which the
// task descends.
func tr_whyTask(a *ra_Side, r *ra_Report) {
	if a.BranchPC == 0 {
		return // the task is the common ancestor
	}
	tr_fact()
	tr_putTask(a)
	if what := tr_service(a.ForkPC); what != "" {
		tr_puts(what)
		tr_endFact()
		return
	}
	tr_puts(" comes from the ")
	tr_putStart(a.ForkPC, a.ForkStack)
	if tr_direct(a) {
		tr_putIn(r)
		tr_endFact()
		return
	}
	tr_endFact()
	if tr_service(a.BranchPC) != "" {
		return
	}
	tr_fact()
	if a.BranchTask != 0 {
		tr_puts("its ancestor goroutine ")
		tr_putn(tr_nameOr(a.BranchName, a.BranchTask))
	} else {
		tr_puts("an ancestor of ")
		tr_putTask(a)
	}
	tr_puts(" comes from the ")
	tr_putStart(a.BranchPC, a.BranchStack)
	tr_putIn(r)
	tr_endFact()
}

// tr_service describes a task that the runtime has created at pc. It returns "" if a go
// statement of other code has created it.
func tr_service(pc uintptr) string {
	f := findfunc(pc)
	if !f.valid() {
		return " was made by the runtime"
	}
	name := funcname(f)
	switch {
	case name == "time.goFunc":
		return " runs the function of a timer"
	case name == "runtime.createfing":
		return " runs finalizers"
	case tr_hasPrefix(name, "runtime.(*cleanupQueue)."):
		return " runs cleanups"
	case name == "runtime.newextram":
		return " runs on a thread that C has created"
	case tr_hasPrefix(name, "runtime."):
		return " was made by the runtime"
	}
	return ""
}

// tr_putStart writes where a task was created: a go statement, or the program's call of
// the function that contains it.
func tr_putStart(pc uintptr, stack uint32) {
	l, callee, ok := tr_ownCall(pc, stack)
	if callee != "" {
		tr_puts("call of ")
		tr_puts(callee)
		tr_puts(" at ")
	} else {
		tr_puts("go statement at ")
	}
	tr_putLine(l, ok)
}

// tr_putIn names the nearest common ancestor of both tasks.
func tr_putIn(r *ra_Report) {
	if r.AncestorTask == 0 {
		return
	}
	tr_puts(", in ")
	if r.AncestorMain {
		tr_puts("main goroutine")
		return
	}
	tr_puts("goroutine ")
	tr_putn(tr_nameOr(r.AncestorName, r.AncestorTask))
}

// tr_whyAtomic says why an atomic access does not suffice.
func tr_whyAtomic(r *ra_Report) {
	if r.Cur.Kind&tr_atomic != r.Prev.Kind&tr_atomic {
		tr_fact()
		tr_puts("one access is atomic and the other is not: both must be")
		tr_endFact()
	}
}

// tr_whyUsed reports, in a fact, that one side accesses the memory of a lock or another
// object of package sync that the other side uses (see tr_lockWord).
func tr_whyUsed(user, a *ra_Side) bool {
	if user.Kind&tr_atomic == 0 || user.Site != 0 || a.Kind&tr_atomic != 0 {
		return false
	}
	w := tr_describe(user)
	if !tr_hasPrefix(w.hook, "sync.") {
		return false
	}
	tr_fact()
	tr_putTask(a)
	if a.Kind&tr_write != 0 {
		tr_puts(" overwrites ")
	} else {
		tr_puts(" copies ")
	}
	if w.names.n > 0 {
		w.names.put()
	} else {
		tr_puts("an object of package sync")
	}
	tr_puts(", which ")
	tr_putTask(user)
	tr_puts(" uses")
	tr_endFact()
	return true
}
