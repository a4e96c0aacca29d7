package reports

import (
	"encoding/xml"
	"io"
	"strings"

	"taskinstr/cmd/taskinstr/internal/outfile"
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
	for _, x := range s.items(t.root) {
		c := junitCase{Class: x.class, Name: x.fingerprint + " " + x.name, Time: "0"}
		if p := x.place; p.Inside {
			c.File, c.Line = p.File, p.Line
		}
		var text strings.Builder
		x.text(&text)
		message := &junitMessage{Message: x.sentences, Text: text.String()}
		if x.predicted {
			c.Skipped = message
			suite.Skipped++
		} else {
			message.Type = strings.TrimPrefix(x.kind, "data ")
			c.Failure = message
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	if suite.Failures == 0 {
		suite.Cases = append(suite.Cases, junitCase{Class: "taskinstr", Name: "no data race", Time: "0"})
	}
	suite.Tests = len(suite.Cases)
	return outfile.WriteXML(w, junitSuites{Name: "taskinstr", Tests: suite.Tests, Failures: suite.Failures, Suite: suite})
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
