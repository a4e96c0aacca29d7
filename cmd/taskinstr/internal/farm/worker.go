package farm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"taskinstr/cmd/taskinstr/internal/farm/folder"
	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// A Job is a batch on the machine that runs it.
type Job struct {
	ID      string            `json:"id"`
	Payload json.RawMessage   `json:"payload"`
	Dir     string            `json:"dir"`   // the working directory, with the files of a packed folder
	Files   map[string]string `json:"files"` // the paths of binaries, by digest
}

// A Runner runs a batch and returns its result. An error is the batch's: it could not be run
// at all.
type Runner func(ctx context.Context, j *Job) (json.RawMessage, error)

// An Executor runs a job within limits.
type Executor func(ctx context.Context, j *Job, limit time.Duration) (json.RawMessage, error)

// A Worker runs batches.
type Worker struct {
	config  link.WorkerConfig
	name    string
	note    func(string)
	execute Executor
	conn    *connection
	cache   *cache
	done    atomic.Int64

	mu        sync.Mutex
	consumers map[string]consumer // by the coordinator's key
	told      map[string]bool     // notes that were made
}

// A consumer is that of a coordinator, as the server has described it.
type consumer struct {
	jetstream.Consumer
	asked time.Time
}

// consumerAge is the time after which the server is asked again.
const consumerAge = time.Minute

// A jobError is an error of a batch, as opposed to one of this machine or of the connection.
type jobError struct{ error }

func (e *jobError) Unwrap() error { return e.error }

// NewWorker connects a worker. execute runs its batches.
func NewWorker(config link.WorkerConfig, execute Executor, note func(string)) (*Worker, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	w := &Worker{config: config, name: fmt.Sprintf("%s/%d", host, os.Getpid()), note: note, execute: execute, consumers: map[string]consumer{}, told: map[string]bool{}}
	if w.conn, err = connect(config.Server, workerFlags, "taskinstr worker "+w.name, note); err != nil {
		return nil, err
	}
	if w.cache, err = newCache(config.Cache, config.Disk, w.conn.download); err != nil {
		w.conn.nc.Close()
		return nil, err
	}
	return w, nil
}

// Run runs batches until ctx is done, which is no error, or the server is gone for too long.
func (w *Worker) Run(ctx context.Context) error {
	defer w.conn.nc.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var slots sync.WaitGroup
	for range w.config.Slots {
		slots.Go(func() { w.slot(ctx) })
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-w.conn.closed:
			cancel(w.conn.explain(w.conn.err))
		case <-tick.C:
			if gone := w.conn.gone(); gone > w.config.Wait {
				cancel(fmt.Errorf("%s has been gone for %v", w.conn.Shown(), gone.Round(time.Second)))
			}
		}
	}
	slots.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// Done returns the number of batches whose outcome this worker has stored.
func (w *Worker) Done() int64 { return w.done.Load() }

// slot runs one batch after the other.
func (w *Worker) slot(ctx context.Context) {
	wait := fetchTime
	if len(w.config.Trust) > 1 { // the coordinators take turns
		wait = 2 * time.Second
	}
	var pause time.Duration // after errors of this machine
	for ctx.Err() == nil {
		idle := true
		for _, key := range w.config.Trust {
			m, beat, err := w.next(ctx, key, wait)
			switch {
			case ctx.Err() != nil:
				return
			case err == nil:
				idle = false
				if w.handle(ctx, key, m, beat) {
					pause = 0
				} else {
					pause = min(max(2*pause, time.Second), 30*time.Second)
				}
			case isMissing(err):
				w.tell("no coordinator with the key " + key + " has used this server yet; waiting for it")
			case errors.Is(err, nats.ErrTimeout), errors.Is(err, jetstream.ErrNoMessages):
				idle = false // the request has waited
			case w.conn.isDenied():
				w.tell(w.conn.explain(err).Error())
			}
		}
		if idle {
			pause = max(pause, time.Second)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		if idle {
			pause = 0
		}
	}
}

// consumer returns the consumer of a coordinator.
func (w *Worker) consumer(ctx context.Context, key string) (jetstream.Consumer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.consumers[key]; time.Since(c.asked) < consumerAge {
		return c.Consumer, nil
	}
	c, err := w.conn.js.Consumer(ctx, workStream, key)
	if err == nil {
		w.consumers[key] = consumer{c, time.Now()}
	}
	return c, err
}

// forget has the server asked again for the consumer of a coordinator.
func (w *Worker) forget(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.consumers, key)
}

// tell makes a note once.
func (w *Worker) tell(line string) {
	w.mu.Lock()
	told := w.told[line]
	w.told[line] = true
	w.mu.Unlock()
	if !told {
		w.note(line)
	}
}

// next asks for a batch. It also returns the time between the signs of life that the server wants.
func (w *Worker) next(ctx context.Context, key string, wait time.Duration) (jetstream.Msg, time.Duration, error) {
	c, err := w.consumer(ctx, key)
	if err != nil {
		return nil, 0, err
	}
	beat := c.CachedInfo().Config.AckWait / 3
	// A server that comes back does not know of requests from before.
	back := w.conn.returned()
	try, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	go func() {
		select {
		case <-back:
			cancel()
		case <-try.Done():
		}
	}()
	batch, err := c.Fetch(1, jetstream.FetchContext(try))
	if err != nil {
		w.forget(key)
		return nil, 0, err
	}
	for m := range batch.Messages() {
		return m, beat, nil
	}
	if err := batch.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		w.forget(key)
		return nil, 0, err
	}
	return nil, 0, nats.ErrTimeout
}

// handle runs the batch of a message, stores its outcome and acknowledges it. It returns false if
// this machine could not run it and another one shall try.
func (w *Worker) handle(ctx context.Context, key string, m jetstream.Msg, beat time.Duration) (ok bool) {
	meta, err := m.Metadata()
	if err != nil {
		return false
	}
	t, err := unseal(key, m.Subject(), m.Headers(), m.Data())
	if err != nil {
		w.note(fmt.Sprintf("refused a batch: %v", err))
		m.TermWithReason("refused by " + w.name)
		return true
	}
	subject := resultSubject(m.Subject())
	if meta.NumDelivered > 1 {
		if has, err := w.conn.hasAnswer(ctx, subject); err == nil && has {
			w.acknowledge(ctx, m)
			return true
		}
	}
	stop := heartbeat(m, beat)
	defer stop()
	begin := time.Now()
	a := answer{Version: link.Version, Run: t.Run, Outcome: link.Outcome{ID: t.ID, Payload: t.Payload, Worker: w.name, Deliveries: meta.NumDelivered}}
	if meta.NumDelivered > maxDeliveries+1 {
		a.Error = fmt.Sprintf("given up after %d deliveries: each worker that got it has ended or could not run it", maxDeliveries)
	} else {
		a.Result, err = w.run(ctx, t)
	}
	a.Elapsed = time.Since(begin)
	var failure *jobError
	switch {
	case ctx.Err() != nil:
		m.Nak() // another worker goes on at once
		return true
	case err == nil:
	case meta.NumDelivered >= maxFailures && (w.config.Alone || errors.As(err, &failure)), meta.NumDelivered >= maxDeliveries:
		a.Error = err.Error()
	case errors.As(err, &failure):
		m.Nak()
		return true
	default:
		w.note(fmt.Sprintf("this machine cannot run batch %s: %v", t.ID, err))
		m.NakWithDelay(min(time.Duration(meta.NumDelivered)*time.Second, 10*time.Second))
		return false
	}
	if err := w.store(ctx, subject, &a); err != nil {
		if ctx.Err() == nil {
			w.note(fmt.Sprintf("the outcome of batch %s cannot be stored: %v", t.ID, w.conn.explain(err)))
		}
		m.NakWithDelay(time.Second)
		return false
	}
	w.done.Add(1)
	w.acknowledge(ctx, m)
	return true
}

// heartbeat tells the server, until stop is called, that the batch of the message is being run.
func heartbeat(m jetstream.Msg, every time.Duration) (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(max(every, 10*time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				m.InProgress()
			case <-done:
				return
			}
		}
	}()
	return func() { close(done) }
}

// acknowledge removes the batch from the queue. If that fails the batch is delivered again, and
// the next worker finds its outcome.
func (w *Worker) acknowledge(ctx context.Context, m jetstream.Msg) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	m.DoubleAck(ctx)
}

// run fetches the batch's files and runs it in a folder of its own.
func (w *Worker) run(ctx context.Context, t *task) (_ json.RawMessage, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	j := &Job{ID: t.ID, Payload: t.Payload, Files: map[string]string{}}
	// The name has numbers alone, which do not count where messages of tests are compared.
	scratch, err := os.MkdirTemp(w.config.Scratch, "taskinstr-")
	if err != nil {
		return nil, err
	}
	defer removeAll(scratch)
	j.Dir = filepath.Join(scratch, "dir")
	if err := os.Mkdir(j.Dir, 0o755); err != nil {
		return nil, err
	}
	for _, f := range t.Files {
		path, err := w.cache.path(ctx, f)
		if err != nil {
			return nil, err
		}
		switch f.Kind {
		case link.Binary:
			j.Files[f.Digest] = path
		case link.Folder:
			if err := unpack(path, j.Dir); err != nil {
				return nil, err
			}
		default:
			return nil, &jobError{fmt.Errorf("the batch needs a file of kind %q, which this worker does not know", f.Kind)}
		}
	}
	limit := t.Limit
	if limit <= 0 || limit > w.config.Longest {
		limit = w.config.Longest
	}
	return w.execute(ctx, j, limit)
}

func unpack(path, dir string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return folder.Unpack(f, info.Size(), dir)
}

// removeAll removes a folder, also one in which a test has made folders read-only.
func removeAll(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	os.RemoveAll(dir)
}

// store stores an outcome, and tries again while the server is away. That there is an outcome
// already is no error.
func (w *Worker) store(ctx context.Context, subject string, a *answer) error {
	if len(a.Result) > largeResult {
		large := a.Result
		a.Result, a.Large = nil, "result-"+strings.ReplaceAll(strings.TrimPrefix(subject, resultPrefix), ".", "-")
		if err := w.again(ctx, func(ctx context.Context) error {
			files, err := w.conn.js.ObjectStore(ctx, fileBucket)
			if err == nil {
				_, err = files.PutBytes(ctx, a.Large, large)
			}
			return err
		}); err != nil {
			return err
		}
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return w.again(ctx, func(ctx context.Context) error {
		_, err := w.conn.publishAnswer(ctx, subject, compress(text))
		return err
	})
}

// again calls f until it succeeds, the server has no room, or the worker ends.
func (w *Worker) again(ctx context.Context, f func(context.Context) error) error {
	for begin, pause := time.Now(), 50*time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		try, cancel := context.WithTimeout(ctx, requestTime)
		err := f(try)
		cancel()
		if err == nil || ctx.Err() != nil || isFull(err) || w.conn.isDenied() || time.Since(begin) > w.config.Wait {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}
