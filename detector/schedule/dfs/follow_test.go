package dfs

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// A program's sections come in each requested order. An order that the program does not
// have is an error.
func TestFollow(t *testing.T) {
	m := fork(append(section("a", "x"), section("a", "y")...), section("a", "x"), section("b", "z"))
	run := func(prefix []string) ([]Choice, error) {
		choices, _, err := m.run(prefix, true)
		return choices, err
	}
	known, err := run(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]string{nil, {"t1"}, {"t3", "t2", "t1", "t1"}, {"t1", "t1", "t2", "t3"}, {"t1", "t2", "t1", "t3"}, {"t2", "t1"}} {
		for _, first := range [][]Choice{nil, known} {
			choices, err := Follow(order, first, run)
			if err != nil {
				t.Fatalf("%v: %v", order, err)
			}
			var got []string
			for _, c := range choices {
				if c.Candidates != nil && len(got) < len(order) {
					got = append(got, c.Task)
				}
			}
			if !slices.Equal(got, order) {
				t.Errorf("sections came in the order %v, want %v", got, order)
			}
		}
	}
	for _, c := range []struct {
		order []string
		want  string
	}{
		{[]string{"t2", "t2"}, "choice 3 t2 should enter a section, and cannot"},
		{[]string{"t9"}, "t9 should enter"},
		{[]string{"t1", "t1", "t2", "t3", "t1"}, "ended before 5 sections"},
	} {
		if _, err := Follow(c.order, nil, run); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.order, err, c.want)
		}
	}
	fails := errors.New("fails")
	if _, err := Follow([]string{"t1"}, nil, func([]string) ([]Choice, error) { return nil, fails }); !errors.Is(err, fails) {
		t.Errorf("a run that fails: %v", err)
	}
}

// A record contains positions in the trace. It ends where the program was locked out or
// where its writing was interrupted.
func TestParseRecord(t *testing.T) {
	const text = "taskinstr schedule 1\nstrategy dfs\n# by hand\nmain 2\n# event 7\n# late\nmain.1 | main.1:1 main.2:2r!\nmain\n"
	r, err := ParseRecord(text + "none | main.1:1!\nmain.1\nma")
	if err != nil || len(r.Choices) != 5 {
		t.Fatalf("%+v, %v", r, err)
	}
	if c := r.Choices[2]; c.Event != 7 || !c.Late || !slices.Equal(c.Candidates, []Candidate{{Task: "main.1", Section: Section{Lock: "1"}}, {"main.2", Section{Lock: "2", Shared: true}, true}}) {
		t.Errorf("choice %+v", c)
	}
	if c := r.Choices[3]; c.Event != -1 || c.Late {
		t.Errorf("choice %+v", c)
	}
	if c := r.Choices[4]; c.Task != "" {
		t.Errorf("choice %+v", c)
	}
	if _, err := ParseRecord("main.1 | x\n"); err == nil {
		t.Error("a candidate without a lock is read")
	}
	r, err = ParseRecord("points stops\nwall 17\nloose\nmain to go 1\nclock 5\nmain.1 to held 2\n")
	if err != nil || len(r.Choices) != 2 || r.Choices[0].Task != "main" || r.Choices[1].Task != "main.1" {
		t.Errorf("tasks that stop: %+v, %v", r, err)
	}
	if _, err := ParseRecord("main to go\n"); err == nil {
		t.Error("a stop without a number is read")
	}
}
