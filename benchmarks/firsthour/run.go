package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// row is the result of a step.
type row struct {
	step
	wall, cpu time.Duration
	code      int
	output    []byte // standard output and standard error, as they came
	wrong     string // in which way the step did not end as expected; empty if it did
}

// limit is the longest time that a step may take.
const limit = 20 * time.Minute

// run runs a step.
func (p *place) run(s step) (row, error) {
	if s.before != nil {
		if err := s.before(); err != nil {
			return row{}, err
		}
	}
	path, err := p.look(s.command[0])
	if err != nil {
		return row{}, err
	}
	cmd := exec.Command(path, s.command[1:]...)
	cmd.Args[0] = s.command[0]
	cmd.Dir = s.dir
	cmd.Env = append(append(p.env[:len(p.env):len(p.env)], s.env...), "PWD="+s.dir)
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return row{}, err
	}
	timer := time.AfterFunc(limit, func() { cmd.Process.Kill() })
	defer timer.Stop()
	var note string
	if s.page {
		note = load(&out)
		cmd.Process.Signal(os.Interrupt)
	}
	if err := cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		return row{}, err
	}
	r := row{step: s, wall: time.Since(start), output: out.bytes(), code: cmd.ProcessState.ExitCode(),
		cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wrong: note}
	if r.code != s.code {
		r.wrong = fmt.Sprintf("exit code %d, want %d", r.code, s.code)
	}
	for _, w := range s.want {
		if !bytes.Contains(r.output, []byte(w)) {
			r.wrong = fmt.Sprintf("no %q in the output", w)
		}
	}
	return r, nil
}

// look returns the file of a command: one that the hour has installed, or one of PATH.
func (p *place) look(name string) (string, error) {
	if installed, err := exec.LookPath(filepath.Join(p.base, "bin", name)); err == nil {
		return installed, nil
	}
	return exec.LookPath(name)
}

// output collects the output of a command.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(b)
}

func (o *output) bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.buf.Bytes())
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\S+`)

// load waits for the address of a page in the output, loads the page, and returns its fault,
// "" if it has none. The command may have to build taskinstr-show first.
func load(o *output) string {
	for start := time.Now(); time.Since(start) < limit/2; {
		if url := address.Find(o.bytes()); url != nil {
			resp, err := http.Get(string(url))
			if err != nil {
				return err.Error()
			}
			defer resp.Body.Close()
			page, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != http.StatusOK || !bytes.Contains(page, []byte("</html>")) {
				return fmt.Sprintf("%s: %s, %d bytes, %v", url, resp.Status, len(page), err)
			}
			return ""
		}
		time.Sleep(100 * time.Millisecond)
	}
	return "no address of a page"
}

// print shows the step with the first lines of its output; all of them if lines is 0.
func (r *row) print(lines int) {
	fmt.Printf("$ %s\n", strings.Join(r.command, " "))
	text := strings.TrimRight(string(r.output), "\n")
	all := strings.Split(text, "\n")
	if lines == 0 || len(all) <= lines {
		lines = len(all)
	}
	if text != "" {
		for _, l := range all[:lines] {
			fmt.Println("    " + l)
		}
	}
	if more := len(all) - lines; more > 0 {
		fmt.Printf("    ... (%d more lines)\n", more)
	}
	fmt.Printf("%.1f s, %.1f s of processor time, exit code %d\n", r.wall.Seconds(), r.cpu.Seconds(), r.code)
	if r.wrong != "" {
		fmt.Println("NOT AS EXPECTED:", r.wrong)
	}
	fmt.Println()
}

// table returns the steps as a table in Markdown.
func table(rows []row) string {
	var b strings.Builder
	b.WriteString("| step | command | seconds | processor time, s | exit code |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		note := ""
		if r.wrong != "" {
			note = ": " + r.wrong
		}
		fmt.Fprintf(&b, "| %s | `%s` | %.1f | %.1f | %d%s |\n", r.title, short(r.command), r.wall.Seconds(), r.cpu.Seconds(), r.code, note)
	}
	return b.String()
}

// short returns a command line in which absolute paths are abridged.
func short(command []string) string {
	out := make([]string, len(command))
	for i, w := range command {
		if k := strings.IndexByte(w, '='); filepath.IsAbs(w[k+1:]) {
			w = w[:k+1] + filepath.Base(w)
		}
		out[i] = w
	}
	return strings.Join(out, " ")
}
