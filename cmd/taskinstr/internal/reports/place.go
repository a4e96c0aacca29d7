package reports

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/detector/trace/report"
)

// A root is the folder of the repository to whose files a format points.
type root struct {
	dir    string
	module string // import path of the module in dir; "" if it has none
	texts  map[string]*excerpt.File
}

// rootVars name the variables in which services of continuous integration have the folder of
// the repository.
var rootVars = []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"}

// newRoot returns the root for a folder. If dir is empty, it is the repository's in
// continuous integration and the current folder elsewhere.
func newRoot(dir string) (*root, error) {
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if dir == "" {
		dir = here
		for _, v := range rootVars {
			if above := os.Getenv(v); above != "" && within(above, here) {
				dir = above
				break
			}
		}
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	r := &root{dir: dir, texts: map[string]*excerpt.File{}}
	if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
		r.module = modfile.ModulePath(text)
	}
	return r, nil
}

// within reports whether path is dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// A place is a region of a file. Lines and columns begin at 1, and are 0 if unknown; columns
// count characters.
type place struct {
	file   string // with slashes, relative to the root if inside is true
	inside bool
	excerpt.Region
}

// find returns the place of an expression. Columns of positions in reports count bytes.
func (r *root) find(file string, line, column int, expr string) place {
	p := place{file: file, Region: excerpt.Region{Line: line, Column: column}}
	name := r.name(file)
	if name == "" {
		return p
	}
	p.file, p.inside = filepath.ToSlash(name), true
	if column > 0 {
		text, ok := r.texts[name]
		if !ok {
			text = excerpt.Read(filepath.Join(r.dir, name))
			r.texts[name] = text
		}
		p.Region = text.Region(line, column, expr)
	}
	return p
}

// name returns the name of a file below the root, "" if it is not there. Programs that were
// built with -trimpath name files by the import paths of their packages.
func (r *root) name(file string) string {
	if filepath.IsAbs(file) {
		if !within(r.dir, file) {
			return ""
		}
		rel, _ := filepath.Rel(r.dir, file)
		return rel
	}
	if rest, ok := strings.CutPrefix(file, r.module+"/"); ok && r.module != "" {
		file = rest
	}
	if !filepath.IsLocal(file) {
		return ""
	}
	if _, err := os.Stat(filepath.Join(r.dir, file)); err != nil {
		return ""
	}
	return filepath.Clean(file)
}

// access returns the place of an access.
func (r *root) access(a *report.Access) (p place, ok bool) {
	file, line, column := splitPosition(a.Position)
	if file == "" {
		return place{}, false
	}
	expr := a.Expression
	if a.Shortened {
		expr += "…"
	}
	return r.find(file, line, column, expr), true
}

// shown returns the place in the repository that leads to an access: the access itself, or
// the innermost call or go statement in the repository. If there is none, it is the access.
func (r *root) shown(a *report.Access) (p place, ok bool) {
	first, known := r.access(a)
	if first.inside {
		return first, true
	}
	for _, stack := range [][]report.Frame{a.Stack, a.Created} {
		for _, f := range stack {
			if f.File == "" {
				continue
			}
			p := r.find(f.File, f.Line, 0, "")
			if p.inside {
				return p, true
			}
			if !known {
				first, known = p, true
			}
		}
	}
	return first, known
}

// splitPosition splits file:line:column or file:line. An unknown column is 0.
func splitPosition(position string) (file string, line, column int) {
	file, last, ok := cutNumber(position)
	if !ok {
		return "", 0, 0
	}
	if f, l, ok := cutNumber(file); ok {
		return f, l, last
	}
	return file, last, 0
}

func cutNumber(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil && n > 0
}
