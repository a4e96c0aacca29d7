package releases

import (
	"strings"
	"testing"

	"taskinstr/cmd/tilab/internal/racelog"
)

// figures returns runs at GOMAXPROCS 1 and 2, 20 each, with these numbers of reports.
func figures(one, two int, reports ...racelog.Report) Figures {
	return Figures{
		Counts:  []Count{{Procs: 1, Runs: 20, Race: one}, {Procs: 2, Runs: 20, Race: two}},
		Reports: reports,
		Silent:  "exit status 0",
	}
}

func TestJudgeBefore(t *testing.T) {
	instead := figures(0, 20)
	instead.Counts[0].Predicted = 3
	for _, tt := range []struct {
		name      string
		ours      Figures
		stock     *Figures
		ok        bool
		undecided bool
		text      string
	}{
		{"as often", figures(20, 20), ptr(figures(20, 20)), true, false, "as often as by -race"},
		{"more often", figures(20, 20), ptr(figures(0, 20)), true, false, "more often than by -race"},
		{"less often at 1", figures(19, 20), ptr(figures(20, 0)), false, false, "less often than by -race at GOMAXPROCS 1"},
		{"more at 1 does not make up for less at 2", figures(20, 3), ptr(figures(0, 4)), false, false, "less often than by -race at GOMAXPROCS 2"},
		{"predicted does not count", instead, ptr(figures(1, 20)), false, false, "predicted in 3 more"},
		{"no detector reports", figures(0, 0), ptr(figures(0, 0)), false, true, "in no run"},
		{"only ours reports", figures(0, 1), ptr(figures(0, 0)), true, false, "more often"},
		{"without -race", figures(0, 1), nil, true, false, "reported"},
		{"missed without -race", figures(0, 0), nil, false, false, "missed in every run"},
	} {
		v := judgeBefore(tt.ours, tt.stock)
		if v.OK != tt.ok || v.Undecided != tt.undecided || !strings.Contains(v.Text, tt.text) {
			t.Errorf("%s: %+v", tt.name, v)
		}
		if !v.OK && !v.Undecided && v.Evidence == "" {
			t.Errorf("%s: no evidence", tt.name)
		}
	}
}

func TestJudgeAfter(t *testing.T) {
	race := racelog.Report{Places: [2]string{"a.go:1", "b.go:2"}, Text: "the report"}
	predicted := race
	predicted.Predicted = true
	proved := &Release{Proofs: []Proof{{race.Places, "both run without a lock"}}}
	fails := figures(0, 0)
	fails.Counts[1].Failed = 1
	stock := func(a, b string) *Figures { return ptr(figures(1, 1, racelog.Report{Places: [2]string{a, b}})) }
	for _, tt := range []struct {
		name  string
		r     *Release
		ours  Figures
		stock *Figures
		ok    bool
		text  string
	}{
		{"clean", &Release{}, figures(0, 0), ptr(figures(0, 0)), true, "clean"},
		{"clean without -race", &Release{}, figures(0, 0), nil, true, "clean"},
		{"race", &Release{}, figures(1, 0, race), ptr(figures(0, 0)), false, "not confirmed: a.go:1 and b.go:2"},
		{"predicted race", &Release{}, figures(0, 0, predicted), ptr(figures(0, 0)), false, "a.go:1 and b.go:2 (predicted)"},
		{"confirmed", &Release{}, figures(1, 0, race), stock("a.go:1", "b.go:2"), true, "confirmed by -race"},
		{"confirmed by one place", &Release{}, figures(1, 0, race), stock("", "b.go:2"), true, "confirmed by -race"},
		{"another race", &Release{}, figures(1, 0, race), stock("a.go:1", "b.go:3"), false, "not confirmed"},
		{"no place", &Release{}, figures(1, 0, race), stock("", ""), false, "not confirmed"},
		{"proved", proved, figures(1, 0, race), ptr(figures(0, 0)), true, "proved"},
		{"without -race", &Release{}, figures(1, 0, race), nil, false, "not confirmed"},
		{"fails", &Release{}, fails, ptr(figures(0, 0)), false, "fails without a report at GOMAXPROCS 2"},
		{"fails with -race too", &Release{}, fails, &fails, true, "clean"},
	} {
		v := judgeAfter(tt.r, tt.ours, tt.stock)
		if v.OK != tt.ok || !strings.Contains(v.Text, tt.text) {
			t.Errorf("%s: %+v", tt.name, v)
		}
	}
}

func TestCounts(t *testing.T) {
	c := Case{&Release{Places: []string{"sub/m.go"}}, false}
	s := &source{root: "/cache/m@v1.0.0/"}
	about := "Write at 0x1 by goroutine 7:\n  m.f()\n      /cache/m@v1.0.0/sub/m.go:12 +0x1\n\nPrevious read ...\n"
	other := "Write at 0x1 by goroutine 7:\n  n.f()\n      /cache/n@v1.0.0/sub/m.go:12 +0x1\n\n" +
		"Goroutine 7 (running) created at:\n  m.f()\n      /cache/m@v1.0.0/sub/m.go:9 +0x1\n"
	for _, tt := range []struct {
		name    string
		reports []racelog.Report
		want    Count
	}{
		{"none", nil, Count{Runs: 1}},
		{"race", []racelog.Report{{Text: about}}, Count{Runs: 1, Race: 1}},
		{"twice in a run", []racelog.Report{{Text: about}, {Text: about}}, Count{Runs: 1, Race: 1}},
		{"predicted", []racelog.Report{{Text: about, Predicted: true}}, Count{Runs: 1, Predicted: 1}},
		{"both", []racelog.Report{{Text: about, Predicted: true}, {Text: about}}, Count{Runs: 1, Race: 1}},
		{"created there only", []racelog.Report{{Text: other}}, Count{Runs: 1}},
	} {
		var n Count
		if n.add(c, s, run{reports: tt.reports, ok: len(tt.reports) == 0}); n != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, n, tt.want)
		}
	}
	c.Fixed = true
	var n Count
	if n.add(c, s, run{reports: []racelog.Report{{Text: other}}}); n != (Count{Runs: 1, Race: 1}) {
		t.Errorf("the version after: %+v", n)
	}
	if n.add(c, s, run{status: "exit status 67"}); n != (Count{Runs: 2, Race: 1, Failed: 1}) {
		t.Errorf("a run that fails: %+v", n)
	}
}

func ptr(f Figures) *Figures { return &f }
