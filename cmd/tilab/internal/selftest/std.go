package selftest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// stdSuite runs the tests of the standard library, which is instrumented like any other
// code. They test the instrumentation and, where they are parallel, the detector: they have
// no races.
var stdSuite = suite{
	name:  "std",
	about: "go test -short of the standard library: tests that pass without instrumentation must pass, and -race must confirm each race",
	limit: 10 * time.Minute,
	list:  listStd,
	run:   runStd,
}

// stdPatterns are the packages of the suite. It leaves out packages that are not
// instrumented (the runtime and its imports), the compiler's packages, and packages that
// need a network.
var stdPatterns = []string{
	"bufio", "bytes", "compress/...", "container/...", "context", "database/...", "encoding/...", "errors",
	"fmt", "go/...", "hash/...", "html/...", "image/...", "io/...", "iter", "log/...", "maps", "math/...",
	"net/http/...", "net/url", "os/...", "path/...", "reflect", "regexp/...", "slices", "sort", "strconv",
	"strings", "sync/...", "testing/...", "text/...", "time/...", "unicode/...",
}

// listStd returns the packages that have tests.
func listStd(ctx context.Context, h *harness) ([]string, error) {
	if _, err := h.tc.need("the tests of the standard library", "src", "fmt", "fmt_test.go"); err != nil {
		return nil, err
	}
	args := append([]string{h.tc.goCommand(), "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}"}, stdPatterns...)
	o := h.exec(ctx, command{dir: h.work, args: args})
	if !o.ok {
		return nil, fmt.Errorf("go list: %s\n%s", o.status, excerpt(o.output))
	}
	return strings.Fields(string(o.output)), nil
}

func runStd(ctx context.Context, h *harness, names []string, emit func(Result)) error {
	// An empty directory outside any module.
	dir := filepath.Join(h.work, "empty")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	h.each(ctx, names, emit, func(pkg string) []Result {
		j := &testJudge{h: h, suite: "std", dir: dir, pkg: pkg}
		return j.judge(ctx, j.run(ctx, plain), j.run(ctx, h.mode), func() testRun { return j.run(ctx, race) })
	})
	return nil
}
