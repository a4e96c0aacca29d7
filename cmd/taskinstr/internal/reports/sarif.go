package reports

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"taskinstr/cmd/taskinstr/internal/sarif"
	"taskinstr/detector/trace/report"
)

// The rules of the log.
const (
	ruleRace = iota
	rulePredicted
)

var rules = []sarif.Rule{
	ruleRace:      {ID: "race", Short: sarif.Text{Text: "nothing orders two accesses to the same memory, at least one of them a write"}},
	rulePredicted: {ID: "predicted-race", Short: sarif.Text{Text: "only the order in which locks were taken in this run orders two accesses"}},
}

// writeSARIF prints a log with one run.
func (s *Set) writeSARIF(w io.Writer, version string) error {
	dir := workingDir()
	var results []sarif.Result
	for _, m := range s.All() {
		rule, level := ruleRace, "error"
		if m.Type != report.TypeRace {
			rule, level = rulePredicted, "warning"
		}
		r := sarif.Result{
			RuleID: rules[rule].ID, RuleIndex: rule, Kind: "fail", Level: level,
			Message:      sarif.Text{Text: m.What() + ". " + strings.Join(m.Why, "; ") + "."},
			Locations:    locations(dir, &m.Access),
			Related:      locations(dir, &m.Previous),
			Fingerprints: map[string]string{"taskinstr/v1": m.Fingerprint},
			Occurrences:  m.Reports,
		}
		for i := range r.Related {
			r.Related[i].ID = i + 1
			r.Related[i].Message = &sarif.Text{Text: "the earlier access: " + Brief(&m.Previous)}
		}
		if m.Known {
			r.Suppressions = []sarif.Suppression{{Kind: "external"}}
		}
		if len(m.Tests) > 0 {
			r.Props = map[string][]string{"tests": m.Tests}
		}
		results = append(results, r)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(sarif.New(version, dir, rules, results))
}

// locations returns the place of an access, none if it is unknown.
func locations(dir string, a *report.Access) []sarif.Location {
	list := []sarif.Location{}
	file, line, column := splitPosition(a.Position)
	if file == "" {
		return list
	}
	l := sarif.Location{Physical: sarif.Physical{Artifact: sarif.File(Relative(dir, file)), Region: &sarif.Region{Line: line, Column: column}}}
	if f := function(a.Stack); f != "" {
		l.Logical = []sarif.Logical{{Name: f, Kind: "function"}}
	}
	return append(list, l)
}

// splitPosition splits file:line:column or file:line. An unknown column is 0.
func splitPosition(position string) (file string, line, column int) {
	file, last, ok := cutNumber(position)
	if !ok {
		return "", 0, 0
	}
	if f, l, ok := cutNumber(file); ok {
		return f, l, last
	}
	return file, last, 0
}

func cutNumber(s string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	n, err := strconv.Atoi(s[i+1:])
	return s[:i], n, err == nil && n > 0
}
