package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// emulated returns the command that runs a program for linux/arm64 here. It skips the test if there is
// none. Older versions of the emulator keep data on each page of addresses that a program reserves, and
// the detector reserves terabytes, so the command limits the addresses.
func emulated(t *testing.T, program string) *exec.Cmd {
	const emulator = "qemu-aarch64"
	switch {
	case runtime.GOOS != "linux":
		t.Skipf("a program for linux/arm64 does not run on %s", runtime.GOOS)
	case runtime.GOARCH == "arm64":
		return exec.Command(program)
	}
	path, err := exec.LookPath(emulator)
	if err != nil {
		t.Skipf("%s, an optional tool, is not installed (Debian: qemu-user), so the program for linux/arm64 was not run", emulator)
	}
	return exec.Command("sh", "-c", `ulimit -v 8388608 && exec "$@"`, "sh", path, program)
}

// A program that is built for linux/arm64 finds its race there.
func TestArm64(t *testing.T) {
	program := filepath.Join(t.TempDir(), "bank")
	build := exec.Command("go", "build", "-toolexec="+filepath.Join(command, "taskinstr"+exe), "-o", program, "./examples/bank")
	build.Dir = filepath.Join("..", "..")
	build.Env = append(os.Environ(), "GOFLAGS=", "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", build.Args, err, out)
	}
	run := emulated(t, program)
	run.Env = append(os.Environ(), "TASKINSTR=", "GORACE=")
	out, _ := run.CombinedOutput()
	if status := run.ProcessState.ExitCode(); status != 66 {
		t.Errorf("exit status %d, not 66", status)
	}
	// Each side has its access, the function that the goroutine runs, and the goroutine's creation. Either
	// may come first.
	for _, frame := range []string{
		`(?m)^(Read|Previous read) at 0x[0-9a-f]+ by goroutine \d+:\n  main\.\(\*Account\)\.Balance\(\)\n .*/main\.go:28 .*\n  main\.main\.func2\(\)\n .*/main\.go:38 `,
		`(?m)^(Write|Previous write) at 0x[0-9a-f]+ by goroutine \d+:\n  main\.\(\*Account\)\.Deposit\(\)\n .*/main\.go:23 .*\n  main\.main\.func1\(\)\n .*/main\.go:35 `,
		`(?m)^  main\.main\(\)\n .*/main\.go:34 `,
		`(?m)^  main\.main\(\)\n .*/main\.go:37 `,
	} {
		if !regexp.MustCompile(frame).Match(out) {
			t.Errorf("no match for %s", frame)
		}
	}
	if n := strings.Count(string(out), "WARNING: DATA RACE"); n != 1 {
		t.Errorf("%d reports, not 1", n)
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
