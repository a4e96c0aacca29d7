package selftest

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"taskinstr/cmd/internal/sibling"
)

// A harness holds the resources that the suites share: the toolchain, the tool under test,
// a temporary directory and the environment of commands.
type harness struct {
	options
	tc    *toolchain
	work  string   // temporary directory, removed by close
	env   []string // environment of every command
	limit time.Duration
	// stock says whether go's own -race can be run for comparison; noStock is the reason if
	// it cannot.
	stock   bool
	noStock string
	stderr  io.Writer
}

// dropped lists the environment variables that would change the results of a suite.
// GOFLAGS and GOTOOLCHAIN are set anew below.
var dropped = []string{
	"GOFLAGS", "GOTOOLCHAIN", "GOROOT", "GO111MODULE", "GOWORK", "GOTMPDIR", "TMPDIR", "PWD",
	"GORACE", "TASKINSTR", "GODEBUG", "GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GOTRACEBACK",
}

func newHarness(ctx context.Context, s suite, o options, stderr io.Writer) (*harness, error) {
	tc, err := findToolchain(ctx)
	if err != nil {
		return nil, err
	}
	h := &harness{options: o, tc: tc, limit: s.limit, stderr: stderr}
	if o.timeout > 0 {
		h.limit = o.timeout
	}
	h.noStock, h.stock = tc.stockRace()
	if h.mode == race && !h.stock {
		return nil, fmt.Errorf("-mode=race: %s", h.noStock)
	}
	// The name is short because tests create Unix sockets below TMPDIR, and paths of sockets
	// are limited to about a hundred bytes.
	if h.work, err = os.MkdirTemp("", "tist"); err != nil {
		return nil, fmt.Errorf("no temporary directory: %w", err)
	}
	if h.work, err = filepath.EvalSymlinks(h.work); err != nil {
		return nil, err
	}
	tmp := filepath.Join(h.work, "t")
	if err := os.Mkdir(tmp, 0o777); err != nil {
		return nil, err
	}
	h.env = h.environment(os.Environ(), tmp)
	if h.toolexec == "" && h.mode == taskinstr {
		if h.toolexec, err = h.toolUnderTest(); err != nil {
			h.close()
			return nil, err
		}
	}
	return h, nil
}

// toolUnderTest returns the value of go's -toolexec for the tool under test.
func (h *harness) toolUnderTest() (string, error) {
	path, err := h.tool, error(nil)
	if path == "" {
		if path, err = sibling.Find("taskinstr", h.work); err != nil {
			return "", err
		}
	} else if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	return quoteField(path)
}

// environment returns env without the dropped variables, fixed to the toolchain that was
// found, with temporary files below tmp.
func (h *harness) environment(env []string, tmp string) []string {
	path := filepath.Join(h.tc.GOROOT, "bin")
	var out []string
	for _, kv := range env {
		switch name, value, _ := strings.Cut(kv, "="); {
		case name == "PATH":
			path += string(os.PathListSeparator) + value
		case !slices.Contains(dropped, name):
			out = append(out, kv)
		}
	}
	return append(out,
		"PATH="+path,
		"GOTOOLCHAIN=local",
		"GOWORK=off",
		// With an empty value, the user's GOENV file would set the variable.
		"GOFLAGS=-buildvcs=false",
		"GOTMPDIR="+tmp,
		"TMPDIR="+tmp,
	)
}

// close removes the temporary directory unless -keep was given.
func (h *harness) close() {
	if h.keep {
		fmt.Fprintf(h.stderr, "tilab: kept %s\n", h.work)
		return
	}
	if err := removeAll(h.work); err != nil {
		fmt.Fprintf(h.stderr, "tilab: cannot remove %s: %v\n", h.work, err)
	}
}

// removeAll is os.RemoveAll for trees with read-only directories, which some tests leave.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			os.Chmod(path, 0o777)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// buildLimit is added to the time limit of a command that builds: the limit is meant for
// the programs, and the first build compiles all of std.
const buildLimit = 30 * time.Minute

// goTool runs "go sub" with the flags of mode m, followed by args, in the directory and
// environment of c.
func (h *harness) goTool(ctx context.Context, m mode, c command, sub string, args ...string) outcome {
	c.args = append([]string{h.tc.goCommand(), sub}, m.buildFlags(h.toolexec)...)
	c.args = append(c.args, args...)
	c.limit = h.limit + buildLimit
	return h.exec(ctx, c)
}

// overlayEnv is the environment of commands whose -overlay names files of GOROOT. The go command
// replaces no files below GOMODCACHE, where toolchains that it has downloaded are. So these
// commands, which need no modules, get an empty one.
func (h *harness) overlayEnv() []string {
	return []string{"GOMODCACHE=" + filepath.Join(h.work, "nomodules")}
}

// exec runs c in the harness's environment and within its time limit.
func (h *harness) exec(ctx context.Context, c command) outcome {
	c.env = append(h.env[:len(h.env):len(h.env)], c.env...)
	if c.limit == 0 {
		c.limit = h.limit
	}
	return c.run(ctx)
}

// each calls f for every name, at most h.parallel at a time, and emits the results. It
// stops early when ctx ends.
func (h *harness) each(ctx context.Context, names []string, emit func(Result), f func(name string) []Result) {
	work := make(chan string)
	var wg sync.WaitGroup
	for range min(h.parallel, len(names)) {
		wg.Go(func() {
			for name := range work {
				start := time.Now()
				for _, r := range f(name) {
					if r.Seconds == 0 {
						r.Seconds = time.Since(start).Seconds()
					}
					if ctx.Err() == nil {
						emit(r)
					}
				}
			}
		})
	}
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		work <- name
	}
	close(work)
	wg.Wait()
}

// inTurn emits the results of test for those elements of the list that are named, one after
// the other. It stops early when ctx ends.
func inTurn[T any](ctx context.Context, list []T, name func(T) string, names []string, emit func(Result), test func(T) Result) {
	for _, x := range list {
		if !slices.Contains(names, name(x)) || ctx.Err() != nil {
			continue
		}
		start := time.Now()
		r := test(x)
		if r.Seconds == 0 {
			r.Seconds = time.Since(start).Seconds()
		}
		if ctx.Err() == nil {
			emit(r)
		}
	}
}
