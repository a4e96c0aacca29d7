// Package local carries out batches of schedules in processes of this machine. runner.go starts
// the test binary under a schedule; ordinary.go starts it without one, and further runs bound a run that does not end.
// outcome.go reads the reports, the output and the exit code of the process, and the record of its schedule; leaks.go
// reads the goroutines that tests have left behind. stack.go reads the stacks of goroutines, by which deadlocks, panics and leaks are
// told apart.
//
// The fingerprint of a race is that of its report. The fingerprints of other findings are
// digests of the kind, the test, and the places that they name, without numbers and
// addresses, which change from run to run.
package local
