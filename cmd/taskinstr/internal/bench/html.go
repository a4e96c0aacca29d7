package bench

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// writeHTML prints one self-contained page with the chart and the tables.
func (r *Report) writeHTML(w io.Writer) error {
	var drawn strings.Builder
	if err := r.writeChart(&drawn, "svg"); err != nil {
		return err
	}
	_, chart, _ := strings.Cut(drawn.String(), "<svg") // without the XML declaration
	chart = "<svg" + chart
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
	}{r.circumstances(), template.HTML(chart), r.Noise.Noisy, r.Noise.Text, append(r.Notes, r.failures()...), nil}
	for _, g := range r.grids() {
		data.Tables = append(data.Tables, table{g.title, g.head, g.rows})
	}
	return page.Execute(w, data)
}
