package lint

import (
	"bytes"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A source is the text of a file with sites.
type source struct {
	text  []byte
	lines []int // offset of each line
}

// readSource returns the text of a file, or nil if the file cannot be read: line directives
// may name files that do not exist.
func readSource(name string) *source {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return newSource(text)
}

func newSource(text []byte) *source {
	s := &source{text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// offset returns the offset in the text of line and column (in bytes, both from 1). ok is
// false if they are outside of the text.
func (s *source) offset(line, col int) (off int, ok bool) {
	if s == nil || line < 1 || line > len(s.lines) || col < 1 {
		return 0, false
	}
	off = s.lines[line-1] + col - 1
	return off, off < len(s.text)
}

// line returns the text of a line without its end.
func (s *source) line(n int) (text string, ok bool) {
	if s == nil || n < 1 || n > len(s.lines) {
		return "", false
	}
	rest := s.text[s.lines[n-1]:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSuffix(string(rest), "\r"), true
}

// extent returns the end of the expression that begins at off. expr is the expression as
// the table of sites spells it: with shortened white space, cut off with an ellipsis if it
// is long, and possibly behind a star that the source lacks. If the text does not read like
// expr, extent returns the end of the word at off.
func (s *source) extent(off int, expr string) int {
	for _, e := range []string{expr, strings.TrimPrefix(expr, "*")} {
		if end, ok := s.matches(off, strings.TrimSuffix(e, "…")); ok {
			return end
		}
	}
	end := off
	for end < len(s.text) {
		r, n := utf8.DecodeRune(s.text[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		end += n
	}
	return max(end, min(off+1, len(s.text)))
}

// matches compares the text at off with expr. Any run of white space matches any other.
func (s *source) matches(off int, expr string) (end int, ok bool) {
	i := off
	space := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	for j := 0; j < len(expr); {
		switch {
		case i >= len(s.text):
			return 0, false
		case space(expr[j]) && space(s.text[i]):
			for i < len(s.text) && space(s.text[i]) {
				i++
			}
			j++
		case expr[j] == s.text[i]:
			i++
			j++
		default:
			return 0, false
		}
	}
	return i, i > off
}
