package selftest

import (
	"fmt"
	"strings"

	"taskinstr/cmd/internal/gocmd"
)

// A mode is a way to build the programs of a suite.
type mode int

const (
	plain     mode = iota // the go command alone
	race                  // go's own race detector
	taskinstr             // -toolexec=taskinstr
)

var modeNames = [...]string{plain: "plain", race: "race", taskinstr: "taskinstr"}

func (m mode) String() string { return modeNames[m] }

func parseMode(name string) (mode, error) {
	for m, n := range modeNames {
		if n == name {
			return mode(m), nil
		}
	}
	return 0, fmt.Errorf("unknown mode %q; one of: %s", name, strings.Join(modeNames[:], ", "))
}

// buildFlags returns the flags of go build and go test for m; toolexec is the value of
// -toolexec in mode taskinstr.
func (m mode) buildFlags(toolexec string) []string {
	switch m {
	case race:
		return []string{"-race"}
	case taskinstr:
		return []string{"-toolexec=" + toolexec}
	}
	return nil
}

// reportOptions returns the setting of GORACE with which reports go to files named
// log.PID. In mode race, where reports confirm races, it also makes go's detector report
// equal races repeatedly and keep as many accesses as possible, and switches off the sleep
// of one second at exit, which would count as slowness.
func (m mode) reportOptions(log string) string {
	o := "GORACE=atexit_sleep_ms=0 log_path=" + log
	if m == race {
		o += " suppress_equal_stacks=0 suppress_equal_addresses=0 history_size=7"
	}
	return o
}

// quoteField quotes s so that it is one field of the value of -toolexec, which the go
// command splits into fields. The go command has no escapes inside quotes, so a path with
// both kinds of quotes is an error.
func quoteField(s string) (string, error) {
	if q, ok := gocmd.Quote([]string{s}); ok {
		return q, nil
	}
	return "", fmt.Errorf("the path %s contains both kinds of quotes, which -toolexec cannot express; move the executable", s)
}
