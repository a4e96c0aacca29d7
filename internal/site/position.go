package site

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
)

// Position returns file:line:column of pos, without a column where a line directive
// gives none. If rename is not nil, the file is rename of the compiler's name for it.
func (f *File) Position(pos token.Pos, rename func(string) string) string {
	p := f.Fset.PositionFor(pos, true)
	name := p.Filename
	if rename != nil {
		name = rename(f.compilerName(pos, name))
	}
	return FormatPosition(name, p.Line, p.Column)
}

// FormatPosition returns file:line:col, without a column where col is 0.
func FormatPosition(file string, line, col int) string {
	s := oneLine(file) + ":" + strconv.Itoa(line)
	if col > 0 {
		s += ":" + strconv.Itoa(col)
	}
	return s
}

// compilerName returns the compiler's name for the file of pos, which go/token calls
// name: go/scanner puts the folder of the source in front of relative names in line
// directives, the compiler does not.
func (f *File) compilerName(pos token.Pos, name string) string {
	if f.directives == nil {
		f.directives = lineDirectives(f.Fset, f.Syntax)
	}
	last := ""
	for _, d := range f.directives {
		if d.end > pos {
			break
		}
		last = d.name
	}
	if last == "" || filepath.IsAbs(last) {
		return name
	}
	return last
}

// A directive is a line directive that names a file.
type directive struct {
	end  token.Pos
	name string
}

var lineDirective = regexp.MustCompile(`^/[/*]line (.*?)(?::\d+)?:\d+(?:\*/)?$`)

// lineDirectives returns the line directives of a file, in their order, and never nil.
func lineDirectives(fset *token.FileSet, a *ast.File) []directive {
	list := []directive{}
	for _, g := range a.Comments {
		for _, c := range g.List {
			m := lineDirective.FindStringSubmatch(c.Text)
			if m == nil || m[1] == "" || c.Text[1] == '/' && fset.PositionFor(c.Pos(), false).Column > 1 {
				continue
			}
			list = append(list, directive{c.End(), m[1]})
		}
	}
	return list
}
