package link

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"taskinstr/cmd/internal/sibling"
)

// command is the package, below cmd, of the command that speaks with the server.
const command = "taskinstr/taskinstr-farm"

// WorkerCommand is the name of the command that runs batches.
const WorkerCommand = "worker"

// WorkerUsage is the first line of its help.
const WorkerUsage = "usage: taskinstr worker [flags] SERVER\n\n"

// Worker runs `taskinstr worker`: it checks the arguments, finds taskinstr-farm and gives its place
// to it. It returns the exit code.
func Worker(args []string, stdout, stderr io.Writer) int {
	say := func(line string) { fmt.Fprintf(stderr, "taskinstr worker: %s\n", line) }
	if _, err := ParseWorker(args); errors.Is(err, flag.ErrHelp) {
		io.WriteString(stdout, WorkerUsage+WorkerHelp())
		return 0
	} else if err != nil {
		say(strings.TrimSpace(err.Error()) + "; see `taskinstr help worker`")
		return 2
	}
	program, err := sibling.Cached(command, say)
	if err != nil {
		say(err.Error())
		return 1
	}
	code, err := sibling.Replace(program, append([]string{WorkerCommand}, args...))
	if err != nil {
		say(err.Error())
		return 1
	}
	return code
}
