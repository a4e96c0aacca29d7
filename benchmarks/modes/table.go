package modes

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"taskinstr/benchmarks/datafile"
	"taskinstr/benchmarks/measure"
)

// A Table is a measurement: its subject and its number of runs.
type Table struct {
	Tool     string // the program to build with
	Size     string
	Runs     int
	CSV      string   // the data file to write, "" for none
	Suite    string   // of the programs
	Programs []string // names in the suite
	Modes    []Mode   // the first one is the measure of the others
	Others   []Other  // further columns, behind the columns of the modes
}

// An Other is a column whose figures are not the factors of a mode.
type Other struct {
	Name   string
	Figure func(program string, runs []Run) string // of the last run in each mode
	Mean   bool                                    // the last row has the geometric mean
}

// Given returns a column of figures that are known by program, "" where there is none.
func Given(name string, figures map[string]string) Other {
	return Other{name, func(program string, _ []Run) string { return figures[program] }, true}
}

// Flags declares the flags of a command that makes the table. Call parsed after flag.Parse.
func (t *Table) Flags(all []string) (parsed func()) {
	flag.StringVar(&t.Tool, "taskinstr", "taskinstr", "the program to build with")
	flag.StringVar(&t.Size, "size", "medium", "small, medium or large")
	flag.IntVar(&t.Runs, "runs", 5, "runs of each program and mode; the table has medians")
	flag.StringVar(&t.CSV, "csv", "", "also write the table to this `file`, for benchmarks/results")
	programs := flag.String("program", strings.Join(all, ","), "which programs")
	return func() { t.Programs = strings.Split(*programs, ",") }
}

// Print measures the programs and prints a row for each: its time in the first mode, the factors of
// the other modes, and the other columns. The head of a data file names the command.
func (t *Table) Print(command string) error {
	built, err := Build(t.Tool, t.Modes)
	if err != nil {
		return err
	}
	defer built.Close()
	head := []string{"program", t.Modes[0].Name + ", s"}
	var means []string
	for _, m := range t.Modes[1:] {
		head, means = append(head, m.Name), append(means, m.Name)
	}
	for _, o := range t.Others {
		if head = append(head, o.Name); o.Mean {
			means = append(means, o.Name)
		}
	}
	printRow(head)
	printRow(make([]string, len(head)))
	rows := [][]string{head}
	factors := make([][]float64, len(t.Modes))
	for _, p := range t.Programs {
		times, runs, err := built.Times(t.Suite+"/"+p, t.Size, t.Runs)
		if err != nil {
			return err
		}
		row := []string{p, fmt.Sprintf("%.2f", times[0])}
		for i, x := range times[1:] {
			factors[i+1] = append(factors[i+1], x/times[0])
			row = append(row, fmt.Sprintf("%.2f", x/times[0]))
		}
		for _, o := range t.Others {
			row = append(row, o.Figure(p, runs))
		}
		printRow(row)
		rows = append(rows, row)
	}
	mean := []string{"geometric mean", ""}
	for _, list := range factors[1:] {
		mean = append(mean, fmt.Sprintf("%.2f", measure.GeometricMean(list)))
	}
	printRow(append(mean, make([]string, len(t.Others))...))
	if t.CSV == "" {
		return nil
	}
	conditions := fmt.Sprintf("processor time against %s, %s size, medians of %d interleaved runs", t.Modes[0].Name, t.Size, t.Runs)
	about := datafile.Head(conditions, command, os.Args[1:], "csv", "taskinstr") + "# mean: " + strings.Join(means, ", ") + "\n"
	return datafile.Write(t.CSV, about, rows)
}

// printRow prints a row of a table, a rule if its cells are empty.
func printRow(cells []string) {
	if strings.Join(cells, "") == "" {
		fmt.Println("|" + strings.Repeat("---|", len(cells)))
		return
	}
	fmt.Println("| " + strings.Join(cells, " | ") + " |")
}
