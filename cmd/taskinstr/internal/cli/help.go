package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/docs"
	"taskinstr/internal/nearest"
)

// help prints the overview or a topic.
func help(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && (args[0] == "-man" || args[0] == "--man") {
		return manual(args[1:], stdout, stderr)
	}
	switch len(args) {
	case 0:
		fmt.Fprint(stdout, overview())
		return exitcode.OK
	case 1:
		if page, ok := strings.CutSuffix(args[0], ".md"); ok && docs.Text(page) != "" {
			fmt.Fprint(stdout, docs.Text(page))
			return exitcode.OK
		}
		for _, t := range topics {
			if t.name == args[0] {
				fmt.Fprint(stdout, t.text())
				pointToPage(stdout, t.name)
				return exitcode.OK
			}
		}
		if c := lookup(args[0]); c != nil {
			fmt.Fprintf(stdout, "usage: %s\n\n%s\n", strings.TrimSpace("taskinstr "+c.name+" "+c.args), c.short)
			if c.text != nil {
				fmt.Fprint(stdout, "\n", c.text())
			}
			pointToPage(stdout, c.name)
			return exitcode.OK
		}
		if text := docs.Text(args[0]); text != "" {
			fmt.Fprint(stdout, text)
			return exitcode.OK
		}
		var known []string
		for _, t := range topics {
			known = append(known, t.name)
		}
		for _, p := range pages() {
			known = append(known, p.Name)
		}
		hint := nearest.Hint(args[0], append(names(), known...))
		fmt.Fprintf(stderr, "taskinstr help: unknown topic %s%s; the topics are %s\n", args[0], hint, strings.Join(known, ", "))
	default:
		fmt.Fprintf(stderr, "taskinstr help: one topic at a time, not %d\n", len(args))
	}
	return exitcode.Usage
}

// pointToPage names the page that has the name of a topic or a command, if there is one.
func pointToPage(w io.Writer, name string) {
	if docs.Text(name) != "" {
		fmt.Fprintf(w, "\nThe page on it: taskinstr help %s.md\n", name)
	}
}

// pages returns the pages of the documentation whose names are neither topics nor commands.
func pages() (list []docs.Page) {
	taken := names()
	for _, t := range topics {
		taken = append(taken, t.name)
	}
	for _, p := range docs.Pages() {
		if !slices.Contains(taken, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// overview is the text of `taskinstr help`.
func overview() string {
	var b strings.Builder
	b.WriteString(`Taskinstr finds data races in Go programs. It needs no cgo and no C compiler.

In place of -race:

	go build -toolexec=taskinstr ./...
	go test -toolexec='taskinstr -pkgs=./...' ./...

or, shorter:

	taskinstr test ./...
	taskinstr run .

The commands are:

`)
	for _, c := range commands {
		fmt.Fprintf(&b, "	%-10s %s\n", c.name, c.short)
	}
	b.WriteString("\nUse \"taskinstr help COMMAND\" for a command, and \"taskinstr help TOPIC\" for more on:\n\n")
	for _, t := range topics {
		fmt.Fprintf(&b, "	%-14s %s\n", t.name, t.short)
	}
	for _, p := range pages() {
		fmt.Fprintf(&b, "	%-14s page: %s\n", p.Name, p.Title)
	}
	return b.String()
}
