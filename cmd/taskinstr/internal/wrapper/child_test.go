//go:build unix

package wrapper

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// childVar makes the test binary run a shell command in the place of the go command.
const childVar = "TASKINSTR_TEST_CHILD"

func TestMain(m *testing.M) {
	if script := os.Getenv(childVar); script != "" {
		s, err := child([]string{"/bin/sh", "-c", script}, os.Environ())
		if err != nil {
			os.Exit(1)
		}
		os.Exit(end(s))
	}
	os.Exit(m.Run())
}

// A signal to the wrapper alone reaches the go command, and the wrapper ends as the go
// command does.
func TestSignals(t *testing.T) {
	for _, test := range []struct {
		script string
		send   syscall.Signal
		code   int            // exit code
		signal syscall.Signal // or the signal that ends the wrapper
	}{
		{"echo ready; exit 3", 0, 3, 0},
		{"trap 'exit 4' TERM; echo ready; while :; do sleep 0.02; done", syscall.SIGTERM, 4, 0},
		{"trap 'exit 5' INT; echo ready; while :; do sleep 0.02; done", syscall.SIGINT, 5, 0},
		{"echo ready; exec sleep 60", syscall.SIGTERM, 0, syscall.SIGTERM},
		{"echo ready; kill -KILL $$", 0, 0, syscall.SIGKILL}, // nohup cannot make the shell ignore it
	} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"="+test.script)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			t.Fatalf("%s: output %q, error %v", test.script, line, err)
		}
		if test.send != 0 {
			cmd.Process.Signal(test.send)
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &exit) {
			t.Fatalf("%s: error %v", test.script, err)
		}
		ws := exit.Sys().(syscall.WaitStatus)
		if test.signal != 0 && (!ws.Signaled() || ws.Signal() != test.signal) || test.signal == 0 && ws.ExitStatus() != test.code {
			t.Errorf("%s: ended with %v", test.script, exit)
		}
	}
}
