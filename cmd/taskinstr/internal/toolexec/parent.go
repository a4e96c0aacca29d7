package toolexec

import (
	"os"
	"strings"

	"taskinstr/cmd/internal/gocmd"
)

// refuseParent returns an error if the command line of the running go command requests an
// unsupported build. It is called when that command asks for the compiler's identity,
// once and before it builds anything, so that the error is printed once. Without this
// check, for example if the command line cannot be read, refuse (run.go) prints the error
// for every package.
func refuseParent() error {
	line := parentLine(os.Getppid())
	if len(line) < 2 || toolName(line[0]) != "go" {
		return nil
	}
	switch line[1] {
	case "build", "install", "run", "test":
	default:
		return nil
	}
	flags, _ := gocmd.Line(line[1], line[2:], gocmd.None)
	if err := gocmd.Refuse(flags, "on the go command's line"); err != nil {
		return err
	}
	flags, _ = gocmd.Split(gocmd.Fields(os.Getenv("GOFLAGS")), gocmd.None)
	return gocmd.Refuse(flags, "in GOFLAGS")
}

// splitLine splits the text in which Linux keeps the arguments of a process. Each ends
// with a NUL.
func splitLine(text string) []string {
	if text = strings.TrimSuffix(text, "\x00"); text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}
