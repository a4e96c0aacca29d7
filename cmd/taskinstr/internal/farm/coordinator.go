package farm

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nkeys"

	"taskinstr/cmd/taskinstr/internal/farm/link"
	"taskinstr/cmd/taskinstr/internal/outfile"
)

// A Coordinator publishes the batches of one run and collects their outcomes. It implements
// link.Coordinator.
type Coordinator struct {
	config  link.CoordinatorConfig
	conn    *connection
	local   *local // nil: the server is elsewhere
	key     nkeys.KeyPair
	public  string
	run     string
	note    func(string)
	earlier func(*link.Outcome)

	work, results jetstream.Stream
	consumer      jetstream.Consumer
	cancel        context.CancelFunc
	background    sync.WaitGroup
	failed        chan struct{}

	mu          sync.Mutex
	room        *sync.Cond               // signals changes of outstanding, limit and err
	outstanding map[string]*pending      // by batch
	finished    map[string]bool          // batches whose outcome has arrived
	kept        map[string]*link.Outcome // outcomes that were passed to earlier only
	limit       int                      // of outstanding batches
	slots       int
	duplicates  int
	err         error
}

// pending is an outstanding batch.
type pending struct {
	message   *nats.Msg
	published time.Time // zero: the server has not confirmed it yet
	done      chan *link.Outcome
}

// runFile holds what a command needs to go on with a run.
const runFile = "farm.json"

type runState struct {
	Version int    `json:"version"`
	Run     string `json:"run"`
	Key     string `json:"key"`
	URL     string `json:"url,omitempty"` // "": a server of its own
	Started string `json:"started"`
}

// Open connects to the server, or starts one. Outcomes of a run that it resumes are passed to
// earlier, before Open returns if they are there already.
func Open(ctx context.Context, config link.CoordinatorConfig, note func(string), earlier func(*link.Outcome)) (*Coordinator, error) {
	config.Wait, config.AckWait = cmp.Or(config.Wait, defaultWait), cmp.Or(config.AckWait, defaultAckWait)
	c := &Coordinator{config: config, note: note, earlier: earlier, failed: make(chan struct{}),
		outstanding: map[string]*pending{}, finished: map[string]bool{}, kept: map[string]*link.Outcome{}, limit: minOutstanding}
	c.room = sync.NewCond(&c.mu)
	var err error
	if c.key, err = loadKey(config.Sign); err != nil {
		return nil, err
	}
	if c.public, err = c.key.PublicKey(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(config.Dir, 0o777); err != nil {
		return nil, err
	}
	state, err := c.begin()
	if err != nil {
		return nil, err
	}
	c.run = state.Run
	ctx, c.cancel = context.WithCancel(ctx)
	if err := c.open(ctx); err != nil {
		c.Close()
		return nil, err
	}
	// The file is written when the run exists, and before its first batch does.
	if err := state.write(config.Dir); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// begin returns the state of a new run, or of the one to resume.
func (c *Coordinator) begin() (*runState, error) {
	path := filepath.Join(c.config.Dir, runFile)
	if !c.config.Resume {
		now := time.Now()
		if c.config.Local > 0 { // what an earlier run has left is not part of this one
			if err := os.RemoveAll(filepath.Join(c.config.Dir, localFolder)); err != nil {
				return nil, err
			}
		}
		return &runState{link.Version, now.UTC().Format("20060102T150405-") + strings.ToLower(rand.Text()[:8]), c.public, c.config.URL, now.Format(time.RFC3339)}, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is nothing to resume: %s does not exist; leave out -resume", path)
	} else if err != nil {
		return nil, err
	}
	s := new(runState)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w; leave out -resume to begin again", path, err)
	}
	switch {
	case s.Version != link.Version:
		return nil, fmt.Errorf("%s is of version %d, this taskinstr has version %d; resume with the one that began", path, s.Version, link.Version)
	case !identifier.MatchString(s.Run):
		return nil, fmt.Errorf("%s names the run %q, which is no name of a run", path, s.Run)
	case s.Key != c.public:
		return nil, fmt.Errorf("the run was begun with another key, %s; name its file with -workers-sign", s.Key)
	case s.URL != c.config.URL:
		return nil, fmt.Errorf("the run was begun with -workers=%s; resume it with the same", cmp.Or(s.URL, "N"))
	}
	return s, nil
}

func (s *runState) write(dir string) error {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	return outfile.WriteText(filepath.Join(dir, runFile), append(text, '\n'))
}

// open connects, makes what is missing on the server, and begins to read outcomes.
func (c *Coordinator) open(ctx context.Context) (err error) {
	server, options := c.config.Server, []nats.Option(nil)
	if c.config.Local > 0 {
		if c.local, err = startLocal(filepath.Join(c.config.Dir, localFolder), c.config.Local, c.public, c.note); err != nil {
			return err
		}
		server.URL, server.NKey, options = c.local.url, c.local.coordinatorSeed, c.local.options
	}
	if c.conn, err = connect(server, coordinatorFlags, "taskinstr coordinator "+c.run, c.note, options...); err != nil {
		return err
	}
	explain := func(err error) error { return c.conn.explain(err) }
	try, stop := c.conn.untilDenied(ctx)
	defer stop()
	if err := c.conn.makeStreams(try); err != nil {
		return explain(err)
	}
	if c.work, err = c.conn.js.Stream(try, workStream); err != nil {
		return explain(err)
	}
	if c.results, err = c.conn.js.Stream(try, resultStream); err != nil {
		return explain(err)
	}
	c.consumer, err = c.work.CreateOrUpdateConsumer(try, jetstream.ConsumerConfig{Durable: c.public, FilterSubject: workPrefix + c.public + ".>",
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.config.AckWait, MaxAckPending: -1, MaxWaiting: maxPullRequests, InactiveThreshold: keepAge,
		Description: "workers that trust this coordinator"})
	if err != nil {
		return explain(err)
	}
	if c.config.Resume {
		// What the earlier command has queued may not be what this one asks for.
		if err := errors.Join(c.purgeQueue(try), c.forget(try)); err != nil {
			return explain(err)
		}
	}
	if err := c.read(ctx); err != nil {
		return explain(err)
	}
	c.background.Go(func() { c.watch(ctx) })
	if c.local != nil {
		c.local.startWorkers(ctx)
	}
	return nil
}

func (c *Coordinator) subject() string { return resultPrefix + c.public + "." + c.run + "." }

// forget deletes the outcomes that are errors, so that their batches are tried again.
func (c *Coordinator) forget(ctx context.Context) error {
	return c.each(ctx, func(m jetstream.Msg) error {
		var a answer
		if text, err := expand(m.Data()); err == nil && json.Unmarshal(text, &a) == nil && a.Error == "" {
			return nil
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		return c.results.DeleteMsg(ctx, meta.Sequence.Stream)
	})
}

// each calls f for each outcome of the run that the server has.
func (c *Coordinator) each(ctx context.Context, f func(jetstream.Msg) error) error {
	o, err := c.results.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{c.subject() + "*"}})
	if err != nil {
		return err
	}
	for left := o.CachedInfo().NumPending; left > 0; {
		m, err := o.Next(jetstream.FetchMaxWait(requestTime))
		if err != nil {
			return err
		}
		if err := f(m); err != nil {
			return err
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		left = meta.NumPending
	}
	return nil
}

// read takes the outcomes that the server has, and goes on with those that follow.
func (c *Coordinator) read(ctx context.Context) error {
	o, err := c.results.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{FilterSubjects: []string{c.subject() + "*"}})
	if err != nil {
		return err
	}
	ready := make(chan struct{})
	begin := sync.OnceFunc(func() { close(ready) })
	if o.CachedInfo().NumPending == 0 {
		begin()
	}
	running, err := o.Consume(func(m jetstream.Msg) {
		c.take(ctx, m.Subject(), m.Data())
		if meta, err := m.Metadata(); err == nil && meta.NumPending == 0 {
			begin()
		}
	}, jetstream.ConsumeErrHandler(func(jetstream.ConsumeContext, error) {})) // the client tries again; reconcile finds what it misses
	if err != nil {
		return err
	}
	c.background.Go(func() {
		<-ctx.Done()
		running.Stop()
	})
	select {
	case <-ready:
		return nil
	case <-time.After(c.config.Wait):
		return context.DeadlineExceeded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// take counts an outcome, once for each batch.
func (c *Coordinator) take(ctx context.Context, subject string, text []byte) {
	id := strings.TrimPrefix(subject, c.subject())
	c.mu.Lock()
	if c.finished[id] {
		c.duplicates++
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	var a answer
	text, err := expand(text)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil || a.ID != id || a.Run != c.run || a.Version != link.Version {
		c.note(fmt.Sprintf("the outcome of batch %s cannot be read; its worker may be of another version", id))
		a = answer{Outcome: link.Outcome{ID: id, Error: "the worker's outcome cannot be read"}}
	}
	if a.Large != "" {
		large, err := c.large(ctx, a.Large)
		if err != nil {
			if ctx.Err() != nil {
				return
			}
			a.Error = fmt.Sprintf("the result cannot be fetched: %v", err)
		}
		a.Result = large
	}
	c.mu.Lock()
	if c.finished[id] {
		c.duplicates++
		c.mu.Unlock()
		return
	}
	c.finished[id] = true
	p := c.outstanding[id]
	delete(c.outstanding, id)
	if p == nil {
		c.kept[id] = &a.Outcome
	}
	c.room.Broadcast()
	c.mu.Unlock()
	if p != nil {
		p.done <- &a.Outcome
	} else {
		c.earlier(&a.Outcome)
	}
}

// large fetches a result from the object store.
func (c *Coordinator) large(ctx context.Context, name string) (json.RawMessage, error) {
	files, err := c.conn.js.ObjectStore(ctx, fileBucket)
	if err != nil {
		return nil, err
	}
	return files.GetBytes(ctx, name)
}

// Upload stores a file where workers find it.
func (c *Coordinator) Upload(ctx context.Context, u link.Upload) error {
	return c.persist(ctx, "storing "+filepath.Base(u.Path), func(ctx context.Context) error {
		_, err := c.conn.upload(ctx, u)
		var path *fs.PathError
		if errors.As(err, &path) {
			return &finalError{err}
		}
		return err
	})
}

// finalError is an error that another attempt would not change.
type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }

// persist calls f until it succeeds. It gives up when the server has been failing for the time
// that the configuration allows.
func (c *Coordinator) persist(ctx context.Context, what string, f func(context.Context) error) error {
	var since time.Time
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		try, cancel := context.WithTimeout(ctx, max(requestTime, c.config.Wait))
		err := f(try)
		cancel()
		var final *finalError
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &final):
			return final.error
		case isFull(err), c.conn.isDenied():
			return c.conn.explain(err)
		case since.IsZero():
			since = time.Now()
		case time.Since(since) > c.config.Wait:
			return fmt.Errorf("%s failed for %v: %w", what, c.config.Wait, c.conn.explain(err))
		}
		select {
		case <-time.After(pause):
		case <-c.conn.returned():
			pause = 50 * time.Millisecond
		case <-c.failed:
			return c.Err()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Do publishes a batch, unless it has an outcome already, and returns its outcome. It waits first
// while too many batches are outstanding.
func (c *Coordinator) Do(ctx context.Context, b *link.Batch) (*link.Outcome, error) {
	message, err := seal(c.key, c.run, b)
	if err != nil {
		return nil, err
	}
	if n := c.conn.nc.MaxPayload(); int64(len(message.Data)) > n-headerRoom {
		return nil, fmt.Errorf("batch %s has %d bytes, and %s takes messages of at most %d; set max_payload in its configuration", b.ID, len(message.Data), c.conn.Shown(), n)
	}
	stop := context.AfterFunc(ctx, c.room.Broadcast)
	defer stop()
	p := &pending{message: message, done: make(chan *link.Outcome, 1)}
	if out, err := c.expect(ctx, b.ID, p); out != nil || err != nil {
		return out, err
	}
	if err := c.publish(ctx, p); err != nil {
		c.fail(err)
		return nil, err
	}
	select {
	case out := <-p.done:
		return out, nil
	case <-c.failed:
		return nil, c.Err()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// expect notes an outstanding batch when there is room for it, or returns the outcome that it has.
func (c *Coordinator) expect(ctx context.Context, id string, p *pending) (*link.Outcome, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.err == nil && ctx.Err() == nil && !c.finished[id] && len(c.outstanding) >= c.limit {
		c.room.Wait()
	}
	switch out := c.kept[id]; {
	case c.err != nil || ctx.Err() != nil:
		return nil, cmp.Or(c.err, ctx.Err())
	case out != nil:
		return out, nil
	case c.finished[id] || c.outstanding[id] != nil:
		return nil, fmt.Errorf("batch %s was given twice", id)
	}
	c.outstanding[id] = p
	return nil, nil
}

// publish puts a batch into the queue. That it is there already is no error.
func (c *Coordinator) publish(ctx context.Context, p *pending) error {
	err := c.persist(ctx, "queueing a batch", func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, requestTime)
		defer cancel()
		_, err := c.conn.js.PublishMsg(ctx, p.message, jetstream.WithExpectStream(workStream))
		if isQueued(err) {
			return nil
		}
		return err
	})
	c.mu.Lock()
	p.published = time.Now()
	c.mu.Unlock()
	return err
}

// watch looks after the run until ctx is done: after the number of slots, the connection, and the
// queue.
func (c *Coordinator) watch(ctx context.Context) {
	slots := time.NewTicker(min(slotsEvery, c.config.AckWait))
	defer slots.Stop()
	queue := time.NewTicker(min(reconcileEvery, 2*c.config.AckWait))
	defer queue.Stop()
	var idle time.Time // since when no worker has been there
	told := false
	var failing time.Time // since when the server has not answered
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-c.conn.closed:
			c.fail(fmt.Errorf("%w; start again with -resume", c.conn.explain(c.conn.err)))
			return
		case <-slots.C:
			if c.conn.gone() > 0 {
				break
			}
			var n int
			if n, err = c.countSlots(ctx); err != nil {
				break
			}
			switch {
			case n > 0:
				idle, told = time.Time{}, false
			case idle.IsZero():
				idle = time.Now()
			case !told && time.Since(idle) > 2*slotsEvery:
				told = true
				c.note(fmt.Sprintf("no worker has asked for work for %v; on other machines start `taskinstr worker -trust=%s %s`", time.Since(idle).Round(time.Second), c.public, c.conn.Shown()))
			}
		case <-queue.C:
			if c.conn.gone() == 0 {
				err = c.reconcile(ctx)
			}
		}
		switch gone := c.conn.gone(); {
		case ctx.Err() != nil:
			return
		case gone > c.config.Wait:
			c.fail(fmt.Errorf("%s has been gone for %v; the outcomes so far are on the server: start it again, and then go on", c.conn.Shown(), gone.Round(time.Second)))
			return
		case err == nil || gone > 0:
			failing = time.Time{}
		case failing.IsZero():
			failing = time.Now()
		case time.Since(failing) > c.config.Wait:
			c.fail(fmt.Errorf("%w; start again with -resume", c.conn.explain(err)))
			return
		}
	}
}

// countSlots returns how many batches the workers can run at the same time: those that run, and
// the requests for work that wait. The limit of outstanding batches follows.
func (c *Coordinator) countSlots(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	info, err := c.consumer.Info(ctx)
	if err != nil {
		return 0, err
	}
	n := info.NumWaiting + info.NumAckPending
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slots = n
	c.limit = min(max(2*n, minOutstanding), maxOutstanding)
	c.room.Broadcast()
	return n, nil
}

// reconcile publishes outstanding batches again that are neither queued nor have an outcome, and
// takes outcomes that it has missed.
func (c *Coordinator) reconcile(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*requestTime)
	defer cancel()
	var old []string
	c.mu.Lock()
	for id, p := range c.outstanding {
		if !p.published.IsZero() && time.Since(p.published) > 2*c.config.AckWait {
			old = append(old, id)
		}
	}
	c.mu.Unlock()
	if len(old) == 0 {
		return nil
	}
	prefix := workPrefix + c.public + "." + c.run + "."
	info, err := c.work.Info(ctx, jetstream.WithSubjectFilter(prefix+"*"))
	if err != nil {
		return err
	}
	for _, id := range old {
		if info.State.Subjects[prefix+id] > 0 {
			continue
		}
		m, err := c.results.GetLastMsgForSubject(ctx, c.subject()+id)
		switch {
		case err == nil:
			c.take(ctx, m.Subject, m.Data)
			continue
		case !errors.Is(err, jetstream.ErrMsgNotFound):
			return err
		}
		c.mu.Lock()
		p := c.outstanding[id]
		c.mu.Unlock()
		if p == nil {
			continue
		}
		c.note(fmt.Sprintf("the server has lost batch %s; it is queued again", id))
		if err := c.publish(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// fail gives the run up.
func (c *Coordinator) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil || errors.Is(err, context.Canceled) {
		return
	}
	c.err = err
	close(c.failed)
	c.room.Broadcast()
}

// Failed is closed when the coordinator has given up.
func (c *Coordinator) Failed() <-chan struct{} { return c.failed }

// Err returns why.
func (c *Coordinator) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// State returns the state of the farm.
func (c *Coordinator) State() link.State {
	gone := c.conn.gone()
	c.mu.Lock()
	defer c.mu.Unlock()
	return link.State{Slots: c.slots, Outstanding: len(c.outstanding), Connected: gone == 0, Duplicates: c.duplicates}
}

// Ready returns the first message to the other command.
func (c *Coordinator) Ready() *link.Ready {
	return &link.Ready{Version: link.Version, Run: c.run, Key: c.public}
}

// Finish deletes the run from the server, and the file by which it could be resumed.
func (c *Coordinator) Finish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	err := c.purgeQueue(ctx)
	if err == nil && c.local == nil {
		err = c.results.Purge(ctx, jetstream.WithPurgeSubject(c.subject()+"*"))
	}
	c.Close()
	if c.local != nil {
		err = errors.Join(err, os.RemoveAll(filepath.Join(c.config.Dir, localFolder)))
	}
	if err == nil {
		err = os.Remove(filepath.Join(c.config.Dir, runFile))
	}
	return err
}

// Stop deletes the batches that no worker has begun. Outcomes stay.
func (c *Coordinator) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	defer c.Close()
	return c.purgeQueue(ctx)
}

func (c *Coordinator) purgeQueue(ctx context.Context) error {
	return c.work.Purge(ctx, jetstream.WithPurgeSubject(workPrefix+c.public+"."+c.run+".*"))
}

// Close ends the coordinator and leaves everything on the server, as if it were killed.
func (c *Coordinator) Close() {
	c.cancel()
	if c.conn != nil && c.conn.nc != nil {
		c.conn.nc.Close()
	}
	c.background.Wait()
	if c.local != nil {
		c.local.close()
	}
}
