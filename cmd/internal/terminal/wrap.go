package terminal

import (
	"strings"
	"unicode/utf8"
)

// helpColumns is the width of texts that stand behind two tabs.
const helpColumns = 80

// Flag returns the lines of a help text about a flag, an option or a variable. Each paragraph begins
// a line.
func Flag(usage string, paragraphs ...string) string {
	lines := []string{"\t" + usage + "\n"}
	for _, p := range paragraphs {
		for _, l := range Wrap(p, helpColumns) {
			lines = append(lines, "\t\t"+l+"\n")
		}
	}
	return strings.Join(lines, "")
}

// Wrap breaks a text into lines of at most the given number of columns, between words. A longer word
// has a line of its own.
func Wrap(text string, columns int) (lines []string) {
	for w := range strings.FieldsSeq(text) {
		if n := len(lines); n > 0 && utf8.RuneCountInString(lines[n-1])+1+utf8.RuneCountInString(w) <= columns {
			lines[n-1] += " " + w
		} else {
			lines = append(lines, w)
		}
	}
	return lines
}
