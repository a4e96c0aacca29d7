package site

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// exprLimit is the length in bytes to which Text shortens an expression.
const exprLimit = 80

// Text returns an expression in the site table's form: spelled as the user wrote it,
// on one line, and not longer than exprLimit.
func Text(expr string) string { return shorten(oneLine(AsWritten(expr))) }

// oneLine joins runs of white space into one blank.
func oneLine(s string) string {
	if !strings.ContainsAny(s, "\t\n\r") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// shorten cuts s to exprLimit bytes and marks the cut.
func shorten(s string) string {
	const mark = "…"
	if len(s) <= exprLimit {
		return s
	}
	n := exprLimit - len(mark)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}

// cgo rewrites a file that imports C: it adds positions in comments, and it renames the
// identifiers that belong to C.
var (
	cgoPosition = regexp.MustCompile(` ?/\*line [^*]*\*/`)
	cgoVariable = regexp.MustCompile(`\( ?\*_Cvar_(\w+) ?\)|\*_Cvar_(\w+)`)
	cgoCallee   = regexp.MustCompile(`\( ?_C(?:2?func|macro)_(\w+) ?\)`)
	cgoName     = regexp.MustCompile(`\b_C(?:type|2?func|var|[ifs]const|macro|fpvar_fp)_(\w+)`)
)

// AsWritten undoes cgo's changes of a text.
func AsWritten(text string) string {
	if !strings.Contains(text, "_C") && !strings.Contains(text, "/*line ") {
		return text
	}
	text = cgoPosition.ReplaceAllString(text, "")
	text = cgoVariable.ReplaceAllString(text, "C.$1$2")
	text = cgoCallee.ReplaceAllString(text, "C.$1")
	return cgoName.ReplaceAllString(text, "C.$1")
}
