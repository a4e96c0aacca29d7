package lint

import (
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// ignoreMark begins a comment that asks lint to leave accesses out:
//
//	//taskinstr:ignore REASON
//
// At the end of a line, or on the line above, it stands for the accesses of that line. In
// front of a function it stands for the whole function.
const ignoreMark = "//taskinstr:ignore"

// An exclusion is such a comment.
type exclusion struct {
	line   int
	alone  bool // nothing stands before it in its line
	reason string
	used   bool
}

// exclusions returns the comments of a file, and the lines that hold a comment alone.
func exclusions(text []byte) (list []*exclusion, comments map[int]bool) {
	comments = map[int]bool{}
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, func(token.Position, string) {}, scanner.ScanComments|scanner.Mode(0))
	last := 0 // the line of the token before
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return list, comments
		}
		line := f.PositionFor(pos, false).Line
		if tok != token.COMMENT {
			if tok != token.SEMICOLON || lit != "\n" {
				last = line + strings.Count(lit, "\n")
			}
			continue
		}
		alone := last != line
		if alone {
			comments[line] = true
		}
		if rest, ok := strings.CutPrefix(lit, ignoreMark); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			list = append(list, &exclusion{line: line, alone: alone, reason: strings.TrimSpace(rest)})
		}
	}
}

// ignore marks the sites that comments exclude, and notes comments without a reason or
// without effect.
func (r *Report) ignore() {
	type file struct {
		list     []*exclusion
		comments map[int]bool
	}
	files := map[string]*file{}
	var names []string
	for _, s := range r.Sites {
		if s.source == nil {
			continue
		}
		f := files[s.File]
		if f == nil {
			f = new(file)
			f.list, f.comments = exclusions(s.source.Text())
			files[s.File], names = f, append(names, s.File)
		}
		for _, e := range f.list {
			line := e.line
			if e.alone {
				for line++; f.comments[line]; line++ {
				}
			}
			whole := s.function != nil && e.alone && line == s.function.Start.Line
			if e.reason != "" && (line == s.Line || whole) {
				s.Ignored, e.used = e.reason, true
			}
		}
	}
	for _, name := range slices.Compact(names) {
		for _, e := range files[name].list {
			switch {
			case e.reason == "":
				r.Notes = append(r.Notes, fmt.Sprintf("%s:%d: %s has no reason, so it is not followed: write the reason behind it", name, e.line, ignoreMark))
			case !e.used:
				r.Notes = append(r.Notes, fmt.Sprintf("%s:%d: %s stands for no access", name, e.line, ignoreMark))
			}
		}
	}
}
