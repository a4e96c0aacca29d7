package toolexec

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// printVersion answers `compile -V=full`.
//
// The go command takes the whole line of a release, or the build ID at the end
// of a development version's line, for the identity of the compiler; everything
// it caches hangs on that. So an identity of what this program adds goes to the
// end, in the form of a build ID, which both readings include.
func printVersion(tool string, args []string, key string, stdout, stderr io.Writer) error {
	var out bytes.Buffer
	cmd := exec.Command(tool, args...)
	cmd.Stdout, cmd.Stderr = &out, stderr
	if err := cmd.Run(); err != nil {
		return exitOf(tool, err)
	}
	line := strings.TrimSpace(out.String())
	// "compile version go1.26.8 …"
	if f := strings.Fields(line); len(f) >= 3 {
		if err := CheckGo(f[2]); err != nil {
			return err
		}
	}
	id, err := Identity()
	if err != nil {
		return fmt.Errorf("cannot tell its own identity, which the build cache needs: %w", err)
	}
	sum := sha256.Sum256([]byte(line + "\n" + id + "\n" + key + "\n"))
	_, err = fmt.Fprintf(stdout, "%s +taskinstr buildID=_/_/_/%s\n", line, base64.RawURLEncoding.EncodeToString(sum[:15]))
	return err
}

// maxIDOffset bounds where in the executable the build ID is looked for. The
// linker writes it first into the text segment, for every object format.
const maxIDOffset = 64 << 10

// Identity returns what tells this program from any other: the content half of
// the build ID that the go command wrote into the executable, or a hash of the
// executable where there is none. It does not depend on the path, since `go
// run` builds into a new folder each time.
func Identity() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, maxIDOffset)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return "", err
	}
	if id := contentID(head[:n]); id != "" {
		return id, nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)), nil
}

// contentID finds the build ID in the first bytes of an executable and returns
// its last part, the hash of the executable's contents; "" when there is none.
func contentID(head []byte) string {
	_, rest, ok := bytes.Cut(head, []byte("\xff Go build ID: \""))
	if !ok {
		return ""
	}
	id, _, ok := bytes.Cut(rest, []byte("\"\n \xff"))
	if !ok {
		return ""
	}
	// A binary of the go command has actionID/…/contentID; one linked by hand
	// with a made-up ID proves nothing about its contents.
	parts := strings.Split(string(id), "/")
	if len(parts) != 4 || len(parts[3]) < 20 {
		return ""
	}
	return parts[3]
}
