package suite

import (
	"encoding/json"
	"strings"
	"testing"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/detector/trace/report"
)

// The accesses of the races that a run without a schedule shows are sites, each once, unless TASKINSTR cannot express
// their files.
func TestSites(t *testing.T) {
	race := func(at, previous string) *batch.Finding {
		var r report.Report
		r.Access.Position, r.Previous.Position = at, previous
		text, err := json.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		return &batch.Finding{Kind: batch.Race, Report: text}
	}
	u := &unit{target: &target{}}
	u.suspect(&batch.Finding{Kind: batch.Panic})
	u.suspect(race("/a.go:1:2", "/a.go:3:4"))
	u.suspect(race("/a.go:3:4", "/a b.go:1:1"))
	u.suspect(race("/a,b.go:3:4", ""))
	for _, test := range []struct{ access, strategy, baseline, want string }{
		{accessAuto, "surw", "", "access=/a.go:1:2,/a.go:3:4"},
		{accessAuto, "surw", "known", "baseline=known access=/a.go:1:2,/a.go:3:4"},
		{accessAuto, "", "", ""},
		{accessOff, "surw", "", ""},
		{"b.go:7", "surw", "", "access=b.go:7"},
	} {
		o := &options{access: test.access, baseline: test.baseline}
		if b := u.batch(o, test.strategy, 0, 1); b.Options != test.want {
			t.Errorf("%+v: %q", test, b.Options)
		}
	}
	for range maxSites {
		u.suspect(race(strings.Repeat("x", len(u.access)), ""))
	}
	if len(u.access) != maxSites {
		t.Errorf("%d sites, want %d", len(u.access), maxSites)
	}
}

// A schedule that needs a timer keeps it when it is shortened.
func TestShrinkKeepsTimers(t *testing.T) {
	s := &shrinker{}
	list, ok := s.parse("taskinstr schedule 1\nseed 3\npoints program\naccess a.go:1\nmain\nclock 5\nmain.1 2\ntimer 7\nmain.1\nmain\n")
	if !ok || len(list) != 4 || list[1].timer != "" || list[2].timer != "timer 7\n" {
		t.Fatalf("%v %+v", ok, list)
	}
	if m := merged(list); len(m) != 4 {
		t.Errorf("a timer between two choices is lost: %+v", m)
	}
	if !strings.Contains(s.head, "\nloose\naccess a.go:1\n") {
		t.Errorf("head %q", s.head)
	}
}
