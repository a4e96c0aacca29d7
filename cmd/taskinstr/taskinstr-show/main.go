// Taskinstr-show draws charts and serves pages. The command taskinstr starts it: for `taskinstr bench
// -format=svg|png|html`, with the description of a chart on its standard input, and for `taskinstr
// view`. docs/design/dependencies.md says why it is a command of its own.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/taskinstr/internal/bench/chart"
	"taskinstr/cmd/taskinstr/internal/bench/chart/draw"
	"taskinstr/cmd/taskinstr/internal/view"
	"taskinstr/cmd/taskinstr/internal/view/serve"
)

const usage = `taskinstr-show is started by taskinstr; use these commands instead:

	taskinstr bench -format=svg|png|html PACKAGES
	taskinstr view FILE|FOLDER...
`

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var err error
	switch {
	case len(args) == 2 && args[0] == chart.Command && (args[1] == "svg" || args[1] == "png"):
		err = drawChart(stdin, stdout, args[1])
	case len(args) > 1 && args[0] == view.Command:
		err = page(args[1:], stdout, stderr)
	case len(args) == 1 && (args[0] == "-h" || args[0] == "--help" || args[0] == "help"):
		io.WriteString(stdout, usage)
		return exitcode.OK
	default:
		io.WriteString(stderr, usage)
		return exitcode.Usage
	}
	if errors.Is(err, errUsage) {
		io.WriteString(stderr, usage)
		return exitcode.Usage
	}
	if err != nil {
		name := map[string]string{chart.Command: "bench", view.Command: "view"}[args[0]] // what the user has called
		fmt.Fprintf(stderr, "taskinstr %s: %v\n", name, err)
		return exitcode.Failed
	}
	return exitcode.OK
}

var errUsage = errors.New("usage")

// drawChart draws the chart that stdin describes.
func drawChart(stdin io.Reader, stdout io.Writer, format string) error {
	c, err := chart.Read(stdin)
	if err != nil {
		return err
	}
	var image bytes.Buffer
	if err := draw.Write(&image, c, format); err != nil {
		return err
	}
	_, err = stdout.Write(image.Bytes())
	return err
}

// page serves the page of the named inputs until it is interrupted.
func page(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet(view.Command, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	root := f.String("root", "", "")
	if f.Parse(args) != nil || f.NArg() == 0 {
		return errUsage
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := serve.New(view.Policy(), func(w io.Writer) error {
		p, err := view.Load(*root, f.Args())
		if err != nil {
			return err
		}
		return p.Write(w)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s\n", s.Address())
	fmt.Fprintln(stderr, "taskinstr view: open the address in a browser; Ctrl-C ends")
	return s.Run(ctx)
}
