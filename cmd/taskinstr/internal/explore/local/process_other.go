//go:build !unix

package local

import (
	"os"
	"os/exec"
)

func separate(cmd *exec.Cmd) {}

func kill(p *os.Process) { p.Kill() }
