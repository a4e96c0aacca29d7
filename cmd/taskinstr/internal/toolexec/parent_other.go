//go:build !linux

package toolexec

// parentLine returns the command line of a process, nil if it is not known.
func parentLine(int) []string { return nil }
