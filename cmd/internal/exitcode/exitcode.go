// Package exitcode has the exit codes of taskinstr's commands.
package exitcode

const (
	OK     = 0
	Failed = 1
	Usage  = 2
	Found  = 3  // a finding named by lint's -fail-on
	Races  = 66 // the detector's code, too
	// Diverged is the code of a program that differs from the schedule that it replays.
	Diverged = 68
	Open     = 69 // an exploration found neither a race nor a proof
	// Interrupted is the code that shells give a program that an interrupt ends.
	Interrupted = 130
)
