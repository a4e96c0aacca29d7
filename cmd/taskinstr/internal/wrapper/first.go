package wrapper

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// The first build of a version of taskinstr compiles the standard library with checks, which
// takes a minute or so. The wrapper says so once, and shows the progress of such builds on a
// terminal.

const firstText = "the first build compiles the standard library with checks, which takes a minute or two; the build cache keeps it"

// first says that the build is the first one of this version, if it is. It returns a watch
// if the progress is to be shown: the build is the first one with its options, and stderr is a
// terminal.
func (l *line) first(stderr io.Writer) (*watch, error) {
	self, err := toolexec.Identity()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(l.env["GOCACHE"], "taskinstr", "first")
	if os.MkdirAll(dir, 0o777) != nil {
		return nil, nil // the go command says what is wrong with its cache
	}
	version := fmt.Sprintf("%s %s %s %s", self, l.env["GOVERSION"], l.env["GOOS"], l.env["GOARCH"])
	ever := unseen(dir, version)
	tagged := ""
	for _, f := range l.flags {
		if f.Name == "tags" {
			tagged = f.Value
		}
	}
	show := unseen(dir, fmt.Sprintf("%s %q %q", version, l.options.Key(), tagged)) && terminal.Is(stderr)
	if ever || show {
		fmt.Fprintf(stderr, "taskinstr: %s\n", firstText)
	}
	if !show {
		return nil, nil
	}
	notes, err := os.CreateTemp("", "taskinstr-progress-")
	if err != nil {
		return nil, err
	}
	notes.Close()
	l.options.Progress = notes.Name()
	return &watch{notes.Name()}, nil
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

// A watch shows how far a build is.
type watch struct {
	notes string // a file that names the compiled packages
}

// child runs the go command (see child) and shows its progress. A nil watch shows nothing.
func (w *watch) child(line, env []string, stderr io.Writer) (*os.ProcessState, error) {
	if w != nil {
		defer w.show(stderr)()
	}
	return child(line, env)
}

// show shows the number of compiled packages of the standard library, until the first program
// is linked or stop is called.
func (w *watch) show(stderr io.Writer) (stop func()) {
	done, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		progress := terminal.NewProgress(stderr)
		defer progress.Clear()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			text, _ := os.ReadFile(w.notes)
			n, last, linked := progressOf(text)
			if linked {
				return
			}
			if n > 0 {
				// What the go command prints replaces the line.
				progress.Show("%d packages of the standard library compiled with checks: %s\r", n, last)
			}
		}
	}()
	return func() {
		close(done)
		<-stopped
		os.Remove(w.notes)
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
