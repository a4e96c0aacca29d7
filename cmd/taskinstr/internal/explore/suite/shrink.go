package suite

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
)

// A shrinker looks for a shorter schedule of a finding. It replays the record of the schedule
// with choices left out (delta debugging: A. Zeller, R. Hildebrandt, Simplifying and Isolating
// Failure-Inducing Input, IEEE TSE 2002). Choices that are then impossible are
// left out as well, and after the last one the goroutines run as in a serial schedule, each
// until it blocks. Each replay is recorded. So every candidate that shows the finding is a
// schedule of its own, and the one with the fewest switches is the result.
type shrinker struct {
	ctx    context.Context
	runner batch.Runner
	batch  batch.Batch // of one schedule
	print  string      // the fingerprint of the finding
	kind   batch.Kind
	left   int // replays that may still be made
	until  time.Time

	head string // of the record, with the paths that have numbers
	best *batch.Finding
}

const (
	maxReplays   = 300
	maxShrinking = 8 * time.Second
)

// A choices is a line of a record: a goroutine that was chosen a number of times in succession.
type choices struct {
	name  string
	count int
	timer string // the line that moves the clock to a timer before, "" if there is none
}

// shrink returns the shortest schedule of a finding that it has found: f itself if there is no
// shorter one or the record is none that can be shrunk.
func shrink(ctx context.Context, r batch.Runner, b batch.Batch, f *batch.Finding) *batch.Finding {
	s := &shrinker{ctx: ctx, runner: r, batch: b, print: f.Fingerprint, kind: f.Kind, left: maxReplays, until: time.Now().Add(maxShrinking), best: f}
	s.batch.Strategy, s.batch.Seed, s.batch.Count = "", 0, 1
	list, ok := s.parse(f.Schedule)
	if !ok || f.Kind == batch.Timeout {
		return f
	}
	if s.shows(nil) {
		return s.best
	}
	for n := len(list) + 1; len(list) < n && s.left > 0; {
		n = len(list)
		list = s.join(s.leaveOut(s.truncate(list)))
	}
	return s.best
}

// parse reads a record with scheduling points at all operations.
func (s *shrinker) parse(record string) (list []choices, ok bool) {
	var head strings.Builder
	timer := ""
	for line := range strings.Lines(record) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "exit" || strings.HasPrefix(words[0], "#"):
		case words[0] == "strategy" || words[0] == "loose" || words[0] == "clock":
		case words[0] == "timer":
			timer = line
		case words[0] == "taskinstr" || words[0] == "seed" || words[0] == "wall" || words[0] == "access" || words[0] == "cryptorand" || words[0] == "let":
			head.WriteString(line)
		case words[0] == "points":
			if words[1] != "program" && words[1] != "all" { // all: of earlier versions
				return nil, false
			}
			head.WriteString(line + "loose\n")
		default:
			c := choices{words[0], 1, timer}
			timer = ""
			if len(words) == 2 {
				var err error
				if c.count, err = strconv.Atoi(words[1]); err != nil {
					return nil, false
				}
			} else if len(words) > 2 {
				return nil, false
			}
			list = append(list, c)
		}
	}
	s.head = head.String()
	return list, strings.Contains(s.head, "\nloose\n")
}

// shows reports whether the schedule with these choices shows the finding.
func (s *shrinker) shows(list []choices) bool {
	if s.left == 0 || s.ctx.Err() != nil || time.Now().After(s.until) {
		s.left = 0
		return false
	}
	s.left--
	var b strings.Builder
	b.WriteString(s.head)
	for _, c := range merged(list) {
		fmt.Fprintf(&b, "%s%s %d\n", c.timer, c.name, c.count)
	}
	s.batch.Schedule = b.String()
	r, err := s.runner.Run(s.ctx, &s.batch)
	if err != nil {
		return false
	}
	for _, f := range r.Findings {
		if f.Fingerprint == s.print && f.Kind == s.kind && f.Schedule != "" {
			if f.Switches < s.best.Switches {
				s.best = f
			}
			return true
		}
	}
	return false
}

// truncate returns the shortest beginning of the choices that it has found to be enough.
func (s *shrinker) truncate(list []choices) []choices {
	low, high := 0, len(list)
	for low < high && s.left > 0 {
		mid := (low + high) / 2
		if s.shows(list[:mid]) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return list[:high]
}

// leaveOut leaves out parts of the choices, from halves to single lines, as long as the rest
// shows the finding.
func (s *shrinker) leaveOut(list []choices) []choices {
	for size := max(len(list)/2, 1); len(list) > 0 && s.left > 0; size /= 2 {
		removed := false
		for from := 0; from < len(list) && s.left > 0; {
			to := min(from+size, len(list))
			rest := append(append([]choices{}, list[:from]...), list[to:]...)
			if s.shows(rest) {
				list, removed = rest, true
			} else {
				from = to
			}
		}
		if size == 1 {
			if !removed {
				return list
			}
			size = 2 // once more with single lines
		}
	}
	return list
}

// join joins two lines of one goroutine, with a line of another one between them, which then
// comes before or after both.
func (s *shrinker) join(list []choices) []choices {
	for i := 0; i+2 < len(list) && s.left > 0; {
		a, b, c := list[i], list[i+1], list[i+2]
		if a.name != c.name {
			i++
			continue
		}
		both := choices{a.name, a.count + c.count, a.timer}
		joined := false
		for _, pair := range [][]choices{{b, both}, {both, b}} {
			rest := merged(slices.Concat(list[:i], pair, list[i+3:]))
			if s.shows(rest) {
				list, i, joined = rest, 0, true
				break
			}
		}
		if !joined {
			i++
		}
	}
	return list
}

// merged returns the choices with successive lines of one goroutine in one.
func merged(list []choices) (out []choices) {
	for _, c := range list {
		if n := len(out); n > 0 && out[n-1].name == c.name && c.timer == "" {
			out[n-1].count += c.count
		} else {
			out = append(out, c)
		}
	}
	return out
}

// reproduced replays the schedule of a finding n times, and returns how often it showed the
// finding again.
func reproduced(ctx context.Context, r batch.Runner, b batch.Batch, f *batch.Finding, n int) int {
	b.Strategy, b.Seed, b.Count, b.Schedule = "", 0, n, f.Schedule
	result, err := r.Run(ctx, &b)
	if err != nil {
		return 0
	}
	for _, x := range result.Findings {
		if x.Fingerprint == f.Fingerprint && x.Kind == f.Kind {
			return x.Runs
		}
	}
	return 0
}
