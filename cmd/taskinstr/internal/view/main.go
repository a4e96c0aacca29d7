package view

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/sibling"
	"taskinstr/cmd/taskinstr/internal/outfile"
	"taskinstr/internal/nearest"
)

// Program is the package, below cmd, of the command that serves the page. Command is the first of
// its arguments.
const (
	Program = "taskinstr/taskinstr-show"
	Command = "serve"
)

// Help is the text of `taskinstr help view`.
func Help() string {
	return `Shows reports as a page for a browser: both stacks side by side with the source, the
accessed expression marked, the locks, where the goroutines come from, and the order that
is missing. The inputs, told apart by their contents:

	a folder or file of reports	TASKINSTR_REPORTS=FOLDER, or format=json
	a trace				TASKINSTR=trace=FILE: its races and its task graph
	a recorded schedule		TASKINSTR='schedule=... record=FILE', as lanes
	an exploration			taskinstr explore -json PACKAGE >FILE, the folder of
					taskinstr test -explore, or what it prints with -json
	a measurement			taskinstr bench -format=json >FILE, as charts

	taskinstr view races
	taskinstr view -o report.html races order.txt

The page comes from this computer alone: an address with a random port and a random
token, for as long as the command runs (end it with Ctrl-C). Reloading reads the inputs
again. The page loads nothing from elsewhere. In the page, / searches, j and k go to the
next and previous report, ? lists all keys.

	-o=FILE
		write the page to FILE, one file that needs no other, and end
	-root=FOLDER
		name source files relative to this folder (default: the current one)

Exit codes: 0, 1 if an input cannot be read, 2 if the command line is no good.
`
}

// Main runs "taskinstr view" with the arguments that follow the word view and returns the exit
// code.
func Main(args []string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "taskinstr view: %v\n", err)
		return code
	}
	var out, root string
	f := flag.NewFlagSet("view", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&out, "o", "", "")
	f.StringVar(&root, "root", "", "")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, "usage: taskinstr view [flags] FILE|FOLDER...\n\n%s", Help())
		return exitcode.OK
	} else if err != nil {
		return fail(exitcode.Usage, fmt.Errorf("%w; see `taskinstr help view`", nearest.FlagError(f, err)))
	}
	if f.NArg() == 0 {
		return fail(exitcode.Usage, errors.New("name a folder or files; `taskinstr test` names the folder of its reports. See `taskinstr help view`"))
	}
	p, err := Load(root, f.Args())
	if err != nil {
		return fail(exitcode.Failed, err)
	}
	if out != "" {
		if err := outfile.Write(out, p.Write); err != nil {
			return fail(exitcode.Failed, err)
		}
		return exitcode.OK
	}
	note := func(line string) { fmt.Fprintf(stderr, "taskinstr view: %s\n", line) }
	program, err := sibling.Cached(Program, note)
	if err != nil {
		return fail(exitcode.Failed, fmt.Errorf("%w; -o=FILE needs no other command", err))
	}
	code, err := sibling.Replace(program, append([]string{Command, "-root=" + root, "--"}, f.Args()...))
	if err != nil {
		return fail(exitcode.Failed, err)
	}
	return code
}
