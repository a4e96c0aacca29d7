package selftest

import (
	"strings"
	"testing"

	"taskinstr/benchmarks/modules"
	"taskinstr/cmd/tilab/internal/racelog"
)

func TestRecipesAreListed(t *testing.T) {
	code, stdout, stderr := runMain(t, "modules", "-list", "-run", "^recipes/")
	if code != exitOK || strings.Count(stdout, "\n") != len(modules.Recipes) || !strings.Contains(stdout, "recipes/raft\n") {
		t.Errorf("exit %d, stderr %q, list:\n%s", code, stderr, stdout)
	}
}

func TestRecipeJudge(t *testing.T) {
	report := func(a, b string) []racelog.Report { return []racelog.Report{{Places: [2]string{a, b}, Text: "report"}} }
	run := func(ok bool, reports []racelog.Report) recipeRun {
		if ok {
			return recipeRun{outcome{ok: true, status: "exit status 0"}, reports}
		}
		return recipeRun{outcome{status: "exit status 1"}, reports}
	}
	clean, failing := run(true, nil), run(false, nil)
	for _, tt := range []struct {
		what   string
		got    recipeRun
		stock  []recipeRun
		status status
		reason string
	}{
		{"both pass", clean, []recipeRun{clean}, passed, ""},
		{"without -race", clean, nil, passed, ""},
		{"ours fails", failing, []recipeRun{clean}, failed, "exit status 1"},
		{"ours fails, without -race", failing, nil, failed, "exit status 1"},
		{"both fail", failing, []recipeRun{failing}, skipped, "fails with -race too: exit status 1"},
		{"-race fails", clean, []recipeRun{failing}, passed, ""},
		{"a report", run(false, report("a.go:1", "b.go:2")), []recipeRun{clean}, failed, "race that -race does not report: a.go:1 and b.go:2"},
		{"a report, without -race", run(false, report("a.go:1", "b.go:2")), nil, failed, "races, not compared with -race: a.go:1 and b.go:2"},
		{"a report where the status is 0", run(true, report("a.go:1", "b.go:2")), []recipeRun{clean}, failed, "race that -race does not report: a.go:1 and b.go:2"},
		{"the same report, in a later run of -race", run(true, report("a.go:1", "b.go:2")), []recipeRun{clean, run(false, report("b.go:2", "a.go:1"))}, passed, ""},
		{"a predicted race", run(true, []racelog.Report{{Predicted: true}}), []recipeRun{clean}, passed, ""},
	} {
		c := &recipeCase{h: &harness{options: options{mode: taskinstr}, tc: &toolchain{}}, name: "recipes/x"}
		if r := c.judge(tt.got, tt.stock); r.Status != tt.status || r.Reason != tt.reason {
			t.Errorf("%s: %s %q, want %s %q", tt.what, r.Status, r.Reason, tt.status, tt.reason)
		}
	}
}

// A module that cannot be fetched fails its cases, and the suite goes on.
func TestModulesNotFetched(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	code, stdout, stderr := runMain(t, "modules", "-mode=plain", "-run", "syncmap$|^recipes/(raft|ants)$")
	if code != exitFailed || !strings.HasSuffix(stdout, "0 passed, 3 failed, 0 skipped\n") {
		t.Fatalf("exit %d, stderr %q, stdout:\n%s", code, stderr, stdout)
	}
	for _, want := range []string{
		"golang.org/x/sync/syncmap: cannot fetch golang.org/x/sync@v0.16.0 ",
		"recipes/raft: cannot fetch go.etcd.io/raft/v3@v3.7.0 ",
		"recipes/ants: cannot fetch github.com/panjf2000/ants/v2@v2.12.1 ",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
}
