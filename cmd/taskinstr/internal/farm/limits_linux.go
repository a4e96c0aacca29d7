package farm

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A group is the processes of a job: a session, whose memory is measured, or a cgroup, whose memory
// the kernel limits. The address space has no limit (RLIMIT_AS): detectors reserve far more of it
// than they use.
type group struct {
	path string   // of the cgroup; "": none
	dir  *os.File // the same, open
}

// newGroup makes the group of a job. parent is a folder of cgroup v2, or "".
func newGroup(parent, id string, memory int64) (*group, error) {
	if parent == "" {
		return &group{}, nil
	}
	g := &group{path: filepath.Join(parent, "taskinstr-"+id+"-"+strconv.Itoa(os.Getpid()))}
	if err := os.Mkdir(g.path, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("-cgroup: %w", err)
	}
	for _, x := range [][2]string{{"memory.max", strconv.FormatInt(memory, 10)}, {"memory.swap.max", "0"}, {"memory.oom.group", "1"}} {
		if memory == 0 {
			break
		}
		err := g.set(x[0], x[1])
		if errors.Is(err, fs.ErrNotExist) && x[0] == "memory.swap.max" { // a kernel without swap
			continue
		}
		if err != nil {
			g.remove()
			return nil, fmt.Errorf("-cgroup: the group cannot limit its memory: %w; write +memory to %s", err, filepath.Join(parent, "cgroup.subtree_control"))
		}
	}
	dir, err := os.Open(g.path)
	if err != nil {
		g.remove()
		return nil, fmt.Errorf("-cgroup: %w", err)
	}
	g.dir = dir
	return g, nil
}

// set writes a setting of the cgroup. The kernel has made its file.
func (g *group) set(name, value string) error {
	f, err := os.OpenFile(filepath.Join(g.path, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

// join has a command start in the group.
func (g *group) join(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if g.dir != nil {
		cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(g.dir.Fd())
	}
}

// limits reports whether the kernel limits the memory of the group.
func (g *group) limits() bool { return g.dir != nil }

// exceeded reports whether the kernel has ended the group for its memory.
func (g *group) exceeded() bool {
	if g.dir == nil {
		return false
	}
	text, _ := os.ReadFile(filepath.Join(g.path, "memory.events"))
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); ok {
			return n != "0"
		}
	}
	return false
}

// kill ends all processes of the group, whose first one is given.
func (g *group) kill(p *os.Process) {
	if g.dir != nil {
		g.set("cgroup.kill", "1")
	}
	syscall.Kill(-p.Pid, syscall.SIGKILL)
	for _, s := range session(p.Pid) {
		syscall.Kill(s.pid, syscall.SIGKILL)
	}
}

// memory returns the bytes that the processes of the group have in memory.
func (g *group) memory(p *os.Process) int64 {
	var sum int64
	for _, s := range session(p.Pid) {
		sum += s.resident
	}
	return sum
}

// remove deletes the cgroup. Its processes, which are killed, may need a moment to leave it.
func (g *group) remove() {
	if g.path == "" {
		return
	}
	if g.dir != nil {
		g.dir.Close()
	}
	for range 50 {
		if err := os.Remove(g.path); err == nil || errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// endGroup ends the processes of this process's session, itself included. The test binaries that it
// has started have groups of their own.
func endGroup() {
	for _, s := range session(os.Getpid()) {
		if s.pid != os.Getpid() {
			syscall.Kill(s.pid, syscall.SIGKILL)
		}
	}
	syscall.Kill(0, syscall.SIGKILL)
}

// member is a process of a session.
type member struct {
	pid      int
	resident int64 // bytes
}

// session returns the processes of a session.
func session(id int) []member {
	names, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	var list []member
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// The second field is the name in parentheses, which may hold anything.
		i := strings.LastIndexByte(string(text), ')')
		if i < 0 {
			continue
		}
		const state, sessionField, rss = 0, 3, 21 // behind the name
		f := strings.Fields(string(text[i+1:]))
		if len(f) <= rss || f[sessionField] != strconv.Itoa(id) || f[state] == "Z" {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		pages, _ := strconv.ParseInt(f[rss], 10, 64)
		list = append(list, member{pid, pages * int64(os.Getpagesize())})
	}
	return list
}
