package tracefile

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/detector/event"
	"taskinstr/detector/trace"
	"taskinstr/internal/nearest"
)

// A verb is one operation on a trace.
type verb struct {
	name, short string
	run         func(o *options, w *bufio.Writer) error
}

var verbs = []verb{
	{"stat", "figures: events by kind, tasks, places, size", stat},
	{"dump", "every event, one to a line", dump},
	{"graph", "the task structure, with racing accesses marked, as DOT or SVG", graph},
}

type options struct {
	file   string
	format string
	limit  int
	raw    bool
}

// Help is the text of `taskinstr help trace`.
func Help() string {
	var b strings.Builder
	b.WriteString("A program built with taskinstr writes a trace with TASKINSTR=trace=FILE. The verbs show\na trace:\n\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "	taskinstr trace %-5s FILE\n\t\t%s\n", v.name, v.short)
	}
	fmt.Fprintf(&b, `
For example:

	taskinstr trace stat run.trace
	taskinstr trace graph -format=svg run.trace >run.svg

The flags are:

	-format=dot|svg
		of graph: DOT is the default
	-limit=N
		of graph: the greatest number of steps that are drawn (default %d)
	-raw
		of dump: the events as recorded, without the structure that is found in them
`, defaultLimit)
	return b.String()
}

func verbNames() string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.name)
	}
	return strings.Join(names, ", ")
}

// Main runs the command and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintf(stderr, "taskinstr trace: %v\n", err)
		return exitcode.Usage
	}
	if len(args) == 0 {
		return fail(fmt.Errorf("the verb is missing; the verbs are %s", verbNames()))
	}
	if slices.ContainsFunc(args, func(a string) bool { return a == "-h" || a == "-help" || a == "--help" }) {
		fmt.Fprintf(stdout, "usage: taskinstr trace VERB [flags] FILE\n\n%s", Help())
		return exitcode.OK
	}
	for _, v := range verbs {
		if v.name != args[0] {
			continue
		}
		o := options{}
		f := flag.NewFlagSet(v.name, flag.ContinueOnError)
		f.SetOutput(io.Discard)
		f.StringVar(&o.format, "format", "dot", "")
		f.IntVar(&o.limit, "limit", defaultLimit, "")
		f.BoolVar(&o.raw, "raw", false, "")
		if err := f.Parse(args[1:]); err != nil {
			return fail(fmt.Errorf("%w; see `taskinstr help trace`", nearest.FlagError(f, err)))
		}
		if f.NArg() != 1 {
			return fail(fmt.Errorf("%s takes one trace, not %d files", v.name, f.NArg()))
		}
		o.file = f.Arg(0)
		w := bufio.NewWriter(stdout)
		defer w.Flush()
		if err := v.run(&o, w); err != nil {
			w.Flush()
			return fail(fmt.Errorf("%s: %w", o.file, err))
		}
		return exitcode.OK
	}
	return fail(fmt.Errorf("%q is no verb%s; the verbs are %s; see `taskinstr help trace`", args[0], nearest.Hint(args[0], strings.Split(verbNames(), ", ")), verbNames()))
}

// each calls f for each event of the trace as recorded and returns its reader.
func (o *options) each(f func(*trace.Reader, *event.Event)) (*trace.Reader, error) {
	return trace.File(o.file).Each(f)
}
