package toolexec

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/option"
)

// exitError carries the exit code of a tool that has already said what is
// wrong.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// exitOf turns the error of a tool's run into what to do about it: pass its
// exit code on, or say why it did not run.
func exitOf(tool string, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return &exitError{exit.ExitCode()}
	}
	return fmt.Errorf("running %s: %w", tool, err)
}

// Main runs one tool call: args[0] is the tool's path. It returns the exit
// code.
func Main(o option.Set, args []string, stdout, stderr io.Writer) int {
	err := run(o, args, stdout, stderr)
	if err == nil {
		return 0
	}
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	fmt.Fprintf(stderr, "taskinstr: %v\n", err)
	return 1
}

func run(o option.Set, args []string, stdout, stderr io.Writer) error {
	tool, args := args[0], args[1:]
	if toolName(tool) != "compile" && toolName(tool) != "asm" {
		return pass(tool, args, stdout, stderr)
	}
	if len(args) == 1 && args[0] == "-V=full" {
		if toolName(tool) != "compile" {
			return pass(tool, args, stdout, stderr)
		}
		sel, err := newSelection(o.Pkgs)
		if err != nil {
			return err
		}
		if err := refuseParent(); err != nil {
			return err
		}
		return printVersion(tool, args, o.Key()+"\n"+sel.key(), stdout, stderr)
	}
	c := parseCall(tool, args)
	for _, f := range []string{"race", "msan", "asan"} {
		if c.on(f) {
			return gocmd.Conflict(f, "on the go command's line or in GOFLAGS")
		}
	}
	switch {
	case len(c.files) == 0:
		return pass(tool, args, stdout, stderr)
	case c.name == "asm":
		return assemble(c, stdout, stderr)
	}
	sel, err := newSelection(o.Pkgs)
	if err != nil {
		return err
	}
	return compile(c, func(c *call) (*output, error) { return instrument(c, sel) }, stdout, stderr)
}

// pass runs the tool as the go command asked.
func pass(tool string, args []string, stdout, stderr io.Writer) error {
	cmd := exec.Command(tool, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	if err := cmd.Run(); err != nil {
		return exitOf(tool, err)
	}
	return nil
}
