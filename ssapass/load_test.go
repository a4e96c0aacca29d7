package ssapass

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var (
	inDir   = flag.String("ssapass.dir", "", "measure the program in this directory")
	verbose = flag.Bool("ssapass.v", false, "list the facts of each site")
	pattern = flag.String("ssapass.packages", ".", "measure these packages")
)

// load loads the program in dir, or fails the test.
func load(t testing.TB, dir string, tests bool, patterns ...string) *Program {
	t.Helper()
	p, err := Load(Config{Dir: dir, Patterns: patterns, Tests: tests, Env: append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// module writes files into a new module and returns its directory.
func module(t testing.TB, files map[string]string) string {
	dir := t.TempDir()
	files["go.mod"] = "module m\n\ngo 1.25\n"
	for name, text := range files {
		name = filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys >> 20
}

// TestMeasure prints what the analyses of a program cost.
func TestMeasure(t *testing.T) {
	if *inDir == "" {
		t.Skip("no -ssapass.dir")
	}
	start := time.Now()
	p := load(t, *inDir, false, *pattern)
	t.Logf("load: %v, %d packages, %d functions, %d dynamic calls, %d MB", time.Since(start), len(p.Packages), len(p.Functions()), len(p.calls), heap())
	start = time.Now()
	sites := p.Sites()
	t.Logf("sites: %v, %d, %d MB", time.Since(start), len(sites.List), heap())
	start = time.Now()
	r := p.PointsTo()
	t.Logf("points-to: %v, %+v, %d of %d dynamic calls unknown, %d MB", time.Since(start), r.Stats, len(r.UnknownCalls), len(p.calls), heap())
	a := &Analysis{prog: p, Sites: sites, Points: r}
	start = time.Now()
	a.summarize()
	t.Logf("summaries: %v, %d MB", time.Since(start), heap())
	start = time.Now()
	a.findTasks()
	start = time.Now()
	a.findLocks()
	t.Logf("locks: %v, %d MB", time.Since(start), heap())
	shared := 0
	for _, s := range a.shared {
		if s {
			shared++
		}
	}
	t.Logf("tasks: %v, %d functions of the main task, %d of others, %d objects shared, %d MB", time.Since(start), len(a.inMain), len(a.inTask), shared, heap())
	n, dead, local, sequential, readonly := 0, 0, 0, 0, 0
	for _, s := range sites.List {
		if f := strings.TrimPrefix(s.Key.File, *inDir); f == s.Key.File {
			continue
		}
		n++
		if s.Dead {
			dead++
			continue
		}
		l, q, o := true, true, true
		for _, c := range s.Accesses {
			set := a.Where(s, c)
			l = l && !a.SharedAt(set)
			q = q && !a.Parallel(c.Instr) && !a.Outside(set)
			o = o && !a.WrittenInParallel(set)
		}
		if l {
			local++
		}
		if q {
			sequential++
		}
		if o {
			readonly++
		}
		if *verbose {
			t.Logf("%s:%d:%d %s write=%v elems=%v: local=%v sequential=%v readonly=%v", s.Key.File, s.Key.Line, s.Key.Col, s.Key.Expr, s.Key.Write, s.Key.Elems, l, q, o)
		}
	}
	t.Logf("of %d sites in %s: %d dead, %d never shared, %d while no other task exists, %d never written in parallel", n, *inDir, dead, local, sequential, readonly)
}

func TestLoadErrors(t *testing.T) {
	dir := module(t, map[string]string{"main.go": "package main\n\nfunc main() { x := y }\n"})
	_, err := Load(Config{Dir: dir, Patterns: []string{"."}})
	if err == nil || !strings.Contains(err.Error(), "main.go:3:20: undefined: y") {
		t.Errorf("got %v, want the position and message of the compiler", err)
	}
	if _, err := Load(Config{Dir: dir, Patterns: []string{"./none"}}); err == nil {
		t.Error("a pattern without packages was accepted")
	}
}
