package sibling

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"taskinstr/cmd/internal/gocmd"
)

const module = "taskinstr"

// Find returns the executable of the module's command whose package, below cmd, is name. It is built
// into the folder work from a checkout, if there is one: that of the current folder, or else the one that this
// program was built from. Without a checkout, it is the command that is installed beside this
// program.
//
// The sources come first because an installed command may be older than this program.
func Find(name, work string) (string, error) {
	exe := path.Base(name) + gocmd.ExeSuffix
	for _, dir := range []string{".", builtFrom()} {
		if root, ok := checkout(dir); ok {
			built := filepath.Join(work, exe)
			return built, build(root, name, built)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	beside := filepath.Join(filepath.Dir(self), exe)
	if _, err := os.Stat(beside); err == nil {
		return beside, nil
	}
	return "", fmt.Errorf("the command %s is not beside %s, and its sources are not here; "+
		"run `go install ./cmd/...` in a checkout of taskinstr, or start this command there", path.Base(name), self)
}

// builtFrom is the folder of this file when the program was built. With -trimpath it is no
// folder.
func builtFrom() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// checkout returns the root of the module that dir is in, if this is the module of taskinstr.
func checkout(dir string) (root string, ok bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil {
			first, _, _ := strings.Cut(string(text), "\n")
			return dir, strings.TrimSpace(first) == "module "+module
		}
		up := filepath.Dir(dir)
		if up == dir || !errors.Is(err, os.ErrNotExist) {
			return "", false
		}
		dir = up
	}
}

// build builds a command for this machine: GOOS and GOARCH, if set, are those of the programs
// under test, and GOFLAGS may hold a tool for them.
func build(root, name, exe string) error {
	tool, err := gocmd.Find()
	if err != nil {
		return err
	}
	compile := func() ([]byte, error) {
		cmd := exec.Command(tool, "build", "-o", exe, "./cmd/"+name)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
		return cmd.CombinedOutput()
	}
	out, err := compile()
	// The go command does not replace a damaged executable.
	if err != nil && isFile(exe) && os.Remove(exe) == nil {
		out, err = compile()
	}
	if err != nil {
		return fmt.Errorf("cannot build %s in %s: %w: %s", name, root, err, bytes.TrimSpace(out))
	}
	return nil
}
