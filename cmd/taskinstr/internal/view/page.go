package view

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"
	"sync"
)

//go:embed assets/page.html
var pageText string

//go:embed assets/page.css
var style string

//go:embed assets/page.js
var script string

// page is parsed at its first use: the go command starts this program for each file that it compiles.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"join": strings.Join}).Parse(pageText))
})

// Policy returns the content security policy of a page: its own style and script take effect, and nothing
// else, from wherever.
func Policy() string {
	return "default-src 'none'; style-src " + digest(style) + "; script-src " + digest(script) + "; base-uri 'none'; form-action 'none'"
}

// digest returns the name of a text in a policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// A Page holds all of a page.
type Page struct {
	Inputs   []string // as the user has named them
	Notes    []string // on inputs that are not shown, or in part
	Reports  []*Report
	Findings []*Finding
	Explored []*Explored
	Graphs   []*Graph
	Lanes    []*Lanes
	Benches  []*Bench
}

// Write writes the page as HTML.
func (p *Page) Write(w io.Writer) error {
	return page().Execute(w, struct {
		*Page
		Policy string
		Style  template.CSS
		Script template.JS
	}{p, Policy(), template.CSS(style), template.JS(script)})
}

// A Count is the number of reports of a kind.
type Count struct {
	Kind, Name string
	N          int
}

// Counts returns the kinds of reports that the page has.
func (p *Page) Counts() (list []Count) {
	n := map[string]int{}
	for _, r := range p.Reports {
		n[r.Kind]++
	}
	for _, c := range kinds {
		if n[c.Kind] > 0 {
			list = append(list, Count{c.Kind, c.Name, n[c.Kind]})
		}
	}
	return list
}

// Empty reports whether there is nothing to show.
func (p *Page) Empty() bool {
	return len(p.Reports)+len(p.Findings)+len(p.Explored)+len(p.Graphs)+len(p.Lanes)+len(p.Benches) == 0
}
