package bench

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Compile times are comparable only if every mode starts from the same cache. So there
// is a build cache that holds the standard library alone. It is kept between runs, and
// every mode gets a copy of it.

func standardCache(gocache string) (string, error) {
	dir := filepath.Join(gocache, "taskinstr", "bench")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("build cache for measuring: %w", err)
	}
	return dir, nil
}

// copyCache makes a copy of a build cache. Files with outputs of builds, whose names end in
// -d, never change, so they are linked. The go command may write the other files again.
func copyCache(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir() && rel != "." && len(d.Name()) != 2:
			return filepath.SkipDir // holds no outputs of builds: plans, fuzzing inputs
		case d.IsDir():
			return os.MkdirAll(target, 0o777)
		case strings.HasSuffix(path, "-d"):
			if os.Link(path, target) == nil {
				return nil
			}
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, text, 0o666)
	})
}
