package reports

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/sarif"
)

// TypeFinding is the type of an object that describes a [Finding].
const TypeFinding = "finding"

// A Finding is a result of an exploration of tests that is no race: a deadlock, a panic, a failed test, a goroutine that is
// left behind, a test without an end, or a process that has ended in another way.
type Finding struct {
	Type        string    `json:"type"` // TypeFinding
	Kind        string    `json:"kind"`
	Fingerprint string    `json:"fingerprint"`
	Title       string    `json:"title"`
	Places      []Located `json:"places,omitempty"` // the first one is that of the finding
	Schedule    string    `json:"schedule,omitempty"`
	Reports     int       `json:"reports"`
	Tests       []string  `json:"tests,omitempty"`
}

// A Located is a place of a finding with what is there.
type Located struct {
	Position string `json:"position"` // FILE:LINE
	Text     string `json:"text"`
}

// addFinding merges f into the set.
func (s *Set) addFinding(f *Finding) {
	f.Reports = max(f.Reports, 1)
	old := s.findings[f.Fingerprint]
	if old == nil {
		s.findings[f.Fingerprint] = f
		return
	}
	old.Reports += f.Reports
	old.Tests = distinct(append(old.Tests, f.Tests...))
}

// Findings returns the findings apart from races, by kind and fingerprint.
func (s *Set) Findings() []*Finding {
	return slices.SortedFunc(maps.Values(s.findings), func(a, b *Finding) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
}

func (f *Finding) text(w io.Writer) {
	fmt.Fprintf(w, "%s %s", f.Kind, f.Fingerprint)
	if len(f.Tests) > 0 {
		fmt.Fprintf(w, " in %s", testList(f.Tests))
	}
	fmt.Fprintln(w)
	for line := range strings.SplitSeq(f.Title, "; ") {
		fmt.Fprintf(w, "  %s\n", line)
	}
	if f.Schedule != "" {
		fmt.Fprintf(w, "  again: taskinstr replay %s\n", f.Schedule)
	}
	fmt.Fprintln(w)
}

func (f *Finding) rule() string { return strings.ReplaceAll(f.Kind, " ", "-") }

// findingSentences describes the finding for services that show no more of it.
func (r root) findingSentences(f *Finding) string {
	text := r.Relative(f.Title) + "\n"
	if len(f.Tests) > 0 {
		text += "in " + testList(f.Tests) + "\n"
	}
	return text + "fingerprint " + f.Fingerprint
}

func (r root) located(l Located) excerpt.Place {
	file, line, _ := excerpt.SplitPosition(l.Position)
	if file == "" {
		return excerpt.Place{}
	}
	return r.Find(file, line, 0, "")
}

// findingResult returns the result of SARIF. index is that of the rule.
func (r root) findingResult(f *Finding, index int) sarif.Result {
	res := sarif.Result{
		RuleID: rules[index].ID, RuleIndex: index, Kind: "fail", Level: rules[index].Default.Level,
		Message: sarif.Text{Text: r.Relative(f.Title)}, Locations: []sarif.Location{}, Occurrences: f.Reports,
		Fingerprints: map[string]string{"primaryLocationLineHash": f.Fingerprint + ":1", "taskinstr/v1": f.Fingerprint},
	}
	for i, l := range f.Places {
		p := r.located(l)
		switch {
		case !p.Inside:
		case i == 0:
			res.Locations = append(res.Locations, location(p, "", ""))
		default:
			related := location(p, "", l.Text)
			related.ID = len(res.Related) + 1
			res.Related = append(res.Related, related)
		}
	}
	if len(f.Tests) > 0 {
		res.Props = map[string][]string{"tests": f.Tests}
	}
	return res
}
