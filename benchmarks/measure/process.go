package measure

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
)

// Main runs a command that ends early when its context does: at an interrupt. An error ends the process with code 1.
func Main(name string, run func(ctx context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Run runs a command. The error has the command's output.
func Run(ctx context.Context, args ...string) error {
	if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// Outside returns a command that runs in the folder dir, outside of this repository's workspace, if there is one.
func Outside(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "PWD="+dir)
	return cmd
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
