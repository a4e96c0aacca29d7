package tracefile

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"
)

// dotStyles are the attributes of edges.
var dotStyles = [...]string{
	next:    "weight=10",
	spawn:   `color="#1f6feb", label="go"`,
	join:    `color="#1a7f37", label="wait"`,
	promise: `color="#8250df", style=dashed, label="promise"`,
	race:    `color="#cf222e", style=dashed, dir=none, constraint=false, label="race"`,
}

// dot writes the drawing in the language of Graphviz.
func (d *drawing) dot(w *bufio.Writer) {
	fmt.Fprint(w, "digraph tasks {\n\tnode [shape=box, fontname=\"Helvetica\", fontsize=10]\n\tedge [fontname=\"Helvetica\", fontsize=9]\n")
	for _, t := range d.tasks {
		for i, s := range d.steps {
			if s.task != t {
				continue
			}
			attributes := ""
			if len(s.races) > 0 {
				attributes = `, color="#cf222e", penwidth=2`
			}
			fmt.Fprintf(w, "\ts%d [label=%s, group=t%d%s]\n", i, strconv.Quote(strings.Join(d.label(i), "\n")), t, attributes)
		}
	}
	for _, e := range d.edges {
		fmt.Fprintf(w, "\ts%d -> s%d [%s]\n", e.from, e.to, dotStyles[e.kind])
	}
	w.WriteString(dotLegend)
	fmt.Fprint(w, "}\n")
}

// dotLegend explains nodes and edges.
const dotLegend = `	subgraph cluster_legend {
		label="legend: a box is a step, a run of one task without synchronization" fontname="Helvetica" fontsize=9 color="#999999"
		node [shape=plaintext, fontsize=9]
		l0 [label="step"] l1 [label="next step\nof its task"] l2 [label="first step\nof a new task"] l3 [label="step after\na wait"] l4 [label="step after\na promise"] l5 [label="step that\nraces"]
		l0 -> l1
		l0 -> l2 [color="#1f6feb", label="go"]
		l0 -> l3 [color="#1a7f37", label="wait"]
		l0 -> l4 [color="#8250df", style=dashed, label="promise"]
		l0 -> l5 [color="#cf222e", style=dashed, dir=none, label="race"]
	}
`
