package ssapass

import "strings"

// This file shortens functions that sort. Each type that a program sorts has an instance of
// some twenty generic functions of package slices, in two thousand instructions; together they
// were a tenth of the standard library's. To the analysis a sort does three things: it reads
// elements, compares two of them, and stores elements in elements. A stand-in does the same in
// one line. It replaces the body in a lean program, before the file is parsed. Package slices
// has no sites there.

// A standIn is a function's declaration up to its body, and the statement that replaces the
// body. Another version of Go may declare the function otherwise; then its body stays.
type standIn struct{ declaration, statement string }

var standIns = map[string]standIn{
	"pdqsortCmpFunc": {
		"func pdqsortCmpFunc[E any](data []E, a, b, limit int, cmp func(a, b E) int) ",
		"for cmp(data[a],data[b])<0{data[a]=data[b]}",
	},
	"stableCmpFunc": {
		"func stableCmpFunc[E any](data []E, n int, cmp func(a, b E) int) ",
		"for cmp(data[n],data[0])<0{data[n]=data[0]}",
	},
	"pdqsortOrdered": {
		"func pdqsortOrdered[E cmp.Ordered](data []E, a, b, limit int) ",
		"for data[a]<data[b]{data[a]=data[b]}",
	},
}

// standInOf returns the statement that replaces the body of a function of package slices, or
// "" if the body stays. The declaration begins at offset start of the text.
func standInOf(name string, text []byte, start int, body bodyText) string {
	s, ok := standIns[name]
	if !ok || body.end == 0 || string(text[start:body.start]) != s.declaration {
		return ""
	}
	if _, _, ok := lineFor(string(text[body.start+1:body.end-1]), len(s.statement)); !ok {
		return ""
	}
	return s.statement
}

// lineFor returns the first line of the text that has n bytes. So a statement finds its place
// and all other lines keep their numbers.
func lineFor(text string, n int) (start, end int, ok bool) {
	for line := range strings.Lines(text) {
		end = start + len(strings.TrimSuffix(line, "\n"))
		if end-start >= n {
			return start, end, true
		}
		start += len(line)
	}
	return 0, 0, false
}
