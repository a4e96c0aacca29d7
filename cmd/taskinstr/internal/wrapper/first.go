package wrapper

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"taskinstr/cmd/taskinstr/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// The first build of a version of taskinstr compiles the standard library with checks, which
// takes a minute or so. The wrapper says so once, and shows the progress of such builds on a
// terminal.

const firstText = "the first build compiles the standard library with checks, which takes a minute or two; the build cache keeps it"

// first says that the build is the first one of this version, if it is. watch says that its
// progress is to be shown: it is the first one with its options, and stderr is a terminal.
func (l *line) first(stderr io.Writer) (watch bool) {
	self, err := toolexec.Identity()
	if err != nil {
		return false
	}
	dir := filepath.Join(l.env["GOCACHE"], "taskinstr", "first")
	if os.MkdirAll(dir, 0o777) != nil {
		return false
	}
	version := fmt.Sprintf("%s %s %s %s", self, l.env["GOVERSION"], l.env["GOOS"], l.env["GOARCH"])
	ever := unseen(dir, version)
	tagged := ""
	for _, f := range l.flags {
		if f.Name == "tags" {
			tagged = f.Value
		}
	}
	watch = unseen(dir, fmt.Sprintf("%s %q %q", version, l.options.Key(), tagged)) && terminal.Is(stderr)
	if ever || watch {
		fmt.Fprintf(stderr, "taskinstr: %s\n", firstText)
	}
	return watch
}

// unseen reports whether this is the first call with these arguments. An empty file records
// the call.
func unseen(dir, key string) bool {
	f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256([]byte(key)))[:32]), os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// watched runs the go command, and shows the number of compiled packages of the standard
// library until the first program is linked. It returns the go command's exit code.
func watched(l *line, stderr io.Writer) (int, error) {
	notes, err := os.CreateTemp("", "taskinstr-progress-")
	if err != nil {
		return 0, err
	}
	notes.Close()
	defer os.Remove(notes.Name())
	l.options.Progress = notes.Name()
	args, err := l.command(stderr)
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("cannot run %s: %w", args[0], err)
	}
	defer forwardSignals(cmd.Process)()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	progress := terminal.NewProgress(stderr)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for linked := false; ; {
		select {
		case err := <-done:
			progress.Clear()
			return exitCode(err)
		case <-tick.C:
		}
		if linked {
			continue
		}
		text, _ := os.ReadFile(notes.Name())
		var n int
		var last string
		n, last, linked = progressOf(text)
		if linked {
			progress.Clear()
		} else if n > 0 {
			// What the go command prints replaces the line.
			progress.Show("%d packages of the standard library compiled with checks: %s\r", n, last)
		}
	}
}

// progressOf returns the number of packages that the notes list, the last one, and whether
// a program has been linked.
func progressOf(notes []byte) (n int, last string, linked bool) {
	for note := range bytes.Lines(notes) {
		last = strings.TrimSpace(string(note))
		if last == toolexec.Linking {
			return n, "", true
		}
		n++
	}
	return n, last, false
}

// exitCode returns the exit code of a command that Wait has returned err for.
func exitCode(err error) (int, error) {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exitStatus(exit.ProcessState), nil
	}
	return 0, err
}
