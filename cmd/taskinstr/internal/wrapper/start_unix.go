//go:build unix

package wrapper

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// start replaces this process by the go command, so that neither signals nor the exit
// code need forwarding. It returns only if that fails.
func start(line []string) (int, error) {
	err := syscall.Exec(line[0], line, os.Environ())
	return 0, fmt.Errorf("cannot run %s: %w", line[0], err)
}

// forwardSignals keeps this process alive until the other one has ended. A terminal sends
// interrupts to both; other signals are forwarded. The result ends the forwarding.
func forwardSignals(p *os.Process) (stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		for s := range c {
			if s == syscall.SIGTERM || s == syscall.SIGHUP {
				p.Signal(s)
			}
		}
	}()
	return func() { signal.Stop(c); close(c) }
}

// exitStatus returns the exit code of a process as a shell gives it.
func exitStatus(p *os.ProcessState) int {
	if s, ok := p.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal())
	}
	return p.ExitCode()
}
