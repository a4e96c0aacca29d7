package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"taskinstr/benchmarks/measure"
)

// repeated are the columns of schedules.csv that count failed runs. Those behind them hold
// the first schedule that found a kernel.
var repeated = []string{"race", "ordinary"}

// schedules writes a table of kernels, with the sums of its columns.
func (t *table) schedules(b *strings.Builder, about map[string]string) {
	runs, _ := strconv.Atoi(about["runs"])
	columns := t.columns[slices.Index(t.columns, "shown")+1:]
	b.WriteString("| kernel | class | cause | shown by |")
	for _, c := range columns {
		switch c {
		case "race":
			fmt.Fprintf(b, " -race, of %d |", runs)
		case "ordinary":
			fmt.Fprintf(b, " ordinary, of %d |", runs)
		default:
			fmt.Fprintf(b, " %s |", c)
		}
	}
	b.WriteString("\n|---|---|---|---|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, r := range t.rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s |", r["kernel"], r["class"], r["cause"], r["shown"])
		for _, c := range columns {
			cell := r[c]
			if cell == "" {
				cell = "–"
			}
			fmt.Fprintf(b, " %s |", cell)
		}
		b.WriteString("\n")
	}
	seconds := map[string]string{}
	for _, f := range strings.Fields(about["seconds"]) {
		name, n, _ := strings.Cut(f, "=")
		seconds[name] = n
	}
	found, first, took := "", "", ""
	for _, c := range columns {
		var tries []float64
		for _, r := range t.rows {
			n, err := strconv.ParseFloat(r[c], 64)
			switch {
			case err != nil: // not found
			case slices.Contains(repeated, c):
				tries = append(tries, float64(runs)/n)
			default:
				tries = append(tries, n)
			}
		}
		found += fmt.Sprintf(" **%d** |", len(tries))
		first += fmt.Sprintf(" %.3g |", measure.Median(tries))
		took += " " + seconds[c] + " |"
	}
	fmt.Fprintf(b, "| found, of %d | | | |%s\n", len(t.rows), found)
	fmt.Fprintf(b, "| runs for a failure, or first schedule, median of those found | | | |%s\n", first)
	fmt.Fprintf(b, "| seconds | | | |%s\n", took)
}
