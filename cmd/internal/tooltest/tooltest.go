package tooltest

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"

	"taskinstr"
	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
)

// Tool returns the absolute path of the taskinstr command at path or, if path is empty, of
// one built from the tree. The test ends if the command cannot be built.
func Tool(t testing.TB, path string) string {
	t.Helper()
	if path != "" {
		abs, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return abs
	}
	exe, err := Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return exe
}

// Build puts the taskinstr command of the tree into dir and returns its path. The go
// command builds it, so that its identity in the build cache depends on its sources alone.
// Packages of the standard library that most tests need are in the build cache when Build
// returns. Build also sets the environment variable by which the command reuses
// compilations (option.ReuseVar).
func Build(dir string) (string, error) {
	// The sources become a part of the test binary, so the go command does not reuse a test
	// result from before a change to them.
	if _, err := fs.Stat(taskinstr.Source, "go.mod"); err != nil {
		return "", err
	}
	shared, outputs, err := folders()
	if err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(shared, "lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()
	if err := prune(outputs, maxOutputs); err != nil {
		return "", err
	}
	os.Setenv(option.ReuseVar, outputs)
	built := filepath.Join(shared, "taskinstr"+gocmd.ExeSuffix)
	if _, err := run("go", "build", "-o", built, "taskinstr/cmd/taskinstr"); err != nil {
		return "", err
	}
	if err := warm(shared, built); err != nil {
		return "", err
	}
	// A later build replaces the shared file. This name keeps the present one.
	exe := filepath.Join(dir, "taskinstr"+gocmd.ExeSuffix)
	if os.Link(built, exe) == nil {
		return exe, nil
	}
	text, err := os.ReadFile(built)
	if err != nil {
		return "", err
	}
	return exe, os.WriteFile(exe, text, 0o777)
}

// folders returns the folder of the shared command, of which each working copy has its own,
// and the folder of stored compilations. Both are in the build cache.
func folders() (shared, outputs string, err error) {
	out, err := run("go", "env", "GOCACHE", "GOMOD")
	if err != nil {
		return "", "", err
	}
	cache, mod, _ := strings.Cut(strings.TrimSpace(out), "\n")
	root := filepath.Join(cache, "taskinstr", "test")
	shared = filepath.Join(root, fmt.Sprintf("%x", sha256.Sum256([]byte(mod)))[:16])
	outputs = filepath.Join(root, "compiled")
	if err := os.MkdirAll(outputs, 0o777); err != nil {
		return "", "", err
	}
	return shared, outputs, os.MkdirAll(shared, 0o777)
}

// maxOutputs bounds the stored compilations, in bytes. The compilations for one state of the
// runtime take about a quarter of it.
const maxOutputs = 3 << 30

// prune removes the files of a folder that have not been used for longest until the rest is
// no larger than limit.
func prune(dir string, limit int64) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var files []os.FileInfo
	var size int64
	for _, e := range list {
		if f, err := e.Info(); err == nil { // another process may have removed it
			files, size = append(files, f), size+f.Size()
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if size <= limit {
			break
		}
		size -= f.Size()
		os.Remove(filepath.Join(dir, f.Name()))
	}
	return nil
}

// common lists packages of the standard library that most tests need, with their imports.
var common = []string{"context", "flag", "fmt", "math/rand/v2", "os/exec", "testing"}

// lone is any package of this module. If -pkgs selects it alone, all other packages are
// compiled without checks.
const lone = "taskinstr/internal/pace"

// warm compiles the common packages with checks, with and without passes, and without checks
// as -pkgs has them. A file records for which command it has done so.
func warm(shared, tool string) error {
	id, err := run("go", "tool", "buildid", tool)
	if err != nil {
		return err
	}
	version, err := run("go", "env", "GOVERSION", "GOFLAGS", "CGO_ENABLED")
	if err != nil {
		return err
	}
	stamp := filepath.Join(shared, "warm")
	want := id + version
	if done, err := os.ReadFile(stamp); err == nil && string(done) == want {
		return nil
	}
	for _, args := range [][]string{
		append([]string{"build"}, common...),
		append([]string{"build", "-passes=none"}, common...),
		append([]string{"build", "-pkgs=" + lone, lone}, common...),
	} {
		if _, err := run(tool, args...); err != nil {
			return err
		}
	}
	return os.WriteFile(stamp, []byte(want), 0o666)
}

// run returns the standard output of a command.
func run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd, err, errs.String())
	}
	return string(out), nil
}
