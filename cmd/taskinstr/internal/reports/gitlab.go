package reports

import (
	"io"

	"taskinstr/cmd/taskinstr/internal/outfile"
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
	for _, x := range s.items(t.root) {
		i := gitlabIssue{Description: x.kind + ": " + x.what, Check: x.rule, Fingerprint: x.fingerprint, Severity: "critical", Location: gitlabLocation{"go.mod", gitlabLines{1}}}
		if x.predicted {
			i.Severity = "minor"
		}
		if p := x.place; p.Inside {
			i.Location = gitlabLocation{p.File, gitlabLines{max(p.Line, 1)}}
		}
		issues = append(issues, i)
	}
	return outfile.WriteJSON(w, issues)
}
