package schedule

import (
	"strings"
	"testing"
)

// A loose record with any choices left out still runs to the end of the program, and
// without anything left out it gives the recorded run.
func TestLoose(t *testing.T) {
	for seed := range uint64(20) {
		text, log := recorded(seed)
		head, choices, _ := strings.Cut(text, "points all\n")
		head += "points all\nloose\n"
		lines := strings.SplitAfter(choices, "\n")
		for left := range uint64(20) {
			var b strings.Builder
			b.WriteString(head)
			chance := rng(left)
			for _, line := range lines {
				if left == 0 || strings.HasPrefix(line, "let ") || chance.below(3) > 0 {
					b.WriteString(line)
				}
			}
			r, m := replay(t, b.String(), program)
			if r.State() != Running {
				t.Fatalf("seed %d, choices left out by %d: state %d at line %d", seed, left, r.State(), r.Line())
			}
			if got := m.log.String(); left == 0 && got != log {
				t.Fatalf("seed %d: the replay prints %s, the run %s", seed, got, log)
			} else if strings.Count(got, "e") != 5 {
				t.Fatalf("seed %d, choices left out by %d: the run has not ended: %s", seed, left, got)
			}
		}
	}
}
