// Package testfile writes and reads the files of tests. An error ends the test.
package testfile

import (
	"os"
	"path/filepath"
	"testing"
)

// Write writes a file, and the folders above it that are missing, and returns its name.
func Write(t testing.TB, name, text string) string {
	t.Helper()
	name = filepath.FromSlash(name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// Tree writes the texts of files below a folder, by their names.
func Tree(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		Write(t, filepath.Join(dir, name), text)
	}
}

// Read returns the text of a file.
func Read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
