package reports

import (
	"os"

	"taskinstr/cmd/taskinstr/internal/excerpt"
	"taskinstr/detector/trace/report"
)

// A root finds the places of reports in the repository to whose files a format points.
type root struct{ *excerpt.Root }

// rootVars name the variables in which services of continuous integration have the folder of
// the repository.
var rootVars = []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"}

// newRoot returns the root for a folder. If dir is empty, it is the repository's in
// continuous integration and the current folder elsewhere.
func newRoot(dir string) (root, error) {
	here, err := os.Getwd()
	if err != nil {
		return root{}, err
	}
	if dir == "" {
		dir = here
		for _, v := range rootVars {
			if above := os.Getenv(v); above != "" && excerpt.Within(above, here) {
				dir = above
				break
			}
		}
	}
	r, err := excerpt.NewRoot(dir)
	return root{r}, err
}

func (r root) access(a *report.Access) (p excerpt.Place, ok bool) {
	file, line, column := excerpt.SplitPosition(a.Position)
	if file == "" {
		return excerpt.Place{}, false
	}
	expr := a.Expression
	if a.Shortened {
		expr += "…"
	}
	return r.Find(file, line, column, expr), true
}

// shown returns the place in the repository that leads to an access: the access itself, or
// the innermost call or go statement in the repository. If there is none, it is the access.
func (r root) shown(a *report.Access) (p excerpt.Place, ok bool) {
	first, known := r.access(a)
	if first.Inside {
		return first, true
	}
	for _, stack := range [][]report.Frame{a.Stack, a.Created} {
		for _, f := range stack {
			if f.File == "" {
				continue
			}
			p := r.Find(f.File, f.Line, 0, "")
			if p.Inside {
				return p, true
			}
			if !known {
				first, known = p, true
			}
		}
	}
	return first, known
}
