package reports

import (
	"fmt"
	"io"
	"strings"

	"taskinstr/detector/trace/report"
)

// writeGitHub writes a workflow command for each report, which the runner of GitHub Actions
// turns into an annotation of the changed file.
func (s *Set) writeGitHub(w io.Writer, t *target) error {
	for _, x := range s.items(t.root) {
		level := "error"
		if x.predicted {
			level = "warning"
		}
		var fields []string
		add := func(key string, value any) {
			fields = append(fields, key+"="+githubProperty.Replace(fmt.Sprint(value)))
		}
		number := func(key string, n int) {
			if n > 0 {
				add(key, n)
			}
		}
		if p := x.place; p.Inside {
			add("file", p.File)
			number("line", p.Line)
			number("endLine", p.EndLine)
			if p.EndLine == p.Line { // columns have no effect on several lines
				number("col", p.Column)
				number("endColumn", p.EndColumn)
			}
		}
		add("title", x.kind)
		if _, err := fmt.Fprintf(w, "::%s %s::%s\n", level, strings.Join(fields, ","), githubData.Replace(x.sentences)); err != nil {
			return err
		}
	}
	return nil
}

// The escapes of workflow commands.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// sentences says what races, where and why, for services that show a report without its
// stacks.
func (r root) sentences(m *Merged) string {
	var b strings.Builder
	b.WriteString(r.accesses(m, "\n") + "\n")
	for _, line := range m.Why {
		b.WriteString(r.Relative(line) + "\n")
	}
	if len(m.Tests) > 0 {
		fmt.Fprintf(&b, "in %s\n", testList(m.Tests))
	}
	b.WriteString("fingerprint " + m.Fingerprint)
	return b.String()
}

// accesses names both accesses, the later one first, with their places.
func (r root) accesses(m *Merged, space string) string {
	return fmt.Sprintf("%s at %s, and earlier%s%s at %s", Brief(&m.Access), r.position(&m.Access), space, Brief(&m.Previous), r.position(&m.Previous))
}

// position returns the position of an access, with the name of its file in the repository.
func (r root) position(a *report.Access) string {
	p, ok := r.access(a)
	if !ok {
		return "an unknown place"
	}
	if p.Column == 0 {
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}
