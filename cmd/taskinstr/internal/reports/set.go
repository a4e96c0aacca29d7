package reports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/detector/trace/report"
)

// A Merged is all reports with one fingerprint. Its Report is the first one, or the first
// that was observed if others were predicted.
type Merged struct {
	report.Report
	Reports int      `json:"reports"`
	Tests   []string `json:"tests,omitempty"` // IMPORTPATH.TEST, or IMPORTPATH outside of tests
}

// A Set is the reports of one or several processes.
type Set struct {
	byPrint    map[string]*Merged
	pairs      map[string]*Pair
	findings   map[string]*Finding
	Suppressed map[string]int // the number of reports, by line of the suppressions
	Torn       []string       // files whose last line is not whole
	Objects    int            // the number of objects read, of whatever type
}

// New returns an empty set.
func New() *Set {
	return &Set{byPrint: map[string]*Merged{}, pairs: map[string]*Pair{}, findings: map[string]*Finding{}, Suppressed: map[string]int{}}
}

// An object is a line of a file: a report, merged or not, or a count.
type object struct {
	Merged
	Suppression string `json:"suppression"`
	Came        uint   `json:"came"`
	Reason      string `json:"reason"`
}

// The type of an object that says which line of the suppressions has matched a report.
const typeSuppressed = "suppressed"

// A TextError says that a file has reports as text, of which nothing can be read.
type TextError struct{ Name string }

func (e *TextError) Error() string {
	return e.Name + ": the reports are text; run the program with TASKINSTR=format=json"
}

// Read adds the reports in a file, or in all files below a folder. Files of a folder that have
// reports as text are an error if no other file has reports.
func (s *Set) Read(name string) error {
	var text *TextError
	had := s.Objects
	err := filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if err := s.readFile(path); err != nil && !errors.As(err, &text) {
			return err
		}
		return nil
	})
	if err == nil && text != nil && s.Objects == had {
		return text
	}
	return err
}

// binaryStart is the number of bytes in front of a file of which one is 0 if it is no text.
const binaryStart = 512

// readFile adds the reports in a file. Lines of other programs' output are skipped.
func (s *Set) readFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReader(f)
	if start, _ := r.Peek(binaryStart); bytes.IndexByte(start, 0) >= 0 {
		return nil // a program, say, which may contain what it writes
	}
	objects, text := 0, false
	for number := 1; ; number++ {
		line, err := r.ReadBytes('\n')
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("%s: %w", name, err)
		case bytes.HasPrefix(line, []byte(`{"type":"`)):
			objects++
			if e := s.readObject(line); e != nil && errors.Is(err, io.EOF) {
				s.Torn = append(s.Torn, name) // the process was ended while it wrote
			} else if e != nil {
				return fmt.Errorf("%s:%d: no whole object: %w", name, number, e)
			}
		case bytes.HasPrefix(line, []byte("WARNING: DATA RACE")), bytes.HasPrefix(line, []byte("WARNING: PREDICTED DATA RACE")):
			text = true
		}
		if err != nil {
			break
		}
	}
	if text && objects == 0 {
		return &TextError{name}
	}
	return nil
}

func (s *Set) readObject(line []byte) error {
	var o object
	if err := json.Unmarshal(line, &o); err != nil {
		return err
	}
	s.Objects++
	switch o.Type {
	case typeSuppressed:
		s.Suppressed[o.Suppression] += o.Reports
	case typePair:
		s.addPair(&Pair{o.Fingerprint, o.Confirmed, o.Reason, o.Came})
	case TypeFinding:
		f := new(Finding)
		if err := json.Unmarshal(line, f); err != nil {
			return err
		}
		s.addFinding(f)
	case report.TypeRace, report.TypePredicted, "possible race":
		s.Add(&o.Merged)
	}
	return nil
}

// Add merges m into the set.
func (s *Set) Add(m *Merged) {
	m.Reports = max(m.Reports, 1)
	if m.Package != "" {
		test := m.Package
		if m.Test != "" {
			test += "." + m.Test
		}
		m.Tests = append(m.Tests, test)
		m.Package, m.Test = "", ""
	}
	old := s.byPrint[m.Fingerprint]
	if old == nil {
		s.byPrint[m.Fingerprint] = m
	} else {
		if old.Type != report.TypeRace && m.Type == report.TypeRace {
			known := old.Known
			old.Report, m.Known = m.Report, m.Known && known
		}
		old.Known = old.Known && m.Known
		old.Reports += m.Reports
		old.Tests = append(old.Tests, m.Tests...)
		m = old
	}
	m.Tests = distinct(m.Tests)
}

// distinct sorts a list of tests and returns it without repetitions.
func distinct(tests []string) []string {
	slices.Sort(tests)
	return slices.Compact(tests)
}

// All returns the merged reports: races, then predicted ones, then known ones, each by
// fingerprint.
func (s *Set) All() []*Merged {
	rank := func(m *Merged) string {
		switch {
		case m.Known:
			return "2"
		case m.Type != report.TypeRace:
			return "1"
		}
		return "0"
	}
	return slices.SortedFunc(maps.Values(s.byPrint), func(a, b *Merged) int {
		return strings.Compare(rank(a)+a.Fingerprint, rank(b)+b.Fingerprint)
	})
}

// Shown returns the merged reports that are not known.
func (s *Set) Shown() []*Merged {
	return slices.DeleteFunc(s.All(), func(m *Merged) bool { return m.Known })
}

// Has reports whether the set has a report with this fingerprint.
func (s *Set) Has(print string) bool { return s.byPrint[print] != nil }

// Races reports whether a race has been observed that is not known.
func (s *Set) Races() bool {
	return slices.ContainsFunc(s.Shown(), func(m *Merged) bool { return m.Type == report.TypeRace })
}

// Known returns the number of known reports, and of fingerprints among them.
func (s *Set) Known() (reports, fingerprints int) {
	for _, m := range s.byPrint {
		if m.Known {
			reports += m.Reports
			fingerprints++
		}
	}
	return reports, fingerprints
}

// Predicted reports whether a predicted race is not known.
func (s *Set) Predicted() bool {
	return slices.ContainsFunc(s.Shown(), func(m *Merged) bool { return m.Type == report.TypePredicted })
}
