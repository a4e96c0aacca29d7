package schedule

import (
	"strings"
	"testing"
)

// program is a model program whose output depends on the schedule. deep makes paths long
// enough to be cut.
func program(x *model) {
	var deep func(n int) func(*model)
	deep = func(n int) func(*model) {
		return func(x *model) {
			if n > 0 {
				x.fork(deep(n - 1))
			}
			x.point()
			x.printf("d%d", n)
		}
	}
	x.fork(deep(3 * maxPath))
	for i := range 5 {
		x.fork(func(x *model) {
			x.printf("a%d", i)
			x.point()
			x.printf("b%d", i)
			x.fork(func(x *model) { x.printf("c%d", i) })
			x.yield()
			x.printf("e%d", i)
		})
	}
}

func recorded(seed uint64) (text, log string) { return recording("random", random, seed, program, nil) }

// After the end of a record without the return of main, the run is serial.
func TestReplayPrefix(t *testing.T) {
	_, m := replay(t, "taskinstr schedule 1\npoints none\nmain 3\nmain.2\n", func(x *model) {
		for i := range 4 {
			x.fork(func(x *model) { x.printf("%d", i+1) })
		}
		x.printf("main")
	})
	m.ran(t, "2 1 3 4 main")
}

func TestDivergence(t *testing.T) {
	three := func(x *model) {
		for range 3 {
			x.fork(func(x *model) { x.block() })
		}
	}
	for _, c := range []struct {
		text  string
		state State
		line  uint32
		name  string
	}{
		{"main\nmain.1\nmain\nmain.7\n", Waiting, 5, "main.7"},
		{"main\nmain.1\nmain.1\n", Waiting, 4, "main.1"},
		{"main\nexit\n", EndedLate, 2, "main"},
		{"main\nnobody\n", BadRecord, 3, ""},
		{"main\nmain.1 0\n", BadRecord, 3, ""},
		{"main\nmain.x\n", BadRecord, 3, ""},
		{"main\n@1.2\n", BadRecord, 3, ""},
		{"main\nlet @2 main.1\n", BadRecord, 3, ""},
	} {
		r, _ := replay(t, "taskinstr schedule 1\n"+c.text, three)
		if r.State() != c.state || r.Line() != c.line {
			t.Errorf("%q: state %d in line %d, want %d in line %d", c.text, r.State(), r.Line(), c.state, c.line)
		}
		var name [MaxName]byte
		if n, _, _ := r.Wanted(&name); c.state == Waiting && string(name[:n]) != c.name {
			t.Errorf("%q: waits for %q", c.text, name[:n])
		}
	}
	for _, text := range []string{"", "main\n", "taskinstr schedule 2\n", "taskinstr schedule 1\npoints some\n"} {
		m := newMachine()
		if _, ok := replayOf(&m.ts, text+" "); ok {
			t.Errorf("%q passes for a record", text)
		}
	}
}

// If the recorded task does not exist, its nearest living ancestor is named.
func TestWanted(t *testing.T) {
	r, m := replay(t, "taskinstr schedule 1\nmain\nmain.1\nmain\nmain.1.5.2\n", func(x *model) {
		x.fork(func(x *model) { x.block() })
		x.fork(func(x *model) {})
	})
	var name [MaxName]byte
	n, id, parent := r.Wanted(&name)
	if got := string(name[:n]); got != "main.1.5.2" || id != 0 || m.ts.name(parent) != "main.1" {
		t.Errorf("waits for %s, which is %d, below %s", got, id, m.ts.name(parent))
	}
}

func TestNames(t *testing.T) {
	text, _ := recorded(3)
	if !strings.Contains(text, "\nlet @1 main.1"+strings.Repeat(".1", maxPath-1)+"\n") || !strings.Contains(text, "\nlet @2 @1.1") {
		t.Errorf("long paths are not cut:\n%s", text)
	}
	var ts Tasks
	ts.Init()
	main := ts.Fork(0, 0)
	timer := ts.Fork(0, 0)
	if got := ts.name(main) + " " + ts.name(ts.Fork(ts.Fork(main, 0), 0)) + " " + ts.name(timer) + " " + ts.name(ts.Fork(timer, 0)); got != "main main.1.1 outside.1 outside.1.1" {
		t.Errorf("names are %s", got)
	}
}
