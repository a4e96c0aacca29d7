package rerun

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/explore/local"
	"taskinstr/cmd/taskinstr/internal/reports"
)

// delveName is the debugger's command.
const delveName = "dlv"

// errNoDelve says that the debugger is missing.
var errNoDelve = errors.New("dlv is not in the PATH; install it with: go install github.com/go-delve/delve/cmd/dlv@latest")

// debug runs the schedule under delve, with further arguments of `dlv exec`. For a race it reports whether the
// run has shown the finding; delve shows the other findings itself.
func (r *rerun) debug(b *batch.Batch, further []string) (shown bool, err error) {
	// The file itself would do, but its name may have a space in it.
	schedule, folder := filepath.Join(r.Scratch, "schedule"), filepath.Join(r.Scratch, "reports")
	if err := os.WriteFile(schedule, []byte(b.Schedule), 0o600); err != nil {
		return false, err
	}
	args := append(append([]string{"exec"}, further...), r.Exe, "--")
	cmd := exec.Command(delveName, append(args, local.Args(b)...)...)
	cmd.Dir = r.Dir
	words := strings.Fields(os.Getenv("TASKINSTR") + " " + b.Options + " schedule=replay:" + schedule)
	cmd.Env = append(local.Environ(r.Dir), "TASKINSTR="+strings.Join(words, " "), "TASKINSTR_REPORTS="+folder)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, r.stdout, r.stderr
	if err := cmd.Run(); err != nil {
		return false, fmt.Errorf("dlv exec %s: %w", r.Exe, err)
	}
	if r.file.Kind != string(batch.Race) {
		return true, nil
	}
	set := reports.New()
	if err := set.Read(folder); err != nil && !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	shown = set.Has(r.file.Fingerprint)
	n := 0
	if shown {
		n = 1
	}
	fmt.Fprintf(r.stdout, "%s %s in %s: reproduced %d of 1\n", r.file.Kind, r.file.Fingerprint, test(r.file), n)
	return shown, nil
}
