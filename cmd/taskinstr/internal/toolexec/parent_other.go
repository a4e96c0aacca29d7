//go:build !linux

package toolexec

// parentLine returns the command line of a process, nil if it is not known.
func parentLine(int) []string { return nil }

// parentStart tells when a process began; it is not known here.
func parentStart(pid int) string { return "" }
