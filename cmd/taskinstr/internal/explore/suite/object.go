package suite

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/reports"
)

// object returns the finding as an object that `taskinstr report` reads: the report of a race as the program has written it, or a
// finding of another kind.
func (x *found) object() []byte {
	if x.Report != nil {
		return slices.Clip(x.Report)
	}
	test := x.unit.target.path
	if x.unit.test != "" {
		test += "." + x.unit.test
	}
	f := reports.Finding{Type: reports.TypeFinding, Kind: string(x.Kind), Fingerprint: x.Fingerprint, Title: x.Title, Schedule: x.file,
		Places: places(x.Finding, x.unit.target.dir), Reports: max(x.runs, 1), Tests: []string{test}}
	text, err := json.Marshal(&f)
	if err != nil {
		return nil // no field can fail
	}
	return text
}

// A place in a finding's title or text is FILE:LINE, at its end behind "at", or behind the name of a test that has failed.
var place = regexp.MustCompile(`^(?:.* at (\S.*\.go:\d+)$|\S+: (\S+\.go:\d+): )`)

// places returns the places that a finding names, in order. Files without a folder are in dir, the package's.
func places(f *batch.Finding, dir string) (list []reports.Located) {
	said := strings.Split(f.Title, "; ")
	if f.Kind == batch.Timeout {
		blocked, _, _ := strings.Cut(f.Text, "\n\n")
		said = strings.Split(blocked, "\n")
	}
	for _, text := range said {
		m := place.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		position := m[1] + m[2]
		if !filepath.IsAbs(position) {
			position = filepath.Join(dir, position)
		}
		list = append(list, reports.Located{Position: position, Text: text})
	}
	return list
}
