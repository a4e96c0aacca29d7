package accesses

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/internal/golist"
	"taskinstr/internal/site"
)

// A world is a set of packages to audit, with their dependencies and the toolchain that
// compiles them.
type world struct {
	ctx       context.Context
	gocmd     string
	dir       string   // folder in which the patterns are resolved
	env       []string // environment of the go command
	goroot    string
	tools     string // folder of the compiler
	goVersion string
	goarch    string
	parallel  int
	tmp       string // temporary folder, which the owner removes

	units   []*golist.Package // dependencies first
	exports map[string]string // archives by import path
}

// newWorld finds the toolchain that the go command uses in dir. env is added to the
// environment.
func newWorld(ctx context.Context, dir, tmp string, parallel int, env ...string) (*world, error) {
	path, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	w := &world{ctx: ctx, gocmd: path, dir: dir, tmp: tmp, parallel: parallel}
	// Without cgo no package has C code.
	w.env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	names := []string{"GOROOT", "GOTOOLDIR", "GOVERSION", "GOARCH"}
	out, err := w.output(w.gocmd, append([]string{"env"}, names...)...)
	if err != nil {
		return nil, err
	}
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(values) != len(names) {
		return nil, fmt.Errorf("go env: %d values instead of %d", len(values), len(names))
	}
	for i, p := range []*string{&w.goroot, &w.tools, &w.goVersion, &w.goarch} {
		*p = strings.TrimSpace(values[i])
	}
	return w, nil
}

// output runs a command in the world's folder.
func (w *world) output(name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(w.ctx, name, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), args[0], err, stderr.Bytes())
	}
	return out, nil
}

// list asks the go command for the packages and their dependencies. The files are the files
// of a -race build, which sets the tag race.
func (w *world) list(patterns []string) error {
	out, err := w.output(w.gocmd, golist.Args(patterns, "-e", "-tags=race", "-trimpath=false")...)
	if err != nil {
		return err
	}
	if w.units, w.exports, err = golist.Decode(out); err != nil {
		return err
	}
	for _, u := range w.units {
		if !u.DepOnly && u.Error != nil && len(u.CgoFiles) == 0 {
			return fmt.Errorf("%s: %s", u.ImportPath, u.Error.Err)
		}
	}
	if !slices.ContainsFunc(w.units, audited) {
		return fmt.Errorf("%s: no packages to compare", strings.Join(patterns, " "))
	}
	return nil
}

// audited reports whether u is one of the requested packages and has code.
func audited(u *golist.Package) bool {
	return !u.DepOnly && len(u.GoFiles) > 0 && u.ImportPath != "unsafe" && u.Error == nil
}

// A parsed is a package with syntax and types.
type parsed struct {
	site.Source
	names []string // of the files
}

// check parses and type-checks u.
func (w *world) check(u *golist.Package) (*parsed, error) {
	s, err := u.Check(w.exports, w.goarch)
	return &parsed{s, u.Files()}, err
}
