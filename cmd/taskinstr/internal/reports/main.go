package reports

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
	exitRaces  = 66
)

// Help is the text of `taskinstr help report`.
func Help() string {
	return `Reads reports that programs have written as JSON, from files and from all files in
folders, and prints those with the same fingerprint once, with their number and the
tests that showed them. Programs write such files with

	TASKINSTR_REPORTS=FOLDER
		reports are kept in this folder (an absolute path), one file a process,
		beside what the program prints
	TASKINSTR='format=json log_path=FOLDER/NAME'
		reports are written to FOLDER/NAME.PID and not printed

"taskinstr test" sets TASKINSTR_REPORTS itself, unless it is set, and names the folder.

	-format=text|json|sarif
		how to print; text is the default, without known reports (of the baseline).
		With json each fingerprint is an object on a line; sarif is for code review

Exit codes: 66 if there is a race that is not known, 0 if not (predicted races alone give
0), 1 if a file is no good, 2 if the command line is.
`
}

// Main runs "taskinstr report" with the arguments that follow the word report and returns
// the exit code.
func Main(version string, args []string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "taskinstr report: %v\n", err)
		return code
	}
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	format := f.String("format", "text", "")
	if err := f.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, "usage: taskinstr report [flags] FOLDER|FILE...\n\n%s", Help())
		return exitOK
	} else if err != nil {
		return fail(exitUsage, fmt.Errorf("%w; see `taskinstr help report`", err))
	}
	if f.NArg() == 0 {
		return fail(exitUsage, errors.New("name a folder or files with reports; see `taskinstr help report`"))
	}
	s := New()
	for _, name := range f.Args() {
		if err := s.Read(name); err != nil {
			return fail(exitFailed, err)
		}
	}
	for _, name := range s.Torn {
		fmt.Fprintf(stderr, "taskinstr report: %s: the last report is not whole and left out\n", name)
	}
	w := bufio.NewWriter(stdout)
	var err error
	switch *format {
	case "text":
		s.WriteText(w)
	case "json":
		err = s.writeJSON(w)
	case "sarif":
		err = s.writeSARIF(w, version)
	default:
		return fail(exitUsage, fmt.Errorf("%q is no format; there are text, json, sarif", *format))
	}
	if e := w.Flush(); err == nil {
		err = e
	}
	if err != nil {
		return fail(exitFailed, err)
	}
	if s.Races() {
		return exitRaces
	}
	return exitOK
}

// writeJSON prints each fingerprint as an object on a line, which Read accepts again.
func (s *Set) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, m := range s.All() {
		if err := enc.Encode(m); err != nil {
			return err
		}
	}
	return nil
}

// workingDir returns the current folder, "" if it is unknown.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
