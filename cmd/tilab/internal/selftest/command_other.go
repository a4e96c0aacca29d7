//go:build !unix

package selftest

import "os/exec"

// killGroup does nothing: this system has no process groups, so only the process itself is
// killed.
func killGroup(cmd *exec.Cmd) {}
