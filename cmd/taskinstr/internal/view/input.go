package view

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/bench"
	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/detector/trace/wire"
)

// A loader reads the inputs of a page.
type loader struct {
	page  *Page
	root  *excerpt.Root
	set   *reports.Set
	order map[string][]section // by fingerprint

	findings []*Finding
	texts    map[string]bool // files that are the full text of a finding
}

// A Finding is what an exploration of tests has found, with the shortest schedule that shows it.
type Finding struct {
	Kind, Fingerprint, Title, Test string
	Text                           string // as the program has printed it; "" if unknown
	Again                          string // the command that shows it again
	Lanes                          *Lanes
}

// Load reads files and folders. Source files are named relative to the folder root, or to the
// current one if root is empty.
func Load(root string, names []string) (*Page, error) {
	r, err := excerpt.NewRoot(root)
	if err != nil {
		return nil, err
	}
	l := &loader{page: &Page{Inputs: names}, root: r, set: reports.New(), order: map[string][]section{}, texts: map[string]bool{}}
	for _, name := range names {
		if err := l.input(name); err != nil {
			return nil, err
		}
	}
	for _, name := range l.set.Torn {
		l.note("%s: the last report is not whole and left out", name)
	}
	for _, m := range l.set.All() {
		r := l.report(m)
		l.page.Reports = append(l.page.Reports, r)
		l.findings = slices.DeleteFunc(l.findings, func(f *Finding) bool {
			same := f.Fingerprint == r.Fingerprint
			if same && r.Order == nil {
				r.Order, r.Again = f.Lanes, f.Again
			}
			return same
		})
	}
	l.page.Findings = l.findings
	return l.page, nil
}

func (l *loader) note(format string, args ...any) {
	l.page.Notes = append(l.page.Notes, fmt.Sprintf(format, args...))
}

// errUnknown says that a file is none of the inputs.
var errUnknown = errors.New("no reports, trace, recorded schedule, exploration or measurement; see `taskinstr help view`")

// errBinary is errUnknown for a file that is no text, such as the program whose reports lie
// beside it.
var errBinary = fmt.Errorf("%w", errUnknown)

// input reads a file, or all files below a folder. Other files of a folder are skipped.
func (l *loader) input(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return l.file(name)
	}
	var skipped []string
	err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text := (*reports.TextError)(nil)
		if err := l.file(path); errors.Is(err, errBinary) {
			return nil
		} else if errors.Is(err, errUnknown) || errors.As(err, &text) {
			skipped = append(skipped, path)
		} else if err != nil {
			return err
		}
		return nil
	})
	skipped = slices.DeleteFunc(skipped, func(path string) bool { return l.texts[path] })
	if len(skipped) > 0 {
		l.note("%s: %s left out, since there is nothing to show in %s", name, reports.Count(len(skipped), "file"), skipped[0])
	}
	return err
}

// file reads a file by its contents.
func (l *loader) file(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	const recordHead = "taskinstr schedule "
	start, err := bufio.NewReaderSize(f, 4<<10).Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch {
	case len(start) == 0:
		return nil // a process that has made no report
	case bytes.HasPrefix(start, []byte(wire.Magic)):
		return l.trace(name)
	case bytes.IndexByte(start, 0) >= 0:
		return fmt.Errorf("%s: %w", name, errBinary)
	case bytes.HasPrefix(start, []byte(recordHead)):
		return l.record(name)
	case bytes.HasPrefix(bytes.TrimSpace(start), []byte("{")) && !hasObjectLine(start):
		return l.bench(name)
	}
	n, err := l.explored(name)
	if err != nil {
		return err
	}
	had := l.set.Objects
	if err := l.set.Read(name); err != nil {
		return err
	}
	if n == 0 && l.set.Objects == had && !slices.Contains(l.set.Torn, name) {
		return fmt.Errorf("%s: %w", name, errUnknown)
	}
	return nil
}

// hasObjectLine reports whether a text has a line of the kind that programs and explorations
// write.
func hasObjectLine(text []byte) bool {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"type":"`)) || bytes.HasPrefix(line, []byte(`{"event":"`)) {
			return true
		}
	}
	return false
}

func (l *loader) bench(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	r := new(bench.Report)
	if json.Unmarshal(text, r) != nil || len(r.Modes) == 0 || len(r.Benchmarks) == 0 {
		return fmt.Errorf("%s: %w", name, errUnknown)
	}
	l.page.Benches = append(l.page.Benches, newBench(name, r))
	return nil
}

// A section is a critical section in the order that shows a race.
type section struct {
	Task      string   `json:"task"`
	Goroutine uint64   `json:"goroutine"`
	Position  string   `json:"position"`
	Lock      string   `json:"lock"`
	Shared    bool     `json:"shared"`
	Instead   []string `json:"instead"`
}

// An Explored is the result of an exploration.
type Explored struct {
	Input   string    `json:"-"`
	Verdict string    `json:"verdict"`
	Extent  string    `json:"extent"`
	Races   int       `json:"races"`
	Proof   bool      `json:"proof"`
	Outside []Outside `json:"outside"`
}

// Outside is what no detector of the exploration understands.
type Outside struct {
	Detector  string   `json:"detector"`
	Kind      string   `json:"kind"`
	Count     int64    `json:"count"`
	Positions []string `json:"positions"`
}

// explored reads what `taskinstr explore -json` prints beside reports, and what `taskinstr test
// -explore -json` prints, and returns the number of these objects.
func (l *loader) explored(name string) (n int, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		var o struct {
			Type        string    `json:"type"`
			Fingerprint string    `json:"fingerprint"`
			Sections    []section `json:"sections"`
		}
		switch {
		case bytes.HasPrefix(line, []byte(`{"type":"order"`)):
			if err := json.Unmarshal(line, &o); err != nil {
				return n, fmt.Errorf("%s: %w", name, err)
			}
			l.order[o.Fingerprint] = o.Sections
		case bytes.HasPrefix(line, []byte(`{"type":"exploration"`)):
			e := &Explored{Input: name}
			if err := json.Unmarshal(line, e); err != nil {
				return n, fmt.Errorf("%s: %w", name, err)
			}
			l.page.Explored = append(l.page.Explored, e)
		case bytes.HasPrefix(line, []byte(`{"event":"`)):
			if err := l.event(line); err != nil {
				return n, fmt.Errorf("%s: %w", name, err)
			}
		default:
			continue
		}
		n++
	}
	return n, nil
}

// shown returns a position with the file relative to the root.
func (l *loader) shown(position string) string {
	file, line, _ := excerpt.SplitPosition(position)
	if file == "" {
		return position
	}
	return l.root.Find(file, line, 0, "").File + strings.TrimPrefix(position, file)
}

// event reads a line of `taskinstr test -explore -json`.
func (l *loader) event(line []byte) error {
	var e struct {
		Event, Kind, Fingerprint, Title, Package, Test, Text, Schedule string
		Report                                                         *reports.Merged
	}
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	if e.Event != "finding" {
		return nil
	}
	if e.Report != nil {
		l.set.Add(e.Report)
	}
	if e.Schedule != "" {
		if _, err := os.Stat(e.Schedule); err == nil {
			return l.record(e.Schedule)
		}
		l.note("the schedule %s is gone", e.Schedule)
	}
	if e.Report == nil {
		l.findings = append(l.findings, &Finding{Kind: e.Kind, Fingerprint: e.Fingerprint, Title: e.Title, Test: e.Package + "." + e.Test, Text: e.Text})
	}
	return nil
}
