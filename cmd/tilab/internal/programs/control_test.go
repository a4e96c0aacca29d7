package programs

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var replays = flag.Int("replays", 20, "replays of each program whose replays must repeat the recorded run")

// strategies are schedules with a virtual clock.
var strategies = []string{"random:1", "pct:1", "pos:1", "surw:1", "preempt:1"}

// own matches the lines of a record that differ between runs with the same choices.
var own = regexp.MustCompile(`(?m)^(strategy|wall) .*$`)

// record runs a program and returns its output and its record up to the return of main. After that, time decides how
// far other goroutines run.
func (p scheduled) record(t *testing.T, options, file string, args ...string) (out string, choices []byte) {
	t.Helper()
	out = p.mustRun(t, options+" record="+file, args...)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text, _, ended := bytes.Cut(text, []byte("\nexit\n"))
	if !ended {
		t.Fatalf("%s %v: the record is incomplete", options, args)
	}
	return out, own.ReplaceAll(text, nil)
}

// Hours of sleeps take no time, all clocks agree, and a replay sees the same times.
func TestClock(t *testing.T) {
	p := buildScheduled(t, "testdata/schedule/clock")
	file := filepath.Join(t.TempDir(), "record")
	for _, s := range append(strategies, "serial clock=virtual", "dfs:all") {
		begin := time.Now()
		out, choices := p.record(t, "schedule="+s, file)
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%s: %v for two minutes of sleeps", s, d)
		}
		if out != "agrees\n" {
			t.Errorf("%s printed %s", s, out)
		}
		if _, again := p.record(t, "schedule=replay:"+file, file+"2"); !bytes.Equal(again, choices) {
			t.Errorf("%s: the replay made other choices:\n%s\nrecorded:\n%s", s, again, choices)
		}
	}
	for _, s := range []string{"random:1", "pct:1"} {
		out, choices := p.record(t, "schedule="+s, file, "loops")
		if out != "agrees\n" {
			t.Errorf("%s: loops that wait: printed %s", s, out)
		}
		if _, again := p.record(t, "schedule=replay:"+file, file+"2", "loops"); !bytes.Equal(again, choices) {
			t.Errorf("%s: loops that wait: the replay made other choices", s)
		}
	}
}

// A client and a server in one program are controlled: the same seed makes the same run, in no time.
func TestNetwork(t *testing.T) {
	p := buildScheduled(t, "testdata/schedule/network")
	for _, name := range []string{"web", "slow", "tcp", "unix", "datagrams", "pipes"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "record")
			runs := map[string]bool{}
			for _, s := range strategies {
				begin := time.Now()
				out, choices := p.record(t, "schedule="+s, file, name)
				if d := time.Since(begin); d > 10*time.Second {
					t.Errorf("%s: %v", s, d)
				}
				if bytes.Contains(choices, []byte("\nclock ")) {
					t.Errorf("%s: the program waited for the system:\n%s", s, choices)
				}
				again, same := p.record(t, "schedule="+s, file, name)
				if again != out || !bytes.Equal(same, choices) {
					t.Errorf("%s: the second run printed %sand not %s", s, again, out)
				}
				runs[string(choices)] = true
			}
			if len(runs) < 2 {
				t.Errorf("all strategies made the same run")
			}
		})
	}
	t.Run("large", func(t *testing.T) {
		t.Parallel()
		if out := p.mustRun(t, "schedule=random:1", "large"); out != "true\n" {
			t.Errorf("printed %s", out)
		}
	})
}

// A child process runs as without a schedule, and does not write over the record.
func TestChild(t *testing.T) {
	p := buildScheduled(t, "testdata/schedule")
	file := filepath.Join(t.TempDir(), "record")
	first, _ := p.record(t, "schedule=surw:1 clock=virtual recursion=4", file, "child")
	if first != "\" recursion=4\"\n" {
		t.Errorf("the child's options are %s", first)
	}
	if again, _ := p.record(t, "schedule=replay:"+file+" recursion=4", file+"2", "child"); again != "\" recursion=4\"\n" {
		t.Errorf("the options of a replay's child are %s", again)
	}
}

// A replay repeats the recorded run, byte for byte.
func TestReplayRepeats(t *testing.T) {
	schedule, network := buildScheduled(t, "testdata/schedule"), buildScheduled(t, "testdata/schedule/network")
	for _, c := range []struct {
		p    scheduled
		args []string
	}{
		{schedule, []string{"order", "4"}}, {schedule, []string{"channels"}}, {schedule, []string{"mutex"}}, {schedule, []string{"selects"}},
		{network, []string{"web"}}, {network, []string{"tcp"}},
	} {
		t.Run(strings.Join(c.args, "_"), func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "record")
			out, choices := c.p.record(t, "schedule=random:7", file, c.args...)
			for i := range *replays {
				again, same := c.p.record(t, "schedule=replay:"+file, file+"2", c.args...)
				if again != out || !bytes.Equal(same, choices) {
					t.Fatalf("replay %d of %d printed\n%s\nand not\n%s", i+1, *replays, again, out)
				}
			}
		})
	}
}
