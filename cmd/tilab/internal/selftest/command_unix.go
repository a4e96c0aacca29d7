//go:build unix

package selftest

import (
	"os/exec"
	"syscall"
)

// killGroup makes cmd the leader of a process group, and the whole group is killed when
// the command's context ends: go test and go run have child processes.
func killGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
