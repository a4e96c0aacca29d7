package releases

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"taskinstr/cmd/tilab/internal/racelog"
)

// A Tool is a way to build a program that reports races.
type Tool struct {
	Name  string
	Flags []string // of go build and go test
}

// A source is the folder of an exposing program, set up for one version of a module.
type source struct {
	dir string // working directory of the build
	pkg string // the package to build, relative to dir
	// test says that the package is a test binary.
	test bool
	run  string // regular expression of the tests to run
	// root is a prefix of the names of the module's files, as reports have them.
	root string
}

// prepare sets up the exposing program for c's version of the module.
func (h *Host) prepare(ctx context.Context, c Case) (*source, error) {
	dir := filepath.Join(h.Dir, c.String())
	if len(c.Upstream) > 0 {
		return h.prepareUpstream(ctx, c, dir)
	}
	from, err := h.Download(ctx, c.Module, c.Version())
	if err != nil {
		return nil, err
	}
	return prepareOwn(c, from, dir)
}

// prepareUpstream copies the module into dir, and the tests of the version after over it.
func (h *Host) prepareUpstream(ctx context.Context, c Case, dir string) (*source, error) {
	if err := h.Copy(ctx, c.Module, c.Version(), dir); err != nil {
		return nil, err
	}
	after, err := h.Download(ctx, c.Module, c.After)
	if err != nil {
		return nil, err
	}
	for _, name := range c.Upstream {
		text, err := os.ReadFile(filepath.Join(after, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), text, 0o666); err != nil {
			return nil, err
		}
	}
	mod := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(mod); err != nil { // older than modules
		if err := os.WriteFile(mod, goMod(c.Module, c.Require), 0o666); err != nil {
			return nil, err
		}
	}
	return &source{dir: dir, pkg: "./" + path.Dir(c.Upstream[0]), test: true, run: c.Test, root: folder(dir)}, nil
}

// prepareOwn writes our own program into a module that requires the one version.
func prepareOwn(c Case, from, dir string) (*source, error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	s := &source{dir: dir, pkg: ".", run: c.Test, root: folder(from)}
	require := append([]string{c.Module + " " + c.Version()}, c.Require...)
	files := append([]txtar.File{{Name: "go.mod", Data: goMod("exposing", require)}}, c.Files...)
	for _, f := range files {
		s.test = s.test || strings.HasSuffix(f.Name, "_test.go")
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// goMod returns the text of a go.mod file.
func goMod(module string, require []string) []byte {
	text := "module " + module + "\n\ngo 1.25\n"
	for _, m := range require {
		text += "\nrequire " + m + "\n"
	}
	return []byte(text)
}

// folder returns the prefix of the names of files in dir.
func folder(dir string) string { return dir + string(filepath.Separator) }

// build compiles s with a tool and returns the executable.
func (h *Host) build(ctx context.Context, s *source, t Tool) (exe string, err error) {
	exe = filepath.Join(s.dir, "exposing-"+t.Name+h.Exe)
	args := []string{h.Go, "build"}
	if s.test {
		args = []string{h.Go, "test", "-c"}
	}
	args = append(args, "-mod=mod", "-o", exe)
	args = append(args, t.Flags...)
	if out, err := h.Exec(ctx, s.dir, append(args, s.pkg)...); err != nil {
		return "", fmt.Errorf("does not build with %s: %w\n%s", t.Name, err, out)
	}
	return exe, nil
}

// A run is the result of one run of an executable.
type run struct {
	reports []racelog.Report
	text    string // everything that was printed
	ok      bool   // exit status 0
	status  string // "exit status 1"
}

// execute runs exe once at GOMAXPROCS procs. A test fails after limit, if there is one.
func (h *Host) execute(ctx context.Context, s *source, exe string, procs int, limit time.Duration) (run, error) {
	logs, err := os.MkdirTemp(s.dir, "logs")
	if err != nil {
		return run{}, err
	}
	defer os.RemoveAll(logs)
	args := []string{exe}
	if s.test {
		args = append(args, "-test.run="+s.run, "-test.count=1")
		if limit > 0 {
			args = append(args, "-test.timeout="+limit.String())
		}
	}
	// Both detectors read GORACE.
	log := filepath.Join(logs, "r")
	env := []string{fmt.Sprintf("GOMAXPROCS=%d", procs), "GORACE=log_path=" + log}
	o := h.Run(ctx, filepath.Join(s.dir, filepath.FromSlash(s.pkg)), env, args...)
	return run{reports: racelog.Take(log), text: string(o.Output), ok: o.OK, status: o.Status}, nil
}
