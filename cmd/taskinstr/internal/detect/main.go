package detect

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/replay"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
	"taskinstr/detector/trace/report"
	"taskinstr/internal/nearest"
)

const listWord = "list" // -detector=list

// Help is the text of `taskinstr help detect`.
func Help() string {
	return `Runs detectors on a trace, which a program built with taskinstr writes with

	TASKINSTR=trace=FILE ./program

and reports the races that they find, in the form of the program's own reports
(taskinstr help reports), with the same fingerprints. A table compares the detectors.

	-detector=NAME[,NAME...]
		the detectors to run (default engine); NAME:OPTION=VALUE sets an option of
		one; list prints what there is
	-order=FILE
		write the order of events that makes a predicted race true, where the detector
		has one (ptracer), as a schedule: TASKINSTR=schedule=replay:FILE runs the
		program in it. The orders of further races go to FILE.2, FILE.3, ...
	-confirm=PROGRAM
		run PROGRAM, with the arguments that follow the trace, in each such order: a
		race is reported as confirmed, or as not confirmed with the reason
	-format=text|json
		how to print; with json each race, and then each detector, is an object on a
		line

For example:

	taskinstr detect run.trace
	taskinstr detect -detector=engine,fasttrack run.trace

Exit codes: 66 if a race was found, 0 if not, 2 if the trace or the command line is
no good. Predicted and possible races alone give 0, unless one is confirmed.

The detectors are:

` + List()
}

// List explains the detectors.
func List() string {
	var b strings.Builder
	for _, s := range suite.Table {
		about := []string{s.Doc, "understands " + suite.ModelText(s.Model), fmt.Sprintf("a clean run proves: %s [%s]", s.Theorem.Text(), s.Theorem)}
		if s.Source != "" {
			about = append(about, "source: "+s.Source)
		}
		for _, o := range s.Options {
			values := ""
			if o.Values != nil {
				values = " (" + strings.Join(o.Values, ", ") + "; the first is the default)"
			}
			about = append(about, fmt.Sprintf("option %s: %s%s", o.Name, o.Doc, values))
		}
		b.WriteString(terminal.Flag(s.Name, about...))
	}
	return b.String()
}

// Main runs the command and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	c, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, "usage: taskinstr detect [flags] FILE\n\n%s", Help())
		return exitcode.OK
	}
	code := exitcode.OK
	switch {
	case err != nil:
	case c.list:
		fmt.Fprint(stdout, List())
	default:
		code, err = c.run(stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr detect: %v\n", err)
		return exitcode.Usage
	}
	return code
}

// A command is a command line, read.
type command struct {
	list    bool // only the list of detectors
	choices []suite.Choice
	json    bool
	trace   string
	orders  replay.Orders
}

// parse reads the command line. Its error is flag.ErrHelp if the line asks for help.
func parse(args []string) (c command, err error) {
	f := flag.NewFlagSet("detect", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	list := f.String("detector", suite.Engine.Name, "")
	format := f.String("format", "text", "")
	f.StringVar(&c.orders.File, "order", "", "")
	f.StringVar(&c.orders.Program, "confirm", "", "")
	err = f.Parse(args)
	if c.orders.Program == "" && slices.ContainsFunc(f.Args(), asksHelp) {
		err = flag.ErrHelp // behind the trace
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return c, err
	case err != nil:
		return c, fmt.Errorf("%w; see `taskinstr help detect`", nearest.FlagError(f, err))
	case *list == listWord:
		c.list = true
		return c, nil
	}
	if c.choices, err = suite.Parse(*list); err != nil {
		return c, err
	}
	if *format != "text" && *format != "json" {
		return c, fmt.Errorf("%q is no format; there are text, json", *format)
	}
	c.json = *format == "json"
	if f.NArg() != 1 && (c.orders.Program == "" || f.NArg() == 0) {
		return c, fmt.Errorf("it takes one trace, not %d files; a program writes one with TASKINSTR=trace=FILE", f.NArg())
	}
	c.trace, c.orders.Args = f.Arg(0), f.Args()[1:]
	return c, nil
}

// run runs the detectors, confirms and prints their races, and returns the exit code.
func (c *command) run(stdout io.Writer) (code int, err error) {
	open := trace.File(c.trace)
	// Several passes are made, and each must see the same.
	results, err := suite.Run(open, c.choices)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", c.trace, err)
	}
	confirmed := false
	if c.orders.File != "" || c.orders.Program != "" {
		if c.orders.File == "" {
			dir, err := os.MkdirTemp("", "taskinstr-order-")
			if err != nil {
				return 0, err
			}
			c.orders.File = filepath.Join(dir, "order")
		}
		if confirmed, err = c.orders.RunAll(open, results); err != nil {
			return 0, err
		}
	}
	w := bufio.NewWriter(stdout)
	defer w.Flush()
	o := output{w: w, json: c.json}
	if err := o.races(open, results); err != nil {
		return 0, fmt.Errorf("%s: %w", c.trace, err)
	}
	o.table(results)
	if confirmed {
		return exitcode.Races, nil
	}
	for _, r := range results {
		if races, _, _ := r.Count(); races > 0 {
			return exitcode.Races, nil
		}
	}
	return exitcode.OK, nil
}

func asksHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

type output struct {
	w       *bufio.Writer
	json    bool
	symbols *trace.Symbols
	crashed bool // the trace has no end
}

// races reports each race once, even if several detectors have found it.
func (o *output) races(open suite.Source, results []*suite.Result) error {
	list, symbols, complete, err := Races(open, results)
	if err != nil {
		return err
	}
	o.symbols, o.crashed = symbols, !complete
	for _, x := range list {
		if !o.json {
			report.Text(o.w, symbols, x)
			continue
		}
		line, err := report.JSON(symbols, x)
		if err != nil {
			return err
		}
		o.w.Write(append(line, '\n'))
	}
	return nil
}
