//go:build unix && !linux

package farm

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// A group is the processes of a job, a process group. Its memory has no limit here.
type group struct{}

func newGroup(parent, id string, memory int64) (*group, error) {
	if parent != "" {
		return nil, errors.New("-cgroup: only Linux has cgroups")
	}
	return &group{}, nil
}

func (*group) join(cmd *exec.Cmd)         { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
func (*group) limits() bool               { return true }
func (*group) exceeded() bool             { return false }
func (*group) kill(p *os.Process)         { syscall.Kill(-p.Pid, syscall.SIGKILL) }
func (*group) memory(p *os.Process) int64 { return 0 }
func (*group) remove()                    {}

// endGroup ends the processes of this process's group, itself included.
func endGroup() { syscall.Kill(0, syscall.SIGKILL) }
