package sarif

import (
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"taskinstr/cmd/taskinstr/internal/outfile"
)

type (
	// A Log is a whole file.
	Log struct {
		Schema  string `json:"$schema"`
		Version string `json:"version"`
		Runs    []Run  `json:"runs"`
	}
	// A Run is one run of a tool.
	Run struct {
		Tool       Tool                `json:"tool"`
		BaseIDs    map[string]Artifact `json:"originalUriBaseIds"`
		ColumnKind string              `json:"columnKind"`
		Results    []Result            `json:"results"` // required, even if empty
	}
	// A Tool is the tool with its rules.
	Tool struct {
		Driver Driver `json:"driver"`
	}
	// A Driver is the main component of a tool.
	Driver struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		Rules   []Rule `json:"rules"`
	}
	// A Rule is a kind of results.
	Rule struct {
		ID      string         `json:"id"`
		Name    string         `json:"name,omitempty"`
		Short   Text           `json:"shortDescription"`
		Full    *Text          `json:"fullDescription,omitempty"`
		Help    *Text          `json:"help,omitempty"`
		Default *Configuration `json:"defaultConfiguration,omitempty"`
		Props   any            `json:"properties,omitempty"`
	}
	// A Configuration is what holds for the results of a rule that do not say otherwise.
	Configuration struct {
		Level string `json:"level"`
	}
	// A Text is a message.
	Text struct {
		Text string `json:"text"`
	}
	// A Result is one finding.
	Result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Kind         string            `json:"kind"`
		Level        string            `json:"level"`
		Message      Text              `json:"message"`
		Locations    []Location        `json:"locations"`
		Related      []Location        `json:"relatedLocations,omitempty"`
		CodeFlows    []CodeFlow        `json:"codeFlows,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
		Occurrences  int               `json:"occurrenceCount,omitempty"`
		Suppressions []Suppression     `json:"suppressions,omitempty"`
		Props        any               `json:"properties,omitempty"`
	}
	// A CodeFlow is an execution with one or several threads.
	CodeFlow struct {
		Message     *Text        `json:"message,omitempty"`
		ThreadFlows []ThreadFlow `json:"threadFlows"`
	}
	// A ThreadFlow is the way of one thread. It has at least one step.
	ThreadFlow struct {
		ID      string `json:"id,omitempty"`
		Message *Text  `json:"message,omitempty"`
		Steps   []Step `json:"locations"`
	}
	// A Step is a place on the way of a thread.
	Step struct {
		Location   Location `json:"location"`
		Nesting    int      `json:"nestingLevel"`
		Importance string   `json:"importance,omitempty"` // important, essential or unimportant
	}
	// A Suppression says that a result is known.
	Suppression struct {
		Kind string `json:"kind"`
	}
	// A Location is a place in a file.
	Location struct {
		ID       int       `json:"id,omitempty"`
		Physical Physical  `json:"physicalLocation"`
		Logical  []Logical `json:"logicalLocations,omitempty"`
		Message  *Text     `json:"message,omitempty"`
	}
	// A Physical is a region of a file.
	Physical struct {
		Artifact Artifact `json:"artifactLocation"`
		Region   *Region  `json:"region,omitempty"`
	}
	// An Artifact is a file or folder.
	Artifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}
	// A Region is a part of a text. Lines and columns begin at 1; 0 leaves them out.
	Region struct {
		Line      int `json:"startLine"`
		Column    int `json:"startColumn,omitempty"`
		EndLine   int `json:"endLine,omitempty"`
		EndColumn int `json:"endColumn,omitempty"`
	}
	// A Logical names a function.
	Logical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind"`
	}
)

const (
	schema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	base    = "%SRCROOT%"
	columns = "unicodeCodePoints"
)

// Write writes a log with one run of taskinstr, whose relative file names are relative to
// dir.
func Write(w io.Writer, version, dir string, rules []Rule, results []Result) error {
	if results == nil {
		results = []Result{}
	}
	return outfile.WriteJSON(w, Log{schema, "2.1.0", []Run{{
		Tool:       Tool{Driver{Name: "taskinstr", Version: version, Rules: rules}},
		BaseIDs:    map[string]Artifact{base: {URI: strings.TrimSuffix(fileURI(dir), "/") + "/"}},
		ColumnKind: columns,
		Results:    results,
	}}})
}

// File returns the location of a file, which is absolute or relative to the log's folder.
func File(name string) Artifact {
	if filepath.IsAbs(name) {
		return Artifact{URI: fileURI(name)}
	}
	return Artifact{URI: (&url.URL{Path: filepath.ToSlash(name)}).String(), BaseID: base}
}

func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // the path begins with a drive letter
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
