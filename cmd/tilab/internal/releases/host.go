package releases

import (
	"context"

	"taskinstr/benchmarks/modules"
)

// A Host provides the resources of a case: the go command, a temporary folder and the module proxy
// (modules.Host), and a function that runs programs.
type Host struct {
	*modules.Host
	Exe  string // suffix of the names of executables
	Keep bool   // do not remove the built programs
	// Run runs a built program in dir, with env added to the environment.
	Run func(ctx context.Context, dir string, env []string, args ...string) Outcome
}

// An Outcome is the result of a process.
type Outcome struct {
	Output []byte // standard output and standard error
	OK     bool   // exit status 0
	Status string // "exit status 1", "exceeded 1m0s"
}
