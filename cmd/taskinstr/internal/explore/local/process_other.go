//go:build !unix

package local

import (
	"os"
	"os/exec"
)

func separate(cmd *exec.Cmd) {}

// kill ends a process.
func kill(p *os.Process) { p.Kill() }
