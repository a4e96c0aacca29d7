package farm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A Child runs each job in a process of its own, with the processes that the job starts in a
// session, so that limits hold for them together and none is left behind.
type Child struct {
	Command []string // the program that calls RunChild, and its arguments
	Memory  int64    // of the processes together, in bytes; 0: no limit
	Cgroup  string   // a folder of cgroup v2 for a group of each job; "": the memory is measured
}

// A reply is what a child writes to its standard output.
type reply struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// maxReply bounds what is read from a child, in bytes.
const maxReply = 64 << 20

// memoryEvery is the time between two measurements of a job's memory.
const memoryEvery = 200 * time.Millisecond

// Execute runs a job. It implements Executor.
func (c *Child) Execute(ctx context.Context, j *Job, limit time.Duration) (json.RawMessage, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	group, err := newGroup(c.Cgroup, j.ID, c.Memory)
	if err != nil {
		return nil, err
	}
	defer group.remove()
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(c.Command[0], c.Command[1:]...)
	cmd.Dir, cmd.Env = j.Dir, environment(filepath.Dir(j.Dir))
	// The child ends when its standard input does, as it does when this process is killed.
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, said := &bounded{max: maxReply}, &bounded{max: maxReply}
	cmd.Stdout, cmd.Stderr = out, said
	cmd.WaitDelay = time.Second // processes that left the group may hold the pipes
	group.join(cmd)
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", c.Command[0], err)
	}
	stop := context.AfterFunc(ctx, func() { group.kill(cmd.Process) })
	timer := time.AfterFunc(limit, func() { cancel(fmt.Errorf("the batch has taken longer than %v and was ended", limit)) })
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		c.watch(ctx, cancel, group, cmd.Process)
	}()
	in.Write(append(text, '\n'))
	err = cmd.Wait()
	timer.Stop()
	stop()
	group.kill(cmd.Process) // what the child has left running
	cause := context.Cause(ctx)
	cancel(nil)
	<-watched
	in.Close()
	if err := c.ended(cause, err, group, out, said); err != nil {
		return nil, err
	}
	var r reply
	switch {
	case json.Unmarshal(out.Bytes(), &r) != nil:
		return nil, &jobError{fmt.Errorf("the process of the batch has written no result%s", said.last())}
	case r.Error != "":
		return nil, &jobError{errors.New(r.Error)}
	}
	return r.Result, nil
}

// ended returns why a process has no reply, nil if it has one. cause is the reason for which it was ended,
// err the error of waiting for it, and out and said are its output.
func (c *Child) ended(cause, err error, group *group, out, said *bounded) error {
	switch {
	case errors.Is(cause, context.Canceled):
		return cause
	case cause != nil:
		return &jobError{cause}
	case group.exceeded():
		return &jobError{memoryError(c.Memory)}
	case out.over:
		return &jobError{fmt.Errorf("the result is larger than %d MiB", maxReply>>20)}
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return &jobError{fmt.Errorf("the process of the batch has ended: %w%s", err, said.last())}
	}
	return nil
}

func memoryError(limit int64) error {
	return fmt.Errorf("the processes of the batch have taken more than %d MiB of memory and were ended; -memory of the worker allows more", limit>>20)
}

// watch ends a job whose processes have too much memory.
func (c *Child) watch(ctx context.Context, cancel context.CancelCauseFunc, g *group, p *os.Process) {
	if c.Memory == 0 || g.limits() {
		return
	}
	tick := time.NewTicker(memoryEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if n := g.memory(p); n > c.Memory {
				cancel(memoryError(c.Memory))
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// passed are the variables of the worker's environment that a job sees. Others may hold secrets.
var passed = []string{"PATH", "LANG", "LC_ALL", "TZ", "GOROOT", "SYSTEMROOT", "COMSPEC", "PATHEXT"}

// environment returns the environment of a job whose folder is given. What it keeps at home or in
// the temporary folder is deleted with the folder.
func environment(dir string) []string {
	var env []string
	for _, name := range passed {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	for _, name := range []string{"HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP"} {
		env = append(env, name+"="+dir)
	}
	return env
}

// RunChild is the other end of Execute: it reads a job from in, runs it, and writes the result to
// out.
func RunChild(run Runner, in io.Reader, out io.Writer) error {
	d := json.NewDecoder(in)
	j := new(Job)
	if err := d.Decode(j); err != nil {
		return fmt.Errorf("no job: %w", err)
	}
	if err := limitSelf(); err != nil {
		return err
	}
	EndWith(in, endGroup) // the worker is gone
	result, err := run(context.Background(), j)
	r := reply{Result: result}
	if err != nil {
		r = reply{Error: err.Error()}
	}
	return json.NewEncoder(out).Encode(r)
}

// A bounded buffer keeps the beginning of what is written to it.
type bounded struct {
	bytes.Buffer
	max  int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.max {
		b.over = true
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// last returns the last lines, ready to follow an error.
func (b *bounded) last() string {
	text := strings.TrimSpace(b.String())
	if text == "" {
		return ""
	}
	const size = 1 << 10 // bytes
	return ":\n" + text[max(0, len(text)-size):]
}
