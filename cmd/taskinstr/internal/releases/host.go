package releases

import "context"

// A Host is what cases work with: the Go installation, a temporary folder,
// the way commands are run and the parser of their reports.
type Host struct {
	Go   string // the go command
	Exe  string // what the names of executables end in
	Dir  string // a temporary folder, which the caller removes
	Keep bool   // leave what was built there
	Exec func(ctx context.Context, c Command) Outcome
	// Reports finds the reports in what a detector wrote.
	Reports func(text []byte) []Report
}

// A Command is one process to run in the host's environment, with Env added.
type Command struct {
	Args  []string
	Dir   string
	Env   []string
	Build bool // it may have to compile all of std: give it time
}

// An Outcome is what is left of a process.
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
