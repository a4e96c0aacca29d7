package suite

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/reports"
	"taskinstr/detector/trace/report"
)

// An output shows an exploration.
type output struct {
	out      io.Writer
	err      io.Writer
	json     bool
	dir      string // file names are relative to it
	progress *terminal.Progress
	shown    time.Time // when the progress was shown last
}

// order is the order in which kinds of findings are listed.
var order = []batch.Kind{batch.Race, batch.Deadlock, batch.Panic, batch.Failure, batch.Crash, batch.Timeout, batch.Leak, batch.Predicted}

// An event is a line of the output with -json.
type event struct {
	Event       string          `json:"event"` // start, found, finding, test, end
	Time        time.Time       `json:"time"`
	Package     string          `json:"package,omitempty"`
	Test        string          `json:"test,omitempty"`
	Kind        batch.Kind      `json:"kind,omitempty"`
	Fingerprint string          `json:"fingerprint,omitempty"`
	Title       string          `json:"title,omitempty"`
	Text        string          `json:"text,omitempty"`
	Report      json.RawMessage `json:"report,omitempty"`
	Ordinary    *bool           `json:"ordinary,omitempty"`  // a run without a schedule shows the finding, too
	Confirmed   string          `json:"confirmed,omitempty"` // of predicted races
	Schedule    string          `json:"schedule,omitempty"`  // the file of the shortest schedule
	Switches    *int            `json:"switches,omitempty"`
	Reproduced  string          `json:"reproduced,omitempty"` // "5 of 5"
	Runs        *int            `json:"runs,omitempty"`       // schedules that showed the finding, or ran
	First       uint64          `json:"first,omitempty"`      // the number of the first schedule that showed the finding, from 1 on
	Graphs      *int            `json:"graphs,omitempty"`     // different happens-before graphs
	Coverage    *float64        `json:"coverage,omitempty"`   // 0 to 1
	Stopped     string          `json:"stopped,omitempty"`    // why a test got no more schedules
	Controlled  *bool           `json:"controlled,omitempty"` // whether a test depends on its schedule alone, as far as two runs of one tell
	Tests       int             `json:"tests,omitempty"`
	Findings    *int            `json:"findings,omitempty"`
	Seconds     float64         `json:"seconds,omitempty"`
	Artifacts   string          `json:"artifacts,omitempty"`
	Interrupted bool            `json:"interrupted,omitempty"`
}

func (o *output) write(e event) {
	e.Time = time.Now()
	line, err := json.Marshal(e)
	if err == nil {
		o.out.Write(append(line, '\n'))
	}
}

func (o *output) event(s *session, kind string, u *unit, x *found) {
	switch {
	case kind == eventFound && o.json:
		o.write(event{Event: "found", Package: u.target.path, Test: u.test, Kind: x.Kind, Fingerprint: x.Fingerprint, Title: x.Title})
	case kind == eventStopped && o.json:
		o.test(u)
	}
	if kind == eventFound && !o.json {
		o.progress.Clear()
		fmt.Fprintf(o.err, "found: %s %s in %s\n", x.Kind, x.Fingerprint, u.name())
	}
	if time.Since(o.shown) > 100*time.Millisecond {
		o.shown = time.Now()
		all := len(s.units) * s.options.count
		of := ""
		if all > 0 {
			of = fmt.Sprintf(" of at most %d", all)
		}
		doing := "exploring"
		if s.shortening > 0 {
			doing = "shortening schedules"
		}
		o.progress.Show("%s: %d%s schedules of %s, %s, %d s", doing, s.runs(), of, reports.Count(len(s.units), "test"), reports.Count(len(s.founds), "finding"), int(time.Since(s.start).Seconds()))
	}
}

// test writes the event of a test that gets no more schedules.
func (o *output) test(u *unit) {
	runs, graphs, coverage, controlled := u.result.Runs, len(u.cover.graphs), 1-u.cover.unseen(), u.controlled()
	o.write(event{Event: "test", Package: u.target.path, Test: u.test, Runs: &runs, Graphs: &graphs, Coverage: &coverage, Stopped: u.stopped, Controlled: &controlled})
}

func (u *unit) name() string {
	if u.test == "" {
		return u.target.path
	}
	return u.test
}

// result prints the findings and the figures.
func (o *output) result(s *session, interrupted bool) {
	o.progress.Clear()
	seconds := time.Since(s.start).Seconds()
	list := slices.Clone(s.founds)
	slices.SortStableFunc(list, func(a, b *found) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	if o.json {
		for _, u := range s.units {
			if u.stopped == "" {
				o.test(u)
			}
		}
		for _, x := range list {
			o.finding(x)
		}
		runs, n, coverage := s.runs(), len(list), s.coverage()
		o.write(event{Event: "end", Tests: len(s.units), Runs: &runs, Findings: &n, Coverage: &coverage, Seconds: seconds, Artifacts: s.dir, Interrupted: interrupted})
		return
	}
	for _, x := range list {
		o.text(x)
	}
	runs := s.runs()
	cut := ""
	if interrupted {
		cut = ", interrupted"
	}
	rate, digits := float64(runs)/max(seconds, 0.001), 0
	if rate < 10 {
		digits = 1
	}
	fmt.Fprintf(o.out, "explored: %s of %s in %.1f s (%.*f a second)%s: %s\n", reports.Count(runs, "schedule"), reports.Count(len(s.units), "test"), seconds, digits, rate, cut, count(list))
	if runs > 0 {
		o.coverage(s)
	}
	o.exceptions(s)
	if len(list) > 0 {
		fmt.Fprintf(o.out, "  schedules and full texts: %s\n", s.dir)
	}
}

// count says how many findings there are of each kind.
func count(list []*found) string {
	var parts []string
	for _, k := range order {
		n := 0
		for _, x := range list {
			if x.Kind == k {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, reports.Count(n, string(k)))
		}
	}
	if parts == nil {
		return "no finding"
	}
	return strings.Join(parts, ", ")
}

// coverage returns the mean coverage of the tests, weighted by their schedules.
func (s *session) coverage() float64 {
	n, sum := 0, 0.0
	for _, u := range s.units {
		n += u.cover.runs
		sum += float64(u.cover.runs) * (1 - u.cover.unseen())
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// coverage prints what further schedules may show.
func (o *output) coverage(s *session) {
	var least *unit
	done := 0
	for _, u := range s.units {
		if u.cover.saturated() {
			done++
		}
		if u.cover.runs > 0 && (least == nil || u.cover.unseen() > least.cover.unseen()) {
			least = u
		}
	}
	if least == nil {
		return
	}
	if done == len(s.units) {
		fmt.Fprintf(o.out, "  coverage: further schedules are not expected to show anything new in any test\n")
		return
	}
	fmt.Fprintf(o.out, "  coverage: nothing new is expected in %d of %s; least in %s, where about %s of 100 further schedules would show a new order of events\n",
		done, reports.Count(len(s.units), "test"), least.name(), percent(least.cover.unseen()))
}

// exceptions names the tests that the figures do not tell enough about.
func (o *output) exceptions(s *session) {
	name := func(what string, which func(u *unit) bool) {
		var names []string
		for _, u := range s.units {
			switch {
			case !which(u):
			case u.slow && u.stacks != "":
				names = append(names, fmt.Sprintf("%s (its goroutines: %s)", u.name(), reports.Relative(o.dir, u.stacks)))
			default:
				names = append(names, u.name())
			}
		}
		if n := len(names); n > 0 {
			if n > maxLines {
				names = append(names[:maxLines], fmt.Sprintf("%d more", n-maxLines))
			}
			fmt.Fprintf(o.out, "  %s: %s\n", what, strings.Join(names, ", "))
		}
	}
	name("not fully controlled, because the same schedule ran otherwise the second time (time, network, system)", func(u *unit) bool { return !u.controlled() })
	name("left out, because one run takes more than a tenth of the time (-timeout=DURATION allows more)", func(u *unit) bool { return u.slow })
}

// percent returns a share as a percentage of at least 1.
func percent(share float64) string { return fmt.Sprint(int(math.Ceil(100*share - 1e-9))) }

// text prints a finding.
func (o *output) text(x *found) {
	fmt.Fprintf(o.out, "%s %s in %s", x.Kind, x.Fingerprint, x.unit.name())
	if x.runs > 0 {
		fmt.Fprintf(o.out, ", in %d of %s", x.runs, reports.Count(x.unit.result.Runs, "schedule"))
	}
	fmt.Fprintln(o.out)
	for _, line := range o.lines(x) {
		fmt.Fprintf(o.out, "  %s\n", line)
	}
	switch {
	case x.ordinary == batch.Race && x.Kind == batch.Predicted:
		fmt.Fprintln(o.out, "  it happens in a run without a schedule")
	case x.ordinary == x.Kind && x.runs == 0:
		fmt.Fprintln(o.out, "  only in a run without a schedule")
	case x.ordinary == x.Kind:
		fmt.Fprintln(o.out, "  in a run without a schedule, too")
	}
	if x.note != "" {
		fmt.Fprintf(o.out, "  %s\n", x.note)
	}
	if x.Schedule != "" {
		fmt.Fprintf(o.out, "  shortest schedule: %s", switches(x.Switches))
		if x.first > x.Switches {
			fmt.Fprintf(o.out, " (the first one had %d)", x.first)
		}
		if x.replays > 0 && x.reproduced < x.replays {
			fmt.Fprintf(o.out, "; it shows this in %d of %d replays: the test depends on more than its schedule", x.reproduced, x.replays)
		}
		fmt.Fprintf(o.out, "\n  again: taskinstr replay %s\n", reports.Relative(o.dir, x.file))
	}
	fmt.Fprintln(o.out)
}

func switches(n int) string {
	if n == 1 {
		return "1 switch between goroutines"
	}
	return fmt.Sprintf("%d switches between goroutines", n)
}

// maxLines bounds the lines of a finding's summary.
const maxLines = 6

// lines returns the summary of a finding.
func (o *output) lines(x *found) (list []string) {
	var r reports.Merged
	switch {
	case x.Report != nil && json.Unmarshal(x.Report, &r.Report) == nil:
		for _, a := range []*report.Access{&r.Access, &r.Previous} {
			list = append(list, fmt.Sprintf("%s at %s", reports.Brief(a), reports.Relative(o.dir, a.Position)))
		}
	case x.Kind == batch.Timeout:
		list = append(list, x.Title)
		blocked, _, _ := strings.Cut(x.Text, "\n\n")
		list = append(list, strings.Split(blocked, "\n")...)
	default:
		list = strings.Split(x.Title, "; ")
	}
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], o.dir+"/", "")
	}
	if len(list) > maxLines {
		list = append(list[:maxLines], fmt.Sprintf("and %d more", len(list)-maxLines))
	}
	return list
}

func (o *output) finding(x *found) {
	ordinary := x.ordinary == x.Kind || x.ordinary == batch.Race
	e := event{Event: "finding", Package: x.unit.target.path, Test: x.unit.test, Kind: x.Kind, Fingerprint: x.Fingerprint, Title: x.Title, Text: x.Text,
		Report: x.Report, Ordinary: &ordinary, Confirmed: x.note, Runs: &x.runs, First: x.earliest}
	if x.Schedule != "" {
		e.Schedule, e.Switches = x.file, &x.Switches
		if x.replays > 0 {
			e.Reproduced = fmt.Sprintf("%d of %d", x.reproduced, x.replays)
		}
	}
	o.write(e)
}
