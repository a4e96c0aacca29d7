package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A toolchain is a Go installation as "go env" describes it.
type toolchain struct {
	GOROOT      string
	GOVERSION   string
	GOOS        string
	GOARCH      string
	GOEXE       string
	CGO_ENABLED string
	CC          string

	tags []string // release and experiment tags that are set
}

// findToolchain asks the go command on PATH, in the current directory and environment, so
// that GOTOOLCHAIN and a toolchain line in go.mod select the same installation as in the
// user's own builds.
func findToolchain(ctx context.Context) (*toolchain, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json")
	out, err := cmd.Output()
	if err != nil {
		var ee *exec.ExitError
		if errors.As(err, &ee) {
			return nil, fmt.Errorf("go env: %w: %s", err, strings.TrimSpace(string(ee.Stderr)))
		}
		return nil, fmt.Errorf("cannot run the go command: %w; put it on PATH", err)
	}
	var tc toolchain
	if err := json.Unmarshal(out, &tc); err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	out, err = exec.CommandContext(ctx, "go", "list", "-f", "{{join context.ReleaseTags `,`}},{{join context.ToolTags `,`}}", "unsafe").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	tc.tags = strings.Split(strings.TrimSpace(string(out)), ",")
	return &tc, nil
}

// goCommand returns the path of the installation's own go command. With GOTOOLCHAIN=local
// it keeps this version, even if a go.mod file requests another.
func (tc *toolchain) goCommand() string {
	return filepath.Join(tc.GOROOT, "bin", "go"+tc.GOEXE)
}

// stockRace reports whether go's own -race can build here; why is the reason if it cannot.
func (tc *toolchain) stockRace() (why string, ok bool) {
	if tc.CGO_ENABLED != "1" {
		return "CGO_ENABLED is not 1", false
	}
	cc, _, _ := strings.Cut(strings.TrimSpace(tc.CC), " ")
	if _, err := exec.LookPath(cc); err != nil {
		return fmt.Sprintf("no C compiler (%s)", cc), false
	}
	return "", true
}

// need returns GOROOT/elem..., or an error that names the missing part of the installation
// and its purpose.
func (tc *toolchain) need(what string, elem ...string) (string, error) {
	dir := filepath.Join(append([]string{tc.GOROOT}, elem...)...)
	if _, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("this Go installation (%s) has no %s, which holds %s: %w; "+
			"some distributions leave it out, install Go from its source tree or from go.dev/dl",
			tc.GOVERSION, dir, what, err)
	}
	return dir, nil
}
