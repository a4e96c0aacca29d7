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
}

// Load reads files and folders. Source files are named relative to the folder root, or to the
// current one if root is empty.
func Load(root string, names []string) (*Page, error) {
	r, err := excerpt.NewRoot(root)
	if err != nil {
		return nil, err
	}
	l := &loader{&Page{Inputs: names}, r, reports.New(), map[string][]section{}}
	for _, name := range names {
		if err := l.input(name); err != nil {
			return nil, err
		}
	}
	for _, name := range l.set.Torn {
		l.note("%s: the last report is not whole and left out", name)
	}
	for _, m := range l.set.All() {
		l.page.Reports = append(l.page.Reports, l.report(m))
	}
	return l.page, nil
}

func (l *loader) note(format string, args ...any) {
	l.page.Notes = append(l.page.Notes, fmt.Sprintf(format, args...))
}

// errUnknown says that a file is none of the inputs.
var errUnknown = errors.New("no reports, trace, recorded schedule, exploration or measurement; see `taskinstr help view`")

// input reads a file, or all files below a folder. Other files of a folder are skipped.
func (l *loader) input(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return l.file(name)
	}
	skipped := 0
	err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if err := l.file(path); errors.Is(err, errUnknown) {
			skipped++
		} else if err != nil {
			return err
		}
		return nil
	})
	if skipped > 0 {
		l.note("%s: %s skipped, which are no input", name, reports.Count(skipped, "file"))
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

// hasObjectLine reports whether a text has a line of the kind that programs write.
func hasObjectLine(text []byte) bool {
	return bytes.HasPrefix(text, []byte(`{"type":"`)) || bytes.Contains(text, []byte("\n"+`{"type":"`))
}

// bench reads a measurement.
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

// explored reads what `taskinstr explore -json` prints beside reports, and returns the number
// of these objects.
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
