package link

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// A Coordinator is the far end: it hands batches to workers.
type Coordinator interface {
	Upload(ctx context.Context, u Upload) error
	Do(ctx context.Context, b *Batch) (*Outcome, error)
	Finish(ctx context.Context) error
	Stop(ctx context.Context) error
	State() State
	Failed() <-chan struct{} // closed when the coordinator has given up
	Err() error              // why
}

// ErrLeft says that the other command has ended without a word. The run can be resumed.
var ErrLeft = errors.New("the command that started the coordinator has ended")

// stateEvery is the time between two messages with the state.
const stateEvery = time.Second

// Serve carries out the messages on r until one of them ends the run, and writes the answers to w.
// open connects the coordinator; outcomes that no batch on r waits for go to its argument earlier.
func Serve(ctx context.Context, r io.Reader, w io.Writer, open func(note func(string), earlier func(*Outcome)) (Coordinator, *Ready, error)) error {
	var mu sync.Mutex
	encoder := json.NewEncoder(w)
	send := func(m *Message) {
		mu.Lock()
		defer mu.Unlock()
		encoder.Encode(m)
	}
	c, ready, err := open(func(line string) { send(&Message{Note: line}) }, func(out *Outcome) { send(&Message{Outcome: out}) })
	if err != nil {
		send(&Message{Failed: err.Error()})
		return err
	}
	send(&Message{Ready: ready})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages := receive(ctx, r)
	tick := time.NewTicker(stateEvery)
	defer tick.Stop()
	fail := func(err error) error {
		send(&Message{Failed: err.Error()})
		return err
	}
	for {
		select {
		case <-tick.C:
			s := c.State()
			send(&Message{State: &s})
		case <-c.Failed():
			return fail(c.Err())
		case m, ok := <-messages:
			switch {
			case !ok:
				return ErrLeft
			case m.Upload != nil:
				if err := c.Upload(ctx, *m.Upload); err != nil {
					return fail(err)
				}
				send(&Message{Uploaded: m.Upload.Digest})
			case m.Batch != nil:
				go func() {
					out, err := c.Do(ctx, m.Batch)
					switch {
					case err == nil:
						send(&Message{Outcome: out})
					case ctx.Err() == nil && c.Err() == nil: // the error is the batch's
						send(&Message{Outcome: &Outcome{ID: m.Batch.ID, Payload: m.Batch.Payload, Error: err.Error()}})
					}
				}()
			case m.Finish, m.Stop:
				end := c.Stop
				if m.Finish {
					end = c.Finish
				}
				if err := end(ctx); err != nil {
					return fail(fmt.Errorf("the run has ended, but what it left on the server cannot be deleted: %w", err))
				}
				send(&Message{Done: true})
				return nil
			}
		}
	}
}

// receive returns the messages on r. The channel is closed when r has no further one, or ctx is done.
func receive(ctx context.Context, r io.Reader) <-chan *Message {
	messages := make(chan *Message)
	go func() {
		defer close(messages)
		d := json.NewDecoder(bufio.NewReader(r))
		for {
			m := new(Message)
			if d.Decode(m) != nil {
				return
			}
			select {
			case messages <- m:
			case <-ctx.Done():
				return
			}
		}
	}()
	return messages
}
