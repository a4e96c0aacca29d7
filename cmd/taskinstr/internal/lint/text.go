package lint

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Escape sequences of a terminal.
const (
	bold   = "\x1b[1m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	reset  = "\x1b[0m"
)

var fateColor = map[Fate]string{Kept: red, Removed: green, Guarded: yellow}

// writeText prints one line a site and the summary.
func (r *Report) writeText(w io.Writer, o *options, colors bool) error {
	b := bufio.NewWriter(w)
	if !o.summary {
		paint := painter(colors)
		for _, s := range r.Sites {
			fmt.Fprintf(b, "%s: %s: %s\n", paint(bold, s.Place.String()), s.Subject(), paint(fateColor[s.Fate], s.Verdict()))
			if o.source {
				s.excerpt(b, func(t string) string { return paint(fateColor[s.Fate], t) })
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
	line, ok := s.source.line(s.Line)
	off, in := s.source.offset(s.Line, s.Column)
	if !ok || !in || s.Column > len(line) {
		return
	}
	n := min(s.source.extent(off, s.Expr)-off, len(line)-s.Column+1)
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
