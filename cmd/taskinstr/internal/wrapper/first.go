package wrapper

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// The first build of a version of taskinstr compiles the standard library with checks, which
// takes a minute or so. The wrapper says so once.

const firstText = "the first build compiles the standard library with checks, which takes a minute or two; the build cache keeps it"

// first says that the build is the first one of this version, if it is. It returns a watch
// if the progress is to be shown: stderr is a terminal, and the program that "run" starts has
// it for itself unless the build is the first one with its options.
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
	options := unseen(dir, fmt.Sprintf("%s %q %q", version, l.options.Key(), tagged))
	if ever || options && terminal.Is(stderr) {
		fmt.Fprintf(stderr, "taskinstr: %s\n", firstText)
	}
	if !terminal.Is(stderr) || l.name == "run" && !options {
		return nil, nil
	}
	notes, err := os.CreateTemp("", "taskinstr-progress-")
	if err != nil {
		return nil, err
	}
	notes.Close()
	l.options.Progress = notes.Name()
	return &watch{notes: notes.Name(), programs: l.name == "run" || l.name == "test"}, nil
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
