//go:build !linux

package toolexec

// parentLine returns nil: the command line of another process is not known here.
func parentLine(int) []string { return nil }

// parentStart returns "": the time when another process began is not known here.
func parentStart(pid int) string { return "" }
