package toolexec

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/outfile"
)

// Compilations of the standard library can be reused between builds that the go command
// keeps apart.
//
// The go command caches a compilation under the identity of its compiler, which covers all
// of taskinstr and the options (version.go). Most changes of these leave most packages of
// the standard library as they were: another pass changes none, another value of -pkgs
// leaves the runtime alone. If the variable option.ReuseVar names a folder, the output of the
// real compiler is stored there under a digest of its whole input, and an equal input is
// not compiled again. The go command then stores the same output under the new identity.
// The tests of taskinstr set the variable, since they build the standard library in many
// ways after each change.
//
// The digest covers the compiler, the environment that it reads, its flags, the names and
// texts of all files and the packages imported, by the content part of their build IDs. The
// folder in which the compiler runs has no effect on a package of std, whose files have
// absolute names; the go command's own cache relies on that as well. If a flag is not known
// to name a file, its value is in the digest. Names of temporary files differ between builds,
// so an input with an unknown flag for files is never equal to another one. A compilation
// that prints something is not stored.

// compilerEnv lists the environment variables that the compiler reads.
var compilerEnv = []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOEXPERIMENT", "GODEBUG", "GOFIPS140", "GOSSAFUNC"}

// A reuse is a compilation whose output may be stored.
type reuse struct {
	entry   string // name of the stored archive
	buildID string // of this compilation, which its archive contains
	archive string // the compiler's outputs
	asmhdr  string // "" if there is none
}

// reuseOf returns the reuse of a call of the compiler with these flags and files, nil if
// its output is not to be stored.
func reuseOf(c *call, flags, files []string) *reuse {
	dir := os.Getenv(option.ReuseVar)
	if dir == "" || !c.on("std") || c.set["buildid"] == "" || c.set["importcfg"] == "" || c.set["o"] == "" {
		return nil
	}
	h := sha256.New()
	if err := digestCall(h, c, flags, files); err != nil {
		return nil
	}
	sum := base64.RawURLEncoding.EncodeToString(h.Sum(nil))
	return &reuse{filepath.Join(dir, sum), c.set["buildid"], c.set["o"], c.set["asmhdr"]}
}

// digestCall writes all input of a call of the compiler to h.
func digestCall(h io.Writer, c *call, flags, files []string) error {
	tool, err := os.Stat(c.tool)
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "compiler %q %d %s\n", c.tool, tool.Size(), tool.ModTime())
	for _, name := range compilerEnv {
		fmt.Fprintf(h, "%s=%q\n", name, os.Getenv(name))
	}
	work := filepath.Dir(c.set["o"])
	inputs := slices.Clone(files)
	for _, name := range []string{"symabis", "pgoprofile"} {
		if file := flagValue(flags, name); file != "" {
			inputs = append(inputs, file)
			flags = replaceFlag(flags, name, "a file")
		}
	}
	for _, name := range []string{"o", "buildid", "asmhdr", "importcfg"} {
		if c.set[name] != "" {
			flags = replaceFlag(flags, name, "a file")
		}
	}
	flags = slices.Clone(flags)
	for i, f := range flags {
		if i > 0 && flags[i-1] == "-trimpath" || strings.HasPrefix(f, "-trimpath=") {
			flags[i] = strings.ReplaceAll(f, work, "$WORK")
		}
	}
	fmt.Fprintf(h, "flags %q\n", flags)
	if err := digestImports(h, c.set["importcfg"]); err != nil {
		return err
	}
	for _, name := range inputs {
		if !filepath.IsAbs(name) {
			return fmt.Errorf("%s is not absolute, so the output depends on the folder", name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "file %q %x\n", strings.ReplaceAll(name, work, "$WORK"), sha256.Sum256(text))
	}
	return nil
}

// digestImports writes the lines of an import configuration to h, with the contents of
// packages in place of their files.
func digestImports(h io.Writer, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, "packagefile ")
		if !ok {
			fmt.Fprintf(h, "%q\n", line)
			continue
		}
		path, file, _ := strings.Cut(strings.TrimSpace(rest), "=")
		content, err := archiveContent(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "import %q %s\n", path, content)
	}
	return nil
}

// archiveContent returns the content part of an archive's build ID (actionID/contentID). The
// go command computes it from the archive without its build ID.
func archiveContent(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, 1<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return "", err
	}
	_, rest, _ := bytes.Cut(head[:n], []byte("\nbuild id \""))
	id, _, ok := bytes.Cut(rest, []byte("\"\n"))
	action, content, both := strings.Cut(string(id), "/")
	if !ok || !both || action == content || content == "" {
		return "", fmt.Errorf("%s has no build ID with its content", name)
	}
	return content, nil
}

// The suffixes of the files that belong to a stored archive: the build ID that it contains,
// and the header for assembly.
const (
	idSuffix  = ".id"
	asmSuffix = ".h"
)

// restore writes the stored outputs, and reports whether there were any.
func (r *reuse) restore() bool {
	if r == nil {
		return false
	}
	id, err := os.ReadFile(r.entry + idSuffix)
	if err != nil || len(id) != len(r.buildID) {
		return false
	}
	archive, err := os.ReadFile(r.entry)
	if err != nil {
		return false
	}
	if r.asmhdr != "" {
		text, err := os.ReadFile(r.entry + asmSuffix)
		if err != nil || os.WriteFile(r.asmhdr, text, 0o666) != nil {
			return false
		}
	}
	if os.WriteFile(r.archive, bytes.ReplaceAll(archive, id, []byte(r.buildID)), 0o666) != nil {
		return false
	}
	now := time.Now()
	for _, name := range []string{r.entry, r.entry + idSuffix, r.entry + asmSuffix} {
		os.Chtimes(name, now, now) // those not used for long are removed
	}
	return true
}

// save stores the outputs of a successful call. A failure costs a compilation later.
func (r *reuse) save() {
	if r == nil {
		return
	}
	archive, err := os.ReadFile(r.archive)
	if err != nil {
		return
	}
	if r.asmhdr != "" {
		text, err := os.ReadFile(r.asmhdr)
		if err != nil || outfile.WriteText(r.entry+asmSuffix, text) != nil {
			return
		}
	}
	if outfile.WriteText(r.entry, archive) == nil {
		outfile.WriteText(r.entry+idSuffix, []byte(r.buildID)) // last: it makes the entry valid
	}
}
