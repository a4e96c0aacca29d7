package gocmd

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// ExeSuffix ends the names of executables on this system.
var ExeSuffix = map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]

// Find returns the path of the go command: the one on PATH, else the one in
// $GOROOT.
func Find() (string, error) {
	path, err := exec.LookPath("go")
	if err == nil {
		return path, nil
	}
	if root := os.Getenv("GOROOT"); root != "" {
		if path, err := exec.LookPath(filepath.Join(root, "bin", "go"+ExeSuffix)); err == nil {
			return path, nil
		}
	}
	return "", errors.New("cannot find the go command: it is neither on PATH nor in $GOROOT/bin; install Go (https://go.dev/dl) or put its bin folder on PATH")
}

// Env returns settings of the go command as it sees them in dir ("" is the
// current folder): environment, `go env -w` and the toolchain that go.mod
// selects. If gocmd is empty, Find chooses the go command.
func Env(gocmd, dir string, names ...string) (map[string]string, error) {
	if gocmd == "" {
		var err error
		if gocmd, err = Find(); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(gocmd, append([]string{"env"}, names...)...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		if msg := strings.TrimSpace(stderr.String()); msg != "" {
			return nil, fmt.Errorf("%s env: %s", gocmd, msg)
		}
		return nil, fmt.Errorf("%s env: %w", gocmd, err)
	}
	values := strings.Split(strings.ReplaceAll(string(out), "\r\n", "\n"), "\n")
	env := make(map[string]string)
	for i, n := range names {
		if i < len(values) {
			env[n] = values[i]
		}
	}
	return env, nil
}
