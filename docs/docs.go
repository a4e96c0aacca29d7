// Package docs holds the pages that the command prints (taskinstr help PAGE), so that they
// are at hand wherever the command is.
package docs

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed use/*.md design/glossary.md design/schedule.md design/trace-format.md
var pages embed.FS

// A Page is one page.
type Page struct{ Name, Title string }

// Pages returns the pages, by name.
func Pages() (list []Page) {
	for _, file := range files() {
		name := strings.TrimSuffix(path.Base(file), ".md")
		title, _, _ := strings.Cut(strings.TrimPrefix(Text(name), "# "), "\n")
		list = append(list, Page{name, title})
	}
	slices.SortFunc(list, func(a, b Page) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// files returns the names of the embedded files.
func files() []string {
	list, err := fs.Glob(pages, "*/*.md")
	if err != nil {
		panic(err) // the pattern is well-formed
	}
	return list
}

// Text returns the text of a page, in Markdown; "" if there is no such page.
func Text(name string) string {
	for _, file := range files() {
		if path.Base(file) != name+".md" {
			continue
		}
		text, err := pages.ReadFile(file)
		if err != nil {
			panic(err) // the file is embedded
		}
		return string(text)
	}
	return ""
}
