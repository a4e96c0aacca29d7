package toolexec

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"

	"taskinstr"
)

// Identity returns a string that identifies this program. Programs with equal identities make
// equal output of equal input.
//
// If the go command has recorded all of what the program was built from, the identity is a
// digest of the module's sources, the checksums of its dependencies, the Go version and the
// build settings. Executables of the same sources differ: `go run` leaves out the tables for
// debuggers, and `go install` adds the commit. For other programs (a replaced dependency, a
// Go without a release) the identity is that of the executable.
func Identity() (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		if id, ok := sourceID(info, taskinstr.Source); ok {
			return id, nil
		}
	}
	return executableID()
}

// sourceID returns the digest of what the program was built from. ok is false if info does not
// say all of it.
func sourceID(info *debug.BuildInfo, sources fs.FS) (id string, ok bool) {
	if !strings.HasPrefix(info.GoVersion, "go1.") {
		return "", false
	}
	h := sha256.New()
	fmt.Fprintf(h, "go %s\n", info.GoVersion)
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		if d.Sum == "" {
			return "", false // a folder, or vendored
		}
		fmt.Fprintf(h, "module %s %s %s\n", d.Path, d.Version, d.Sum)
	}
	for _, s := range info.Settings {
		if s.Key != "vcs" && !strings.HasPrefix(s.Key, "vcs.") {
			fmt.Fprintf(h, "setting %s=%s\n", s.Key, s.Value)
		}
	}
	file, buffer := sha256.New(), make([]byte, 32<<10) // each start of the tool would pay for copies of all files
	err := fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		f, err := sources.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		file.Reset()
		_, err = io.CopyBuffer(file, f, buffer)
		fmt.Fprintf(h, "file %s %x\n", name, file.Sum(nil))
		return err
	})
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:15]), err == nil
}

// executableID returns the content half of the build ID that the go command wrote into the
// executable, or a hash of the executable if there is no build ID. It does not depend on the
// path, since `go run` builds into a new folder each time.
func executableID() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	id, err := buildID(f)
	if err != nil {
		return "", err
	}
	if id = contentPart(id); id != "" {
		return id, nil
	}
	h := sha256.New()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)), nil
}

// Version is the version of this program's module, with the commit for a build from a
// checkout.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	v := info.Main.Version
	if v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return v + " " + s.Value[:12]
		}
	}
	return v
}

// maxIDOffset bounds the search for the build ID in an executable that is not ELF. The
// linker writes the ID first into the text segment.
const maxIDOffset = 64 << 10

// buildID returns the Go build ID of an executable, "" if it has none.
func buildID(r io.ReaderAt) (string, error) {
	head := make([]byte, maxIDOffset)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	head = head[:n]
	if bytes.HasPrefix(head, []byte(elf.ELFMAG)) {
		return elfBuildID(r), nil
	}
	_, rest, _ := bytes.Cut(head, []byte("\xff Go build ID: \""))
	id, _, ok := bytes.Cut(rest, []byte("\"\n \xff"))
	if !ok {
		return "", nil
	}
	return string(id), nil
}

// elfBuildID returns the build ID of an ELF file, "" if it has none. The ID is in a note:
// three words (the lengths of name and contents, the type), the name, the contents.
func elfBuildID(r io.ReaderAt) string {
	f, err := elf.NewFile(r)
	if err != nil {
		return ""
	}
	s := f.Section(".note.go.buildid")
	if s == nil {
		return ""
	}
	note, err := s.Data()
	const name = "Go\x00\x00"
	if err != nil || len(note) < 12+len(name) || string(note[12:][:len(name)]) != name {
		return ""
	}
	size := f.ByteOrder.Uint32(note[4:])
	id := note[12+len(name):]
	if uint64(size) > uint64(len(id)) {
		return ""
	}
	return string(id[:size])
}

// contentPart returns the last part of a build ID, the hash of the contents, if the go
// command made the ID: actionID/…/contentID. It returns "" for an ID that the user chose
// with -ldflags=-buildid, which identifies no program.
func contentPart(id string) string {
	parts := strings.Split(id, "/")
	if len(parts) != 4 || len(parts[3]) < 20 {
		return ""
	}
	return parts[3]
}
