package toolexec

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The build tag race without -race.
//
// Users set it for their own files (//go:build race), but the standard library's files
// under that tag belong to Go's own detector. Package rt replaces these Go files as it
// replaces their counterparts. The tag has four more effects, which are undone here:
//
//   - Package runtime gains race_GOARCH.s, which calls Go's detector. An empty file is
//     assembled instead.
//   - Package sync/atomic gets race.s, which is empty, in place of asm.s. asm.s is
//     assembled instead.
//   - Package internal/runtime/sys gets consts_race.go, which doubles the space that every
//     stack reserves for frames of Go's detector. consts_norace.go is compiled instead.
//   - Package runtime/race, if a program imports it, imports a package that holds Go's
//     detector as an object file. It is compiled without its imports.

// raceTag reports whether the tag is set. files are the files of a compile call for a
// package that has a file race.go under this tag.
func raceTag(files []string) bool {
	return slices.ContainsFunc(files, func(f string) bool { return filepath.Base(f) == "race.go" })
}

// assemble runs the assembler, on other files for the first two packages above.
func assemble(c *call, stdout, stderr io.Writer) error {
	files, err := assembly(c)
	if err != nil {
		return err
	}
	return pass(c.tool, append(c.flags, files...), stdout, stderr)
}

// assembly returns the files to assemble. The go command's symabis step passes all files
// of a package in one call; then each file is assembled in its own call.
func assembly(c *call) ([]string, error) {
	files := slices.Clone(c.files)
	for i, f := range files {
		name := filepath.Base(f)
		switch {
		case c.set["p"] == "runtime" && strings.HasPrefix(name, "race_"):
			empty := c.set["o"] + ".empty.s"
			if err := os.WriteFile(empty, nil, 0o666); err != nil {
				return nil, tempError(err)
			}
			files[i] = empty
		case c.set["p"] == "sync/atomic" && name == "race.s":
			files[i] = filepath.Join(filepath.Dir(f), "asm.s")
		}
	}
	return files, nil
}

// withoutGuards returns internal/runtime/sys with the stack space of a plain build, or
// false if the tag is not set.
func withoutGuards(files []string) (*output, bool) {
	files = slices.Clone(files)
	for i, f := range files {
		if filepath.Base(f) == "consts_race.go" {
			files[i] = filepath.Join(filepath.Dir(f), "consts_norace.go")
			return &output{sources: unchanged(files)}, true
		}
	}
	return nil, false
}

// withoutImports returns runtime/race reduced to its documentation, or false if the tag
// is not set.
func withoutImports(files []string) (*output, bool) {
	for _, f := range files {
		if filepath.Base(f) == "doc.go" && len(files) > 1 {
			return &output{sources: unchanged([]string{f})}, true
		}
	}
	return nil, false
}
