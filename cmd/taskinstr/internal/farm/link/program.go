package link

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// name is the command that speaks with the server.
const name = "taskinstr-farm"

// packagePath is its package, from the root of the module.
const packagePath = "cmd/taskinstr/taskinstr-farm"

// Program returns the path of taskinstr-farm: the one beside this executable, or one that it
// builds from the sources of this executable. note gets a line before a build that may take a
// while.
func Program(ctx context.Context, note func(string)) (string, error) {
	suffix := ""
	if runtime.GOOS == "windows" {
		suffix = ".exe"
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if beside := filepath.Join(filepath.Dir(self), name+suffix); isFile(beside) {
		return beside, nil
	}
	root := sources()
	if root == "" {
		return "", fmt.Errorf("the command %s is missing: it is neither beside %s, nor are the sources here from which it could be built; "+
			"run `go install ./cmd/taskinstr/...` in a checkout of taskinstr", name, self)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	built := filepath.Join(cache, "taskinstr", name+suffix)
	if !isFile(built) {
		note("building " + name + " once; `go install ./cmd/taskinstr/...` in a checkout of taskinstr installs it")
	}
	// The go command does nothing if the program is up to date.
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", built, "./"+packagePath)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return "", fmt.Errorf("%s is missing and cannot be built: %w", name, err)
		}
		return "", fmt.Errorf("%s is missing and cannot be built in %s:\n%s", name, root, strings.TrimSpace(string(out)))
	}
	return built, nil
}

// sources returns the root of the module from whose sources this executable was built, "" if it
// is not there.
func sources() string {
	_, file, _, _ := runtime.Caller(0)
	root := file
	for range 6 { // cmd/taskinstr/internal/farm/link/program.go
		root = filepath.Dir(root)
	}
	if !filepath.IsAbs(file) || !isFile(filepath.Join(root, "go.mod")) || !isFile(filepath.Join(root, filepath.FromSlash(packagePath), "main.go")) {
		return ""
	}
	return root
}

func isFile(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.Mode().IsRegular()
}
