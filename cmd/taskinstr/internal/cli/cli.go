package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// Main runs the command and returns its exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	o, rest, err := option.Split(args, false)
	if err != nil {
		fmt.Fprintf(stderr, "taskinstr: %v\n", err)
		return 2
	}
	if len(rest) == 0 {
		fmt.Fprintln(stderr, "taskinstr: no command; see `taskinstr help`")
		return 2
	}
	if isTool(rest) {
		return toolexec.Main(o, rest, stdout, stderr)
	}
	fmt.Fprintf(stderr, "taskinstr: unknown command %q; see `taskinstr help`\n", rest[0])
	return 2
}

// isTool reports whether the arguments are a tool call of the go command: the
// path of a tool, or the name of a C compiler that it asks for its version.
func isTool(args []string) bool {
	return strings.ContainsAny(args[0], `/\`) || os.Getenv("TOOLEXEC_IMPORTPATH") != "" || len(args) > 1 && args[1] == "-###"
}
