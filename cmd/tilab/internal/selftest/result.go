package selftest

import (
	"strings"

	"taskinstr/cmd/tilab/internal/racelog"
)

// A status is how a case ended.
type status string

const (
	passed   status = "passed"
	failed   status = "failed"
	excepted status = "known exception" // failed as listed in exceptions.go
	skipped  status = "skipped"
)

// A Result is the outcome of one case.
type Result struct {
	Name   string `json:"name"`
	Status status `json:"status"`
	// Reason is one line that explains why the case failed, is excepted or was skipped.
	Reason string `json:"reason,omitempty"`
	// About describes the case in files of data.
	About []Column `json:"about,omitempty"`
	// Columns are the suite's own figures, in the order of its header.
	Columns []Column `json:"columns,omitempty"`
	// Notes do not affect the status: predicted races, confirmed races.
	Notes []string `json:"notes,omitempty"`
	// Output is the evidence of a failure, shortened.
	Output  string  `json:"output,omitempty"`
	Seconds float64 `json:"seconds"`
}

// A Column is one named figure of a case.
type Column struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// fail returns a failed result, or an excepted one if the table of known exceptions names
// the case.
func (h *harness) fail(suite, name, reason string, output []byte) Result {
	r := Result{Name: name, Status: failed, Reason: reason, Output: excerpt(output)}
	if e, ok := findException(exceptions, suite, name, h.tc.GOVERSION); ok {
		r.Status, r.Reason = excepted, e.reason
	}
	return r
}

// skip returns the result of a case that does not apply here.
func skip(name, reason string) Result { return Result{Name: name, Status: skipped, Reason: reason} }

// predictions returns a note for each predicted race.
func predictions(reports []racelog.Report) (notes []string) {
	for _, p := range racelog.Pairs(reports, true) {
		notes = append(notes, "predicted race: "+p.String())
	}
	return notes
}

// failWith returns a failed result whose reason is the first line of err.
func (h *harness) failWith(suite, name string, err error) Result {
	text := []byte(err.Error())
	return h.fail(suite, name, firstLine(text), text)
}

// excerptLines bounds the output that is kept of one failure, its head and tail.
const excerptLines = 60

// excerpt returns the first and the last lines of out.
func excerpt(out []byte) string {
	lines := splitLines(out)
	if len(lines) > excerptLines {
		head, tail := lines[:excerptLines/2], lines[len(lines)-excerptLines/2:]
		lines = append(append(head[:len(head):len(head)], "[...]"), tail...)
	}
	return strings.Join(lines, "\n")
}
