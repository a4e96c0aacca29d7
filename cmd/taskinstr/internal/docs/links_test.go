package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"taskinstr/internal/site"
)

// A reference is a link in a document to a file of this module.
type reference struct {
	text   string
	target string // path in the repository
	anchor string
}

var linkRE = regexp.MustCompile(`\[([^\]\n]+)\]\(([^)\s]+)\)`)

// references returns the links of a document at a path in the repository.
func references(doc, text string) (list []reference) {
	for _, m := range linkRE.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[2], "://") {
			continue
		}
		file, anchor, _ := strings.Cut(m[2], "#")
		target := doc
		if file != "" {
			target = path.Join(path.Dir(doc), file)
		}
		list = append(list, reference{m[1], target, anchor})
	}
	return list
}

// Links lead to files, to headings and, if the text of a link is a name in code font, to a file
// that declares the name.
func TestDocumentsLinks(t *testing.T) {
	texts := documents(t)
	n := 0
	for doc, text := range texts {
		for _, r := range references(doc, text) {
			if _, err := os.Stat(filepath.Join(repo, filepath.FromSlash(r.target))); err != nil {
				t.Errorf("%s: %v", doc, err)
				continue
			}
			if r.anchor != "" && !hasHeading(texts[r.target], r.anchor) {
				t.Errorf("%s: %s has no heading #%s", doc, r.target, r.anchor)
			}
			if name := strings.Trim(r.text, "`"); name != r.text && path.Ext(r.target) == ".go" {
				n++
				if !declares(t, r.target, name) {
					t.Errorf("%s: %s does not declare %s", doc, r.target, name)
				}
			}
		}
	}
	if n < 60 {
		t.Errorf("%d names", n)
	}
}

// hasHeading reports whether a document has a heading with the anchor that browsers give it.
func hasHeading(text, anchor string) bool {
	for line := range strings.Lines(text) {
		title := strings.TrimLeft(line, "#")
		if len(title) == len(line) {
			continue
		}
		title = strings.ToLower(strings.TrimSpace(title))
		title = regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(title, "")
		if strings.ReplaceAll(title, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// declares reports whether a file declares the name, or the method T.M.
func declares(t *testing.T, file, name string) bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(repo, filepath.FromSlash(file)), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for d := range declared(f) {
		if d == name || strings.HasSuffix(d, "."+name) {
			return true
		}
	}
	return false
}

// declared returns the names that a file declares at package level, methods and fields as T.M.
func declared(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if t, _ := site.Receiver(d); t != "" {
				name = t + "." + name
			}
			names[name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					names[s.Name.Name] = true
					members(names, s)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names[id.Name] = true
					}
				}
			}
		}
	}
	return names
}

// members adds the fields and methods of a type declaration.
func members(names map[string]bool, s *ast.TypeSpec) {
	var list *ast.FieldList
	switch x := s.Type.(type) {
	case *ast.StructType:
		list = x.Fields
	case *ast.InterfaceType:
		list = x.Methods
	default:
		return
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			names[s.Name.Name+"."+id.Name] = true
		}
	}
}

// Names in code font that begin with a package of this module are declared there.
func TestDocumentsNames(t *testing.T) {
	packages := map[string]map[string]bool{}
	err := filepath.WalkDir(repo, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != repo):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p := f.Name.Name
		if packages[p] == nil {
			packages[p] = map[string]bool{}
		}
		for n := range declared(f) {
			packages[p][n] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	qualified := regexp.MustCompile("`(\\w+)\\.([A-Z]\\w*(?:\\.\\w+)?)(?:\\([^`]*\\))?`")
	n := 0
	for doc, text := range documents(t) {
		for _, m := range qualified.FindAllStringSubmatch(text, -1) {
			if names := packages[m[1]]; names != nil && !standard[m[1]] {
				n++
				if !names[m[2]] {
					t.Errorf("%s: package %s has no %s", doc, m[1], m[2])
				}
			}
		}
	}
	if n < 10 {
		t.Errorf("%d names", n)
	}
}

// standard are the packages whose names are also those of packages of the standard library, which
// documents mean.
var standard = map[string]bool{"runtime": true, "testing": true, "trace": true, "sort": true, "log": true, "fmt": true, "poll": true, "race": true, "slog": true, "main": true}

// Each row of docs/design/questions.md is a path of at most three links that starts at the README,
// and each link stands in the document before it.
func TestDocumentsQuestions(t *testing.T) {
	const page = "docs/design/questions.md"
	texts := documents(t)
	rows := 0
	for line := range strings.Lines(texts[page]) {
		hops := references(page, line)
		if !strings.HasPrefix(line, "| ") || len(hops) == 0 {
			continue
		}
		rows++
		if len(hops) > 3 {
			t.Errorf("%d hops: %s", len(hops), line)
		}
		at := "README.md"
		for _, h := range hops {
			found := h.target == at // a section of the same document
			for _, r := range references(at, texts[at]) {
				found = found || r.target == h.target
			}
			if !found {
				t.Errorf("%s has no link to %s: %s", at, h.target, line)
			}
			at = h.target
		}
	}
	if rows < 10 {
		t.Errorf("%d questions", rows)
	}
}
