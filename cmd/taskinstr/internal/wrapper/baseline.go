package wrapper

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"taskinstr/cmd/taskinstr/internal/baseline"
)

// Flags of `taskinstr test`.
const (
	baselineFlag = "baseline"
	updateFlag   = "baseline-update"
)

// TestHelp explains the flags that `taskinstr test` has beside the options.
func TestHelp() string {
	return `Known reports

	-baseline=FILE
		reports whose fingerprints are in FILE fail no test and are only counted; the
		same as TASKINSTR=baseline=FILE
	-baseline-update
		let no report fail a test, and add the reports of the run to FILE. Lines that
		are there stay as they are
	-confirm, -confirm=FILE|FOLDER
		drive the pairs of accesses in the baseline to happen, or those in another file
		of its form, or of the reports in a file or folder (-explore-dir): before one
		access of a pair a task waits, for 0.1 s at most, until another task is about to
		make the other one. The summary says of each pair "confirmed" or "not confirmed",
		and why. A prediction that happens fails its test, though it is known

	taskinstr test -baseline=known.txt -baseline-update ./...
	taskinstr test -baseline=known.txt -confirm ./...

A line of FILE is FINGERPRINT until=YYYY-MM-DD reason="TEXT" # COMMENT. Without until= it
counts for ever. Behind the day (UTC) it counts no longer, and each run names it. A run of
all tests (./... in the folder of go.mod, no -run, -skip, -short, -exec or -pkgs, all tests
pass) also names the lines that no report has matched, and such lines of the suppressions.

At the end of a run with reports "taskinstr test" prints a summary of them to standard
error; "taskinstr report" prints them in full. Results of tests with reports are not cached.
`
}

// known is what the flags say about known reports.
type known struct {
	file   string
	given  bool
	update bool

	confirm string // a file or folder with pairs, "true" for the baseline, "" for none
}

// check returns an error if the flags contradict each other.
func (k *known) check() error {
	if k.given && k.file == "" {
		return fmt.Errorf("-%s needs the name of a file", baselineFlag)
	}
	return nil
}

// everyReport as the baseline makes every report known (rt/files/runtime/baseline.go).
const everyReport = "*"

// runOption returns the value that a key has in TASKINSTR, "" if it has none.
func runOption(key string) string {
	value := ""
	for _, word := range strings.FieldsFunc(os.Getenv("TASKINSTR"), func(r rune) bool { return r == ' ' || r == '\t' }) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(word, ","), key+"="); ok {
			value = strings.Trim(v, `"'`)
		}
	}
	return value
}

// baseline reads the baseline of the run, nil if there is none, and returns the words to
// add to TASKINSTR.
func (l *line) baseline(dir string) (f *baseline.File, words string, err error) {
	name := l.known.file
	if !l.known.given {
		name = runOption(baselineFlag)
	}
	switch {
	case name == "" && l.known.update:
		return nil, "", &usageError{fmt.Errorf("-%s needs -%s=FILE, the file to update", updateFlag, baselineFlag)}
	case name == "" || name == everyReport:
		return nil, "", nil
	case !filepath.IsAbs(name):
		name = filepath.Join(dir, name)
	}
	if strings.ContainsAny(name, " \t\n\r") {
		return nil, "", &usageError{fmt.Errorf("-%s=%s: TASKINSTR cannot hold a file name with a space in it; move the file", baselineFlag, name)}
	}
	f, err = baseline.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		if !l.known.update {
			return nil, "", fmt.Errorf("there is no baseline %s; -%s makes it from the reports of the run", name, updateFlag)
		}
		err = nil
	}
	if err != nil {
		return nil, "", err
	}
	if l.known.update {
		name = everyReport
	}
	return f, baselineFlag + "=" + name, nil
}
