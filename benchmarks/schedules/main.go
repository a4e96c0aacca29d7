package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"

	"taskinstr/benchmarks/datafile"
	"taskinstr/benchmarks/measure"
)

// options are the flags of the command line.
type options struct {
	run        *regexp.Regexp
	runs       int
	explore    int
	strategies []string
	tool       string
	csv        string
}

func main() {
	o := options{run: regexp.MustCompile("")}
	flag.Func("run", "only the kernels whose names match `regexp`", func(v string) (err error) {
		o.run, err = regexp.Compile(v)
		return err
	})
	flag.IntVar(&o.runs, "runs", 200, "run each test this many times without a schedule")
	flag.IntVar(&o.explore, "explore", 200, "run each test under this many schedules with each strategy")
	strategies := flag.String("strategies", "surw,pos,random,default", "the strategies; default is the mix of the command")
	flag.StringVar(&o.tool, "tool", "", "the taskinstr `command`; built from the tree by default")
	flag.StringVar(&o.csv, "csv", "", "also write the table to this `file`, for benchmarks/results")
	flag.Parse()
	o.strategies = strings.Split(*strategies, ",")
	if flag.NArg() > 0 || o.runs < 1 || o.explore < 1 {
		fmt.Fprintln(os.Stderr, "schedules: -runs and -explore take positive numbers, and there are no arguments beside flags")
		os.Exit(2)
	}
	measure.Main("schedules", func(ctx context.Context) error { return measureAll(ctx, o) })
}

// measureAll measures all columns, prints the table and writes the file.
func measureAll(ctx context.Context, o options) error {
	all, err := load(dir)
	if err != nil {
		return fmt.Errorf("%w; run the command in the module's root", err)
	}
	list, err := choose(all, o.run)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "schedules-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if o.tool, err = measure.Tool(ctx, o.tool, tmp); err != nil {
		return err
	}
	var columns []*column
	add := func(c *column, err error) error {
		if err == nil {
			columns = append(columns, c)
		}
		return err
	}
	if err := add(repeat(ctx, "race", []string{"go", "test", "-race"}, tmp, list, o.runs)); err != nil {
		return err
	}
	if err := add(repeat(ctx, "ordinary", []string{o.tool, "test"}, tmp, list, o.runs)); err != nil {
		return err
	}
	for _, s := range o.strategies {
		progress("exploring: " + s)
		if err := add(explore(ctx, o.tool, s, list, o.explore)); err != nil {
			return err
		}
	}
	text, err := table(o, list, columns)
	if err != nil {
		return err
	}
	fmt.Print(text)
	if o.csv == "" {
		return nil
	}
	return os.WriteFile(o.csv, []byte(text), 0o666)
}

func progress(what string) { fmt.Fprintln(os.Stderr, what) }

// table returns the table as a data file of benchmarks/results.
func table(o options, list []kernel, columns []*column) (string, error) {
	var b strings.Builder
	b.WriteString(datafile.Head(fmt.Sprintf("%d runs of each kernel, %d at a time, or at most %d schedules", o.runs, atATime, o.explore),
		"go run ./benchmarks/schedules", os.Args[1:], "csv", "tool"))
	fmt.Fprintf(&b, "# runs: %d\n# seconds:", o.runs)
	head := []string{"kernel", "class", "cause", "shown"}
	for _, c := range columns {
		fmt.Fprintf(&b, " %s=%.0f", c.name, c.seconds)
		head = append(head, c.name)
	}
	b.WriteString("\n")
	rows := [][]string{head}
	for _, k := range list {
		row := []string{k.name, k.class, k.cause, k.shown}
		for _, c := range columns {
			cell := ""
			if n := c.found[k.name]; n > 0 {
				cell = fmt.Sprint(n)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	return datafile.Text(b.String(), rows)
}
