package reports

import (
	"encoding/json"
	"io"

	"taskinstr/detector/trace/report"
)

// A gitlabIssue is an element of a Code Quality report, which GitLab shows in merge requests.
type gitlabIssue struct {
	Description string         `json:"description"`
	Check       string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
}

// writeGitLab writes a Code Quality report. Reports without a place in the repository name
// go.mod, since each element must have a path.
func (s *Set) writeGitLab(w io.Writer, t *target) error {
	issues := []gitlabIssue{}
	for _, m := range s.Shown() {
		i := gitlabIssue{
			Description: "data race: " + t.root.accesses(m, " "),
			Check:       rules[ruleRace].ID, Fingerprint: m.Fingerprint, Severity: "critical",
			Location: gitlabLocation{"go.mod", gitlabLines{1}},
		}
		if m.Type != report.TypeRace {
			i.Check, i.Severity, i.Description = rules[rulePredicted].ID, "minor", "predicted "+i.Description
		}
		if p, ok := t.root.shown(&m.Access); ok && p.Inside {
			i.Location = gitlabLocation{p.File, gitlabLines{max(p.Line, 1)}}
		}
		issues = append(issues, i)
	}
	for _, f := range s.Findings() {
		i := gitlabIssue{
			Description: f.Kind + ": " + t.root.Relative(f.Title), Check: f.rule(), Fingerprint: f.Fingerprint, Severity: "critical",
			Location: gitlabLocation{"go.mod", gitlabLines{1}},
		}
		if p, ok := t.root.place(f); ok {
			i.Location = gitlabLocation{p.File, gitlabLines{max(p.Line, 1)}}
		}
		issues = append(issues, i)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "\t")
	enc.SetEscapeHTML(false)
	return enc.Encode(issues)
}
