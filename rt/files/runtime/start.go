//go:build taskinstr_runtime

// The start and the end of a checked program.

package runtime

import "internal/runtime/atomic"

// tr_failures counts the reports that set the exit code and internal/race.Errors.
var tr_failures uint32

// tr_failuresTold is the last result of Errors.
var tr_failuresTold uint32

var tr_races, tr_predicted uint32

// tr_silenced counts the reports that GORACE=report_bugs=0 left out.
var tr_silenced uint32

var tr_exiting uint32

// tr_start creates the main task. It is called when the bootstrap creates the main
// goroutine, after tr_procs has read the options.
func tr_start() *ti_Task {
	t := tr_engine.Init(ti_Options{
		NoPredict: tr_opt.hbOnly || tr_opt.predicted == tr_predictedOff,
		All:       tr_opt.predicted == tr_predictedAll,
		Repeat:    tr_opt.repeat,
		TSO:       GOARCH == "amd64",
		Conflicts: tr_opt.verdict,
		SiteBase:  tr_dataLo - 1,
		PCBase:    firstmoduledata.text - 1,
	})
	t.Name = 1
	if tr_opt.trace != "" && !tr_canTrace {
		print("taskinstr: TASKINSTR=trace=", tr_opt.trace, ": this program is built with a detector of its own and writes no traces; build it without -detector\n")
		exit(tr_exitUsage)
	}
	if tr_opt.trace != "" {
		tr_engine.KeepHistory() // so that no task is alone and all accesses are seen
		tr_traceStart()
	}
	tr_noted = tr_opt.verdict || tr_opt.trace != ""
	tr_on = true
	return t
}

// tr_exit ends a program that would have exited with status 0.
func tr_exit() {
	for !atomic.Cas(&tr_exiting, 0, 1) {
		usleep(1000) // another thread ends the program
	}
	tr_closeRecord()
	lock(&tr_reportLock)
	if tr_tracing {
		tr_traceClose()
		if !tr_opt.json {
			tr_putTraced()
		}
	}
	if !tr_opt.json {
		if n := tr_races; n > 0 {
			tr_puts("Found ")
			tr_putn(uint64(n))
			tr_puts(" data race(s)\n")
		}
		if n := tr_predicted; n > 0 {
			tr_puts("Found ")
			tr_putn(uint64(n))
			tr_puts(" predicted data race(s)\n")
		}
		if tr_races+tr_predicted > 0 {
			tr_putIdle()
		}
	}
	tr_putSuppressed()
	tr_putKnown()
	tr_putConfirmed()
	if tr_opt.verdict {
		tr_putVerdict()
	}
	if tr_opt.stats {
		tr_putStats()
	}
	tr_writeCounts()
	tr_flush()
	if tr_races+tr_predicted+tr_withheld.races+tr_withheld.predicted > 0 {
		tr_uncache()
	}
	if tr_failures > 0 {
		exit(int32(tr_opt.exitCode))
	}
	exit(0)
}
