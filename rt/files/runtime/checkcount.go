//go:build taskinstr_runtime

// The checks that a program executes, also those that the filter holds back, in all and by
// site, for programs built with -stats=checks.
//
// TASKINSTR=checks=FILE writes the counters of the sites at exit, as lines:
//
//	taskinstr checks 1
//	package PATH BYTES           behind it come BYTES bytes, the package's table of sites
//	NUMBER EXECUTED LONE NEW     for each site of the package whose check was executed
//	other EXECUTED LONE NEW      the checks of no known site
//
// EXECUTED is the number of executed checks, LONE that of checks by a task that was alone, and
// NEW that of checks that found no record of the task's present step: they begin a new step
// for a word, which costs much more than a repetition.

package runtime

import (
	"internal/cpu"
	"internal/runtime/atomic"
	"unsafe"
)

// tr_checks counts in the element given by the lowest bits of the thread's id, so that
// threads seldom contend for a cache line. alone counts the checks of tasks that are
// alone, fresh those that begin a new step for a word.
var tr_checks [16]struct {
	n, alone, fresh atomic.Uint64
	_               [cpu.CacheLinePadSize - 24]byte
}

// A tr_siteCount has the counters of one site.
type tr_siteCount struct {
	site            atomic.Uintptr
	n, alone, fresh atomic.Uint64
}

// tr_siteSlots is the length of the table of sites. Sites that find no room within
// tr_siteTries elements are not counted by themselves.
const (
	tr_siteSlots = 1 << 18
	tr_siteTries = 64
)

// tr_siteCounts is the address of the table of sites, 0 before the first check.
var tr_siteCounts atomic.Uintptr

// taskinstr_count counts a check with the parameters of taskinstr_check. It stands in front of
// the check.
//
//go:linkname taskinstr_count
//go:nosplit
func taskinstr_count(p unsafe.Pointer, n, kind uintptr, s *uint32) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if t == nil {
		tr_countCheck(s, 0, 0)
		return
	}
	if tr_engine.Alone(t) {
		tr_countCheck(s, 1, 0)
		return
	}
	a, kind := tr_apart(p, kind)
	if a-gp.stack.lo < gp.stack.hi-gp.stack.lo || !tr_owned(a) || n == 0 || tr_repeats(t, a, n, kind) {
		tr_countCheck(s, 0, 0)
		return
	}
	tr_countCheck(s, 0, 1)
}

// taskinstr_countn counts a check of a function marked go:nosplit, whose stack has no room for
// more.
//
//go:linkname taskinstr_countn
//go:nosplit
func taskinstr_countn(s *uint32) {
	t := (*ti_Task)(unsafe.Pointer(getg().racectx))
	if t != nil && tr_engine.Alone(t) {
		tr_countCheck(s, 1, 0)
		return
	}
	tr_countCheck(s, 0, 0)
}

//go:nosplit
func tr_countCheck(s *uint32, alone, fresh uint64) {
	c := &tr_checks[uint64(getg().m.id)%uint64(len(tr_checks))]
	c.n.Add(1)
	c.alone.Add(int64(alone))
	c.fresh.Add(int64(fresh))
	if s == nil {
		return
	}
	if tr_siteCounts.Load() == 0 {
		systemstack(tr_startCounts)
	}
	key := uintptr(unsafe.Pointer(s))
	for i := range uintptr(tr_siteTries) {
		e := tr_siteCountAt(key>>2 + i)
		if e.site.Load() != key && !e.site.CompareAndSwap(0, key) && e.site.Load() != key {
			continue
		}
		e.n.Add(1)
		e.alone.Add(int64(alone))
		e.fresh.Add(int64(fresh))
		return
	}
}

// tr_siteCountAt returns an element of the table of sites.
//
//go:nosplit
func tr_siteCountAt(i uintptr) *tr_siteCount {
	return (*tr_siteCount)(unsafe.Pointer(tr_siteCounts.Load() + i%tr_siteSlots*unsafe.Sizeof(tr_siteCount{})))
}

// tr_startCounts makes the table of sites.
func tr_startCounts() {
	tr_siteCounts.CompareAndSwap(0, uintptr(tr_alloc(tr_siteSlots*unsafe.Sizeof(tr_siteCount{}))))
}

// tr_putChecks writes the counters if they are in use.
func tr_putChecks() {
	n, alone, fresh := tr_sumChecks()
	if n > 0 {
		tr_putStat("checks made", n)
		tr_putStat("of these by a lone task", alone)
		tr_putStat("of these with a new step", fresh)
	}
}

func tr_sumChecks() (n, alone, fresh uint64) {
	for i := range tr_checks {
		n += tr_checks[i].n.Load()
		alone += tr_checks[i].alone.Load()
		fresh += tr_checks[i].fresh.Load()
	}
	return n, alone, fresh
}

// tr_writeCounts writes the counters of the sites to the file that the option names.
func tr_writeCounts() {
	if tr_opt.checks == "" {
		return
	}
	var name [4096]byte
	if !tr_fileName(name[:], tr_opt.checks) {
		print("taskinstr: checks: file name too long\n")
		return
	}
	n, alone, fresh := tr_sumChecks()
	if n == 0 {
		print("taskinstr: checks: this program counts no checks: build it with -stats=checks\n")
		return
	}
	file := tr_create(&name[0])
	if file < 0 {
		print("taskinstr: checks: cannot create ", tr_opt.checks, ": give the name of a file in a folder that you may write to, TASKINSTR=checks=FILE\n")
		return
	}
	tr_flush()
	fd := tr_out.fd
	tr_out.fd = file
	tr_puts("taskinstr checks 1\n")
	for i := range uintptr(tr_siteSlots) {
		if tr_siteCounts.Load() == 0 {
			break
		}
		if h, _ := tr_tableOf(tr_siteCountAt(i).site.Load()); h != nil {
			x, y, z := tr_putTable(h, i)
			// Tasks that still run may have counted more since the sums were made.
			n, alone, fresh = n-min(n, x), alone-min(alone, y), fresh-min(fresh, z)
		}
	}
	tr_puts("other")
	tr_putCounts(n, alone, fresh)
	tr_flush()
	closefd(file)
	tr_out.fd = fd
}

// tr_putTable writes a package's table of sites and the counters of its sites, which are in the
// table of counters from element i on. It takes them out of that table, and returns their sums.
func tr_putTable(h *tr_sites, i uintptr) (n, alone, fresh uint64) {
	tr_puts("package ")
	tr_puts(h.path)
	tr_putc(' ')
	tr_putn(uint64(len(h.blob)))
	tr_puts("\n")
	tr_puts(h.blob)
	for ; i < tr_siteSlots; i++ {
		e := tr_siteCountAt(i)
		g, k := tr_tableOf(e.site.Load())
		if g != h {
			continue
		}
		x, y, z := e.n.Load(), e.alone.Load(), e.fresh.Load()
		tr_putn(uint64(k))
		tr_putCounts(x, y, z)
		n, alone, fresh = n+x, alone+y, fresh+z
		e.site.Store(0)
	}
	return n, alone, fresh
}

// tr_putCounts writes the rest of a line of counters.
func tr_putCounts(n, alone, fresh uint64) {
	for _, v := range [...]uint64{n, alone, fresh} {
		tr_putc(' ')
		tr_putn(v)
	}
	tr_puts("\n")
}
