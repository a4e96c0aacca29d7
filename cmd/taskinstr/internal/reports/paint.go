package reports

import (
	"bytes"
	"io"
	"strings"
	"unicode"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/detector/trace/report"
)

// A painter passes on the text of reports, and paints the lines that structure it. Control
// characters in names, which could command the terminal, become U+FFFD.
type painter struct {
	w     io.Writer
	style terminal.Style
	rest  []byte // of a line whose end is still to come
	err   error  // the first
}

// Write implements io.Writer.
func (p *painter) Write(text []byte) (int, error) {
	p.rest = append(p.rest, text...)
	for p.err == nil {
		line, rest, ok := bytes.Cut(p.rest, []byte("\n"))
		if !ok {
			break
		}
		_, p.err = io.WriteString(p.w, p.paint(strings.Map(printable, string(line)))+"\n")
		p.rest = rest
	}
	return len(text), p.err
}

func printable(r rune) rune {
	if unicode.IsControl(r) && r != '\t' {
		return unicode.ReplacementChar
	}
	return r
}

// paint paints a line of a report. What leads to the accesses is as it is, what is the same in
// all reports is faint, and what names the accesses stands out.
func (p *painter) paint(line string) string {
	switch {
	case strings.HasPrefix(line, "WARNING: PREDICTED"):
		return p.style.Paint(terminal.Bold+terminal.Yellow, line)
	case strings.HasPrefix(line, "WARNING: "):
		return p.style.Paint(terminal.Bold+terminal.Red, line)
	case strings.HasPrefix(line, "==="), strings.HasPrefix(line, "Fingerprint: "):
		return p.style.Paint(terminal.Faint, line)
	case strings.HasPrefix(line, "      "): // file and line of a frame
		return p.style.Paint(terminal.Faint, line)
	case strings.HasPrefix(line, "    holding "):
		return p.style.Paint(terminal.Cyan, line)
	case accessLine(line):
		return p.style.Paint(terminal.Bold, line)
	case !strings.HasPrefix(line, " ") && strings.HasSuffix(line, ":"): // a heading
		return p.style.Paint(terminal.Bold, line)
	}
	return line
}

// accessLine reports whether the line names an accessed expression and its place.
func accessLine(line string) bool {
	rest, ok := strings.CutPrefix(line, "  ")
	rest = strings.TrimPrefix(rest, "atomic ")
	return ok && strings.Contains(rest, " at ") && (strings.HasPrefix(rest, "read of ") || strings.HasPrefix(rest, "write of "))
}

func typeColor(kind string) terminal.Color {
	if kind == report.TypeRace {
		return terminal.Bold + terminal.Red
	}
	return terminal.Bold + terminal.Yellow
}
