package suite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/explore/local"
)

// A target is a package with tests.
type target struct {
	path   string // import path
	dir    string
	module string // the folder of its module, "" without one
	exe    string
	digest string
	tests  []string // names of top-level tests
	runner *local.Runner
}

// listFlags are the flags of a build that `go list` needs as well.
var listFlags = []string{"tags", "mod", "modfile", "overlay"}

// targets lists the packages with tests.
func targets(o *options) ([]*target, error) {
	goPath, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	env, err := gocmd.Env(goPath, o.chdir, "GOFLAGS")
	if err != nil {
		return nil, err
	}
	fixed, _ := gocmd.Split(gocmd.Fields(env["GOFLAGS"]), gocmd.None)
	flags, _ := gocmd.Split(o.build, option.Known)
	flags = slices.DeleteFunc(flags, func(f gocmd.Flag) bool { return !slices.Contains(listFlags, f.Name) })
	flags = gocmd.WithTag(fixed, flags, option.RaceTag)
	args := append([]string{"list", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{len .TestGoFiles}}\t{{len .XTestGoFiles}}\t{{with .Module}}{{.Dir}}{{end}}"}, gocmd.Args(flags)...)
	cmd := exec.Command(goPath, append(append(args, "--"), o.packages...)...)
	cmd.Dir = o.chdir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s", bytes.TrimSpace(stderr.Bytes()))
	}
	var list []*target
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) == 5 && (f[2] != "0" || f[3] != "0") {
			list = append(list, &target{path: f[0], dir: f[1], module: f[4]})
		}
	}
	return list, nil
}

// build builds the test binary in the folder bin.
func (t *target) build(ctx context.Context, o *options, bin string, stderr io.Writer) error {
	t.exe = filepath.Join(bin, strings.NewReplacer("/", "_", `\`, "_").Replace(t.path)+".test")
	if err := Build(ctx, o.chdir, o.build, t.path, t.exe, stderr); err != nil {
		return err
	}
	if _, err := os.Stat(t.exe); err != nil {
		return nil // no test files with these build tags
	}
	var err error
	if t.digest, err = batch.Digest(t.exe); err != nil {
		return err
	}
	return nil
}

// errNotBuilt says that a build failed; the build has printed the reason.
var errNotBuilt = errors.New("the tests do not build")

// Build builds the test binary exe of a package in the folder dir ("": the present one) with
// flags of taskinstr and go.
func Build(ctx context.Context, dir string, flags []string, pkg, exe string, stderr io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("cannot find its own executable, which builds the tests: %w", err)
	}
	args := []string{"test"}
	if dir != "" {
		args = append(args, "-C="+dir)
	}
	args = append(append(args, flags...), "-c", "-o", exe, pkg)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdout, cmd.Stderr = stderr, stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: %w", pkg, errNotBuilt)
	}
	return nil
}

var testName = regexp.MustCompile(`^(Test|Fuzz|Example)\w*$`)

// list asks the test binary for its top-level tests.
func (t *target) list(ctx context.Context, o *options) error {
	cmd := exec.CommandContext(ctx, t.exe, "-test.list="+topLevel(o.run))
	cmd.Dir = t.dir
	cmd.Env = local.Environ(t.dir)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState != nil {
		if err := local.Rejected(cmd.ProcessState, string(out)); err != nil {
			return fmt.Errorf("%s: %w", t.path, err)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: the test binary does not list its tests: %w\n%s", t.path, err, bytes.TrimSpace(out))
	}
	skip, err := regexp.Compile(o.skip)
	if err != nil {
		return fmt.Errorf("-skip: %w", err)
	}
	for line := range strings.Lines(string(out)) {
		name := strings.TrimSpace(line)
		if !testName.MatchString(name) || o.skip != "" && !strings.Contains(o.skip, "/") && skip.MatchString(name) {
			continue
		}
		t.tests = append(t.tests, name)
	}
	return nil
}

// alternatives splits a pattern of -run at its outermost |, as package testing does.
func alternatives(pattern string) []string { return cut(pattern, '|') }

// cut splits a pattern at a byte outside of brackets and parentheses.
func cut(pattern string, at byte) (list []string) {
	square, round, from := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			square++
		case ']':
			square = max(square-1, 0)
		case '(':
			if square == 0 {
				round++
			}
		case ')':
			if square == 0 {
				round--
			}
		case at:
			if square == 0 && round == 0 {
				list = append(list, pattern[from:i])
				from = i + 1
			}
		}
	}
	return append(list, pattern[from:])
}

// topLevel returns the pattern for top-level tests in a pattern of -run.
func topLevel(pattern string) string {
	if pattern == "" {
		return "." // an empty pattern lists nothing
	}
	var list []string
	for _, a := range alternatives(pattern) {
		list = append(list, cut(a, '/')[0])
	}
	return strings.Join(list, "|")
}

// only returns the pattern of -run that selects what pattern selects of one top-level test.
func only(test, pattern string) string {
	name := "^" + regexp.QuoteMeta(test) + "$"
	var list []string
	for _, a := range alternatives(pattern) {
		parts := cut(a, '/')
		if ok, err := regexp.MatchString(parts[0], test); err != nil || !ok {
			continue
		}
		if len(parts) == 1 {
			return name // all of the test
		}
		list = append(list, name+"/"+strings.Join(parts[1:], "/"))
	}
	if list == nil {
		return name
	}
	return strings.Join(list, "|")
}
