package bench

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"sync"
)

//go:embed page.html
var pageText string

// page is parsed at its first use: the go command starts this program for each file that it compiles.
var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// writeHTML prints one self-contained page with the chart and the tables.
func (r *Report) writeHTML(w io.Writer, draw drawer) error {
	var drawn strings.Builder
	if err := draw(&drawn, r.chart(), "svg"); err != nil {
		return err
	}
	_, svg, _ := strings.Cut(drawn.String(), "<svg") // without the XML declaration
	type table struct {
		Title string
		Head  []string
		Rows  [][]string
	}
	data := struct {
		Circumstances string
		Chart         template.HTML
		Noisy         bool
		Noise         string
		Notes         []string
		Tables        []table
	}{r.circumstances(), template.HTML("<svg" + svg), r.Noise.Noisy, r.Noise.Text, append(r.Notes, r.failures()...), nil}
	for _, g := range r.grids() {
		data.Tables = append(data.Tables, table{g.title, g.head, g.rows})
	}
	return page().Execute(w, data)
}
