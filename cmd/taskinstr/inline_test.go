package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

// inlineSource is a module whose functions have checks, too many for the compiler's budget. No name
// says more than how a function is called.
var inlineSource = map[string]string{
	"go.mod": "module prog\n\ngo 1.25\n",
	"lib/lib.go": `package lib

type Pair struct{ A, B, C int }

func (p *Pair) Sum() int { return p.A + p.B + p.C }

func (p *Pair) Set(x int) {
	p.A = x
	p.B = x
	p.C = x
}

func (p *Pair) Twice() int {
	return p.Sum() +
		p.Sum()
}

func New(x int) *Pair {
	p := new(Pair)
	p.Set(x)
	return p
}

//go:noinline
func (p *Pair) Never() int { return p.A + p.B + p.C }

func (p *Pair) Recovers() int {
	recover()
	return p.A + p.B + p.C
}

func (p *Pair) Rec(n int) int {
	if n == 0 {
		return p.A + p.B + p.C
	}
	return p.Rec(n - 1)
}
`,
	"main.go": `package main

import "prog/lib"

var shared *lib.Pair

//go:noinline
func each(yield func(*lib.Pair) bool) { _ = yield(shared) && yield(shared) }

type holder struct{ *lib.Pair }

func main() {
	shared = lib.New(1)
	c := make(chan int)
	go func() {
		shared.Set(2)
		f := func() int {
			return shared.Twice()
		}
		c <- f()
	}()
	n := 0
	for p := range each {
		n += p.Sum()
		g := func() { n += p.Twice() }
		g()
	}
	h := holder{shared}
	n += h.Sum() + h.Never() + h.Recovers() + h.Rec(3)
	n += <-c
}
`,
}

// inlinedCall is the compiler's line about a call that it inlines.
var inlinedCall = regexp.MustCompile(`(?m)^\S*?([a-z]+\.go:\d+):\d+: inlining call to (\S+)$`)

// TestKeptInlining compares the calls that the compiler inlines in builds with and without checks.
// A report names the functions and lines of inlined bodies.
func TestKeptInlining(t *testing.T) {
	dir := t.TempDir()
	testfile.Tree(t, dir, inlineSource)
	tool := filepath.Join(command, "taskinstr"+exe)
	prog := filepath.Join(dir, "prog"+exe)
	build := func(args ...string) []string {
		t.Helper()
		args = append([]string{"build", "-gcflags=prog/...=-m", "-o", prog}, args...)
		cmd := exec.Command("go", append(args, ".")...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		calls := map[string]bool{}
		for _, m := range inlinedCall.FindAllStringSubmatch(string(out), -1) {
			if !strings.Contains(m[2], "_ti_") {
				calls[m[1]+" "+m[2]] = true
			}
		}
		return slices.Sorted(maps.Keys(calls))
	}
	plain := build()
	off := build("-tags=race", "-toolexec="+tool+" -passes=none -inline=off")
	if len(plain) < 8 || len(off) >= len(plain) {
		t.Errorf("the checks do not matter: without them these calls are inlined:\n%s\nwith them these:\n%s", strings.Join(plain, "\n"), strings.Join(off, "\n"))
	}
	if on := build("-tags=race", "-toolexec="+tool+" -passes=none"); !slices.Equal(on, plain) {
		t.Errorf("with checks these calls are inlined:\n%s\nwithout these:\n%s", strings.Join(on, "\n"), strings.Join(plain, "\n"))
	}
	out, _ := exec.Command(prog).CombinedOutput()
	for _, want := range []string{
		`prog/lib\.\(\*Pair\)\.Set\(\)\n\s+\S+/lib/lib\.go:8 \S+\n\s+main\.main\.func1\(\)\n\s+\S+/main\.go:16 `,
		`prog/lib\.\(\*Pair\)\.Sum\(\)\n\s+\S+/lib/lib\.go:5 \S+\n`,
	} {
		if !regexp.MustCompile(want).Match(out) {
			t.Errorf("the reports do not match %s:\n%s", want, out)
		}
	}
	if l := build("-tags=race", "-toolexec="+tool+" -passes=none", "-gcflags=prog/...=-m -l"); len(l) > 0 {
		t.Errorf("with -l these calls are inlined:\n%s", strings.Join(l, "\n"))
	}
}
