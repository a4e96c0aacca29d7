// Package docs holds the pages that the command prints (taskinstr help PAGE), so that they
// are at hand wherever the command is.
package docs

import (
	"embed"
	"strings"
)

//go:embed ci.md detectors.md glossary.md limitations.md options.md report-format.md schedule.md trace-format.md
var pages embed.FS

// A Page is one page.
type Page struct{ Name, Title string }

// Pages returns the pages, by name.
func Pages() (list []Page) {
	entries, err := pages.ReadDir(".")
	if err != nil {
		panic(err) // the files are embedded
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".md")
		title, _, _ := strings.Cut(strings.TrimPrefix(Text(name), "# "), "\n")
		list = append(list, Page{name, title})
	}
	return list
}

// Text returns the text of a page, in Markdown; "" if there is no such page.
func Text(name string) string {
	text, err := pages.ReadFile(name + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}
