package toolexec

import (
	"os"
	"strings"

	"taskinstr/cmd/taskinstr/internal/gocmd"
)

// refuseParent refuses what the command line of the running go command asks for
// and cannot be done. It is called when that command asks for the compiler's
// identity, which it does once and before it builds anything, so that the
// error stands alone; a compile call that should not be is refused as well
// (run.go), for every package then. Where the command line cannot be read, only
// that remains.
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

// splitLine splits the arguments of a process as the system keeps them, each
// with a NUL at its end.
func splitLine(text string) []string {
	if text = strings.TrimSuffix(text, "\x00"); text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}
