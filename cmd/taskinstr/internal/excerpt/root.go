package excerpt

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// A Root is the folder of a repository whose files are named relative to it.
type Root struct {
	Dir    string
	module string // import path of the module in Dir; "" if it has none
	texts  map[string]*File
}

// NewRoot returns the root for a folder; the current one if dir is empty.
func NewRoot(dir string) (*Root, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	r := &Root{Dir: dir, texts: map[string]*File{}}
	if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil {
		r.module = modfile.ModulePath(text)
	}
	return r, nil
}

// Within reports whether path is dir or below it.
func Within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// A Place is a region of a file. Numbers are 0 if unknown.
type Place struct {
	File   string // with slashes, relative to the root if Inside is true
	Inside bool
	Region
}

// Find returns the place of an expression. The column counts bytes, as in reports.
func (r *Root) Find(file string, line, column int, expr string) Place {
	p := Place{File: file, Region: Region{Line: line, Column: column}}
	if name := r.name(file); name != "" {
		p.File, p.Inside = filepath.ToSlash(name), true
	}
	if column > 0 {
		p.Region = r.Text(file).Region(line, column, expr)
	}
	return p
}

// Relative returns a sentence of a report in which the names of files below the root are relative to it.
func (r *Root) Relative(text string) string {
	return strings.ReplaceAll(text, strings.TrimSuffix(r.Dir, string(filepath.Separator))+string(filepath.Separator), "")
}

// name returns the name of a file below the root, "" if it is not there. Programs that were
// built with -trimpath name files by the import paths of their packages.
func (r *Root) name(file string) string {
	if filepath.IsAbs(file) {
		if !Within(r.Dir, file) {
			return ""
		}
		rel, _ := filepath.Rel(r.Dir, file)
		return rel
	}
	if rest, ok := strings.CutPrefix(file, r.module+"/"); ok && r.module != "" {
		file = rest
	}
	if !filepath.IsLocal(file) {
		return ""
	}
	if _, err := os.Stat(filepath.Join(r.Dir, file)); err != nil {
		return ""
	}
	return filepath.Clean(file)
}

// Files of source text, by the ends of their names, and the size up to which they are read.
// Reports may come from others, so no other file is read because a report names it.
var sourceNames = []string{".go", ".s", ".y", ".rl", ".c", ".cc", ".cpp", ".h", ".m"}

const maxSource = 8 << 20

// Text returns the text of a source file, nil if there is none or it cannot be read.
func (r *Root) Text(file string) *File {
	if text, ok := r.texts[file]; ok {
		return text
	}
	name := file
	if !filepath.IsAbs(file) {
		if name = r.name(file); name != "" {
			name = filepath.Join(r.Dir, name)
		}
	}
	var text *File
	if i, err := os.Stat(name); err == nil && i.Mode().IsRegular() && i.Size() <= maxSource && slices.Contains(sourceNames, filepath.Ext(name)) {
		text = Read(name)
	}
	r.texts[file] = text
	return text
}

// SplitPosition splits file:line:column or file:line. An unknown column is 0.
func SplitPosition(position string) (file string, line, column int) {
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
