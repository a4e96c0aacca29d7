package rt

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// taskPackage is the import path of the package of structured tasks. taskEvents is the
// file of it that an instrumented build replaces. The file contains taskMarker and, directly
// after it, the version of its events.
const (
	taskPackage = "taskinstr/rt/task"
	taskEvents  = "events.go"
	taskMarker  = `const marker = "taskinstr/rt/task events `
	taskVersion = `1"`
)

// isTask reports whether pkg, made of files, is the package of structured tasks. (Modules
// that vendor it compile it under the same path.) A package that merely has the
// name stays as it is. A package of another version is an error: its events would be lost.
func isTask(pkg string, files []string) (bool, error) {
	if pkg != taskPackage {
		return false, nil
	}
	for _, name := range files {
		if uncovered(filepath.Base(name)) != taskEvents {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return false, err
		}
		_, version, ok := bytes.Cut(text, []byte(taskMarker))
		if ok && !bytes.HasPrefix(version, []byte(taskVersion)) {
			err = fmt.Errorf("%s: taskinstr is of another version than the package %s; use both from the same release", name, taskPackage)
		}
		return ok, err
	}
	return false, nil
}
