package reports

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"taskinstr/detector/trace/report"
)

// WriteText prints the reports that are not known, each fingerprint once, and their number.
func (s *Set) WriteText(w io.Writer) {
	for _, m := range s.Shown() {
		var notes []string
		if m.Reports > 1 || len(m.Tests) > 0 {
			notes = append(notes, "Seen in:")
			if m.Reports > 1 {
				notes[0] = fmt.Sprintf("Seen %d times, in:", m.Reports)
			}
			if len(m.Tests) == 0 {
				notes[0] = strings.TrimSuffix(notes[0], ", in:")
			}
			for _, t := range m.Tests {
				notes = append(notes, "  "+t)
			}
		}
		m.Text(w, notes...)
	}
	fmt.Fprintln(w, s.Counts())
}

// Counts says how many reports there are of each kind, by fingerprint.
func (s *Set) Counts() string {
	var parts []string
	races, predicted := 0, 0
	for _, m := range s.Shown() {
		if m.Type == report.TypeRace {
			races++
		} else {
			predicted++
		}
	}
	if races > 0 || predicted == 0 {
		parts = append(parts, Count(races, "data race"))
	}
	if predicted > 0 {
		parts = append(parts, Count(predicted, "predicted data race"))
	}
	return strings.Join(parts, ", ")
}

// Count returns n with a noun. Few nouns need another plural than that with s.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// maxTests bounds the tests in a summary.
const maxTests = 5

// WriteSummary prints a few lines on each report that is not known. Files below dir are
// named relative to it.
func (s *Set) WriteSummary(w io.Writer, dir string) {
	for _, m := range s.Shown() {
		fmt.Fprintf(w, "\n%s %s", m.Type, m.Fingerprint)
		if m.Reports > 1 {
			fmt.Fprintf(w, ", %d reports", m.Reports)
		}
		fmt.Fprintln(w)
		for _, a := range []*report.Access{&m.Access, &m.Previous} {
			fmt.Fprintf(w, "  %s at %s\n", Brief(a), Relative(dir, a.Position))
		}
		if n := len(m.Tests); n > 0 {
			shown := strings.Join(m.Tests[:min(n, maxTests)], ", ")
			if n > maxTests {
				shown += fmt.Sprintf(" and %d more", n-maxTests)
			}
			fmt.Fprintf(w, "  in %s\n", shown)
		}
	}
}

// What says what races, on one line without positions.
func (m *Merged) What() string {
	return m.Type + ": " + Brief(&m.Access) + ", " + Brief(&m.Previous)
}

// Brief describes an access without its position.
func Brief(a *report.Access) string {
	what := a.Expression
	if what == "" {
		what = a.What()
	}
	text := a.Kind + " of " + what
	if f := function(a.Stack); f != "" {
		text += " in " + f
	}
	return text
}

// function returns the innermost function outside of the runtime and of package sync.
func function(stack []report.Frame) string {
	for _, f := range stack {
		inside := false
		for _, p := range []string{"runtime.", "internal/runtime/", "sync.", "sync/atomic.", "internal/sync."} {
			inside = inside || strings.HasPrefix(f.Function, p)
		}
		if !inside {
			return f.Function
		}
	}
	return ""
}

// Relative returns a position, or the name of a file, with the file relative to dir if it
// is below dir.
func Relative(dir, position string) string {
	if position == "" {
		return "an unknown place"
	}
	return strings.TrimPrefix(position, dir+string(filepath.Separator))
}
