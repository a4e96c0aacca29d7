package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/toolexec"
	"taskinstr/cmd/taskinstr/internal/vettool"
	"taskinstr/internal/nearest"
)

// Main runs the command and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if e := recover(); e != nil {
			fmt.Fprintf(stderr, "taskinstr: internal error: %v; this is a defect of taskinstr. Please report it with the command line and the output of %s=1\n", e, toolexec.DebugVar)
			if os.Getenv(toolexec.DebugVar) != "" {
				stderr.Write(debug.Stack())
			}
			code = exitcode.Failed
		}
	}()
	if len(args) == 1 {
		switch {
		case asksHelp(args[0]):
			return help(nil, stdout, stderr)
		case args[0] == "-version" || args[0] == "--version":
			return printVersion(nil, stdout, stderr)
		}
	}
	if vettool.Asked(args) {
		vettool.Main()
	}
	o, rest, err := option.Split(args)
	if err != nil {
		var unknown *option.UnknownError
		if errors.As(err, &unknown) && asksHelp(unknown.Flag) {
			return help(nil, stdout, stderr)
		}
		fmt.Fprintf(stderr, "taskinstr: %v\n", err)
		if unknown == nil { // whose text names the command already
			fmt.Fprintln(stderr, "Run 'taskinstr help options' for usage.")
		}
		return exitcode.Usage
	}
	if len(rest) == 0 {
		help(nil, stderr, stderr)
		return exitcode.Usage
	}
	if c := lookup(rest[0]); c != nil {
		if c.wantsHelp(rest[1:]) {
			return help(rest[:1], stdout, stderr)
		}
		return c.run(o, rest[1:], stdout, stderr)
	}
	if rest[0] == completeCommand {
		return complete(rest[1:], stdout)
	}
	if isTool(rest) {
		return toolexec.Main(o, rest, stdout, stderr)
	}
	if slices.Contains(goCommands, rest[0]) {
		fmt.Fprintf(stderr, "taskinstr: %s is a command of go that has no checks: go %s (or taskinstr go %s)\n", rest[0], strings.Join(rest, " "), strings.Join(rest, " "))
		return exitcode.Usage
	}
	fmt.Fprintf(stderr, "taskinstr: unknown command %s%s; the commands are %s (see `taskinstr help`)\n", rest[0], nearest.Hint(rest[0], names()), strings.Join(names(), ", "))
	return exitcode.Usage
}

func asksHelp(arg string) bool { return arg == "-h" || arg == "-help" || arg == "--help" }

// isTool reports whether the arguments are a tool call of the go command: the
// path of a tool, or the name of a C compiler that it asks for its version.
func isTool(args []string) bool {
	return strings.ContainsAny(args[0], `/\`) || os.Getenv("TOOLEXEC_IMPORTPATH") != "" || len(args) > 1 && args[1] == "-###"
}
