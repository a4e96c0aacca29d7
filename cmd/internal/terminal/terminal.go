// Package terminal tells the sub-commands whether their output goes to a terminal and
// may be coloured, and shows progress there.
package terminal

import (
	"fmt"
	"io"
	"os"

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

// Show replaces the line.
func (p *Progress) Show(format string, args ...any) {
	if p.w != nil {
		fmt.Fprintf(p.w, clearLine+format, args...)
		p.shown = true
	}
}

// Clear removes the line and moves to its beginning.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.w, clearLine)
		p.shown = false
	}
}
