package sibling

import (
	"fmt"
	"os"
	"path"
	"path/filepath"

	"taskinstr/cmd/internal/gocmd"
)

// Cached is Find for a command that taskinstr starts for its user: it builds into the user's cache
// folder. note gets a line before a build that may take a while.
func Cached(name string, note func(string)) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	work := filepath.Join(cache, "taskinstr")
	if err := os.MkdirAll(work, 0o777); err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	exe := path.Base(name) + gocmd.ExeSuffix
	if !isFile(filepath.Join(work, exe)) && !isFile(filepath.Join(filepath.Dir(self), exe)) {
		note(fmt.Sprintf("building %s, which takes a minute the first time; `go install ./cmd/...` in a checkout of taskinstr installs it", path.Base(name)))
	}
	return Find(name, work)
}

func isFile(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.Mode().IsRegular()
}
