package wrapper

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// A watch shows how far a build is: the number of compiled packages of all that are to be
// compiled, and an estimate of the remaining time.
type watch struct {
	notes    string // a file that names the compiled packages
	programs bool   // the go command runs programs, which may print, once they are linked
	all      atomic.Int64
}

// countAfter is how long a build may take before the packages are counted, which costs a
// second or so of a processor.
const countAfter = 2 * time.Second

// child runs the go command (see child) and shows its progress. A nil watch shows nothing.
func (w *watch) child(line, env []string, stderr io.Writer) (*os.ProcessState, error) {
	if w != nil {
		defer w.show(line, stderr)()
	}
	return child(line, env)
}

// show shows the progress of the go command's line, until the first program is linked, if
// programs run, or stop is called.
func (w *watch) show(line []string, stderr io.Writer) (stop func()) {
	done, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		progress := terminal.NewProgress(stderr)
		defer progress.Clear()
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		start, counting := time.Now(), false
		for {
			select {
			case <-done:
				return
			case <-tick.C:
			}
			text, _ := os.ReadFile(w.notes)
			n, last, linked := progressOf(text)
			if linked && w.programs {
				return
			}
			if !counting && n > 0 && time.Since(start) > countAfter {
				counting = true
				go w.count(line)
			}
			if n > 0 {
				progress.Show("%s", progressText(n, int(w.all.Load()), time.Since(start), last))
			}
		}
	}()
	return func() {
		close(done)
		<-stopped
		os.Remove(w.notes)
	}
}

// count finds out how many packages the build compiles: those that the build cache lacks now,
// and those that it has compiled already.
func (w *watch) count(line []string) {
	flags := listing(line)
	if flags == nil {
		return
	}
	out, err := exec.Command(line[0], flags...).Output()
	if err != nil {
		return // the go command reports the same error
	}
	notes, _ := os.ReadFile(w.notes)
	w.all.Store(int64(allOf(string(out), string(notes))))
}

// allOf returns the number of packages that a list of missing ones and the notes on compiled ones
// name: the build goes on while the list is made.
func allOf(missing, notes string) int {
	all := map[string]bool{}
	for path := range strings.Lines(missing + notes) {
		path, _, _ = strings.Cut(strings.TrimSpace(path), " ") // a variant for tests is compiled under the path of the package
		if path != toolexec.Linking {
			all[path] = true
		}
	}
	return len(all)
}

// listing returns the arguments of go list that print a line for each package that the build
// cache lacks, nil if the line is not of a build.
func listing(line []string) []string {
	args := slices.Clone(line[1:])
	name := slices.IndexFunc(args, func(a string) bool { return slices.Contains(Commands, a) })
	if name < 0 {
		return nil
	}
	flags := []string{"list", "-e", "-deps"}
	if args[name] == "test" {
		flags = append(flags, "-test")
	}
	// A package without a place to install it counts as stale; the reason tells the others.
	flags = append(flags, "-f", `{{if .Stale}}{{if ne .StaleReason "not installed but available in build cache"}}{{.ImportPath}}{{end}}{{end}}`)
	for _, a := range args[name+1:] {
		if a == "-args" || a == "--" {
			break
		}
		switch flag, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "="); {
		case !strings.HasPrefix(a, "-"), flag == "C", slices.Contains(counted, flag):
			flags = append(flags, a)
		}
	}
	return flags
}

// counted are the go command's flags that decide which packages a build compiles, written with
// their values in one argument.
var counted = []string{"toolexec", "tags", "gcflags", "asmflags", "ldflags", "trimpath", "mod", "modfile", "overlay", "installsuffix", "buildmode", "pgo"}

// progressOf returns the number of packages that the notes list, the last one, and whether
// a program has been linked.
func progressOf(notes []byte) (n int, last string, linked bool) {
	for note := range bytes.Lines(notes) {
		name := strings.TrimSpace(string(note))
		if name == toolexec.Linking {
			linked = true
			continue
		}
		n, last = n+1, name
	}
	return n, last, linked
}

// progressText is the line that shows n compiled packages of all, 0 if that is unknown.
func progressText(n, all int, took time.Duration, last string) string {
	if all <= n {
		return fmt.Sprintf("%d packages compiled: %s", n, last)
	}
	left := ""
	if n >= 5 {
		left = fmt.Sprintf(", about %v left", (took / time.Duration(n) * time.Duration(all-n)).Round(time.Second))
	}
	return fmt.Sprintf("%d of %d packages compiled%s: %s", n, all, left, last)
}
