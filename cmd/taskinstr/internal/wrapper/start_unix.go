//go:build unix

package wrapper

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// start replaces this process by the go command, so that neither signals nor the exit
// code need forwarding. It returns only if that fails.
func start(line []string) (int, error) {
	err := syscall.Exec(line[0], line, os.Environ())
	return 0, fmt.Errorf("cannot run %s: %w", line[0], err)
}

// relayed are the signals that child passes on.
var relayed = []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// relay catches signals until stop is called. pass passes them on to a process.
func relay() (pass func(*os.Process), stop func()) {
	signals := make(chan os.Signal, len(relayed))
	for _, s := range relayed {
		if !signal.Ignored(s) { // as under nohup; the go command ignores it as well
			signal.Notify(signals, s)
		}
	}
	pass = func(p *os.Process) {
		go func() {
			for s := range signals {
				p.Signal(s)
			}
		}()
	}
	stop = func() {
		signal.Stop(signals)
		close(signals)
	}
	return pass, stop
}

// end returns the exit code of the go command. If a signal has ended the go command, the
// same signal ends this process. (SIGQUIT would print this process's stacks.)
func end(s *os.ProcessState) int {
	ws, ok := s.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return s.ExitCode()
	}
	if sig := ws.Signal(); sig != syscall.SIGQUIT {
		signal.Reset(sig)
		syscall.Kill(os.Getpid(), sig)
		time.Sleep(time.Second) // until another thread has it
	}
	const signaled = 128 // what shells add to the number of the signal
	return signaled + int(ws.Signal())
}
