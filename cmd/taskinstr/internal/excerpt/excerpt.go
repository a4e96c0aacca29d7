package excerpt

import (
	"bytes"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A File is the text of a file. The methods of a nil File find nothing.
type File struct {
	text  []byte
	lines []int // offset of each line
}

// Read returns the text of a file, or nil if the file cannot be read: line directives
// may name files that do not exist.
func Read(name string) *File {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return New(text)
}

// New returns a File with this text.
func New(text []byte) *File {
	f := &File{text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Offset returns the offset in the text of line and column (in bytes, both from 1). ok is
// false if they are outside of the text.
func (f *File) Offset(line, col int) (off int, ok bool) {
	if f == nil || line < 1 || line > len(f.lines) || col < 1 {
		return 0, false
	}
	off = f.lines[line-1] + col - 1
	return off, off < len(f.text)
}

// Line returns the text of a line without its end.
func (f *File) Line(n int) (text string, ok bool) {
	if f == nil || n < 1 || n > len(f.lines) {
		return "", false
	}
	rest := f.text[f.lines[n-1]:]
	if i := bytes.IndexByte(rest, '\n'); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSuffix(string(rest), "\r"), true
}

// Extent returns the end of the expression that begins at off. expr is the expression as
// the table of sites spells it: with shortened white space, cut off with an ellipsis if it
// is long, and possibly behind a star that the source lacks. If the text does not read like
// expr, Extent returns the end of the word at off.
func (f *File) Extent(off int, expr string) int {
	if end, ok := f.matches(off, expr); ok {
		return end
	}
	end := off
	for end < len(f.text) {
		r, n := utf8.DecodeRune(f.text[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		end += n
	}
	return max(end, min(off+1, len(f.text)))
}

// matches compares the text at off with an expression, as the table of sites spells it.
func (f *File) matches(off int, expr string) (end int, ok bool) {
	expr = strings.TrimSuffix(expr, "…")
	if end, ok := f.has(off, expr); ok {
		return end, ok
	}
	return f.has(off, strings.TrimPrefix(expr, "*"))
}

// has compares the text at off with another one. Any run of white space matches any other.
func (f *File) has(off int, expr string) (end int, ok bool) {
	i := off
	space := func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
	for j := 0; j < len(expr); {
		switch {
		case i >= len(f.text):
			return 0, false
		case space(expr[j]) && space(f.text[i]):
			for i < len(f.text) && space(f.text[i]) {
				i++
			}
			j++
		case expr[j] == f.text[i]:
			i++
			j++
		default:
			return 0, false
		}
	}
	return i, i > off
}

// A Region is a part of a text. Lines begin at 1. Columns begin at 1 and count characters;
// the end column is that behind the last character.
type Region struct{ Line, Column, EndLine, EndColumn int }

// Region returns the place of the expression that begins at line and column (in bytes).
// What the text does not tell is 0.
func (f *File) Region(line, col int, expr string) Region {
	r := Region{Line: line, Column: col}
	before, ok := f.Line(line)
	off, in := f.Offset(line, col)
	if !ok || !in || col-1 > len(before) {
		return r
	}
	r.Column = utf8.RuneCountInString(before[:col-1]) + 1
	text := string(f.text[off:f.Extent(off, expr)])
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		r.EndLine = line + strings.Count(text, "\n")
		r.EndColumn = utf8.RuneCountInString(text[i+1:]) + 1
	} else {
		r.EndLine = line
		r.EndColumn = r.Column + utf8.RuneCountInString(text)
	}
	return r
}

// Text returns the whole text.
func (f *File) Text() []byte {
	if f == nil {
		return nil
	}
	return f.text
}

// Reads reports whether the text at line and column (in bytes) reads like an expression.
func (f *File) Reads(line, col int, expr string) bool {
	off, ok := f.Offset(line, col)
	if ok {
		_, ok = f.matches(off, expr)
	}
	return ok
}
