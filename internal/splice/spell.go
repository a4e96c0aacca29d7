package splice

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Names and expressions in the table are spelled as the user wrote them.

// position returns file:line:column of pos, without a column where a line directive gives
// none. With Config.Filename the file is the one that the compiler writes.
func (f *file) position(pos token.Pos) string {
	p := f.pkg.cfg.Fset.PositionFor(pos, true)
	name := p.Filename
	if f.pkg.cfg.Filename != nil {
		name = f.pkg.cfg.Filename(f.compilerName(pos, name))
	}
	return place(name, p.Line, p.Column)
}

// place formats a position.
func place(file string, line, col int) string {
	s := oneLine(file) + ":" + strconv.Itoa(line)
	if col > 0 {
		s += ":" + strconv.Itoa(col)
	}
	return s
}

// compilerName returns what the compiler calls the file of pos, which go/token calls
// name: go/scanner puts the folder of the source in front of relative names in line
// directives, the compiler does not.
func (f *file) compilerName(pos token.Pos, name string) string {
	if f.directives == nil {
		f.directives = lineDirectives(f.pkg.cfg.Fset, f.ast)
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

// lineDirectives returns those of a file, in their order, and never nil.
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

// cgo writes a new text of a file that imports C: with positions in comments, and names
// of its own for what is C's.
var (
	cgoPosition = regexp.MustCompile(` ?/\*line [^*]*\*/`)
	cgoVariable = regexp.MustCompile(`\( ?\*_Cvar_(\w+) ?\)|\*_Cvar_(\w+)`)
	cgoCallee   = regexp.MustCompile(`\( ?_C(?:2?func|macro)_(\w+) ?\)`)
	cgoName     = regexp.MustCompile(`\b_C(?:type|2?func|var|[ifs]const|macro|fpvar_fp)_(\w+)`)
)

// asWritten undoes what cgo has done to the text.
func asWritten(text string) string {
	if !strings.Contains(text, "_C") && !strings.Contains(text, "/*line ") {
		return text
	}
	text = cgoPosition.ReplaceAllString(text, "")
	text = cgoVariable.ReplaceAllString(text, "C.$1$2")
	text = cgoCallee.ReplaceAllString(text, "C.$1")
	return cgoName.ReplaceAllString(text, "C.$1")
}
