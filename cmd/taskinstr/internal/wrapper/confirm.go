package wrapper

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"taskinstr/cmd/taskinstr/internal/baseline"
	"taskinstr/cmd/taskinstr/internal/reports"
)

// confirmFlag names pairs of accesses that the tests drive to happen: those of the baseline, of another file of
// the same form, or of reports.
const confirmFlag = "confirm"

// pairs returns the words to add to TASKINSTR for -confirm, and a function that removes what they name. The known
// reports are those of the run.
func (l *line) pairs(dir string, known *baseline.File) (words string, remove func(), err error) {
	remove = func() {}
	name := l.known.confirm
	if name == "" {
		return "", remove, nil
	}
	usage := func(format string, args ...any) error {
		return &usageError{fmt.Errorf("-"+confirmFlag+"=%s: "+format, append([]any{name}, args...)...)}
	}
	if l.known.update {
		return "", remove, usage("-%s lets every report pass, so nothing is confirmed in the same run", updateFlag)
	}
	if name == "true" {
		if known == nil {
			return "", remove, &usageError{fmt.Errorf("-%s drives the pairs of the baseline: add -%s=FILE, or name the pairs by -%[1]s=FILE or -%[1]s=FOLDER, a folder of -explore-dir or TASKINSTR_REPORTS", confirmFlag, baselineFlag)}
		}
		if len(known.Entries) == 0 {
			return "", remove, nil
		}
		return confirmFlag + "=1", remove, nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	made, err := hasReports(name)
	if err != nil {
		return "", remove, usage("%w", err)
	}
	if made {
		set := reports.New()
		if err := set.Read(name); err != nil {
			return "", remove, usage("%w", err)
		}
		if len(set.All()) == 0 {
			return "", remove, usage("there are no reports of races in it")
		}
		scratch, err := os.MkdirTemp("", "taskinstr-confirm-")
		if err != nil {
			return "", remove, err
		}
		remove = func() { os.RemoveAll(scratch) }
		name = filepath.Join(scratch, "pairs")
		if err := writePairs(name, set); err != nil {
			remove()
			return "", remove, err
		}
	} else if f, err := baseline.Read(name); err != nil {
		return "", remove, usage("%w", err)
	} else if len(f.Entries) == 0 {
		return "", remove, usage("it has no line with a fingerprint")
	}
	if strings.ContainsAny(name, " \t\n\r") {
		remove()
		return "", remove, usage("TASKINSTR cannot hold a file name with a space in it; move the file, or set TMPDIR")
	}
	return confirmFlag + "=" + name, remove, nil
}

// writePairs writes the pairs of accesses of the reports, in the form of a baseline.
func writePairs(name string, set *reports.Set) error {
	f := &baseline.File{Name: name}
	for _, m := range set.All() {
		f.Add(m.Fingerprint, m.What())
	}
	return f.Write()
}

// hasReports reports whether a name is that of a folder, or of a file with objects.
func hasReports(name string) (bool, error) {
	f, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if i, err := f.Stat(); err != nil || i.IsDir() {
		return true, err
	}
	start := make([]byte, 1)
	_, err = io.ReadFull(f, start)
	return err == nil && bytes.Equal(start, []byte("{")), nil
}

// namePairs says which pairs were confirmed, and what has prevented the others.
func (t *testRun) namePairs(w io.Writer) {
	list := t.set.Pairs()
	n := 0
	for _, p := range list {
		if p.Confirmed {
			n++
		}
	}
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "taskinstr: %d of %s confirmed\n", n, reports.Count(len(list), "pair"))
	for _, p := range list {
		what := "not confirmed"
		if p.Confirmed {
			what = "confirmed"
		}
		fmt.Fprintf(w, "  %s %s: %s\n", p.Fingerprint, what, p.Reason)
	}
}
