package theorem

import "testing"

// Each theorem has a sentence of its own.
func TestText(t *testing.T) {
	seen := map[string]Theorem{}
	for _, x := range []Theorem{Determinate, AnySchedule, SameOperations, SectionOrder, SameChoices, ThisRun} {
		s := x.Text()
		if s == "" || seen[s] != "" {
			t.Errorf("%s: %q, as for %q", x, s, seen[s])
		}
		seen[s] = x
	}
	if s := Theorem("").Text(); s != "" {
		t.Errorf("no theorem: %q", s)
	}
}
