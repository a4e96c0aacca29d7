package unit

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// A Failure is a defect of the analysis or of a pass, met on one package. The build goes on:
// the package gets every check.
type Failure struct {
	Cause string // one line
	Stack []byte // of the panic; nil if the defect was an error
}

func (f *Failure) Error() string { return f.Cause }

// Fallback is the member PlanMember of a package that was to be planned and gets every check
// because of a Failure, or because its text does not compile as planned. It does not
// contain the cause, which may name addresses: the same inputs give the same archive.
const Fallback = "fallback"

// FallbackMembers returns the members for the archive of such a package. It has no facts: for
// its importers the package is external code.
func FallbackMembers() []Bytes { return []Bytes{{PlanMember, []byte(Fallback)}} }

// fail turns an error, or the panic of its caller, into a Failure. It must be deferred.
func fail(result **Result, err *error) {
	if e := recover(); e != nil {
		*result, *err = nil, &Failure{Line(fmt.Sprint(e)), debug.Stack()}
	} else if *err != nil {
		*result, *err = nil, &Failure{Line((*err).Error()), nil}
	}
}

// maxLine bounds the length of a cause.
const maxLine = 300

// Line returns the first line of a message with a text in it, shortened.
func Line(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(text); len(r) > maxLine {
		text = string(r[:maxLine]) + " ..."
	}
	return strings.TrimSpace(text)
}
