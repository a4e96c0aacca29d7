// Package terminal tells the sub-commands whether their output goes to a terminal and
// may be coloured, and shows progress there.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

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

// Progress shows one line that the next one replaces. Where w is no terminal, such as in the log of a CI job, it prints a
// line from time to time, so that a command that takes minutes is not taken for one that hangs.
type Progress struct {
	w     io.Writer // nil: silent
	plain bool      // w is no terminal
	last  time.Time // plain: the time of the last line, or of the beginning
	shown bool
}

// plainEvery is the least time between two lines where there is no terminal, and before the first one.
const plainEvery = time.Minute

// NewProgress returns a Progress on w. With nil it shows nothing.
func NewProgress(w io.Writer) *Progress {
	return &Progress{w: w, plain: !Is(w), last: time.Now()}
}

const clearLine = "\r\x1b[K"

// Show replaces the line. The line is cut at the width of the terminal, since a longer one
// would stay when the next one comes. Without a terminal it prints the line if none was printed for a minute.
func (p *Progress) Show(format string, args ...any) {
	switch {
	case p.w == nil:
	case !p.plain:
		fmt.Fprint(p.w, clearLine, cut(fmt.Sprintf(format, args...), width(p.w)-1), "\r")
		p.shown = true
	case time.Since(p.last) >= plainEvery:
		fmt.Fprintln(p.w, firstLine(fmt.Sprintf(format, args...)))
		p.last = time.Now()
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

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// cut returns the line in at most n columns.
func cut(line string, n int) string {
	line = firstLine(line)
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
