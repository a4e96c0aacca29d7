package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/detector/event"
	"taskinstr/detector/offline/suite"
	"taskinstr/detector/trace"
)

// An Orders keeps the orders of events that detectors give with races, as records of
// schedules, and runs a program in them.
type Orders struct {
	File    string   // of the first record; File.2 has the second
	Program string   // "": nothing is run
	Args    []string // of the program

	records map[string]string // the files, by text
	results map[string]Outcome
}

// An Outcome is the result of running a program in the order of a race.
type Outcome struct {
	Confirmed bool
	Text      string
}

// confirmTime bounds one run of the program.
const confirmTime = 2 * time.Minute

// Write writes the record of a race and returns the name of its file.
func (o *Orders) Write(r event.Race) (string, error) {
	if name, ok := o.records[r.Schedule]; ok {
		return name, nil
	}
	name := o.File
	if n := len(o.records); n > 0 {
		name = fmt.Sprintf("%s.%d", o.File, n+1)
	}
	if o.records == nil {
		o.records, o.results = map[string]string{}, map[string]Outcome{}
	}
	o.records[r.Schedule] = name
	return name, os.WriteFile(name, []byte(r.Schedule), 0o666)
}

// Confirm runs the program in the order of a race and tells whether the race happened.
func (o *Orders) Confirm(ctx context.Context, s *trace.Symbols, r event.Race) (Outcome, error) {
	file, err := o.Write(r)
	if err != nil {
		return Outcome{}, err
	}
	dir, err := os.MkdirTemp("", "taskinstr-confirm-")
	if err != nil {
		return Outcome{}, err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, confirmTime)
	defer cancel()
	log := filepath.Join(dir, "log")
	cmd := exec.CommandContext(ctx, o.Program, o.Args...)
	replay := "schedule=replay:" + file
	cmd.Env = append(os.Environ(), "TASKINSTR="+strings.TrimSpace(os.Getenv("TASKINSTR")+" "+replay+" format=json log_path="+log))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Outcome{Text: fmt.Sprintf("not confirmed: the program did not end within %v in the order of %s", confirmTime, file)}, nil
	case err != nil && !errors.As(err, &exit):
		return Outcome{}, fmt.Errorf("cannot run %s in the order of %s: %w", o.Program, file, err)
	}
	switch happened, err := happened(log, s, r); {
	case err != nil:
		return Outcome{}, err
	case happened == event.TierRace.String():
		return Outcome{true, "confirmed: the race happens with TASKINSTR=" + replay}, nil
	case exit != nil && exit.ExitCode() == exitcode.Diverged:
		return Outcome{Text: "not confirmed (diverged): " + divergence(out.String(), log)}, nil
	case happened != "":
		return Outcome{Text: "not confirmed: with TASKINSTR=" + replay + " the order of locks keeps the accesses apart again"}, nil
	}
	return Outcome{Text: "not confirmed: with TASKINSTR=" + replay + " the accesses do not race"}, nil
}

// divergence returns the sentence that names the place where a run left its record.
func divergence(out, log string) string {
	files, _ := filepath.Glob(log + "*")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		out += string(text)
	}
	var words []string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if at, ok := strings.CutPrefix(line, "taskinstr: schedule=replay: "); ok {
			words = []string{at}
		} else if len(words) == 1 && strings.HasPrefix(line, "recorded: ") {
			words = append(words, line)
		}
	}
	return strings.Join(words, "; ")
}

// An access is one side of a race in the log of a program.
type access struct {
	Position string
	Also     []struct{ Position string }
	Stack    []struct {
		File string
		Line int
	}
}

// at reports whether the access, or another access that its check covers, is in the line.
func (a *access) at(line string) bool {
	if sameLine(a.Position, line) {
		return true
	}
	for _, x := range a.Also {
		if sameLine(x.Position, line) {
			return true
		}
	}
	return a.Position == "" && len(a.Stack) > 0 && sameLine(fmt.Sprintf("%s:%d", a.Stack[0].File, a.Stack[0].Line), line)
}

// sameLine compares positions without their columns.
func sameLine(a, b string) bool { return a != "" && lineOf(a) == lineOf(b) }

func lineOf(position string) string {
	words := strings.Split(position, ":")
	for len(words) > 2 && isNumber(words[len(words)-2]) {
		words = words[:len(words)-1] // the column
	}
	return strings.Join(words, ":")
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// happened returns the strongest tier of a race between the places of r in a program's
// log, "" without one.
func happened(log string, s *trace.Symbols, r event.Race) (string, error) {
	x, y := s.Position(r.First.Site, r.First.Stack), s.Position(r.Second.Site, r.Second.Stack)
	files, err := filepath.Glob(log + "*") // the runtime adds the process id to the name
	found := ""
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		for line := range bytes.Lines(text) {
			var e struct {
				Type             string
				Access, Previous access
			}
			if json.Unmarshal(line, &e) != nil || e.Type == "" || found == event.TierRace.String() {
				continue
			}
			a, b := &e.Access, &e.Previous
			if a.at(x) && b.at(y) || a.at(y) && b.at(x) {
				found = e.Type
			}
		}
	}
	return found, err
}

// RunAll writes the order of each race that has one, and runs the program in it. It returns
// whether a race was confirmed.
func (o *Orders) RunAll(open suite.Source, results []*suite.Result) (confirmed bool, err error) {
	s, err := Symbols(open)
	if err != nil {
		return false, err
	}
	for _, x := range results {
		for i := range x.Races {
			r := &x.Races[i]
			if r.Schedule == "" {
				continue
			}
			file, err := o.Write(*r)
			if err != nil {
				return false, err
			}
			if o.Program == "" {
				r.Note += "\n  the order is in " + file + ": TASKINSTR=schedule=replay:" + file + " runs the program in it"
				continue
			}
			y, err := o.Confirm(context.Background(), s, *r)
			if err != nil {
				return false, err
			}
			r.Note += "\n  " + y.Text
			if y.Confirmed && r.Tier == event.TierPossible {
				r.Tier = event.TierPredicted
			}
			confirmed = confirmed || y.Confirmed
		}
	}
	return confirmed, nil
}

// Symbols reads a trace to its end and returns its symbols.
func Symbols(open suite.Source) (*trace.Symbols, error) {
	r, c, err := open()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var e event.Event
	for err == nil {
		err = r.Next(&e)
	}
	if err != io.EOF {
		return nil, err
	}
	return r.Symbols, nil
}
