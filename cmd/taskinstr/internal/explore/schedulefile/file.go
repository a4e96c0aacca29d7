package schedulefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"taskinstr/cmd/taskinstr/internal/outfile"
)

// A File is the schedule of a finding.
type File struct {
	Kind        string   `json:"kind"` // of the finding, see batch.Kind
	Fingerprint string   `json:"fingerprint"`
	Title       string   `json:"title"`
	Package     string   `json:"package"`
	Test        string   `json:"test,omitempty"`
	Run         string   `json:"run,omitempty"`     // -test.run
	Args        []string `json:"args,omitempty"`    // further arguments of the test binary
	Build       []string `json:"build,omitempty"`   // flags of taskinstr and go with which the binary is built
	Options     string   `json:"options,omitempty"` // further words of TASKINSTR
	Binary      string   `json:"binary"`            // the binary's digest
	Exe         string   `json:"exe"`               // its file, relative to that of the schedule
	Dir         string   `json:"dir"`               // the folder in which the tests ran

	Record string `json:"-"` // the record of the schedule
	header int    // the line of the file that is not in the record
}

// Line returns the line of the file that was read in which line n of the record stands.
func (f *File) Line(n int) int {
	if n >= f.header {
		n++
	}
	return n
}

const (
	title  = "taskinstr schedule "
	header = "# finding "
	end    = "# end\n"
)

// Text returns the text of the file.
func (f *File) Text() (string, error) {
	object, err := json.Marshal(f)
	if err != nil {
		return "", err
	}
	lines := strings.SplitAfter(f.Record, "\n")
	n := 0
	for n < len(lines) && isHead(lines[n]) {
		n++
	}
	return strings.Join(lines[:n], "") + header + string(object) + "\n" + strings.Join(lines[n:], "") + end, nil
}

// Loose returns the record as one that leaves out choices that cannot be made, for a run that
// differs from the recorded one in what the detector does.
func (f *File) Loose() string {
	const points = "\npoints "
	before, rest, ok := strings.Cut(f.Record, points)
	mode, choices, whole := strings.Cut(rest, "\n")
	if !ok || !whole {
		return f.Record
	}
	return before + points + mode + "\nloose\n" + choices
}

// isHead reports whether a line of a record stands in front of the choices.
func isHead(line string) bool {
	for _, p := range []string{title, "strategy ", "seed ", "points ", "access ", "cryptorand ", "wall ", "loose"} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return false
}

// Write writes the file. No reader sees a part of it.
func (f *File) Write(name string) error {
	text, err := f.Text()
	if err != nil {
		return err
	}
	return outfile.WriteText(name, []byte(text))
}

// Read reads a file.
func Read(name string) (*File, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	f, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

func parse(text string) (*File, error) {
	if !strings.HasPrefix(text, title) {
		return nil, errors.New("this is no schedule: its first line is not `taskinstr schedule 1`")
	}
	before, rest, ok := strings.Cut(text, "\n"+header)
	if !ok {
		return nil, errors.New("the schedule does not say which test it belongs to, as those do that taskinstr test -explore writes; TASKINSTR=schedule=replay:FILE runs a program in it")
	}
	object, choices, whole := strings.Cut(rest, "\n")
	if choices, ok = strings.CutSuffix(choices, end); !whole || !ok {
		return nil, errors.New("the file is cut short: it does not end with `# end`; copy it again")
	}
	f := &File{Record: before + "\n" + choices, header: strings.Count(before, "\n") + 2}
	if err := json.Unmarshal([]byte(object), f); err != nil {
		return nil, fmt.Errorf("the line that begins with %s is damaged: %w", strings.TrimSpace(header), err)
	}
	return f, nil
}
