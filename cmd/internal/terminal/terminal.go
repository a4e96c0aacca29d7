// Package terminal tells the sub-commands whether their output goes to a terminal and
// may be coloured, and shows progress there.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// Is reports whether w is a terminal.
func Is(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Colors is the style of output to w. It paints if w is a terminal that can,
// and the user has not set NO_COLOR (https://no-color.org).
func Colors(w io.Writer) Style {
	return Style(Is(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
}

// Progress shows one line that the next one replaces. Without a terminal it shows nothing.
type Progress struct {
	w     io.Writer // nil: silent
	shown bool
}

// NewProgress returns a Progress on w.
func NewProgress(w io.Writer) *Progress {
	if !Is(w) {
		return &Progress{}
	}
	return &Progress{w: w}
}

const clearLine = "\r\x1b[K"

// Show replaces the line. The line is cut at the width of the terminal, since a longer one
// would stay when the next one comes.
func (p *Progress) Show(format string, args ...any) {
	if p.w != nil {
		fmt.Fprint(p.w, clearLine, cut(fmt.Sprintf(format, args...), width(p.w)-1), "\r")
		p.shown = true
	}
}

// width returns the number of columns of a terminal, that of the oldest ones if it is unknown.
func width(w io.Writer) int {
	const usual = 80
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return usual
}

// cut returns the line in at most n columns.
func cut(line string, n int) string {
	line, _, _ = strings.Cut(line, "\n")
	r := []rune(line)
	if n < 1 || len(r) <= n {
		return line
	}
	return string(r[:n-1]) + "…"
}

// Clear removes the line and moves to its beginning.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.w, clearLine)
		p.shown = false
	}
}
