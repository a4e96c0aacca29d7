package selftest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// maxOutput bounds the kept output of one command, in bytes.
const maxOutput = 64 << 20

// A command is one process to run.
type command struct {
	args  []string
	dir   string
	env   []string // added to the harness's environment
	stdin []byte
	limit time.Duration // 0: the suite's limit
}

// An outcome is the result of a process.
type outcome struct {
	output []byte // standard output and standard error, as they were interleaved
	status string // "exit status 0", "signal: killed", "exceeded 2m0s"
	ok     bool   // exit status 0
	// exceeded says that the time limit ended the process.
	exceeded bool
	wall     time.Duration
	cpu      time.Duration // processor time of the process and of those that it waited for
}

// run starts c in a process group of its own and waits for it. When the time limit is
// reached or ctx ends, it kills the whole group.
func (c command) run(ctx context.Context) outcome {
	tctx, cancel := context.WithTimeout(ctx, c.limit)
	defer cancel()
	cmd := exec.CommandContext(tctx, c.args[0], c.args[1:]...)
	cmd.Dir = c.dir
	cmd.Env = c.env
	if c.dir != "" {
		cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], "PWD="+c.dir)
	}
	cmd.Stdin = bytes.NewReader(c.stdin)
	var out limitedBuffer
	cmd.Stdout = &out
	cmd.Stderr = &out // the same writer: one pipe, the order of writes is kept
	killGroup(cmd)
	// A grandchild may hold the pipe open after the group has been killed.
	cmd.WaitDelay = 5 * time.Second

	start := time.Now()
	err := cmd.Run()
	o := outcome{output: out.buf.Bytes(), wall: time.Since(start)}
	if p := cmd.ProcessState; p != nil {
		o.cpu = p.UserTime() + p.SystemTime()
	}
	switch {
	case tctx.Err() != nil && ctx.Err() == nil:
		o.status, o.exceeded = fmt.Sprintf("exceeded %v", c.limit), true
	case ctx.Err() != nil:
		o.status = "interrupted"
	case cmd.ProcessState == nil:
		o.status = err.Error() // did not start
	default:
		o.status = cmd.ProcessState.String()
		o.ok = cmd.ProcessState.Success() && (err == nil || errors.Is(err, exec.ErrWaitDelay))
	}
	return o
}

// limitedBuffer keeps the first maxOutput bytes and drops the rest. The buffer is not
// embedded, since its method ReadFrom would bypass the limit.
type limitedBuffer struct{ buf bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	n := len(p)
	if room := maxOutput - b.buf.Len(); n > room {
		p = p[:max(room, 0)]
	}
	b.buf.Write(p)
	return n, nil
}
