package schedule

import (
	"strings"
	"testing"
)

// lock takes a lock that no other task holds.
func (t *model) lock() {
	r := t.m.strategy.(*Replay)
	if r.Locking(t.id) {
		t.point()
	}
	if r.Took(t.id) {
		t.point()
	}
}

func (t *model) branch() {
	if t.m.strategy.(*Replay).Deciding(t.id) {
		t.point()
	}
}

// Tasks run as far as their lines tell.
func TestStops(t *testing.T) {
	worker := func(name string) func(x *model) {
		return func(x *model) {
			x.printf("%s0", name)
			x.lock()
			x.printf("%s1", name)
			x.lock()
			x.printf("%s2", name)
			x.branch()
			x.printf("%s3", name)
		}
	}
	two := func(x *model) {
		x.fork(worker("a"))
		x.printf("m")
		x.fork(worker("b"))
		x.printf("n")
	}
	for _, c := range []struct {
		lines, want string
		state       State
	}{
		{"main to go 2\nmain.2 to lock 2\nmain.1 to held 1\nmain.2 to branch 1\nmain.1\n", "m b0 b1 a0 b2 a1 a2 a3 b3 n", Running},
		{"main to go 1\nmain.1 to lock 1\nmain to go 2\nmain.2 to held 2\nmain\n", "a0 m b0 b1 n a1 a2 a3 b2 b3", Running},
		{"main to go 2\nmain.1 to lock 1\nmain.1 to held 1\nmain.1 to held 2\nmain.2\n", "m a0 a1 b0 b1 b2 b3 a2 a3 n", Running},
		{"main to go 2\nmain.1 to lock 3\nmain.2\n", "m a0 a1 a2 a3", Waiting},
		{"main to go 3\nmain.2\n", "m n", Waiting},
		{"main to held 0\n", "", BadRecord},
		{"main to nowhere 1\n", "", BadRecord},
		{"main to go\n", "", BadRecord},
	} {
		r, m := replay(t, "taskinstr schedule 1\npoints stops\n"+c.lines, two)
		if r.Points() != PointsStops {
			t.Fatalf("%q: points %d", c.lines, r.Points())
		}
		if got := strings.TrimSpace(m.log.String()); got != c.want || r.State() != c.state {
			t.Errorf("%q: state %d, ran %q, want state %d and %q", c.lines, r.State(), got, c.state, c.want)
		}
	}
}
