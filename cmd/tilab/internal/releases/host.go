package releases

import "context"

// A Host provides the resources of a case: the Go installation, a temporary folder, a function
// that runs commands and a parser of their reports.
type Host struct {
	Go   string // the go command
	Exe  string // suffix of the names of executables
	Dir  string // a temporary folder, which the caller removes
	Keep bool   // do not remove the built programs
	Exec func(ctx context.Context, c Command) Outcome
	// Reports returns the reports in a detector's output.
	Reports func(text []byte) []Report
}

// A Command is one process to run in the host's environment, with Env added.
type Command struct {
	Args  []string
	Dir   string
	Env   []string
	Build bool // the command may compile all of std, so its time limit is longer
}

// An Outcome is the result of a process.
type Outcome struct {
	Output []byte // standard output and standard error
	OK     bool   // exit status 0
	Status string // "exit status 1", "exceeded 1m0s"
}

// A Report is one report of a detector.
type Report struct {
	Predicted bool
	Places    [2]string // file:line of the innermost frame of each access
	Text      string
}
