package selftest

import (
	"fmt"
	"strings"
)

// A mode says how the programs of a suite are built.
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

// buildFlags returns what go build and go test must be given for m; toolexec
// is the value of -toolexec in mode taskinstr.
func (m mode) buildFlags(toolexec string) []string {
	switch m {
	case race:
		return []string{"-race"}
	case taskinstr:
		return []string{"-toolexec=" + toolexec}
	}
	return nil
}

// reportOptions returns what GORACE must hold so that reports go to files
// named log.PID. In mode race go's detector is asked for all it can tell, for
// it decides whether a race is confirmed: it leaves out reports that look alike
// and forgets old accesses unless told not to. It also sleeps for a second at
// exit, which would count as slowness.
func (m mode) reportOptions(log string) string {
	o := "GORACE=atexit_sleep_ms=0 log_path=" + log
	if m == race {
		o += " suppress_equal_stacks=0 suppress_equal_addresses=0 history_size=7"
	}
	return o
}

// quoteField quotes s so that the go command, which splits the value of
// -toolexec into fields, takes it as one field. The go command knows no escape
// inside quotes: a path with both kinds of quotes cannot be given.
func quoteField(s string) (string, error) {
	switch {
	case s != "" && !strings.ContainsAny(s, " \t\r\n'\""):
		return s, nil
	case !strings.Contains(s, "'"):
		return "'" + s + "'", nil
	case !strings.Contains(s, `"`):
		return `"` + s + `"`, nil
	}
	return "", fmt.Errorf("the path %s contains both kinds of quotes, which -toolexec cannot express; move the executable", s)
}
