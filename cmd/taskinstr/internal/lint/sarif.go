package lint

import (
	"io"

	"taskinstr/cmd/taskinstr/internal/sarif"
)

// sarifProps are the properties of a result.
type sarifProps struct {
	Fate    Fate   `json:"fate"`
	Access  string `json:"access"`
	Expr    string `json:"expression"`
	Package string `json:"package"`
}

// writeSARIF prints a log with one run. The results are informational: a kept or removed
// check is no fault of the program.
func (r *Report) writeSARIF(w io.Writer, version string) error {
	var rules []sarif.Rule
	index := map[string]int{}
	rule := func(id, text string) {
		index[id] = len(rules)
		rules = append(rules, sarif.Rule{ID: id, Short: sarif.Text{Text: text}})
	}
	rule(string(Kept), "the access is checked each time it is made")
	for _, p := range r.Passes {
		rule(p, r.Doc[p])
	}
	var results []sarif.Result
	for _, s := range r.Sites {
		res := sarif.Result{
			RuleID: s.rule(), RuleIndex: index[s.rule()], Kind: "informational", Level: "none",
			Message:   sarif.Text{Text: s.Subject() + ": " + s.Verdict()},
			Locations: []sarif.Location{{Physical: s.region()}},
			Props:     sarifProps{s.Fate, s.Access, s.Expr, s.Package},
		}
		if s.Func != "" {
			res.Locations[0].Logical = []sarif.Logical{{Name: s.Package + "." + s.Func, Kind: "function"}}
		}
		if s.By != nil {
			by := sarif.Physical{Artifact: sarif.File(s.By.File), Region: &sarif.Region{Line: s.By.Line, Column: s.By.Column}}
			if s.by != nil {
				by = s.by.region()
			}
			res.Related = []sarif.Location{{ID: 1, Physical: by, Message: &sarif.Text{Text: "the access whose check stands for it"}}}
		}
		results = append(results, res)
	}
	return sarif.Write(w, version, r.Dir, rules, results)
}

// region returns the place of the site's expression.
func (s *Site) region() sarif.Physical {
	reg := sarif.Region(s.source.Region(s.Line, s.Column, s.Expr))
	return sarif.Physical{Artifact: sarif.File(s.File), Region: &reg}
}
