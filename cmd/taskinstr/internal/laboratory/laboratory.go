package laboratory

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/sibling"
)

// Help is the text of "taskinstr selftest -h" and "taskinstr help testing".
func Help() string {
	return `Testing

	taskinstr selftest SUITE [flags]

tests taskinstr with your Go installation, on programs of other projects. The suites are

	gorace    the tests of Go's own race detector
	gotest    the programs of Go's own test folder
	std       the tests of the standard library
	modules   tests and programs of third-party modules
	programs  generated programs, whose races are known
	releases  released modules with a race, before and after its fix
	accesses  what the compiler instruments under -race, against the checks

Each prints the failures, and ends with a line "N passed, N failed". "taskinstr selftest
SUITE -h" describes a suite and its flags.

For example:

	taskinstr selftest programs -list
	taskinstr selftest gorace -run=Mutex

The suites are in the command tilab, which belongs to the sources of taskinstr. In a checkout, or
on the machine where taskinstr was built from one, nothing else is needed; elsewhere,
"go install ./cmd/..." in a checkout installs both.
`
}

// Main runs "taskinstr selftest" with the arguments that follow the word selftest, and returns
// the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, Help())
		return exitcode.Usage
	}
	switch args[0] {
	case "-h", "-help", "--help":
		fmt.Fprint(stdout, Help())
		return exitcode.OK
	}
	code, err := run(args, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr selftest: %v\n", err)
	}
	return code
}

// run runs the laboratory and returns its exit code.
func run(args []string, stdout, stderr io.Writer) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return exitcode.Failed, err
	}
	work, err := os.MkdirTemp("", "taskinstr-lab-")
	if err != nil {
		return exitcode.Failed, err
	}
	defer os.RemoveAll(work)
	lab, err := sibling.Find("tilab", work)
	if err != nil {
		return exitcode.Failed, err
	}
	// The terminal sends an interrupt to both commands. The laboratory stops its programs and
	// removes its files; this command waits for it. Another signal is passed on.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	cmd := exec.Command(lab, append([]string{"-tool=" + self}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	if err := cmd.Start(); err != nil {
		return exitcode.Failed, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			if s == syscall.SIGTERM {
				cmd.Process.Signal(s)
			}
		case err := <-ended:
			var exit *exec.ExitError
			if errors.As(err, &exit) && exit.Exited() {
				return exit.ExitCode(), nil
			}
			if err != nil {
				return exitcode.Failed, fmt.Errorf("tilab: %w", err)
			}
			return exitcode.OK, nil
		}
	}
}
