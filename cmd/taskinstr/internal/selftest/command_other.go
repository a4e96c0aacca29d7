//go:build !unix

package selftest

import "os/exec"

// killGroup leaves cmd alone where there are no process groups: only the
// process itself is killed.
func killGroup(cmd *exec.Cmd) {}
