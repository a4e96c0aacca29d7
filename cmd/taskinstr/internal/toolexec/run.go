package toolexec

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/rt"
)

// exitError carries the exit code of a tool that has already printed its error.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// exitOf converts the error of a tool's run: into an exitError if the tool ran and
// failed, otherwise into an error that says why it did not run.
func exitOf(tool string, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return &exitError{exit.ExitCode()}
	}
	if exit != nil && exit.String() == "signal: killed" {
		return fmt.Errorf("running %s: %w, as when the system has no memory left: compile fewer packages at a time (go build -p=1)", tool, err)
	}
	return fmt.Errorf("running %s: %w", tool, err)
}

// Main runs one tool call: args[0] is the tool's path. It returns the exit
// code.
func Main(o option.Set, args []string, stdout, stderr io.Writer) int {
	err := checkOptions(o)
	if err == nil {
		err = run(o, args, stdout, stderr)
	}
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

// checkOptions refuses options that only the wrapper can carry out.
func checkOptions(o option.Set) error {
	if o.Tag == "" {
		return nil
	}
	return fmt.Errorf("option -racetag=%s: only `taskinstr build|install|run|test` chooses build tags; with -toolexec, give the go command -tags=race or leave it out", o.Tag)
}

// given names, in errors, where a flag of a tool call comes from.
const given = "on the go command's line or in GOFLAGS"

func run(o option.Set, args []string, stdout, stderr io.Writer) error {
	tool, args := args[0], args[1:]
	name := toolName(tool)
	if len(args) == 1 && args[0] == "-V=full" {
		switch name {
		case "compile":
			return identify(o, tool, args, stdout, stderr)
		case "link":
			return printVersion(tool, args, settingsKey(o), stdout, stderr)
		}
	}
	if name != "compile" && name != "asm" && name != "link" {
		return pass(tool, args, stdout, stderr)
	}
	c := parseCall(tool, args)
	if err := refuse(c); err != nil {
		return err
	}
	note(c, o.Progress)
	switch {
	case name == "link":
		return link(c, o, stdout, stderr)
	case len(c.files) == 0:
		return pass(tool, c.flags, stdout, stderr)
	case name == "asm":
		return assemble(c, stdout, stderr)
	}
	sel, err := selectionOf(o)
	if err != nil {
		return err
	}
	// The process is short and keeps nearly everything that it allocates: this saves
	// half of the collector's work for a quarter more memory (net/http: 0.2 s, 70 MB).
	debug.SetGCPercent(400)
	return compile(c, func(c *call) (*output, error) { return instrument(c, o, sel) }, stdout, stderr)
}

// identify answers `compile -V=full`. The go command asks this once, before it builds
// anything, so unsupported builds are refused here.
func identify(o option.Set, tool string, args []string, stdout, stderr io.Writer) error {
	sel, err := selectionOf(o)
	if err != nil {
		return err
	}
	if err := refuseParent(); err != nil {
		return err
	}
	if err := checkPlatform(goos(), goarch()); err != nil {
		return err
	}
	if rt.TraitsOf(o.Detector).Overlaid && goos() == "windows" {
		return fmt.Errorf("-detector=%s: windows gives no memory to addresses as they are written to; leave the option out", o.Detector)
	}
	if o.Wrapper == "" && !sel.All() {
		if v := judge(o, sel); v != nil && v.Err() != nil {
			return v.Err()
		}
	}
	plan, err := planBuild(o)
	if err != nil {
		return err
	}
	return printVersion(tool, args, o.Key()+"\n"+sel.Key()+plan, stdout, stderr)
}

// selectionOf returns the selection that decides which packages get checks. It selects
// all packages if the wrapper has marked packages: then the marks decide.
func selectionOf(o option.Set) (*scope.Selection, error) {
	if o.Wrapper == option.ByMark {
		return scope.New("", nil)
	}
	return scope.New("", o.Pkgs)
}

// judge matches the patterns of -pkgs with the packages that the running go command
// builds. It returns nil if that command line cannot be read or names no valid build.
func judge(o option.Set, sel *scope.Selection) *scope.Verdict {
	r, err := requested(o)
	if err != nil || r == nil {
		return nil
	}
	pkgs, err := r.List()
	if err != nil {
		return nil
	}
	v := scope.Judge(o.Pkgs, pkgs, sel.ByPath())
	return &v
}

// refuse returns an error for a tool call of an unsupported build. It catches those that
// refuseParent missed because the go command's line could not be read or did not show
// the setting.
func refuse(c *call) error {
	for _, f := range []string{"race", "msan", "asan"} {
		if c.on(f) {
			return gocmd.Conflict(f, given)
		}
	}
	if c.name == "link" {
		return gocmd.BadMode(c.set["buildmode"], given)
	}
	return checkPlatform(goos(), goarch())
}

// pass runs the tool as the go command asked.
func pass(tool string, args []string, stdout, stderr io.Writer) error {
	return runTool(tool, args, nil, stdout, stderr)
}

// runTool runs the tool with settings added to the environment.
func runTool(tool string, args, env []string, stdout, stderr io.Writer) error {
	cmd := exec.Command(tool, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	if err := cmd.Run(); err != nil {
		return exitOf(tool, err)
	}
	return nil
}
