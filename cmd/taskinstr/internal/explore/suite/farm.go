package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/farm/folder"
	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// Workers are what -workers asks for.
type workers struct {
	link.CoordinatorConfig
	given bool
}

const (
	// farmBatch is the time that a batch for a worker takes. With it a thousand workers send the
	// server fewer than a thousand messages a second (docs/use/farm.md).
	farmBatch = 30 * time.Second

	// parts is the number of batches into which the schedules of a test, or the time of an
	// exploration, are split at least, so that several workers share them.
	parts = 16

	// maxBatchFailures is the number of batches of a test that no worker could run after which
	// the test gets no further ones. The run without a schedule alone is enough.
	maxBatchFailures = 3
)

// checkWorkers reports what does not go together with -workers.
func (o *options) checkWorkers() error {
	w := &o.farm
	switch {
	case !w.given && w.Resume:
		return errors.New("-resume goes on with an exploration that -workers has begun; give -workers as well")
	case !w.given && (w.Server != link.Server{} || w.Sign != ""):
		return errors.New("the flags -workers-... say how to reach the server that -workers names; give -workers=nats://HOST as well")
	case !w.given:
		return nil
	case w.Resume && o.dir == "":
		return errors.New("-resume needs the folder of the exploration that it goes on with: -explore-dir=DIR")
	case w.Local == 0 && o.baseline != "":
		return errors.New("-baseline names a file of this machine, which workers on other machines do not have; leave it out, or give -workers=N")
	case w.Local > 0 && w.Server != link.Server{}:
		return fmt.Errorf("-workers=%d has a server of its own; -workers-creds and the like belong to -workers=nats://HOST", w.Local)
	}
	return w.CoordinatorConfig.CheckWorkers()
}

// A farm runs batches on workers.
type farm struct {
	*link.Farm
	session *session
	files   map[*target][]link.File
	grace   time.Duration // after the budget, for batches that workers run

	mu      sync.Mutex
	earlier []*link.Outcome // of the exploration that this one goes on with
}

// connectFarm starts the coordinator and stores the test binaries where workers find them.
func (s *session) connectFarm(ctx context.Context, list []*target, scratch string) (err error) {
	note := func(line string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.note(line)
	}
	f := &farm{session: s, files: map[*target][]link.File{}, grace: s.options.budget / 20}
	config := s.options.farm.CoordinatorConfig
	config.Dir = s.dir
	f.Farm, err = link.Start(ctx, &config, link.Hooks{Note: note, Earlier: func(out *link.Outcome) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.earlier = append(f.earlier, out)
	}})
	if err != nil {
		return err
	}
	s.farm = f
	if config.Local == 0 {
		note(fmt.Sprintf("workers: taskinstr worker -trust=%s %s", f.Key, config.Shown()))
	}
	for _, t := range list {
		if t.digest == "" {
			continue
		}
		binary, err := upload(ctx, f, link.Binary, t.exe)
		if err != nil {
			return err
		}
		packed := filepath.Join(scratch, "folder.zip")
		left, err := pack(packed, t)
		if err != nil {
			return err
		}
		for _, name := range left {
			note(fmt.Sprintf("%s: the folder %s is too large for workers (%d MiB for all files of a package); tests that read it fail there", t.path, filepath.Join(t.module, name), folder.MaxSize>>20))
		}
		dir, err := upload(ctx, f, link.Folder, packed)
		if err != nil {
			return err
		}
		f.files[t] = []link.File{binary, dir}
	}
	return nil
}

// pack packs the files that tests of a target may read. It returns the folders that are left out.
func pack(file string, t *target) (left []string, err error) {
	w, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	root, dir := t.place()
	left, err = folder.Pack(w, root, dir)
	return left, errors.Join(err, w.Close())
}

// place returns the folder of the target's module, and the package's folder in it, with slashes. Without a module the package's folder is
// that of the module.
func (t *target) place() (root, dir string) {
	if rel, err := filepath.Rel(t.module, t.dir); t.module != "" && err == nil && filepath.IsLocal(rel) {
		return t.module, filepath.ToSlash(rel)
	}
	return t.dir, "."
}

// upload stores a file where workers find it.
func upload(ctx context.Context, f *farm, kind link.Kind, path string) (link.File, error) {
	digest, err := batch.Digest(path)
	if err != nil {
		return link.File{}, err
	}
	fi, err := os.Stat(path)
	if err != nil {
		return link.File{}, err
	}
	file := link.File{Kind: kind, Digest: digest, Size: fi.Size()}
	return file, f.Upload(ctx, link.Upload{File: file, Path: path})
}

// run has a worker run a batch. When ctx is done the result is that of no schedule.
func (f *farm) run(ctx context.Context, u *unit, b *batch.Batch) (*batch.Result, error) {
	sent := *b
	sent.Options = strings.TrimSpace(os.Getenv("TASKINSTR") + " " + b.Options)
	_, sent.Dir = u.target.place()
	text, err := json.Marshal(&sent)
	if err != nil {
		return nil, err
	}
	const startTime = time.Minute // of processes, on a slow machine
	limit := startTime + time.Duration(b.Count)*b.Timeout
	wait, cancel := f.extend(ctx)
	defer cancel()
	id := sent.ID()
	f.session.mu.Lock()
	if u.repeats(f.session.options, b) {
		id += "-again" // so that it runs again
	}
	f.session.mu.Unlock()
	out, err := f.Do(wait, &link.Batch{ID: id, Files: f.files[u.target], Limit: limit, Payload: text})
	switch {
	case wait.Err() != nil:
		return &batch.Result{}, nil
	case err != nil:
		return nil, err
	}
	return f.session.accept(u, b, out), nil
}

// extend returns a context that is done some time after ctx if ctx ends because its time is over, so
// that batches that workers have begun are not lost.
func (f *farm) extend(ctx context.Context) (context.Context, context.CancelFunc) {
	wait, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			select {
			case <-time.After(f.grace):
			case <-wait.Done():
			case <-f.session.interrupted:
			}
		}
		cancel()
	})
	return wait, func() { stop(); cancel() }
}

// accept returns the result of a batch, once for each schedule. A batch that no worker could run
// has none.
func (s *session) accept(u *unit, b *batch.Batch, out *link.Outcome) *batch.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := new(batch.Result)
	if out.Error == "" {
		if err := json.Unmarshal(out.Result, r); err != nil {
			out.Error = "its result cannot be read: " + err.Error()
		}
	}
	if out.Error != "" {
		u.failures++
		s.note(fmt.Sprintf("%s: worker %s could not run %d schedules: %s", u.name(), out.Worker, b.Count, out.Error))
		if (b.Strategy == "" || u.failures == maxBatchFailures) && u.stopped == "" {
			u.stopped = "no worker can run it"
		}
		s.failed = true
		return &batch.Result{}
	}
	if b.Strategy != "" && !u.repeats(s.options, b) && !u.count(span{b.Seed, b.Seed + uint64(b.Count)}) {
		return &batch.Result{}
	}
	return r
}

// absorb takes the outcomes of the exploration that this one goes on with.
func (s *session) absorb() {
	if s.farm == nil {
		return
	}
	s.farm.mu.Lock()
	list := s.farm.earlier
	s.farm.earlier = nil
	s.farm.mu.Unlock()
	for _, out := range list {
		b := new(batch.Batch)
		if err := json.Unmarshal(out.Payload, b); err != nil {
			continue
		}
		i := slices.IndexFunc(s.units, func(u *unit) bool {
			return u.target.path == b.Package && u.test == b.Test && u.target.digest == b.Binary && u.run == b.Run
		})
		if i < 0 {
			s.mu.Lock()
			s.foreign++
			s.mu.Unlock()
			continue
		}
		u := s.units[i]
		if r := s.accept(u, b, out); r.Runs > 0 {
			s.record(u, b, r)
		}
	}
	if len(list) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	runs := 0
	for _, u := range s.units {
		u.plan(s.options)
		runs += u.result.Runs
	}
	if !s.goesOn {
		s.goesOn = true
		s.note(fmt.Sprintf("going on with %d schedules of the earlier command", runs))
	}
	if s.foreign > 0 {
		s.note(fmt.Sprintf("%d results are of other tests or other binaries than the present ones and do not count; were the sources changed?", s.foreign))
		s.foreign = 0
	}
}

// width returns the number of batches to ask for at the same time.
func (s *session) width() int {
	if s.farm == nil {
		return s.options.workers
	}
	const few = 4
	return max(few, 2*s.farm.State().Slots)
}

// widen starts loops until as many run as there is work for, and further ones as workers come, until
// over is closed.
func (s *session) widen(over <-chan struct{}, start func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 0; ; {
		for ; n < s.width(); n++ {
			start()
		}
		if s.farm == nil {
			return
		}
		select {
		case <-over:
			return
		case <-tick.C:
		}
	}
}

// carryOut runs a batch, here or on a worker.
func (s *session) carryOut(u *unit, b *batch.Batch) (*batch.Result, error) {
	if s.farm != nil {
		return s.farm.run(s.budget, u, b)
	}
	return u.target.runner.Run(s.budget, b)
}

// finishHere takes the next schedule to shorten, which this machine does while workers explore. It is
// called with s.mu held.
func (s *session) finishHere() func() error {
	x := s.open[0]
	s.open = s.open[1:]
	s.finishing++
	return func() error {
		defer func() {
			s.mu.Lock()
			s.finishing--
			s.mu.Unlock()
		}()
		return s.finish(x)
	}
}

// leave ends the work of the farm. An interrupted exploration can go on.
func (s *session) leave(interrupted bool) {
	if s.farm == nil {
		return
	}
	end := s.farm.Finish
	if interrupted {
		end = s.farm.Stop
	}
	err := end()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.err == nil { // otherwise the reason is known
		s.note(err.Error())
	} else if interrupted {
		s.note("the same command with -resume -explore-dir=" + s.dir + " goes on")
	}
}

// size returns the number of schedules in the next batch of a unit.
func (u *unit) size(o *options) int {
	n := batchSize
	if u.planned == 0 {
		n = firstBatch
	}
	if !o.farm.given || u.result.Runs == 0 || u.planned < batchSize {
		return n
	}
	each := max(u.result.Elapsed/time.Duration(u.result.Runs), time.Microsecond)
	long := farmBatch
	if o.budget > 0 {
		long = min(long, o.budget/parts)
	}
	n = max(n, int(long/each))
	if o.count > 0 {
		n = min(n, max(batchSize, o.count/parts))
	}
	return n
}

// A span is a range of seeds of a unit, without its end.
type span struct{ from, to uint64 }

// count notes that the schedules of a span were counted. It returns false if some of them were.
func (u *unit) count(x span) bool {
	i, _ := slices.BinarySearchFunc(u.counted, x, func(a, b span) int { return int(int64(a.from - b.from)) })
	if i > 0 && u.counted[i-1].to > x.from || i < len(u.counted) && u.counted[i].from < x.to {
		return false
	}
	u.counted = slices.Insert(u.counted, i, x)
	return true
}

// plan has the unit go on behind the spans that were counted, and plans what is missing between
// them. It is called before the unit has batches of its own.
func (u *unit) plan(o *options) {
	if u.batches > 0 {
		return
	}
	next := o.seed
	u.holes = nil
	for _, x := range u.counted {
		if x.from > next {
			u.holes = append(u.holes, span{next, x.from})
		}
		next = max(next, x.to)
	}
	u.planned = int(next - o.seed)
}

// piece returns the place of the first schedule and the number of schedules of the unit's next batch,
// which has at most n.
func (u *unit) piece(o *options, n int) (k, size int) {
	if len(u.holes) > 0 {
		x := &u.holes[0]
		k, size = int(x.from-o.seed), min(n, int(x.to-x.from))
		if x.from += uint64(size); x.from == x.to {
			u.holes = u.holes[1:]
		}
		return k, size
	}
	if o.count > 0 {
		n = min(n, o.count-u.planned)
	}
	k = u.planned
	u.planned += n
	return k, n
}
