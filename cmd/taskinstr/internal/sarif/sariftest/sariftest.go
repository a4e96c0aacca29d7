// Package sariftest compares the logs that sub-commands write with the schema of SARIF 2.1.0,
// and with rules of the standard's text that the schema cannot express. Only tests import it.
//
// The schema in testdata is the one that OASIS has published with the standard's errata 01.
package sariftest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"net/url"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"taskinstr/cmd/taskinstr/internal/sarif"
)

//go:embed testdata/sarif-schema-2.1.0.json
var schema []byte

// Check fails the test if text is no valid log, and returns its only run.
func Check(t testing.TB, text []byte) sarif.Run {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	const name = "sarif.json"
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	log, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("the log is no JSON: %v\n%s", err, text)
	}
	if err := s.Validate(log); err != nil {
		t.Fatalf("the log does not have the schema of SARIF: %v\n%s", err, text)
	}
	var l sarif.Log
	if err := json.Unmarshal(text, &l); err != nil {
		t.Fatal(err)
	}
	if len(l.Runs) != 1 {
		t.Fatalf("%d runs", len(l.Runs))
	}
	run := l.Runs[0]
	for id, a := range run.BaseIDs {
		if u, err := url.Parse(a.URI); err != nil || u.Scheme != "file" || u.Path[len(u.Path)-1] != '/' { // 3.14.14
			t.Errorf("base %s is %s, which is no folder", id, a.URI)
		}
	}
	for _, r := range run.Results {
		if r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("rule %s is not number %d", r.RuleID, r.RuleIndex)
		}
		if r.Kind != "fail" && r.Level != "none" { // 3.27.10
			t.Errorf("kind %s, level %s", r.Kind, r.Level)
		}
		all := slices.Concat(r.Locations, r.Related)
		for _, f := range r.CodeFlows {
			for _, th := range f.ThreadFlows {
				for _, s := range th.Steps {
					all = append(all, s.Location)
				}
			}
		}
		for _, l := range all {
			checkLocation(t, run, l)
		}
	}
	return run
}

// checkLocation compares the name of a file with the run's folders.
func checkLocation(t testing.TB, run sarif.Run, l sarif.Location) {
	t.Helper()
	a := l.Physical.Artifact
	u, err := url.Parse(a.URI)
	if err != nil {
		t.Errorf("uri %s: %v", a.URI, err)
		return
	}
	_, known := run.BaseIDs[a.BaseID]
	if a.BaseID != "" && (u.IsAbs() || !known) { // 3.4.4
		t.Errorf("artifact %+v is not below a folder of the run", a)
	}
}
