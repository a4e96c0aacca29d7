// Package local carries out batches of schedules in processes of this machine. runner.go starts
// the test binary under a schedule; ordinary.go starts it without one, and further runs bound a run that does not end.
// outcome.go reads what the process has left behind: its
// reports, its output, its exit code and the record of its schedule; leaks.go, the goroutines that
// tests have left behind. stack.go reads the stacks of goroutines, by which deadlocks, panics and leaks are
// told apart.
//
// The fingerprint of a race is that of its report. The fingerprints of other findings are
// digests of the kind, the test, and the places that they name, without numbers and
// addresses, which change from run to run.
package local
