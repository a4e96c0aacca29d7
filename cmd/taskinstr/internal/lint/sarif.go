package lint

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// The parts of SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0) that the log uses.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool                `json:"tool"`
		BaseIDs    map[string]sarifArtifact `json:"originalUriBaseIds"`
		ColumnKind string                   `json:"columnKind"`
		Results    []sarifResult            `json:"results"` // required, even if empty
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Kind      string          `json:"kind"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Props     sarifProps      `json:"properties"`
	}
	sarifProps struct {
		Fate    Fate   `json:"fate"`
		Access  string `json:"access"`
		Expr    string `json:"expression"`
		Package string `json:"package"`
	}
	sarifLocation struct {
		ID       int            `json:"id,omitempty"`
		Physical sarifPhysical  `json:"physicalLocation"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifText     `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		Line      int `json:"startLine"`
		Column    int `json:"startColumn"`
		EndLine   int `json:"endLine,omitempty"`
		EndColumn int `json:"endColumn,omitempty"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

const (
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	sarifBase    = "%SRCROOT%"
	sarifColumns = "unicodeCodePoints"
)

// writeSARIF prints a log with one run. The results are informational: a kept or removed
// check is no fault of the program.
func (r *Report) writeSARIF(w io.Writer, version string) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "taskinstr", Version: version}},
		BaseIDs:    map[string]sarifArtifact{sarifBase: {URI: fileURI(r.Dir) + "/"}},
		ColumnKind: sarifColumns,
		Results:    []sarifResult{},
	}
	index := map[string]int{}
	rule := func(id, text string) {
		index[id] = len(run.Tool.Driver.Rules)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{id, sarifText{text}})
	}
	rule(string(Kept), "the access is checked each time it is made")
	for _, p := range r.Passes {
		rule(p, r.Doc[p])
	}
	for _, s := range r.Sites {
		res := sarifResult{
			RuleID: s.rule(), RuleIndex: index[s.rule()], Kind: "informational", Level: "none",
			Message:   sarifText{s.Subject() + ": " + s.Verdict()},
			Locations: []sarifLocation{{Physical: s.region()}},
			Props:     sarifProps{s.Fate, s.Access, s.Expr, s.Package},
		}
		if s.Func != "" {
			res.Locations[0].Logical = []sarifLogical{{s.Package + "." + s.Func, "function"}}
		}
		if s.By != nil {
			by := sarifPhysical{Artifact: artifact(s.By.File), Region: sarifRegion{Line: s.By.Line, Column: s.By.Column}}
			if s.by != nil {
				by = s.by.region()
			}
			res.Related = []sarifLocation{{ID: 1, Physical: by, Message: &sarifText{"the access whose check stands for it"}}}
		}
		run.Results = append(run.Results, res)
	}
	return encode(w, sarifLog{sarifSchema, "2.1.0", []sarifRun{run}})
}

// artifact returns the location of a file, relative to the working directory if the file is
// below it.
func artifact(file string) sarifArtifact {
	if filepath.IsAbs(file) {
		return sarifArtifact{URI: fileURI(file)}
	}
	return sarifArtifact{URI: (&url.URL{Path: filepath.ToSlash(file)}).String(), BaseID: sarifBase}
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // the path begins with a drive letter
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(path, "/")}).String()
}

// region returns the site's expression, with columns counted in characters.
func (s *Site) region() sarifPhysical {
	reg := sarifRegion{Line: s.Line, Column: s.Column}
	line, ok := s.source.line(s.Line)
	if off, in := s.source.offset(s.Line, s.Column); ok && in && s.Column-1 <= len(line) {
		reg.Column = utf8.RuneCountInString(line[:s.Column-1]) + 1
		text := string(s.source.text[off:s.source.extent(off, s.Expr)])
		if i := strings.LastIndexByte(text, '\n'); i >= 0 {
			reg.EndLine = s.Line + strings.Count(text, "\n")
			reg.EndColumn = utf8.RuneCountInString(text[i+1:]) + 1
		} else {
			reg.EndLine = s.Line
			reg.EndColumn = reg.Column + utf8.RuneCountInString(text)
		}
	}
	return sarifPhysical{artifact(s.File), reg}
}
