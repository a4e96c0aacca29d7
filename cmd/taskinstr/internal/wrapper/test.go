package wrapper

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/baseline"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/cmd/taskinstr/internal/scope"
)

// folderVar names the folder in which programs keep their reports
// (rt/files/runtime/folder.go).
const folderVar = "TASKINSTR_REPORTS"

// A testRun is one run of `go test` and its reports.
type testRun struct {
	dir     string // of the go command
	folder  string // of the reports; "" if there is none
	own     bool   // the folder was made for this run
	earlier map[string]bool
	known   *baseline.File // nil: none
	update  bool
	set     *reports.Set
}

// test runs the go command and then prints the summary of the reports.
func (l *line) test(run []string, w *watch, stderr io.Writer) (int, error) {
	dir, err := filepath.Abs(l.chdir.Value)
	if err != nil {
		return 0, err
	}
	t := &testRun{dir: dir, update: l.known.update}
	var words string
	if t.known, words, err = l.baseline(dir); err != nil {
		return 0, err
	}
	if err := t.makeFolder(l.env["GOCACHE"]); err != nil {
		fmt.Fprintf(stderr, "taskinstr test: the run will have no summary: %v\n", err)
	}
	env := os.Environ()
	if t.folder != "" {
		env = append(env, folderVar+"="+t.folder)
	}
	pairs, remove, err := l.pairs(dir, t.known)
	if err != nil {
		return 0, err
	}
	defer remove()
	if words = strings.TrimSpace(words + " " + pairs); words != "" {
		env = append(env, "TASKINSTR="+strings.TrimLeft(os.Getenv("TASKINSTR")+" "+words, " "))
	}
	state, err := w.child(run, env, stderr)
	if err != nil {
		return 0, err
	}
	if err := t.finish(stderr, l.whole() && state.Success()); err != nil {
		fmt.Fprintf(stderr, "taskinstr test: %v\n", err)
		if state.Success() {
			return 1, nil
		}
	}
	return end(state), nil
}

// keepReports is the time for which the reports of a run are kept.
const keepReports = 7 * 24 * time.Hour

// makeFolder makes the folder of the reports, unless the environment names one, and removes
// those of old runs.
func (t *testRun) makeFolder(gocache string) error {
	if dir := os.Getenv(folderVar); dir != "" {
		if !filepath.IsAbs(dir) {
			return fmt.Errorf("%s=%s is not absolute, and tests run in the folders of their packages", folderVar, dir)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		t.folder = dir
		t.earlier = map[string]bool{}
		list, err := os.ReadDir(dir)
		for _, e := range list {
			t.earlier[e.Name()] = true
		}
		return err
	}
	dir, err := planner.Open(gocache).Fresh("reports", keepReports)
	t.folder, t.own = dir, err == nil
	return err
}

// finish reads the reports, updates the baseline and prints the summary. whole says that
// all tests have run and passed.
func (t *testRun) finish(w io.Writer, whole bool) error {
	t.set = reports.New()
	found := false
	if t.folder != "" {
		list, err := os.ReadDir(t.folder)
		if err != nil {
			return fmt.Errorf("cannot read the reports: %w", err)
		}
		for _, e := range list {
			if t.earlier[e.Name()] {
				continue
			}
			found = true
			if err := t.set.Read(filepath.Join(t.folder, e.Name())); err != nil {
				return err
			}
		}
		if t.own && !found {
			os.Remove(t.folder)
		}
	}
	if len(t.set.Shown()) > 0 {
		style := terminal.Colors(w)
		fmt.Fprintf(w, "\ntaskinstr: %s\n", style.Paint(terminal.Bold, t.set.Counts()))
		t.set.WriteSummary(w, t.dir, style)
		fmt.Fprintf(w, "\nIn full: taskinstr report %s\nAs a page with the source: taskinstr view %[1]s\n", t.folder)
		if t.set.Predicted() {
			fmt.Fprintln(w, "A predicted race did not happen, but can in another order of locks: taskinstr help reports")
		}
		file := "races.txt"
		if t.known != nil {
			file = t.name()
		}
		fmt.Fprintf(w, "To accept them for now: taskinstr test -%s=%s -%s ./...\n", baselineFlag, file, updateFlag)
	}
	if n, prints := t.set.Known(); n > 0 && !t.update {
		by := "the baseline"
		if t.known != nil {
			by = t.name()
		}
		fmt.Fprintf(w, "taskinstr: %s known, with %s in %s\n", reports.Count(n, "report"), reports.Count(prints, "fingerprint"), by)
	}
	t.namePairs(w)
	if err := t.updateBaseline(w); err != nil {
		return err
	}
	t.nameEntries(w, whole)
	return t.nameSuppressions(w, whole)
}

func (t *testRun) name() string { return reports.Relative(t.dir, t.known.Name) }

func (t *testRun) updateBaseline(w io.Writer) error {
	if !t.update {
		return nil
	}
	var added []*reports.Merged
	for _, m := range t.set.All() {
		if t.known.Find(m.Fingerprint) == nil {
			t.known.Add(m.Fingerprint, m.What())
			added = append(added, m)
		}
	}
	if err := t.known.Write(); err != nil {
		return fmt.Errorf("cannot write the baseline: %w", err)
	}
	fmt.Fprintf(w, "taskinstr: %s: %s added, %d in all\n", t.name(), reports.Count(len(added), "fingerprint"), len(t.known.Entries))
	for _, m := range added {
		fmt.Fprintf(w, "  %s %s\n", m.Fingerprint, m.What())
	}
	return nil
}

// nameEntries names the entries of the baseline that have expired and, after a whole run,
// those that no report has matched.
func (t *testRun) nameEntries(w io.Writer, whole bool) {
	if t.known == nil {
		return
	}
	now := time.Now()
	for _, e := range t.known.Entries {
		place := reports.Relative(t.dir, t.known.Place(e))
		switch {
		case e.Expired(now):
			fmt.Fprintf(w, "taskinstr: %s: %s has expired on %s; fix the race, or set another day\n", place, e.Fingerprint, e.Until.Format(time.DateOnly))
		case whole && !t.set.Has(e.Fingerprint):
			fmt.Fprintf(w, "taskinstr: %s: %s has matched no report; remove the line if the race is fixed\n", place, e.Fingerprint)
		}
	}
}

// nameSuppressions names, after a whole run, the lines of the suppressions that no report
// has matched.
func (t *testRun) nameSuppressions(w io.Writer, whole bool) error {
	name := runOption("suppressions")
	if !whole || name == "" {
		return nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.dir, name)
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // each test has said so, or has found it in its own folder
	}
	if err != nil {
		return err
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimRight(line, " \r\n")
		kind, _, _ := strings.Cut(line, ":")
		if slices.Contains([]string{"race", "predicted", "fingerprint"}, kind) && t.set.Suppressed[line] == 0 {
			fmt.Fprintf(w, "taskinstr: %s:%d: %s has matched no report\n", reports.Relative(t.dir, name), number, line)
		}
	}
	return nil
}

// partial are flags with which a run may leave out tests, or the go command may not pass on
// the environment.
var partial = []string{"run", "skip", "short", "list", "c", "n", "exec", "fuzz"}

// whole reports whether the command line runs all tests of the module, so that an entry
// that nothing has matched is one that is not needed.
func (l *line) whole() bool {
	if runtime.GOOS == "windows" || l.env["GOOS"] != runtime.GOOS { // programs for Windows keep no reports
		return false
	}
	for _, f := range slices.Concat(l.fixed, l.flags) {
		if slices.Contains(partial, strings.TrimPrefix(f.Name, "test.")) {
			return false
		}
	}
	dir, err := filepath.Abs(l.chdir.Value)
	if err != nil || !scope.Everything(l.pkgs) || filepath.Join(dir, "go.mod") != l.env["GOMOD"] {
		return false
	}
	return len(l.rest) == 1 && l.rest[0] == "./..."
}
