// Command pongo2 executes one compiled template in eight tasks. The tag "cycle" is not
// used: its counter is in the shared template, which is a race.
package main

import (
	"fmt"
	"log"
	"strings"
	"sync"

	"github.com/flosch/pongo2/v6"
)

const (
	tasks  = 8
	rounds = 40 // of each task
)

const page = `<h1>{{ title|upper }}</h1>
{% for row in rows %}<tr>
{% if row.N > 5 %}<td>{{ row.Name }} {{ forloop.Counter }}</td>{% else %}<td>{{ row.N|add:1 }}</td>{% endif %}
{% for word in row.Words %}{{ word|capfirst|truncatechars:8 }}, {% endfor %}</tr>
{% endfor %}{{ rows|length }} rows`

type row struct {
	N     int
	Name  string
	Words []string
}

func main() {
	template := must(pongo2.FromString(page))
	var rows []row
	for i := range 40 {
		rows = append(rows, row{i, fmt.Sprintf("<row %d>", i), []string{"alpha", "beta", "gamma and delta"}})
	}
	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() {
			for range rounds {
				out := must(template.Execute(pongo2.Context{"title": fmt.Sprint("task ", t), "rows": rows}))
				if !strings.HasSuffix(out, "40 rows") || !strings.Contains(out, "&lt;row 39&gt;") {
					log.Fatalf("the page is\n%s", out)
				}
			}
		})
	}
	wg.Wait()
}
