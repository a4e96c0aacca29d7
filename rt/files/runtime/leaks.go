//go:build taskinstr_runtime

// Goroutines that tests leave behind (leaks=1). They are looked for when the process ends, so
// what a later test or TestMain ends is none of them. The wait at the end comes first
// (exitwait.go). Goroutines of the runtime, of package testing and the one that receives signals
// are none.

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

// tr_startLeaks makes goroutines remember the calls of the go statement that makes them.
func tr_startLeaks() {
	if tr_opt.leaks {
		debug.tracebackancestors = max(debug.tracebackancestors, 1)
	}
}

// tr_putLeaks writes the stacks of the goroutines that tests have left behind. self ends the
// program. If no goroutine can run any more and no timer is pending, they are blocked for good.
func tr_putLeaks(self *g) {
	s := tr_scan(self)
	live := s.busy || s.network || s.calls != 0
	tr_eachSleeper(self, func(uint64, int64) { live = true })
	n := 0
	forEachGRace(func(gp *g) {
		if gp == self {
			return
		}
		if test := tr_leftBy(gp); test != nil && tr_putLeak(gp, *test, live) {
			n++
		}
	})
	if n > 0 {
		atomic.Xadd(&tr_failures, 1)
	}
}

// tr_leftBy returns the name of the test that has started gp, nil if gp is no leak.
func tr_leftBy(gp *g) *string {
	if s := readgstatus(gp) &^ _Gscan; s == _Gidle || s == _Gdead || gp.racectx == 0 || isSystemGoroutine(gp, false) {
		return nil
	}
	name := funcname(findfunc(gp.startpc))
	for _, p := range [...]string{"runtime.", "testing.", "os/signal."} {
		if tr_hasPrefix(name, p) {
			return nil
		}
	}
	return (*string)(unsafe.Pointer((*ti_Task)(unsafe.Pointer(gp.racectx)).Test))
}

// tr_putLeak writes the stack of gp, which stays where it is meanwhile. It returns false if gp has ended.
func tr_putLeak(gp *g, test string, live bool) bool {
	for {
		switch s := readgstatus(gp); s {
		case _Gwaiting, _Grunnable, _Gsyscall:
			if castogscanstatus(gp, s, s|_Gscan) {
				what := "runnable"
				if s == _Gwaiting {
					what = gp.waitreason.String()
				} else if s == _Gsyscall {
					what = "syscall"
				}
				tr_putLeakStack(gp, test, what, live)
				casfrom_Gscanstatus(gp, s|_Gscan, s)
				return true
			}
		case _Grunning:
			tr_putLeakStack(gp, test, "running", live)
			return true
		case _Gdead:
			return false
		default:
			osyield()
		}
	}
}

// tr_putLeakStack writes the stack of gp, which does what the text what says, and the calls of the go
// statement that has made it. The runtime prints these calls too, with the lines behind the calls, so it
// must not see them.
func tr_putLeakStack(gp *g, test, what string, live bool) {
	print("taskinstr: goroutine ", gp.goid, " of ", test, " is left behind")
	if !live {
		print(", blocked for good")
	}
	print(":\n\ngoroutine ", gp.goid, " [", what, "]:\n")
	var calls [tr_leakCalls]uintptr
	n := 0
	if a := gp.ancestors; a != nil && len(*a) > 0 {
		n = copy(calls[:], (*a)[0].pcs)
		*(*uintptr)(unsafe.Pointer(&gp.ancestors)) = 0
	}
	if what == "running" {
		print("\tgoroutine running on other thread; stack unavailable\n")
		printcreatedby(gp)
	} else {
		traceback(^uintptr(0), ^uintptr(0), 0, gp)
	}
	print("started by:\n")
	for _, pc := range calls[:n] {
		f := tr_framesOf(pc, 0)
		f.leaf = false
		for l, ok := f.next(); ok; l, ok = f.next() {
			print(l.name, "(...)\n\t", l.file, ":", l.line, "\n")
		}
	}
	print("\n")
}

// tr_leakCalls is the number of calls that are written.
const tr_leakCalls = 32

// tr_failedEnd is called before the program ends with a status other than 0. What a program says at its end
// otherwise is left to tr_exit.
func tr_failedEnd(code int) {
	if code == 0 || !tr_on || !tr_opt.leaks && tr_pairs.file == "" {
		return
	}
	gp := getg()
	tr_clockEnds(gp)
	entersyscallblock()
	systemstack(func() {
		for !atomic.Cas(&tr_exiting, 0, 1) {
			usleep(1000) // another thread ends the program
		}
		if tr_opt.leaks {
			tr_runOn(gp, nanotime()+int64(tr_opt.wait)*1e6)
			tr_putLeaks(gp)
		}
		lock(&tr_reportLock)
		tr_putConfirmed()
		tr_flush()
		exit(int32(code))
	})
}
