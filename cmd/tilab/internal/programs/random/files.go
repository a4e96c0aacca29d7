package random

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
)

// Format formats a file of a generated program.
func Format(text string) ([]byte, error) {
	out, err := format.Source([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the generated program does not parse: %w", err)
	}
	return out, nil
}

// Write writes files, named by slash-separated paths, into a folder.
func Write(dir string, files map[string][]byte) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
