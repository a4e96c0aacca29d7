package reports

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/cmd/taskinstr/internal/sarif"
	"taskinstr/detector/trace/report"
)

// The rules of races.
const (
	ruleRace = iota
	rulePredicted
)

type tags struct {
	Tags []string `json:"tags"`
}

func rule(id, name, level, short, full, help string) sarif.Rule {
	return sarif.Rule{ID: id, Name: name, Short: sarif.Text{Text: short}, Full: &sarif.Text{Text: full}, Help: &sarif.Text{Text: help},
		Default: &sarif.Configuration{Level: level}, Props: tags{[]string{"concurrency", "correctness"}}}
}

// scheduled is the rule of findings of explorations.
func scheduled(id, name, short, full string) sarif.Rule {
	return rule(id, name, "error", short, "A schedule of the test exists in which "+full+".",
		"taskinstr replay FINGERPRINT.schedule runs the schedule that shows it; -picture draws its steps.")
}

// rules are the rules of the log.
var rules = []sarif.Rule{
	ruleRace: rule("race", "DataRace", "error", "Data race",
		"Two goroutines accessed the same memory, at least one of them wrote, and nothing ordered the accesses.",
		"In this run the Go memory model did not order the two accesses. Protect both with one lock, or make one goroutine wait for the other (a channel, a WaitGroup)."),
	rulePredicted: rule("predicted-race", "PredictedDataRace", "warning", "Predicted data race",
		"Only the order in which locks were taken in this run ordered two accesses to the same memory, at least one of them a write.",
		"The two accesses hold no lock in common. In another run the locks may be taken in the other order, and then nothing orders the accesses. Protect both with one lock."),
	scheduled("deadlock", "Deadlock", "Deadlock", "no goroutine can run any more"),
	scheduled("panic", "Panic", "Panic or fatal error", "the program panics, or the runtime ends it"),
	scheduled("test-failure", "TestFailure", "Failed test", "it fails"),
	scheduled("crash", "Crash", "Crash", "its process ends in another way than tests do"),
	scheduled("time-out", "TimeOut", "Test without an end", "it has not ended within its time"),
	scheduled("leak", "Leak", "Goroutine left behind", "a goroutine that the test has started is still there when the process ends"),
}

// writeSARIF writes a log with one run.
func (s *Set) writeSARIF(w io.Writer, t *target) error {
	var results []sarif.Result
	for _, m := range s.All() {
		results = append(results, t.root.result(m))
	}
	for _, f := range s.Findings() {
		index := slices.IndexFunc(rules, func(r sarif.Rule) bool { return r.ID == f.rule() })
		if index < 0 {
			return fmt.Errorf("the finding %s is of the kind %q, which this taskinstr does not know", f.Fingerprint, f.Kind)
		}
		results = append(results, t.root.findingResult(f, index))
	}
	return sarif.Write(w, t.version, t.root.Dir, rules, results)
}

func (r root) result(m *Merged) sarif.Result {
	rule := ruleRace
	if m.Type != report.TypeRace {
		rule = rulePredicted
	}
	res := sarif.Result{
		RuleID: rules[rule].ID, RuleIndex: rule, Kind: "fail", Level: rules[rule].Default.Level,
		Message:   sarif.Text{Text: m.What() + ". " + r.Relative(strings.Join(m.Why, "; ")) + "."},
		Locations: []sarif.Location{},
		// Code scanning of GitHub knows alerts again by the first one alone.
		Fingerprints: map[string]string{"primaryLocationLineHash": m.Fingerprint + ":1", "taskinstr/v1": m.Fingerprint},
		Occurrences:  m.Reports,
	}
	if p, ok := r.shown(&m.Access); ok {
		res.Locations = append(res.Locations, location(p, Function(m.Access.Stack), ""))
	}
	related := func(p excerpt.Place, ok bool, text string) {
		if ok {
			l := location(p, "", text)
			l.ID = len(res.Related) + 1
			res.Related = append(res.Related, l)
		}
	}
	p, ok := r.shown(&m.Previous)
	related(p, ok, "the earlier access: "+Brief(&m.Previous))
	for _, a := range []*report.Access{&m.Access, &m.Previous} {
		for _, h := range a.Locks {
			file, line, column := excerpt.SplitPosition(h.Position)
			related(r.Find(file, line, column, h.Expression), file != "", "goroutine "+Goroutine(a)+" takes "+LockName(&h)+" here")
		}
		p, ok := r.created(a)
		related(p, ok, "goroutine "+Goroutine(a)+" is created here")
	}
	if flow := r.flow(m); len(flow.ThreadFlows) > 0 {
		res.CodeFlows = []sarif.CodeFlow{flow}
	}
	if m.Known {
		res.Suppressions = []sarif.Suppression{{Kind: "external"}}
	}
	if len(m.Tests) > 0 {
		res.Props = map[string][]string{"tests": m.Tests}
	}
	return res
}

// created returns the place in the repository where the goroutine of an access was created.
func (r root) created(a *report.Access) (p excerpt.Place, ok bool) {
	for _, f := range a.Created {
		if f.File == "" {
			continue
		}
		if p := r.Find(f.File, f.Line, 0, ""); p.Inside {
			return p, true
		}
	}
	return excerpt.Place{}, false
}

// flow returns the ways of the two goroutines to their accesses: the calls that led to the go
// statement, then the calls that led to the access.
func (r root) flow(m *Merged) sarif.CodeFlow {
	flow := sarif.CodeFlow{Message: &sarif.Text{Text: "the stacks of both accesses"}}
	for i, a := range []*report.Access{&m.Access, &m.Previous} {
		th := sarif.ThreadFlow{ID: Goroutine(a), Message: &sarif.Text{Text: "the later access: " + Brief(a)}}
		if i > 0 {
			th.Message.Text = "the earlier access: " + Brief(a)
		}
		step := func(p excerpt.Place, depth int, function, text, importance string) {
			th.Steps = append(th.Steps, sarif.Step{Location: location(p, function, text), Nesting: depth, Importance: importance})
		}
		calls := func(stack []report.Frame, last string) {
			for k := len(stack) - 1; k >= 0; k-- {
				f := stack[k]
				if f.File == "" {
					continue
				}
				text := "in " + f.Function
				if k == 0 && last != "" {
					text = last
				}
				step(r.Find(f.File, f.Line, 0, ""), len(stack)-1-k, f.Function, text, "")
			}
		}
		if b := a.Branch; b != nil {
			calls(b.Created, "an ancestor of goroutine "+Goroutine(a)+" is created")
		}
		calls(a.Created, "goroutine "+Goroutine(a)+" is created")
		calls(a.Stack, "")
		if p, ok := r.access(a); ok {
			step(p, len(a.Stack), Function(a.Stack), Brief(a), "essential")
		}
		if len(th.Steps) > 0 {
			flow.ThreadFlows = append(flow.ThreadFlows, th)
		}
	}
	return flow
}

// location returns the place as a location, with the function around it and a message if these
// are known.
func location(p excerpt.Place, function, text string) sarif.Location {
	l := sarif.Location{Physical: sarif.Physical{Artifact: artifact(p)}}
	if p.Line > 0 {
		region := sarif.Region(p.Region)
		l.Physical.Region = &region
	}
	if function != "" {
		l.Logical = []sarif.Logical{{Name: function, Kind: "function"}}
	}
	if text != "" {
		l.Message = &sarif.Text{Text: text}
	}
	return l
}

func artifact(p excerpt.Place) sarif.Artifact {
	a := sarif.File(filepath.FromSlash(p.File))
	if !p.Inside {
		a.BaseID = "" // the name is not relative to the repository
	}
	return a
}
