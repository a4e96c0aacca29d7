package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/outfile"
	"taskinstr/internal/nearest"
)

// A target is what a format needs to know beside the reports.
type target struct {
	version string
	root    root
	style   terminal.Style
}

// A format is a way to print reports.
type format struct {
	name, text string
	write      func(s *Set, w io.Writer, t *target) error
}

// formats lists the formats; the first one is the default.
var formats = []format{
	{"text", "for people, in colour on terminals unless NO_COLOR is set", func(s *Set, w io.Writer, t *target) error { return s.WriteText(w, t.style) }},
	{"json", "each fingerprint as an object on a line, which this command reads again", (*Set).writeJSON},
	{"sarif", "SARIF 2.1.0, for code scanning of GitHub and for editors", (*Set).writeSARIF},
	{"github", "workflow commands: annotations of a pull request, from a step of GitHub Actions", (*Set).writeGitHub},
	{"gitlab", "a Code Quality report of GitLab", (*Set).writeGitLab},
	{"junit", "JUnit XML; a race or another finding is a failed test, a predicted race a skipped one", (*Set).writeJUnit},
}

// Help is the text of `taskinstr help report`.
func Help() string {
	var b strings.Builder
	b.WriteString(`Reads reports that programs have written as JSON, from files and from all files in
folders, and prints those with the same fingerprint once, with their number and the
tests that showed them:

	taskinstr report races
	taskinstr report -sarif -o races.sarif races

Programs write such files with

	TASKINSTR_REPORTS=FOLDER
		reports are kept in this folder (an absolute path), one file a process,
		beside what the program prints
	TASKINSTR='format=json log_path=FOLDER/NAME'
		reports are written to FOLDER/NAME.PID and not printed

"taskinstr test" sets TASKINSTR_REPORTS itself, unless it is set, and names the folder.
"taskinstr view" shows the same reports as a page, with the source.

	-format=NAME, or -NAME alone
		how to print; text is the default. Known reports (of the baseline) are in
		json and sarif only. The names:

`)
	for _, f := range formats {
		fmt.Fprintf(&b, "		%-7s %s\n", f.name, f.text)
	}
	fmt.Fprintf(&b, `
	-o=FILE
		write to FILE and not to standard output
	-root=FOLDER
		sarif, github, gitlab and junit name files relative to this folder (default: that
		of %s, or the current one)

Findings of "taskinstr test -explore" other than races, in the folder that -explore-dir
names, are reports as well.

Exit codes: 66 if there is a race that is not known or another finding, 0 if not (predicted
races alone give 0), 1 if a file is no good, 2 if the command line is.
`, strings.Join(rootVars, " or "))
	return b.String()
}

// A request is a command line.
type request struct {
	format *format
	out    string
	root   string
	inputs []string
}

// parse reads the command line.
func parse(args []string) (*request, error) {
	r := &request{}
	names := make([]string, len(formats))
	f := flag.NewFlagSet("report", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	choose := func(to *format) error {
		if r.format != nil && r.format != to {
			return fmt.Errorf("one format at a time, not %s and %s", r.format.name, to.name)
		}
		r.format = to
		return nil
	}
	for i := range formats {
		names[i] = formats[i].name
		f.BoolFunc(names[i], "", func(v string) error {
			if v != "true" {
				return errors.New("the flag has no value; -o names a file")
			}
			return choose(&formats[i])
		})
	}
	f.Func("format", "", func(name string) error {
		for i := range formats {
			if formats[i].name == name {
				return choose(&formats[i])
			}
		}
		return fmt.Errorf("there are %s%s", strings.Join(names, ", "), nearest.Hint(name, names))
	})
	f.StringVar(&r.out, "o", "", "")
	f.StringVar(&r.root, "root", "", "")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		return nil, fmt.Errorf("%w; see `taskinstr help report`", nearest.FlagError(f, err))
	}
	if r.inputs = f.Args(); len(r.inputs) == 0 {
		return nil, errors.New("name a folder or files with reports; see `taskinstr help report`")
	}
	if r.format == nil {
		r.format = &formats[0]
	}
	return r, nil
}

// Main runs "taskinstr report" with the arguments that follow the word report and returns
// the exit code.
func Main(version string, args []string, stdout, stderr io.Writer) int {
	fail := func(code int, err error) int {
		fmt.Fprintf(stderr, "taskinstr report: %v\n", err)
		return code
	}
	req, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, "usage: taskinstr report [flags] FOLDER|FILE...\n\n%s", Help())
		return exitcode.OK
	} else if err != nil {
		return fail(exitcode.Usage, err)
	}
	s := New()
	for _, name := range req.inputs {
		had := s.Objects
		if err := s.Read(name); err != nil {
			return fail(exitcode.Failed, err)
		}
		if fi, err := os.Stat(name); err == nil && fi.Mode().IsRegular() && fi.Size() > 0 && s.Objects == had {
			fmt.Fprintf(stderr, "taskinstr report: %s: there is no report in it; a program writes reports with TASKINSTR_REPORTS=FOLDER\n", name)
		}
	}
	for _, name := range s.Torn {
		fmt.Fprintf(stderr, "taskinstr report: %s: the last report is not whole and left out\n", name)
	}
	t := &target{version: version}
	if t.root, err = newRoot(req.root); err != nil {
		return fail(exitcode.Failed, err)
	}
	if req.out != "" {
		err = outfile.Write(req.out, func(w io.Writer) error { return req.format.write(s, w, t) })
	} else {
		t.style = terminal.Colors(stdout)
		var b bytes.Buffer
		if err = req.format.write(s, &b, t); err == nil {
			_, err = stdout.Write(b.Bytes())
		}
	}
	if err != nil {
		return fail(exitcode.Failed, err)
	}
	if s.Races() || len(s.Findings()) > 0 {
		return exitcode.Races
	}
	return exitcode.OK
}

// writeJSON prints each fingerprint as an object on a line, which Read accepts again.
func (s *Set) writeJSON(w io.Writer, _ *target) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, m := range s.All() {
		if err := enc.Encode(m); err != nil {
			return err
		}
	}
	for _, f := range s.Findings() {
		if err := enc.Encode(f); err != nil {
			return err
		}
	}
	return nil
}
