package reports

import (
	"io"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/detector/trace/report"
)

// An item is a report that is not known, or a finding, as services show it that know nothing of stacks.
type item struct {
	fingerprint, rule string
	kind              string        // such as data race
	predicted         bool          // it fails no test
	name              string        // for a list
	what              string        // on one line
	sentences         string        // what, where and why
	class             string        // the package under which a server files it
	place             excerpt.Place // in the repository if Inside is true
	text              func(io.Writer)
}

// items returns the reports that are not known, and then the findings.
func (s *Set) items(r root) (list []item) {
	for _, m := range s.Shown() {
		x := item{fingerprint: m.Fingerprint, rule: rules[ruleRace].ID, kind: "data race", name: m.What(), what: r.accesses(m, " "), sentences: r.sentences(m),
			class: m.class(), text: func(w io.Writer) { m.Text(w, m.notes()...) }}
		if m.Type != report.TypeRace {
			x.rule, x.kind, x.predicted = rules[rulePredicted].ID, "predicted data race", true
		}
		x.place, _ = r.shown(&m.Access)
		list = append(list, x)
	}
	for _, f := range s.Findings() {
		x := item{fingerprint: f.Fingerprint, rule: f.rule(), kind: f.Kind, name: f.Kind, what: r.Relative(f.Title), sentences: r.findingSentences(f), class: class(f.Tests), text: f.text}
		if len(f.Places) > 0 {
			x.place = r.located(f.Places[0])
		}
		list = append(list, x)
	}
	return list
}
