package selftest

import (
	"reflect"
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

func TestParseReports(t *testing.T) {
	const log = `==================
WARNING: DATA RACE
Write at 0x00c000018459 by goroutine 15:
  main.f()
      /a/b.go:51 +0x4e
  main.g()
      /a/b.go:60 +0x4e

Previous read at 0x00c000018459 by main goroutine:
  sync/atomic.AddInt32()
      /go/asm.s:3 +0x4e
  sync.(*Mutex).Lock()
      /go/sync.go:7 +0x4e

Goroutine 15 (running) created at:
  main.main()
      /a/b.go:50 +0x2fc
==================
--- FAIL
==================
WARNING: PREDICTED DATA RACE
Read at 0x00c000018459 by goroutine 15:
  main.f()
      /a/c.go:1 +0x4e

Previous atomic write at 0x00c000018459 by goroutine 14:
  [failed to restore the stack]
==================
WARNING: something else
`
	got := parseReports([]byte(log))
	if len(got) != 2 {
		t.Fatalf("%d reports: %+v", len(got), got)
	}
	if got[0].predicted || got[0].access != [2]string{"/a/b.go:51", "/go/sync.go:7"} {
		t.Errorf("first: %+v", got[0])
	}
	if !got[1].predicted || got[1].access != [2]string{"/a/c.go:1", ""} {
		t.Errorf("second: %+v", got[1])
	}
	swapped := raceReport{access: [2]string{"/go/sync.go:7", "/a/b.go:51"}}
	if got := pairs([]raceReport{got[0], swapped}, false); len(got) != 1 {
		t.Errorf("one race in both orders counts as %q", got)
	}
}

func TestConfirm(t *testing.T) {
	races := []pair{{"a", "b"}, {"c", "d"}, {"e", "f"}, {"g", "h"}}
	stock := []pair{{"a", "b"}, {"a", "d"}, {"", "f"}, {"", ""}}
	wrong, notes := confirm(races, stock)
	if !reflect.DeepEqual(wrong, []string{"c and d", "g and h"}) || len(notes) != 2 {
		t.Errorf("wrong %q, notes %q", wrong, notes)
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
