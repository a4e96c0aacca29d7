package programs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/schedule/dfs"
)

// explore runs a program in all orders of its operations and returns what the runs printed, with the number of
// orders that did, and the explorer.
func (p scheduled) explore(t *testing.T, name string) (map[string]int, *dfs.Explorer) {
	t.Helper()
	outs := map[string]int{}
	e, err := EachOrder(t.Context(), t.TempDir(), p.exe, []string{name}, func(out, errs string, code int) bool {
		switch {
		case strings.Contains(errs, "all goroutines are asleep"):
			outs["deadlock"]++
		case code == ExitRace:
			outs[strings.TrimSpace(out)+", race"]++
		case code != 0:
			outs[fmt.Sprint("exit code ", code, ": ", errs)]++
		default:
			outs[strings.TrimSpace(out)]++
		}
		return true
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return outs, e
}

// Programs over all kinds of synchronization show each outcome that they can have.
func TestExploreAll(t *testing.T) {
	p := buildScheduled(t, "testdata/schedule/all")
	for _, c := range []struct {
		name   string
		orders int
		outs   []string
	}{
		{"mutex", 6, []string{"[0 1 2]", "[0 2 1]", "[1 0 2]", "[1 2 0]", "[2 0 1]", "[2 1 0]"}},
		{"rwmutex", 4, []string{"[0 0]", "[0 1]", "[1 0]", "[1 1]"}},
		{"try", 0, []string{"false 0", "true 0", "true 1"}},
		{"senders", 0, []string{"[1 2]", "[2 1]"}},
		{"buffer", 0, []string{"[1 2 3]", "[1 3 2]", "[3 1 2]"}},
		{"poll", 2, []string{"1", "nothing"}},
		{"select", 0, []string{"[1 2]", "[2 1]"}},
		{"close", 0, []string{"<nil>, race", "send on closed channel, race"}},
		{"atomics", 3, []string{"[0 1]", "[1 0]", "[1 1]"}},
		{"swap", 0, []string{"[false true]", "[true false]"}},
		{"once", 0, []string{"0", "1"}},
		{"cond", 0, []string{"[0 1]", "[1 0]"}},
		{"early", 0, []string{"0", "1"}},
		{"deadlock", 3, []string{"deadlock", "done"}},
		{"sleep", 2, []string{"[0 1]", "[1 0]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			outs, e := p.explore(t, c.name)
			if got := slices.Sorted(maps.Keys(outs)); !slices.Equal(got, c.outs) {
				t.Errorf("outcomes %q, want %q", got, c.outs)
			}
			if cover := e.Covered(); cover.Left != 0 || cover.Late != (c.name == "sleep") {
				t.Errorf("covered: %s", cover)
			}
			if c.orders != 0 && e.Orders != c.orders {
				t.Errorf("%d orders, want %d", e.Orders, c.orders)
			}
			t.Logf("%d orders in %d runs: %v", e.Orders, e.Runs, outs)
		})
	}
}
