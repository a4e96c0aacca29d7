//go:build unix

package local

import (
	"os"
	"os/exec"
	"syscall"
)

// separate gives a process a group of its own, so that the terminal's signals do not reach
// it and its children end with it.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a process and the processes that it has started.
func kill(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }
