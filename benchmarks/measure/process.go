package measure

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Run runs a command. The error has the command's output.
func Run(ctx context.Context, args ...string) error {
	if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// Tool returns the absolute path of the taskinstr command. If none is given, it is built from the
// tree into the folder dir.
func Tool(ctx context.Context, given, dir string) (string, error) {
	if given == "" {
		given = filepath.Join(dir, "taskinstr.exe")
		if err := Run(ctx, "go", "build", "-o", given, "taskinstr/cmd/taskinstr"); err != nil {
			return "", err
		}
	}
	return filepath.Abs(given)
}

// Processor returns the processor time of a command that has run, in seconds.
func Processor(cmd *exec.Cmd) float64 {
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
}
