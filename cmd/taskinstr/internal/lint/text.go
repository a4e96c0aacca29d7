package lint

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"taskinstr/cmd/internal/terminal"
)

var fateColor = map[Fate]terminal.Color{Kept: terminal.Red, Removed: terminal.Green, Guarded: terminal.Yellow}

// writeText prints one line a site and the summary.
func (r *Report) writeText(w io.Writer, o *options, style terminal.Style) error {
	b := bufio.NewWriter(w)
	if !o.summary {
		for _, s := range r.Sites {
			fmt.Fprintf(b, "%s: %s: %s\n", style.Paint(terminal.Bold, s.Place.String()), s.Subject(), style.Paint(fateColor[s.Fate], s.Verdict()))
			if o.fn != nil { // the question is about these accesses
				for _, n := range s.Notes {
					fmt.Fprintf(b, "\t%s: %s\n", n.Pass, n.Reason)
				}
			}
			if o.source {
				s.excerpt(b, func(t string) string { return style.Paint(fateColor[s.Fate], t) })
			}
		}
		if len(r.Sites) > 0 {
			fmt.Fprintln(b)
		}
	}
	if err := r.writeSummary(b); err != nil {
		return err
	}
	for _, n := range r.Notes {
		fmt.Fprintln(b, n)
	}
	return b.Flush()
}

// excerpt prints the line of the site and a mark below the expression.
func (s *Site) excerpt(w io.Writer, paint func(string) string) {
	line, ok := s.source.Line(s.Line)
	off, in := s.source.Offset(s.Line, s.Column)
	if !ok || !in || s.Column > len(line) {
		return
	}
	n := min(s.source.Extent(off, s.Expr)-off, len(line)-s.Column+1)
	// Tabs remain tabs, so that the mark stands below the expression whatever their width.
	var pad strings.Builder
	for _, c := range line[:s.Column-1] {
		if c != '\t' {
			c = ' '
		}
		pad.WriteRune(c)
	}
	width := len([]rune(line[s.Column-1 : s.Column-1+n]))
	fmt.Fprintf(w, "\t%s\n\t%s%s\n", line, pad.String(), paint("^"+strings.Repeat("~", max(width-1, 0))))
}
