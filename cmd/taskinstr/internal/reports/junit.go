package reports

import (
	"encoding/xml"
	"io"
	"strings"

	"taskinstr/detector/trace/report"
)

// The elements of JUnit's XML that servers of continuous integration read.
type (
	junitSuites struct {
		XMLName  xml.Name   `xml:"testsuites"`
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Suite    junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Skipped *junitMessage `xml:"skipped"`
		Failure *junitMessage `xml:"failure"`
	}
	junitMessage struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit writes a suite with a test case for each report. A race is a failure. A predicted
// race is a skipped test with its report, since it fails no test. Without a race there is one
// case that has passed, because some servers take a file without cases for an error.
func (s *Set) writeJUnit(w io.Writer, t *target) error {
	suite := junitSuite{Name: "data races"}
	for _, m := range s.Shown() {
		c := junitCase{Class: m.class(), Name: m.Fingerprint + " " + m.What(), Time: "0"}
		if p, ok := t.root.shown(&m.Access); ok && p.Inside {
			c.File, c.Line = p.File, p.Line
		}
		var text strings.Builder
		m.Text(&text, m.notes()...)
		message := &junitMessage{Type: m.Type, Message: t.root.sentences(m), Text: text.String()}
		if m.Type == report.TypeRace {
			c.Failure = message
			suite.Failures++
		} else {
			message.Type = ""
			c.Skipped = message
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, f := range s.Findings() {
		c := junitCase{Class: class(f.Tests), Name: f.Fingerprint + " " + f.Kind, Time: "0"}
		if p, ok := t.root.place(f); ok {
			c.File, c.Line = p.File, p.Line
		}
		var text strings.Builder
		f.text(&text)
		c.Failure = &junitMessage{Type: f.Kind, Message: t.root.findingSentences(f), Text: text.String()}
		suite.Failures++
		suite.Cases = append(suite.Cases, c)
	}
	if suite.Failures == 0 {
		suite.Cases = append(suite.Cases, junitCase{Class: "taskinstr", Name: "no data race", Time: "0"})
	}
	suite.Tests = len(suite.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "\t")
	if err := enc.Encode(junitSuites{Name: "taskinstr", Tests: suite.Tests, Failures: suite.Failures, Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// class returns the package under which a server files the report: that of a test that has
// shown it, or that of the later access.
func (m *Merged) class() string {
	if len(m.Tests) > 0 {
		return class(m.Tests)
	}
	name, _, _ := strings.Cut(Function(m.Access.Stack), "[") // type arguments have paths, too
	slash := strings.LastIndexByte(name, '/')
	if dot := strings.IndexByte(name[slash+1:], '.'); dot >= 0 {
		return name[:slash+1+dot]
	}
	return noClass
}

// noClass stands for a package that is not known.
const noClass = "taskinstr"

// class returns the package of the first of the tests.
func class(tests []string) string {
	if len(tests) == 0 {
		return noClass
	}
	for _, kind := range []string{".Test", ".Benchmark", ".Fuzz", ".Example"} {
		if path, _, ok := strings.Cut(tests[0], kind); ok {
			return path
		}
	}
	return tests[0]
}
