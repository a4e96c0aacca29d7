package callers

import (
	"strings"
	"testing"
)

// stackOf reads frames of the form "function file:line", innermost first. A frame without a
// file is the function alone.
func stackOf(t *testing.T, text ...string) (s []frame) {
	t.Helper()
	for _, l := range text {
		var f frame
		if fn, at, ok := strings.Cut(l, " "); ok {
			file, line, _ := strings.Cut(at, ":")
			f = frame{fn, file, 0}
			for _, d := range line {
				f.Line = 10*f.Line + int(d-'0')
			}
		} else {
			f.Function = l
		}
		s = append(s, f)
	}
	return s
}

func TestCompareStacks(t *testing.T) {
	recorded := []string{"main.put a.go:1", "main.G[...].Run a.go:2", "runtime.gopanic p.go:3", "main.f a.go:4", "runtime.goexit asm.s:5"}
	for _, tt := range []struct {
		name, leaf string
		reported   []string
		want       string
	}{
		{name: "equal", reported: []string{"main.put a.go:1", "main.G[...].Run a.go:2", "main.f a.go:4"}},
		{name: "type arguments", reported: []string{"main.put a.go:1", "main.G[go.shape.int].Run a.go:2", "main.f a.go:4"}},
		{name: "dictionary", reported: []string{"main.put a.go:1", "main.G[go.shape.int].Run a.go:2", "main.G[int].Run a.go:3", "main.f a.go:4"}},
		{name: "twice", reported: []string{"main.put a.go:1", "main.G[go.shape.int].Run a.go:2", "main.G[go.shape.int].Run a.go:2", "main.f a.go:4"}, want: "instead of main.f"},
		{name: "wrappers", reported: []string{"main.put a.go:1", "main.G[go.shape.int].Run a.go:2", "main.(*E).Run", "main.runner.Run-fm", "main.f.deferwrap1 a.go:3", "main.f a.go:4", "main.m.gowrap1 a.go:9"}},
		{name: "wrapper of another method", reported: []string{"main.put a.go:1", "main.G[go.shape.int].Run a.go:2", "main.(*E).Val", "main.f a.go:4"}, want: "main.(*E).Val :0 instead of"},
		{name: "gowrap inside", reported: []string{"main.put a.go:1", "main.m.gowrap1 a.go:9", "main.G[go.shape.int].Run a.go:2", "main.f a.go:4"}, want: "main.m.gowrap1 a.go:9 instead of"},
		{name: "deferwrap of nobody", reported: []string{"main.put a.go:1", "main.G[go.shape.int].Run a.go:2", "main.g.deferwrap1 a.go:3", "main.f a.go:4"}, want: "instead of main.f"},
		{name: "helper", reported: []string{"main.put a.go:1", "main.G[...].Run a.go:2", "main.f._ti_expr1[int].func1 _taskinstr.go:1000043", "main.f a.go:4"}, want: "main.f._ti_expr1"},
		{name: "function of the runtime", leaf: "runtime.mapassign", reported: []string{"runtime.mapassign_fast64 m.go:7", "main.put a.go:1", "main.G[...].Run a.go:2", "main.f a.go:4"}},
		{name: "another of the runtime", leaf: "runtime.mapassign", reported: []string{"runtime.mapdelete m.go:7", "main.put a.go:1", "main.G[...].Run a.go:2", "main.f a.go:4"}, want: "runtime.mapdelete"},
		{name: "none expected", reported: []string{"runtime.mapassign m.go:7", "main.put a.go:1", "main.G[...].Run a.go:2", "main.f a.go:4"}, want: "instead of main.put"},
		{name: "runtime further out", reported: []string{"main.put a.go:1", "main.G[...].Run a.go:2", "runtime.gopanic p.go:3", "main.f a.go:4"}, want: "runtime.gopanic"},
		{name: "line", reported: []string{"main.put a.go:1", "main.G[...].Run a.go:3", "main.f a.go:4"}, want: "a.go:3 instead of"},
		{name: "file", reported: []string{"main.put b.go:1", "main.G[...].Run a.go:2", "main.f a.go:4"}, want: "b.go:1 instead of"},
		{name: "innermost missing", reported: []string{"main.G[...].Run a.go:2", "main.f a.go:4"}, want: "instead of main.put"},
		{name: "outermost missing", reported: []string{"main.put a.go:1", "main.G[...].Run a.go:2"}, want: "main.f a.go:4 is missing"},
		{name: "one too many", reported: []string{"main.put a.go:1", "main.G[...].Run a.go:2", "main.f a.go:4", "main.main a.go:8"}, want: "at the end"},
		{name: "empty", want: "is missing"},
	} {
		got := compareStacks(stackOf(t, tt.reported...), stackOf(t, recorded...), tt.leaf)
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Only a difference in the middle of a deep stack is allowed.
func TestDeep(t *testing.T) {
	stack := func(inner, middle, outer int, line string) (s []frame) {
		for range inner {
			s = append(s, stackOf(t, "main.f a.go:1")...)
		}
		for range middle {
			s = append(s, stackOf(t, "main.g a.go:"+line)...)
		}
		for range outer {
			s = append(s, stackOf(t, "main.h a.go:1")...)
		}
		return s
	}
	for _, tt := range []struct {
		inner, outer int
		want         bool
	}{{100, 8, true}, {65, 20, true}, {60, 20, false}, {0, 100, false}, {100, 3, false}, {100, 0, false}} {
		a, b := stack(tt.inner, 2, tt.outer, "2"), stack(tt.inner, 2, tt.outer, "3")
		if compareStacks(a, b, "") == "" {
			t.Errorf("%v: no difference", tt)
		}
		if got := isDeep(a, b, ""); got != tt.want {
			t.Errorf("%v: %t", tt, got)
		}
	}
}

// TestCompareReports compares a case of one variable with possible outputs of its run.
func TestCompareReports(t *testing.T) {
	c := &Case{Variables: []Variable{{Number: 7, Expr: "x"}}}
	frames := func(line string) string { return `[{"function":"main.f","file":"a.go","line":` + line + `}]` }
	rec := func(task, goroutine, line string) string {
		return `{"task":` + task + `,"variable":7,"goroutine":` + goroutine + `,"stack":` + frames(line) + "}\n"
	}
	side := func(goroutine, line string) string {
		return `{"kind":"write","address":"0x1004","goroutine":` + goroutine + `,"stack":` + frames(line) + "}"
	}
	rep := func(a, b string) string { return `{"type":"race","access":` + a + `,"previous":` + b + "}\n" }
	const object, ended = `{"object":7,"address":4096,"size":8}` + "\n", `{"ended":0}` + "\n"
	log := object + rec("0", "5", "1") + rec("1", "6", "2") + ended
	for _, tt := range []struct{ name, log, reports, want string }{
		{"right", log, rep(side("6", "2"), side("5", "1")), ""},
		{"the other way round", log, rep(side("5", "1"), side("6", "2")), ""},
		{"twice", log, rep(side("5", "1"), side("6", "2")) + rep(side("5", "1"), side("6", "3")), "main.f a.go:3 instead of"},
		{"stacks of each other", log, rep(side("5", "2"), side("6", "1")), "instead of"},
		{"another goroutine", log, rep(side("9", "1"), side("6", "2")), "goroutine"},
		{"none", log, "", "x: no report"},
		{"predicted", log, strings.Replace(rep(side("5", "1"), side("6", "2")), "race", "predicted race", 1), "predicted race"},
		{"not recorded", object + rec("0", "5", "1") + ended, rep(side("5", "1"), side("6", "2")), "task 1 recorded nothing"},
		{"no end", strings.TrimSuffix(log, ended), rep(side("5", "1"), side("6", "2")), "did not run to its end"},
	} {
		r, err := parse([]byte(tt.log), []byte(tt.reports))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		faults, _ := r.compare(c)
		got := strings.Join(faults, "\n")
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if f := r.strangers([]*Case{c}); f != nil {
			t.Errorf("%s: %v", tt.name, f)
		}
		if tt.reports != "" && r.strangers(nil) == nil {
			t.Errorf("%s: a report on no variable of the cases went unnoticed", tt.name)
		}
	}
	for _, tt := range [][2]string{{"oops\n", ""}, {log, "panic: oops\n"}, {object + rec("0", "5", "1") + rec("0", "5", "1"), ""}} {
		if _, err := parse([]byte(tt[0]), []byte(tt[1])); err == nil {
			t.Errorf("no error from %q and %q", tt[0], tt[1])
		}
	}
}
