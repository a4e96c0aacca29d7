package baseline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskinstr/cmd/taskinstr/internal/outfile"
)

// An Entry is a known report.
type Entry struct {
	Fingerprint string
	Until       time.Time // the last day; zero: for ever
	Reason      string
	lines       []string // the comments above it, and the line
	number      int      // of the line
}

// Expired reports whether the entry no longer counts.
func (e *Entry) Expired(now time.Time) bool {
	return !e.Until.IsZero() && !now.Before(e.Until.AddDate(0, 0, 1))
}

// A File is a baseline.
type File struct {
	Name    string
	Entries []*Entry // by fingerprint
	head    []string // the comments at the begin, up to an empty line
	text    string
}

const (
	day    = "2006-01-02"
	until  = "until="
	reason = "reason="
)

// header begins a new file.
const header = `# Known reports, which fail no test: FINGERPRINT [until=YYYY-MM-DD] reason="TEXT" # what races`

var fingerprint = regexp.MustCompile(`^[0-9a-f]{16}$`)

// Read reads a baseline. A missing file gives an error that is fs.ErrNotExist and an empty
// baseline.
func Read(name string) (*File, error) {
	f := &File{Name: name}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		f.head = []string{header}
		return f, err
	}
	if err != nil {
		return nil, err
	}
	return f, f.parse(string(text))
}

func (f *File) parse(text string) error {
	f.text = text
	seen := map[string]int{}
	var comments []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, " \r\n")
		switch {
		case line == "":
			if len(f.Entries) == 0 {
				f.head, comments = append(f.head, comments...), nil
			}
			continue
		case line[0] == '#':
			comments = append(comments, line)
			continue
		}
		e, err := parseEntry(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", f.Name, number, err)
		}
		if first := seen[e.Fingerprint]; first != 0 {
			return fmt.Errorf("%s:%d: line %d has the same fingerprint; keep one of them", f.Name, number, first)
		}
		seen[e.Fingerprint], e.number = number, number
		e.lines, comments = append(comments, line), nil
		f.Entries = append(f.Entries, e)
	}
	if len(f.Entries) == 0 {
		f.head = append(f.head, comments...)
	} else {
		last := f.Entries[len(f.Entries)-1]
		last.lines = append(last.lines, comments...)
	}
	f.sort()
	return nil
}

func parseEntry(line string) (*Entry, error) {
	e := &Entry{}
	var rest string
	e.Fingerprint, rest, _ = strings.Cut(line, " ")
	if !fingerprint.MatchString(e.Fingerprint) {
		return nil, fmt.Errorf("%q is no fingerprint (16 hexadecimal digits, as in the last line of a report)", e.Fingerprint)
	}
	rest = strings.TrimLeft(rest, " ")
	if text, ok := strings.CutPrefix(rest, until); ok {
		text, rest, _ = strings.Cut(text, " ")
		t, err := time.Parse(day, text)
		if err != nil {
			return nil, fmt.Errorf("the day %q is not of the form %sYYYY-MM-DD", text, until)
		}
		e.Until, rest = t, strings.TrimLeft(rest, " ")
	}
	if text, ok := strings.CutPrefix(rest, reason); ok {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return nil, fmt.Errorf(`the reason is not of the form %s"TEXT"`, reason)
		}
		if e.Reason, err = strconv.Unquote(quoted); err != nil {
			return nil, fmt.Errorf(`the reason is not of the form %s"TEXT"`, reason)
		}
		rest = strings.TrimLeft(text[len(quoted):], " ")
	}
	if rest != "" && rest[0] != '#' {
		return nil, fmt.Errorf(`%q is unexpected; a line is: fingerprint, %sYYYY-MM-DD (may be missing), %s"TEXT", # and a comment`, rest, until, reason)
	}
	return e, nil
}

// Find returns the entry with a fingerprint, nil if there is none.
func (f *File) Find(print string) *Entry {
	i, ok := slices.BinarySearchFunc(f.Entries, print, func(e *Entry, p string) int { return strings.Compare(e.Fingerprint, p) })
	if !ok {
		return nil
	}
	return f.Entries[i]
}

// Add adds an entry without a reason. what says what races, on one line.
func (f *File) Add(print, what string) {
	f.Entries = append(f.Entries, &Entry{Fingerprint: print, lines: []string{fmt.Sprintf(`%s %s"" # %s`, print, reason, what)}})
	f.sort()
}

func (f *File) sort() {
	slices.SortFunc(f.Entries, func(a, b *Entry) int { return strings.Compare(a.Fingerprint, b.Fingerprint) })
}

// Place returns the file and line of an entry.
func (f *File) Place(e *Entry) string { return fmt.Sprintf("%s:%d", f.Name, e.number) }

// Write writes the file, if it has changed: the whole of it or nothing.
func (f *File) Write() error {
	var b strings.Builder
	if len(f.head) > 0 {
		b.WriteString(strings.Join(f.head, "\n") + "\n\n")
	}
	for _, e := range f.Entries {
		b.WriteString(strings.Join(e.lines, "\n") + "\n")
	}
	if f.text == b.String() {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(f.Name), 0o777); err != nil {
		return err
	}
	return outfile.WriteText(f.Name, []byte(b.String()))
}
