package link

import (
	"os"
	"path"
	"path/filepath"
	"runtime"

	"taskinstr/cmd/internal/sibling"
)

// command is the package, below cmd, of the command that speaks with the server.
const command = "taskinstr/taskinstr-farm"

// Program returns the path of taskinstr-farm (package sibling says which one). What it builds stays
// in the user's cache folder. note gets a line before a build that may take a while.
func Program(note func(string)) (string, error) {
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
	exe := path.Base(command)
	if runtime.GOOS == "windows" {
		exe += ".exe"
	}
	if !isFile(filepath.Join(work, exe)) && !isFile(filepath.Join(filepath.Dir(self), exe)) {
		note("building taskinstr-farm, which takes a minute the first time; `go install ./cmd/...` in a checkout of taskinstr installs it")
	}
	return sibling.Find(command, work)
}

func isFile(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.Mode().IsRegular()
}
