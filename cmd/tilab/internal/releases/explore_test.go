package releases

import (
	"context"
	"errors"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"taskinstr/benchmarks/explored"
)

func TestJudgeExploration(t *testing.T) {
	r := &Release{Kind: "deadlock", Places: []string{"sub/n.go", "x_test.go"}, Files: []txtar.File{{Name: "x_test.go"}}}
	s := &source{root: "/m@v1/"}
	finding := func(kind, title string, first, runs int) explored.Event {
		return explored.Event{Event: "finding", Kind: kind, Title: title, First: first, Runs: runs}
	}
	for _, test := range []struct {
		fixed        bool
		found        []explored.Event
		ok           bool
		text         string
		first, shown int
	}{
		{text: "not found"},
		{fixed: true, ok: true, text: "nothing found"},
		{found: []explored.Event{finding("deadlock", "chan send at /m@v1/sub/n.go:3", 7, 2), finding("deadlock", "at x_test.go:5", 4, 9)}, ok: true, text: "found", first: 4, shown: 9},
		{fixed: true, found: []explored.Event{finding("panic", "at other.go:3", 7, 2)}, text: "found in the fixed version: panic at other.go:3"},
		{found: []explored.Event{finding("panic", "at /m@v1/sub/n.go:3", 7, 2)}, text: "not found"},    // of another kind
		{found: []explored.Event{finding("deadlock", "at /m@v1/other.go:3", 7, 2)}, text: "not found"}, // at another place
		{found: []explored.Event{finding("deadlock", "at /other/sub/n.go:3", 7, 2)}, text: "not found"},
		{found: []explored.Event{finding("deadlock", "at /m@v1/sub/n.go:3", 0, 0)}, text: "not found"}, // only without a schedule
	} {
		x := Exploration{}
		c := Case{r, test.fixed}
		x.judge(c, s, test.found)
		if x.OK != test.ok || x.Text != test.text || !test.fixed && (x.First != test.first || x.Shown != test.shown) {
			t.Errorf("%+v: %+v", test, x)
		}
	}
}

// TestExplore has a command in place of taskinstr: the go command, which knows no -explore.
func TestExplore(t *testing.T) {
	r, err := parse("m", []byte(strings.Replace(ownRecipe, "kind exit", "kind race", 1)), Findings)
	if err != nil {
		t.Fatal(err)
	}
	h := newHost(t)
	inner := h.Exec
	var got string
	output := `go: downloading example.com/counter v1.0.0
{"event":"start","tests":1}
{"event":"finding","kind":"predicted race","title":"x","first":1}
{"event":"finding","kind":"race","title":"write at ` + "ROOT" + `sub/n.go:5","first":3,"runs":8}
{"event":"end","runs":10}
`
	h.Exec = func(ctx context.Context, dir string, args ...string) ([]byte, error) {
		if args[0] != "taskinstr" {
			return inner(ctx, dir, args...)
		}
		got = strings.Join(args, " ")
		root, _ := h.Download(ctx, r.Module, r.Before)
		return []byte(strings.ReplaceAll(output, "ROOT", folder(root))), errors.New("exit status 1")
	}
	x, err := h.Explore(t.Context(), Case{r, false}, []string{"taskinstr", "-passes=none"}, 10, nil, Plan{})
	if err != nil || !x.OK || x.First != 3 || x.Shown != 8 || x.Schedules != 10 {
		t.Errorf("%+v, error %v", x, err)
	}
	if !strings.HasPrefix(got, "taskinstr test -passes=none -mod=mod -json -confirm=false -explore=10 ") {
		t.Errorf("command %q", got)
	}
	output = "no flag -explore\n"
	if _, err := h.Explore(t.Context(), Case{r, false}, []string{"taskinstr"}, 10, nil, Plan{}); err == nil || !strings.Contains(err.Error(), "exit status 1: ") || !strings.Contains(err.Error(), "no flag -explore") {
		t.Errorf("error %v", err)
	}
}
