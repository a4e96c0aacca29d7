package selftest

import (
	"testing"
	"time"
)

func TestDifference(t *testing.T) {
	out := func(status, text string) outcome { return outcome{status: status, output: []byte(text)} }
	for _, tt := range []struct {
		name             string
		want, again, got outcome
		same             bool
	}{
		{"equal", out("0", "a"), out("0", "a"), out("0", "a"), true},
		{"text", out("0", "a"), out("0", "a"), out("0", "b"), false},
		{"status", out("0", "a"), out("0", "a"), out("1", "a"), false},
		{"an address that never changes", out("0", "0x1"), out("0", "0x1"), out("0", "0x2"), false},
		{"an address that changes", out("0", "at 0x1"), out("0", "at 0x2"), out("0", "at 0x3"), true},
		{"a changing address and text", out("0", "at 0x1"), out("0", "at 0x2"), out("0", "in 0x3"), false},
		{"return offsets", out("0", "f()\n\ta.go:1 +0x1\n"), out("0", "f()\n\ta.go:1 +0x1\n"), out("0", "f()\n\ta.go:1 +0x2f\n"), true},
		{"lines", out("0", "f()\n\ta.go:1 +0x1\n"), out("0", "f()\n\ta.go:1 +0x1\n"), out("0", "f()\n\ta.go:2 +0x1\n"), false},
		{"text that changes", out("0", "x"), out("0", "y"), out("0", "z"), true},
		{"status that changes", out("0", "x"), out("1", "y"), out("1", "z"), true},
		{"status that changes otherwise", out("0", "x"), out("1", "y"), out("2", "z"), false},
	} {
		why := difference(tt.want, tt.again, tt.got)
		if (why == "") != tt.same {
			t.Errorf("%s: %q", tt.name, why)
		}
	}
}

func TestFindException(t *testing.T) {
	table := []exception{
		{suite: "std", name: "sync.TestPool*", reason: "all"},
		{suite: "gotest", name: "a.go", version: "go1.2", reason: "one"},
	}
	for _, tt := range []struct{ suite, name, version, want string }{
		{"std", "sync.TestPoolGC", "go1.26.8", "all"},
		{"gotest", "sync.TestPoolGC", "go1.26.8", ""},
		{"std", "sync.TestMap", "go1.26.8", ""},
		{"gotest", "a.go", "go1.2.3", "one"},
		{"gotest", "a.go", "go1.2", "one"},
		{"gotest", "a.go", "go1.26.8", ""},
		{"gotest", "a.go2", "go1.2", ""},
	} {
		e, _ := findException(table, tt.suite, tt.name, tt.version)
		if e.reason != tt.want {
			t.Errorf("%+v: %q", tt, e.reason)
		}
	}
	for _, e := range exceptions {
		if e.reason == "" || e.name == "" || e.suite == "" {
			t.Errorf("incomplete entry: %+v", e)
		}
	}
}

func TestRatio(t *testing.T) {
	if got := ratio(3*time.Second, 2*time.Second); got != "1.50" {
		t.Error(got)
	}
	if got := ratio(time.Second, 0); got != "-" {
		t.Error(got)
	}
}
