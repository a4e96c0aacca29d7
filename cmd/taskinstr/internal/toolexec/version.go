package toolexec

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// printVersion answers -V=full of the compiler and the linker. key describes the options
// that change the tool's output.
//
// The go command uses this line as the identity of the tool in its cache keys: the whole
// line of a release, the build ID at the end of a development version's line. So the
// identity of this program and key are appended in the form of a build ID, which both
// readings include.
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
