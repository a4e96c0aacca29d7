package dfs

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// A Record holds the choices of a run of a checked program (docs/design/schedule.md) for an
// [Explorer]. The return of main is the choice of a task named exit.
type Record struct {
	Choices []Choice
	head    []string // the lines that say how the program was run
	names   []string // the lines that number long paths
}

// ParseRecord parses a record that a run with TASKINSTR="schedule=... record=FILE" wrote, or one that was made
// of it. The choices do not tell how far their tasks run ("to lock 3").
func ParseRecord(text string) (*Record, error) {
	r := &Record{}
	event, late := -1, false
	if end := strings.LastIndexByte(text, '\n'); end >= 0 {
		text = text[:end] // the last line is incomplete
	}
	for i, line := range strings.Split(text, "\n") {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "points", "seed", "wall", "access", "cryptorand", "loose":
			r.head = append(r.head, line)
			continue
		case "", "taskinstr", "strategy", "clock", "timer":
			continue
		case "#":
			if n, ok := strings.CutPrefix(rest, "event "); ok {
				if v, err := strconv.Atoi(n); err == nil {
					event = v
				}
			}
			late = late || rest == "late"
			continue
		case "let":
			r.names = append(r.names, line)
			continue
		}
		if strings.HasPrefix(word, "#") {
			continue
		}
		c := Choice{Task: word, Event: event, Late: late}
		event, late = -1, false
		if word == "none" {
			c.Task = ""
		}
		times, ok := c.parse(rest)
		if !ok {
			return nil, fmt.Errorf("dfs: line %d of the record: %q is no choice", i+1, line)
		}
		for range times {
			r.Choices = append(r.Choices, c)
		}
		if c.Task == "" {
			break // the program was locked out; its tasks now wait inside their lock operations
		}
	}
	return r, nil
}

// parse reads the rest of a line behind the name of a choice's task: its candidates, how far the task runs,
// or how often in a row it is chosen. It returns how often the choice is made.
func (c *Choice) parse(rest string) (times int, ok bool) {
	if list, ok := strings.CutPrefix(rest, "|"); ok {
		c.Candidates = []Candidate{}
		for _, f := range strings.Fields(list) {
			x, ok := parseCandidate(f)
			if !ok {
				return 0, false
			}
			c.Candidates = append(c.Candidates, x)
		}
		return 1, true
	}
	if stop, ok := strings.CutPrefix(rest, "to "); ok {
		_, n, _ := strings.Cut(stop, " ")
		_, err := strconv.ParseUint(n, 10, 32)
		return 1, err == nil
	}
	if rest == "" {
		return 1, true
	}
	n, err := strconv.Atoi(rest)
	return n, err == nil && n >= 1
}

// parseCandidate parses a task, a colon, and the lock of the section that the task is about to enter, with
// letters for the kind of the section.
func parseCandidate(text string) (x Candidate, ok bool) {
	task, lock, ok := strings.Cut(text, ":")
	x.Task = task
	lock, x.Blocked = strings.CutSuffix(lock, "!")
	lock, x.Section.Unlock = strings.CutSuffix(lock, "u")
	lock, x.Section.Try = strings.CutSuffix(lock, "t")
	lock, x.Section.Wait = strings.CutSuffix(lock, "w")
	x.Section.Lock, x.Section.Shared = strings.CutSuffix(lock, "r")
	return x, ok
}

// WritePrefix writes a record that begins like r and makes the choices of prefix, for a
// run with TASKINSTR="schedule=replay:FILE record=...".
func (r *Record) WritePrefix(w io.Writer, prefix []string) error {
	var b strings.Builder
	b.WriteString("taskinstr schedule 1\n")
	for _, line := range slices.Concat(r.head, r.names) {
		b.WriteString(line + "\n")
	}
	for _, task := range prefix {
		b.WriteString(task + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
