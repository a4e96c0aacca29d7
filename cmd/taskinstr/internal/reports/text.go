package reports

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/detector/trace/report"
)

// WriteText prints the reports that are not known, each fingerprint once, and their number.
func (s *Set) WriteText(w io.Writer, style terminal.Style) error {
	p := painter{w: w, style: style}
	for _, m := range s.Shown() {
		m.Text(&p, m.notes()...)
	}
	for _, f := range s.Findings() {
		f.text(&p)
	}
	fmt.Fprintln(&p, s.Counts())
	return p.err
}

// notes are the lines of a report that say how often and where it was seen.
func (m *Merged) notes() (notes []string) {
	if m.Reports == 1 && len(m.Tests) == 0 {
		return nil
	}
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
	return notes
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
	kinds := map[string]int{}
	for _, f := range s.findings {
		kinds[f.Kind]++
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, Count(kinds[k], k))
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

// testList names the first of the tests that have shown a report.
func testList(tests []string) string {
	n := len(tests)
	shown := strings.Join(tests[:min(n, maxTests)], ", ")
	if n > maxTests {
		shown += fmt.Sprintf(" and %d more", n-maxTests)
	}
	return shown
}

// WriteSummary prints a few lines on each report that is not known. Files below dir are
// named relative to it.
func (s *Set) WriteSummary(w io.Writer, dir string, style terminal.Style) {
	for _, m := range s.Shown() {
		fmt.Fprintf(w, "\n%s %s", style.Paint(typeColor(m.Type), m.Type), style.Paint(terminal.Faint, m.Fingerprint))
		if m.Reports > 1 {
			fmt.Fprintf(w, ", %d reports", m.Reports)
		}
		fmt.Fprintln(w)
		for _, a := range []*report.Access{&m.Access, &m.Previous} {
			fmt.Fprintf(w, "  %s at %s\n", Brief(a), style.Paint(terminal.Bold, Relative(dir, a.Position)))
		}
		if len(m.Tests) > 0 {
			fmt.Fprintf(w, "  in %s\n", testList(m.Tests))
		}
	}
}

// What says what races, on one line without positions.
func (m *Merged) What() string {
	return m.Type + ": " + Brief(&m.Access) + ", " + Brief(&m.Previous)
}

// Brief describes an access without its position.
func Brief(a *report.Access) string {
	text := a.Kind + " of " + cmp.Or(a.Expression, a.What())
	if f := Function(a.Stack); f != "" {
		text += " in " + f
	}
	return text
}

// Goroutine names the goroutine of an access: its number, or main.
func Goroutine(a *report.Access) string {
	if a.Goroutine == 1 && len(a.Created) == 0 {
		return "main"
	}
	return strconv.FormatUint(a.Goroutine, 10)
}

// LockName names a lock as the source does.
func LockName(l *report.Held) string { return cmp.Or(l.Expression, "a lock") }

// Function returns the innermost function outside of the runtime and of package sync.
func Function(stack []report.Frame) string {
	for _, f := range stack {
		if !slices.ContainsFunc(inside, func(p string) bool { return strings.HasPrefix(f.Function, p) }) {
			return f.Function
		}
	}
	return ""
}

// inside are the beginnings of functions that are not the user's.
var inside = []string{"runtime.", "internal/runtime/", "sync.", "sync/atomic.", "internal/sync."}

// Relative returns a position, or the name of a file, with the file relative to dir if it
// is below dir.
func Relative(dir, position string) string {
	if position == "" {
		return "an unknown place"
	}
	return strings.TrimPrefix(position, dir+string(filepath.Separator))
}
