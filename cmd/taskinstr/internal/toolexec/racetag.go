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
// Users set it for their own files (//go:build race); the standard library's
// files under that tag belong to the other detector. In Go code package rt
// replaces them as it replaces their counterparts. The tag exchanges four things
// more, which are put back here:
//
//   - package runtime gains race_GOARCH.s, the bridge to the other detector. It
//     is assembled as if empty.
//   - sync/atomic gets race.s, empty, in place of asm.s. The latter is taken.
//   - internal/runtime/sys gets consts_race.go, which doubles the space that every
//     stack keeps free for frames of the other detector. consts_norace.go is taken.
//   - package runtime/race, if a program imports it, brings that detector as an
//     object file by way of its own imports. It is compiled without them.

// raceTag reports whether the tag is set, from the files of a compile call of a
// package in which it chooses between two.
func raceTag(files []string) bool {
	return slices.ContainsFunc(files, func(f string) bool { return filepath.Base(f) == "race.go" })
}

// assemble runs the assembler. Only the two packages above need care.
func assemble(c *call, stdout, stderr io.Writer) error {
	files, err := assembly(c)
	if err != nil {
		return err
	}
	return pass(c.tool, append(c.flags, files...), stdout, stderr)
}

// assembly returns the files to assemble. The go command's symabis step names
// all of a package at once, the others one each, of which it wants an object
// file.
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

// withoutGuards returns internal/runtime/sys with the stack space of a plain build,
// or false if the files are those of a build without the tag.
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

// withoutImports returns runtime/race reduced to its documentation, or false
// if the files are those of a build without the tag.
func withoutImports(files []string) (*output, bool) {
	for _, f := range files {
		if filepath.Base(f) == "doc.go" && len(files) > 1 {
			return &output{sources: unchanged([]string{f})}, true
		}
	}
	return nil, false
}
