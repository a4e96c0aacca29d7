package modes

import (
	"flag"
	"fmt"
	"strings"

	"taskinstr/benchmarks/measure"
)

// A Table is a measurement: its subject and its number of runs.
type Table struct {
	Tool     string // the program to build with
	Size     string
	Runs     int
	Suite    string   // of the programs
	Programs []string // names in the suite
	Modes    []Mode   // the first one is the measure of the others
	// Count names a column of counts, and finds its figure in the outputs of a program's runs, one
	// for each mode; "" for no such column.
	Count string
	Of    func(outputs []string) string
}

// Flags declares the flags of a command that makes the table. Call parsed after flag.Parse.
func (t *Table) Flags(all []string) (parsed func()) {
	flag.StringVar(&t.Tool, "taskinstr", "taskinstr", "the program to build with")
	flag.StringVar(&t.Size, "size", "medium", "small, medium or large")
	flag.IntVar(&t.Runs, "runs", 5, "runs of each program and mode; the table has medians")
	programs := flag.String("program", strings.Join(all, ","), "which programs")
	return func() { t.Programs = strings.Split(*programs, ",") }
}

// Print measures the programs and prints a row for each: its time in the first mode, and the factors of
// the other modes. It calls ran, unless nil, with the outputs of each program, one for each mode.
func (t *Table) Print(ran func(program string, outputs []string)) error {
	built, err := Build(t.Tool, t.Modes)
	if err != nil {
		return err
	}
	defer built.Close()
	head, mean := []string{"program"}, []string{"geometric mean"}
	if t.Count != "" {
		head, mean = append(head, t.Count), append(mean, "")
	}
	head, mean = append(head, t.Modes[0].Name+", s"), append(mean, "")
	for _, m := range t.Modes[1:] {
		head = append(head, m.Name)
	}
	Row(head...)
	fmt.Println("|" + strings.Repeat("---|", len(head)))
	factors := make([][]float64, len(t.Modes))
	for _, p := range t.Programs {
		times, outputs, err := built.Times(t.Suite+"/"+p, t.Size, t.Runs)
		if err != nil {
			return err
		}
		cells := []string{p}
		if t.Count != "" {
			cells = append(cells, t.Of(outputs))
		}
		cells = append(cells, fmt.Sprintf("%.2f", times[0]))
		for i, x := range times[1:] {
			factors[i+1] = append(factors[i+1], x/times[0])
			cells = append(cells, fmt.Sprintf("%.2f", x/times[0]))
		}
		Row(cells...)
		if ran != nil {
			ran(p, outputs)
		}
	}
	for _, list := range factors[1:] {
		mean = append(mean, fmt.Sprintf("**%.2f**", measure.GeometricMean(list)))
	}
	Row(mean...)
	return nil
}

// Row prints a row of a table.
func Row(cells ...string) { fmt.Println("| " + strings.Join(cells, " | ") + " |") }
