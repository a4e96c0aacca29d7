package programs

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"taskinstr/cmd/internal/tooltest"
	"taskinstr/detector/schedule/dfs"
)

// exitDiverged is the exit code of a replay that differs from the recorded run.
const exitDiverged = 68

// scheduled is a program of testdata/schedule.
type scheduled struct{ exe string }

func buildScheduled(t *testing.T, dir string) scheduled {
	t.Helper()
	if Mode(*mode) != TaskInstr {
		t.Skip("-race has no schedules")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the runtime reads and writes no files here")
	}
	p := scheduled{filepath.Join(t.TempDir(), "schedule.exe")}
	cmd := exec.Command("go", "build", "-o", p.exe, "-toolexec="+tooltest.Tool(t, *tool), "-tags=race", ".")
	cmd.Dir = filepath.Join(repo, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return p
}

// run returns the standard output, standard error and exit code of a run.
func (p scheduled) run(t *testing.T, options string, args ...string) (out, text string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), runTime)
	defer cancel()
	out, text, code, err := Run(ctx, p.exe, options, args...)
	if err != nil {
		t.Fatalf("%v %v", err, ctx.Err())
	}
	return out, text, code
}

func (p scheduled) mustRun(t *testing.T, options string, args ...string) string {
	t.Helper()
	out, text, code := p.run(t, options, args...)
	if code != 0 {
		t.Fatalf("%s %v: exit code %d\n%s%s", options, args, code, out, text)
	}
	return out
}

func TestSchedule(t *testing.T) {
	p := buildScheduled(t, "testdata/schedule")

	t.Run("DepthFirst", func(t *testing.T) {
		if out := p.mustRun(t, "schedule=serial", "nest", "100000"); out != "200000 events, depth-first\n" {
			t.Errorf("printed %q", out)
		}
	})

	for _, s := range []string{"serial", "random:1", "random:2", "pct:1", "pct:2,d=5,k=1000", "pos:1", "surw:1", "preempt:1", "preempt:2,b=9"} {
		t.Run("Kinds/"+s, func(t *testing.T) {
			t.Parallel()
			if out := p.mustRun(t, "schedule="+s, "all"); !strings.HasSuffix(out, "server\n") {
				t.Errorf("printed %q", out)
			}
		})
	}

	t.Run("Replay", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		outs := map[string]bool{}
		for seed := range 5 {
			file := filepath.Join(dir, fmt.Sprint(seed))
			want := p.mustRun(t, fmt.Sprintf("schedule=random:%d record=%s", seed, file), "order", "4")
			outs[want] = true
			for range 20 {
				if got := p.mustRun(t, "schedule=replay:"+file, "order", "4"); got != want {
					t.Fatalf("seed %d: the replay printed\n%s\nwant\n%s", seed, got, want)
				}
			}
		}
		if len(outs) < 4 {
			t.Errorf("5 seeds printed only %d texts", len(outs))
		}
	})

	// A replay also repeats choices of the runtime: the order of maps, random numbers, the
	// case that a select takes, the times of garbage collections.
	t.Run("ReplayAll", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		for _, what := range []string{"maps", "selects", "gc", "mutex", "spin", "cond", "threads"} {
			for _, s := range []string{"serial", "random:3", "pct:3", "pos:3", "surw:3", "preempt:3"} {
				file := filepath.Join(dir, what+s)
				want := p.mustRun(t, "schedule="+s+" record="+file, what)
				if got := p.mustRun(t, "schedule=replay:"+file, what); got != want {
					t.Errorf("%s, %s: the replay printed\n%s\nwant\n%s", what, s, got, want)
				}
			}
		}
	})

	t.Run("Divergence", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "order")
		p.mustRun(t, "schedule=random:1 record="+file, "order", "4")
		_, text, code := p.run(t, "schedule=replay:"+file, "order", "3")
		want := regexp.MustCompile(`(?s)^taskinstr: schedule=replay: the run differs from the recorded one at choice \d+ \(` +
			regexp.QuoteMeta(file) + `:\d+\)\n  recorded: main.*\n  could run: main\.\d.*, created by .* at .*\.go:\d+\n`)
		if code != exitDiverged || !want.MatchString(text) {
			t.Errorf("exit code %d and\n%s", code, text)
		}
	})

	t.Run("Deadlock", func(t *testing.T) {
		t.Parallel()
		p := buildScheduled(t, "testdata/schedule/deadlock")
		for _, s := range []string{"serial", "random:1"} {
			_, text, code := p.run(t, "schedule="+s)
			if code != 2 || !strings.Contains(text, "fatal error: all goroutines are asleep - deadlock!") {
				t.Errorf("%s: exit code %d and\n%s", s, code, text)
			}
		}
	})

	t.Run("Options", func(t *testing.T) {
		t.Parallel()
		for _, tt := range []struct{ options, want string }{
			{"schedule=parallel", "bad value parallel for schedule"},
			{"schedule=random:x", "bad value random:x for schedule"},
			{"schedule=pct:1,d=0", "bad value pct:1,d=0 for schedule"},
			{"schedule=pos:1,d=3", "bad value pos:1,d=3 for schedule"},
			{"schedule=dfs:some", "bad value dfs:some for schedule"},
			{"schedule=surw:1 counts=/dev/null", "counts: /dev/null:1: this is no line of a recorded schedule"},
			{"schedule=surw:1 counts=/nonexistent", "counts: cannot open /nonexistent"},
			{"schedule=random:1 clock=fast", "bad value fast for clock"},
			{"schedule=replay:/nonexistent", "schedule=replay: cannot open /nonexistent"},
			{"schedule=replay:/dev/null", "/dev/null:1: this is no line of a recorded schedule"},
			{"record=x", "record needs a schedule"},
			{"schedule=serial record=/nonexistent/x", "record: cannot create /nonexistent/x"},
		} {
			if _, text, code := p.run(t, tt.options, "once"); code != 2 || !strings.Contains(text, tt.want) {
				t.Errorf("%s: exit code %d and %s", tt.options, code, text)
			}
		}
	})
}

// All orders of critical sections, each once.
func TestExplore(t *testing.T) {
	p := buildScheduled(t, "testdata/schedule/sections")
	file := filepath.Join(t.TempDir(), "record")
	last := &dfs.Record{}
	outs := map[string]int{}
	e, err := dfs.Explore(func(prefix []string) ([]dfs.Choice, error) {
		options := "schedule=dfs"
		if prefix != nil {
			var b strings.Builder
			if err := last.WritePrefix(&b, prefix); err != nil {
				return nil, err
			}
			if err := os.WriteFile(file+".prefix", []byte(b.String()), 0o666); err != nil {
				return nil, err
			}
			options = "schedule=replay:" + file + ".prefix"
		}
		outs[p.mustRun(t, options+" record="+file)]++
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		last, err = dfs.ParseRecord(string(text))
		return last.Choices, err
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = 6 // of three sections of one lock; the fourth one has a lock of its own
	if len(outs) != want || e.Orders != want {
		t.Errorf("%d orders in %d runs, with the texts %q", e.Orders, e.Runs, outs)
	}
}
