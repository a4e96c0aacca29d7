package link

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"

	"taskinstr/cmd/internal/sibling"
)

// A Farm is the near end of a running coordinator. Its methods may be called by several
// goroutines.
type Farm struct {
	Run string // the name of the run
	Key string // the public key of the coordinator

	in   io.WriteCloser
	end  func() error // waits for the end of the coordinator
	gone chan struct{}

	mu      sync.Mutex
	encoder *json.Encoder
	waiting map[string]chan *Outcome
	uploads map[string]chan struct{}
	state   State
	done    bool  // the coordinator has answered Finish or Stop
	failed  error // set before gone is closed
}

// Hooks are called by the goroutine that reads the coordinator's messages, one after the other.
type Hooks struct {
	Note    func(line string)  // a line for the user
	Earlier func(out *Outcome) // an outcome of a batch that an earlier command of this run has sent
}

// Start starts a coordinator and waits until it is connected. Outcomes of earlier commands that are
// there already are passed to hooks.Earlier before Start returns; others follow as they come. One
// batch may be both passed to Earlier and returned by Do; its result counts once.
func Start(ctx context.Context, c *CoordinatorConfig, hooks Hooks) (*Farm, error) {
	program, err := sibling.Cached(command, hooks.Note)
	if err != nil {
		return nil, err
	}
	// The coordinator ends when its standard input does. The context does not kill it: Stop
	// has work left to do.
	cmd := exec.Command(program, c.args()...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var said tail
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", program, err)
	}
	return attach(ctx, in, out, hooks, func() error {
		if err := cmd.Wait(); err != nil {
			return fmt.Errorf("%s: %w%s", program, err, said.text())
		}
		return nil
	})
}

// attach reads the messages of a coordinator. end waits for its end.
func attach(ctx context.Context, in io.WriteCloser, out io.Reader, hooks Hooks, end func() error) (*Farm, error) {
	f := &Farm{in: in, end: end, gone: make(chan struct{}), encoder: json.NewEncoder(in),
		waiting: map[string]chan *Outcome{}, uploads: map[string]chan struct{}{}}
	ready := make(chan struct{})
	go f.read(out, hooks, ready)
	select {
	case <-ready:
		return f, nil
	case <-f.gone:
		return nil, f.failed
	case <-ctx.Done():
		in.Close()
		<-f.gone
		return nil, ctx.Err()
	}
}

// read reads messages until the coordinator ends.
func (f *Farm) read(r io.Reader, hooks Hooks, ready chan struct{}) {
	var failed error
	d := json.NewDecoder(bufio.NewReader(r))
	for {
		var m Message
		if err := d.Decode(&m); err != nil {
			if !errors.Is(err, io.EOF) && failed == nil {
				failed = fmt.Errorf("the coordinator's messages cannot be read: %w", err)
			}
			break
		}
		switch {
		case m.Ready != nil && m.Ready.Version != Version:
			failed = fmt.Errorf("taskinstr-farm has version %d of the messages, taskinstr has version %d; install both from the same sources", m.Ready.Version, Version)
			f.in.Close()
		case m.Ready != nil:
			f.Run, f.Key = m.Ready.Run, m.Ready.Key
			close(ready)
		case m.Outcome != nil:
			f.mu.Lock()
			c := f.waiting[m.Outcome.ID]
			delete(f.waiting, m.Outcome.ID)
			f.mu.Unlock()
			if c != nil {
				c <- m.Outcome
			} else {
				hooks.Earlier(m.Outcome)
			}
		case m.Uploaded != "":
			f.mu.Lock()
			if c := f.uploads[m.Uploaded]; c != nil {
				close(c)
				delete(f.uploads, m.Uploaded)
			}
			f.mu.Unlock()
		case m.State != nil:
			f.mu.Lock()
			f.state = *m.State
			f.mu.Unlock()
		case m.Note != "":
			hooks.Note(m.Note)
		case m.Failed != "":
			failed = errors.New(m.Failed)
		case m.Done:
			f.mu.Lock()
			f.done = true
			f.mu.Unlock()
		}
	}
	f.conclude(failed, f.end())
}

// conclude notes why there are no further outcomes. failed is the error of the messages, err the error with
// which the coordinator has ended.
func (f *Farm) conclude(failed, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case failed != nil:
		f.failed = failed
	case err != nil:
		f.failed = fmt.Errorf("the coordinator has ended: %w; the outcomes so far are kept, -resume goes on", err)
	case !f.done:
		f.failed = errors.New("the coordinator has ended by itself; the outcomes so far are kept, -resume goes on")
	}
	close(f.gone)
}

// send writes a message. A coordinator that has ended makes itself known by gone.
func (f *Farm) send(m *Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.encoder.Encode(m)
}

// Upload stores a file where workers find it.
func (f *Farm) Upload(ctx context.Context, u Upload) error {
	f.mu.Lock()
	c := f.uploads[u.Digest]
	if c == nil {
		c = make(chan struct{})
		f.uploads[u.Digest] = c
	}
	f.mu.Unlock()
	f.send(&Message{Upload: &u})
	select {
	case <-c:
		return nil
	case <-f.gone:
		return f.lost()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Do has a worker run a batch and returns its outcome. At most one call at a time has the
// batch's ID. The number of calls that make sense at the same time is that of Slots, and a few
// more so that no worker waits.
func (f *Farm) Do(ctx context.Context, b *Batch) (*Outcome, error) {
	c := make(chan *Outcome, 1)
	f.mu.Lock()
	if f.waiting[b.ID] != nil {
		f.mu.Unlock()
		return nil, fmt.Errorf("batch %s is running already", b.ID)
	}
	f.waiting[b.ID] = c
	f.mu.Unlock()
	f.send(&Message{Batch: b})
	select {
	case out := <-c:
		return out, nil
	case <-f.gone:
		return nil, f.lost()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// State returns what the coordinator has said last.
func (f *Farm) State() State {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state
}

// lost returns why the coordinator has ended.
func (f *Farm) lost() error {
	if f.failed == nil {
		return errors.New("the farm is closed")
	}
	return f.failed
}

// Finish ends a run that is complete: its batches and outcomes are deleted from the server.
func (f *Farm) Finish() error { return f.close(&Message{Finish: true}) }

// Stop ends a run early: no worker begins another of its batches, and -resume can go on.
func (f *Farm) Stop() error { return f.close(&Message{Stop: true}) }

// closeTime bounds the time that the coordinator has to delete what Finish and Stop ask for.
const closeTime = 20 * time.Second

func (f *Farm) close(m *Message) error {
	f.send(m)
	select {
	case <-f.gone:
	case <-time.After(closeTime):
		return errors.New("the coordinator does not end")
	}
	return f.failed
}

// A tail keeps the end of what a process writes.
type tail struct{ buf []byte }

const tailSize = 2 << 10 // bytes

func (t *tail) Write(p []byte) (int, error) {
	t.buf = append(t.buf, p...)
	if n := len(t.buf) - tailSize; n > 0 {
		t.buf = t.buf[n:]
	}
	return len(p), nil
}

// text returns the last lines, ready to follow an error; "" if there are none.
func (t *tail) text() string {
	if len(t.buf) == 0 {
		return ""
	}
	return ":\n" + strings.TrimSpace(string(t.buf))
}
