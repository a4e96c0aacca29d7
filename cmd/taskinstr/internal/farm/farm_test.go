package farm

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/farm/folder"
	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// serve starts a server in this process.
func serve(t *testing.T, change func(*server.Options)) (s *server.Server, url string) {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true}
	if change != nil {
		change(o)
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not start")
	}
	return s, s.ClientURL()
}

// freePort returns a port on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// A notebook keeps notes.
type notebook struct {
	mu    sync.Mutex
	lines []string
}

func (n *notebook) add(line string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines = append(n.lines, line)
}

func (n *notebook) text() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return strings.Join(n.lines, "\n")
}

// wait waits until a note holds text.
func (n *notebook) wait(t *testing.T, text string) {
	t.Helper()
	for range 1000 {
		if strings.Contains(n.text(), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no note holds %q: %s", text, n.text())
}

// key returns a file with a key that signs batches, and its public half.
func key(t *testing.T) (file, public string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "key.nk")
	k, err := makeKey(file)
	if err != nil {
		t.Fatal(err)
	}
	if public, err = k.PublicKey(); err != nil {
		t.Fatal(err)
	}
	return file, public
}

// open opens a coordinator that expects no earlier outcomes.
func open(t *testing.T, config link.CoordinatorConfig) (*Coordinator, *notebook) {
	t.Helper()
	if config.Dir == "" {
		config.Dir = t.TempDir()
	}
	n := new(notebook)
	c, err := Open(t.Context(), config, n.add, func(out *link.Outcome) { t.Errorf("an outcome of an earlier run: %s", out.ID) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c, n
}

// farm starts a server, and opens a coordinator with a key, whose public half it returns.
func farm(t *testing.T, config link.CoordinatorConfig) (c *Coordinator, url, public string) {
	t.Helper()
	_, url = serve(t, nil)
	config.Server.URL = url
	config.Sign, public = key(t)
	c, _ = open(t, config)
	return c, url, public
}

// work starts a worker in this process.
func work(t *testing.T, config link.WorkerConfig, execute Executor) (*Worker, *notebook) {
	t.Helper()
	if config.Cache == "" {
		config.Cache = t.TempDir()
	}
	config.Slots, config.Scratch, config.Longest, config.Disk = max(config.Slots, 1), t.TempDir(), time.Minute, 1<<30
	if config.Wait == 0 {
		config.Wait = time.Minute
	}
	n := new(notebook)
	w, err := NewWorker(config, execute, n.add)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := w.Run(ctx); err != nil {
			n.add("ended: " + err.Error())
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return w, n
}

// do has a batch run, and fails if that takes long.
func do(t *testing.T, c *Coordinator, b *link.Batch) *link.Outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	out, err := c.Do(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func right(t *testing.T, out *link.Outcome, b *fakeBatch) {
	t.Helper()
	want, err := json.Marshal(b.outcome())
	if err != nil {
		t.Fatal(err)
	}
	if out.Error != "" || string(out.Result) != string(want) {
		t.Errorf("batch %s: result %s, error %q, want %s", b.id(), out.Result, out.Error, want)
	}
}

func stored(t *testing.T, c *Coordinator, kind link.Kind, text string) link.File {
	t.Helper()
	path := testfile.Write(t, filepath.Join(t.TempDir(), "file"), text)
	f := link.File{Kind: kind, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))), Size: int64(len(text))}
	if err := c.Upload(t.Context(), link.Upload{File: f, Path: path}); err != nil {
		t.Fatal(err)
	}
	return f
}

// A binary is fetched once by all workers that share a folder, however many batches need it. Its
// contents are those that were stored.
func TestBinaryFetchedOnce(t *testing.T) {
	t.Parallel()
	c, url, public := farm(t, link.CoordinatorConfig{})
	text := strings.Repeat("binary", 300_000)
	binary := stored(t, c, link.Binary, text)
	if again, err := c.conn.upload(t.Context(), link.Upload{File: binary, Path: "/missing"}); err != nil || again {
		t.Errorf("a file that is there was stored again: %v, error %v", again, err)
	}
	config := link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}, Slots: 2, Cache: t.TempDir()}
	var mu sync.Mutex
	fetched := 0
	check := func(ctx context.Context, j *Job, limit time.Duration) (json.RawMessage, error) {
		got, err := os.ReadFile(j.Files[binary.Digest])
		if err != nil || string(got) != text {
			return nil, &jobError{fmt.Errorf("the binary has %d bytes, error %v", len(got), err)}
		}
		return here(fake)(ctx, j, limit)
	}
	for range 2 {
		w, _ := work(t, config, check)
		load := w.cache.load
		w.cache.load = func(ctx context.Context, digest string, to io.Writer) error {
			mu.Lock()
			fetched++
			mu.Unlock()
			return load(ctx, digest, to)
		}
	}
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			b := &fakeBatch{Seed: uint64(i), Count: 1, Time: 5}
			right(t, do(t, c, b.batch(binary)), b)
		})
	}
	all.Wait()
	if fetched != 1 {
		t.Errorf("the binary was fetched %d times", fetched)
	}
}

// A packed folder is the working directory of a batch.
func TestFolder(t *testing.T) {
	t.Parallel()
	c, url, public := farm(t, link.CoordinatorConfig{})
	bad := stored(t, c, link.Folder, "no folder")
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "words.txt"), "words")
	var packed strings.Builder
	if _, err := folder.Pack(&packed, dir, "."); err != nil {
		t.Fatal(err)
	}
	good := stored(t, c, link.Folder, packed.String())
	scratch := new(notebook)
	work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}}, func(ctx context.Context, j *Job, limit time.Duration) (json.RawMessage, error) {
		scratch.add(j.Dir)
		text, err := os.ReadFile(filepath.Join(j.Dir, "words.txt"))
		if err != nil {
			return nil, &jobError{err}
		}
		return json.Marshal(string(text))
	})
	if out := do(t, c, (&fakeBatch{Seed: 2, Count: 1}).batch(good)); string(out.Result) != `"words"` {
		t.Errorf("result %s, error %q", out.Result, out.Error)
	}
	if _, err := os.Stat(scratch.text()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the batch is left: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if out, err := c.Do(ctx, (&fakeBatch{Seed: 1, Count: 1}).batch(bad)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a batch with a broken folder has the outcome %v, error %v", out, err)
	}
}

// A slow batch is not taken from its worker, which gives signs of life.
func TestSlowWorker(t *testing.T) {
	t.Parallel()
	c, url, public := farm(t, link.CoordinatorConfig{AckWait: 300 * time.Millisecond})
	for range 2 {
		work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}}, here(fake))
	}
	b := &fakeBatch{Seed: 5, Count: 10, Time: 1500}
	out := do(t, c, b.batch())
	right(t, out, b)
	if out.Deliveries != 1 {
		t.Errorf("the batch was delivered %d times", out.Deliveries)
	}
}

// A worker that is interrupted gives its batch back at once.
func TestInterruptedWorker(t *testing.T) {
	t.Parallel()
	c, url, public := farm(t, link.CoordinatorConfig{AckWait: time.Hour})
	n := new(notebook)
	w, err := NewWorker(link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}, Slots: 1, Cache: t.TempDir(), Disk: 1 << 30, Wait: time.Minute, Longest: time.Minute},
		func(ctx context.Context, j *Job, limit time.Duration) (json.RawMessage, error) {
			n.add("running")
			<-ctx.Done()
			return nil, ctx.Err()
		}, n.add)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		n.wait(t, "running")
		cancel()
	}()
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	b := &fakeBatch{Seed: 5, Count: 10}
	outcome := make(chan *link.Outcome)
	go func() { outcome <- do(t, c, b.batch()) }()
	if err := <-ended; err != nil {
		t.Errorf("an interrupted worker ends with %v", err)
	}
	work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}}, here(fake))
	right(t, <-outcome, b)
}

// A batch that fails twice has its error as outcome, a batch that fails because of a machine is run
// by another one.
func TestFailures(t *testing.T) {
	t.Parallel()
	c, url, public := farm(t, link.CoordinatorConfig{})
	server := link.Server{URL: url}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no device that is full: ", err)
	}
	full.Close()
	binary := stored(t, c, link.Binary, "binary")
	w, notes := work(t, link.WorkerConfig{Server: server, Trust: []string{public}}, here(fake))
	w.cache.open = func(string) (io.WriteCloser, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) }
	b := &fakeBatch{Seed: 5, Count: 10}
	outcome := make(chan *link.Outcome)
	go func() { outcome <- do(t, c, b.batch(binary)) }()
	notes.wait(t, "no space left on device")
	work(t, link.WorkerConfig{Server: server, Trust: []string{public}}, here(fake))
	right(t, <-outcome, b)

	// Where there is no other machine, the reason is the batch's outcome soon.
	lonelyFile, lonelyKey := key(t)
	lonely, _ := open(t, link.CoordinatorConfig{Server: server, Sign: lonelyFile})
	w, _ = work(t, link.WorkerConfig{Server: server, Trust: []string{lonelyKey}, Alone: true}, here(fake))
	w.cache.open = func(string) (io.WriteCloser, error) { return os.OpenFile("/dev/full", os.O_WRONLY, 0) }
	if out := do(t, lonely, b.batch(binary)); !strings.Contains(out.Error, "no space left on device") || out.Deliveries != maxFailures {
		t.Errorf("error %q after %d deliveries", out.Error, out.Deliveries)
	}

	out := do(t, c, (&fakeBatch{Seed: 7, Count: 1, Fail: "no such strategy"}).batch())
	if out.Error != "no such strategy" || out.Deliveries != maxFailures {
		t.Errorf("error %q after %d deliveries", out.Error, out.Deliveries)
	}
}

// What is not signed by the coordinator whose subject it has is not run, and nothing of another
// coordinator is.
func TestTrust(t *testing.T) {
	t.Parallel()
	_, url := serve(t, nil)
	file, public := key(t)
	otherFile, otherKey := key(t)
	c, _ := open(t, link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file})
	other, _ := open(t, link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: otherFile})
	ran := new(notebook)
	_, notes := work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}}, func(ctx context.Context, j *Job, limit time.Duration) (json.RawMessage, error) {
		ran.add(j.ID)
		return here(fake)(ctx, j, limit)
	})
	seal := func(c *Coordinator, seed uint64) *nats.Msg {
		m, err := seal(c.key, c.run, (&fakeBatch{Seed: seed, Count: 1}).batch())
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	changed := seal(c, 1)
	changed.Data = []byte(strings.Replace(string(changed.Data), `"count":1`, `"count":9`, 1))
	moved := seal(c, 2)
	moved.Subject = strings.Replace(moved.Subject, "seed-2", "seed-3", 1)
	stranger := seal(other, 4)
	stranger.Subject = strings.Replace(stranger.Subject, otherKey, public, 1)
	claimed := seal(other, 5)
	claimed.Subject = strings.Replace(claimed.Subject, otherKey, public, 1)
	claimed.Header.Set(keyHeader, public)
	bare := seal(c, 6)
	bare.Header = nil
	for i, m := range []*nats.Msg{changed, moved, stranger, claimed, bare} {
		if _, err := c.conn.js.PublishMsg(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		for range 500 {
			if strings.Count(notes.text(), errForged.Error()) > i {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if n := strings.Count(notes.text(), errForged.Error()); n != i+1 {
			t.Fatalf("%d messages refused after %d: %s", n, i+1, notes.text())
		}
	}
	// A coordinator that the worker does not trust waits.
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := other.Do(ctx, (&fakeBatch{Seed: 8, Count: 1}).batch()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	b := &fakeBatch{Seed: 9, Count: 1}
	right(t, do(t, c, b.batch()), b)
	if ran.text() != "seed-9" {
		t.Errorf("the worker has run %q", ran.text())
	}
}

// A file in the store whose contents are not those of its digest is not used.
func TestCacheRefuses(t *testing.T) {
	t.Parallel()
	const text = "the binary"
	f := link.File{Kind: link.Binary, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))), Size: int64(len(text))}
	for _, test := range []struct {
		name string
		load func(w io.Writer) error
		want string
	}{
		{"other contents", func(w io.Writer) error { _, err := io.WriteString(w, "the Binary"); return err }, "has another digest, sha256:"},
		{"truncated", func(w io.Writer) error { _, err := io.WriteString(w, "the"); return err }, "is truncated: it has 3 bytes, not 10"},
		{"truncated transfer", func(w io.Writer) error { io.WriteString(w, "the"); return io.ErrUnexpectedEOF }, "is truncated: it has 3 bytes, not 10"},
		{"longer", func(w io.Writer) error { _, err := io.WriteString(w, "the binary!"); return err }, "more bytes than its coordinator has signed"},
		{"server gone", func(w io.Writer) error { return nats.ErrTimeout }, "cannot be fetched: nats: timeout"},
	} {
		dir := t.TempDir()
		c, err := newCache(dir, 1<<20, func(ctx context.Context, digest string, w io.Writer) error { return test.load(w) })
		if err != nil {
			t.Fatal(err)
		}
		if path, err := c.path(t.Context(), f); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: path %q, error %v, want %q", test.name, path, err, test.want)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if filepath.Ext(e.Name()) != ".lock" {
				t.Errorf("%s: %s is left", test.name, e.Name())
			}
		}
	}
	c, err := newCache(t.TempDir(), 1<<20, func(ctx context.Context, digest string, w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	path, err := c.path(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	// Another process finds a file that was changed.
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("THE BINARY"), 0o700); err != nil {
		t.Fatal(err)
	}
	c.checked = map[string]bool{}
	if path, err := c.path(t.Context(), f); err != nil {
		t.Error(err)
	} else if got, _ := os.ReadFile(path); string(got) != text {
		t.Errorf("the file holds %q", got)
	}
	for _, digest := range []string{"", "md5:00", "sha256:../../../etc/passwd", "sha256:00"} {
		if _, err := c.path(t.Context(), link.File{Digest: digest}); err == nil || !strings.Contains(err.Error(), "is no digest") {
			t.Errorf("digest %q: error %v", digest, err)
		}
	}
}

// The files that were not used for the longest time make room.
func TestCacheEvicts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c, err := newCache(dir, 25, func(ctx context.Context, digest string, w io.Writer) error {
		return errors.New("not needed")
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"old", "older", "fresh"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 10), 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-[]time.Duration{2 * time.Hour, 3 * time.Hour, 0}[i])
		if err := os.Chtimes(filepath.Join(dir, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.evict(5); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(left) != 2 || filepath.Base(left[0]) != "fresh" || filepath.Base(left[1]) != "old" {
		t.Errorf("%q are left", left)
	}
}

// A server without room says so, and so does the coordinator.
func TestServerFull(t *testing.T) {
	t.Parallel()
	_, url := serve(t, func(o *server.Options) { o.JetStreamMaxStore = 64 << 10 })
	file, _ := key(t)
	c, _ := open(t, link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file, Wait: 2 * time.Second})
	path := filepath.Join(t.TempDir(), "file")
	text := make([]byte, 1<<20)
	for i := range text { // nothing that could be compressed
		text[i] = byte(i * i >> 3 * (i>>8 + 7))
	}
	sum := sha256.New()
	for i := range text {
		if i%sha256.Size == 0 {
			fmt.Fprint(sum, i)
		}
		text[i] = sum.Sum(nil)[i%sha256.Size]
	}
	testfile.Write(t, path, string(text))
	err := c.Upload(t.Context(), link.Upload{Path: path, File: link.File{Kind: link.Binary, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(text)), Size: int64(len(text))}})
	if err == nil || !strings.Contains(err.Error(), "has no room left") {
		t.Errorf("error %v", err)
	}
}

// A file that changes after its digest was taken is not stored.
func TestChangedFile(t *testing.T) {
	t.Parallel()
	c, _, _ := farm(t, link.CoordinatorConfig{Wait: time.Second})
	path := testfile.Write(t, filepath.Join(t.TempDir(), "file"), "new")
	f := link.File{Kind: link.Binary, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("old"))), Size: 3}
	if err := c.Upload(t.Context(), link.Upload{File: f, Path: path}); err == nil || !strings.Contains(err.Error(), "has changed since its digest was taken") {
		t.Errorf("error %v", err)
	}
	if err := c.Upload(t.Context(), link.Upload{File: f, Path: path + ".no"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// A result that is too large for a message arrives.
func TestLargeResult(t *testing.T) {
	t.Parallel()
	c, url, public := farm(t, link.CoordinatorConfig{})
	work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}}, here(fake))
	b := &fakeBatch{Seed: 1, Count: 1, Large: 1 << 20}
	out := do(t, c, b.batch())
	var r fakeResult
	if err := json.Unmarshal(out.Result, &r); err != nil || len(r.Large) != b.Large {
		t.Errorf("%d bytes, errors %v and %q", len(r.Large), err, out.Error)
	}
	// A batch that is long is compressed; one that is too long even so says so.
	long := &fakeBatch{Seed: 2, Count: 1, Text: strings.Repeat("a step\n", 500_000)}
	right(t, do(t, c, long.batch()), long)
	noise := make([]byte, 3<<20)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	long = &fakeBatch{Seed: 3, Count: 1, Text: fmt.Sprintf("%x", noise)}
	if _, err := c.Do(t.Context(), long.batch()); err == nil || !strings.Contains(err.Error(), "takes messages of at most 1048576; set max_payload") {
		t.Errorf("error %v", err)
	}
}

// No more batches are queued than the workers need.
func TestBackPressure(t *testing.T) {
	t.Parallel()
	c, _, _ := farm(t, link.CoordinatorConfig{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for i := range 50 {
		go c.Do(ctx, (&fakeBatch{Seed: uint64(i), Count: 1}).batch())
	}
	queued := func() uint64 {
		info, err := c.work.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return info.State.Msgs
	}
	for range 1000 {
		if queued() == minOutstanding {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond) // for those that must not follow
	if n := queued(); n != minOutstanding || c.State().Outstanding != minOutstanding {
		t.Errorf("%d batches are queued, %d outstanding, want %d", n, c.State().Outstanding, minOutstanding)
	}
}

// A batch that the server has lost is queued again.
func TestLostBatch(t *testing.T) {
	t.Parallel()
	_, url := serve(t, nil)
	file, public := key(t)
	c, notes := open(t, link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file, AckWait: 100 * time.Millisecond})
	b := &fakeBatch{Seed: 5, Count: 10}
	outcome := make(chan *link.Outcome)
	go func() { outcome <- do(t, c, b.batch()) }()
	for {
		if info, err := c.work.Info(t.Context()); err == nil && info.State.Msgs == 1 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := c.work.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	notes.wait(t, "the server has lost batch seed-5")
	work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}}, here(fake))
	right(t, <-outcome, b)
}

// A coordinator that goes on has the outcomes of the one before, tries those again that were
// errors, and leaves nothing behind at the end.
func TestResume(t *testing.T) {
	t.Parallel()
	_, url := serve(t, nil)
	file, public := key(t)
	config := link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file, Dir: t.TempDir()}
	first, _ := open(t, config)
	var fail atomic.Bool
	fail.Store(true)
	work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}}, func(ctx context.Context, j *Job, limit time.Duration) (json.RawMessage, error) {
		if fail.Load() && j.ID == "seed-2" {
			return nil, &jobError{errors.New("not now")}
		}
		return here(fake)(ctx, j, limit)
	})
	one, two := &fakeBatch{Seed: 1, Count: 3}, &fakeBatch{Seed: 2, Count: 3}
	right(t, do(t, first, one.batch()), one)
	if out := do(t, first, two.batch()); out.Error != "not now" {
		t.Errorf("error %q", out.Error)
	}
	first.Close()
	fail.Store(false)

	config.Resume = true
	var earlier []string
	second, err := Open(t.Context(), config, new(notebook).add, func(out *link.Outcome) {
		earlier = append(earlier, out.ID)
		right(t, out, one)
	})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(earlier) != "[seed-1]" {
		t.Errorf("earlier outcomes: %v", earlier)
	}
	right(t, do(t, second, one.batch()), one)
	right(t, do(t, second, two.batch()), two)
	if err := second.Finish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(config.Dir, runFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of the run is left: %v", err)
	}
	third, _ := open(t, link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file})
	if info, err := third.results.Info(t.Context()); err != nil || info.State.Msgs != 0 {
		t.Errorf("%d outcomes are left, error %v", info.State.Msgs, err)
	}
}

// What cannot be resumed says why.
func TestResumeErrors(t *testing.T) {
	t.Parallel()
	_, url := serve(t, nil)
	file, public := key(t)
	write := func(text string) string {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, runFile), text)
		return dir
	}
	state := func(version int, run, key, url string) string {
		text, err := json.Marshal(runState{Version: version, Run: run, Key: key, URL: url})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, test := range []struct{ dir, want string }{
		{t.TempDir(), "there is nothing to resume"},
		{write("{"), "cannot be read: unexpected end of JSON input"},
		{write(state(99, "r", public, url)), "is of version 99, this taskinstr has version 3"},
		{write(state(link.Version, "a.>", public, url)), "is no name of a run"},
		{write(state(link.Version, "r", "UOTHER", url)), "was begun with another key, UOTHER"},
		{write(state(link.Version, "r", public, "")), "was begun with -workers=N; resume it with the same"},
	} {
		_, err := Open(t.Context(), link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file, Dir: test.dir, Resume: true}, nil, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %q", err, test.want)
		}
	}
}

// A server that goes away for good ends both ends, with words that say what to do.
func TestServerGone(t *testing.T) {
	t.Parallel()
	s, url := serve(t, nil)
	file, public := key(t)
	c, _ := open(t, link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file, Wait: 500 * time.Millisecond, AckWait: 200 * time.Millisecond})
	_, notes := work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}, Wait: 500 * time.Millisecond}, here(fake))
	failed := make(chan error)
	go func() {
		_, err := c.Do(t.Context(), (&fakeBatch{Seed: 1, Count: 1, Time: 60_000}).batch())
		failed <- err
	}()
	time.Sleep(100 * time.Millisecond)
	s.Shutdown()
	select {
	case err := <-failed:
		if err == nil || !strings.Contains(err.Error(), "has been gone for") || !strings.Contains(err.Error(), "and then go on") {
			t.Errorf("error %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the coordinator waits for ever")
	}
	notes.wait(t, "ended: "+url+" has been gone for")
}

// A server in this process and workers that it starts do the work. A worker that is killed is
// started again, and nobody else can use the server.
func TestLocal(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no kill")
	}
	file, _ := key(t)
	dir := t.TempDir()
	config := link.CoordinatorConfig{Local: 2, Sign: file, Dir: dir, AckWait: 500 * time.Millisecond}
	c, notes := open(t, config)
	if _, err := nats.Connect(c.local.url); !errors.Is(err, nats.ErrAuthorization) {
		t.Errorf("a stranger connects: %v", err)
	}
	log := filepath.Join(dir, "log")
	var all sync.WaitGroup
	outcomes := make(chan *link.Outcome, 100)
	for i := range 8 {
		all.Go(func() {
			b := &fakeBatch{Seed: uint64(i), Count: 1, Time: 100, Log: log}
			out := do(t, c, b.batch())
			right(t, out, b)
			outcomes <- out
		})
	}
	first := <-outcomes
	pid := 0
	if _, err := fmt.Sscanf(first.Worker[strings.LastIndexByte(first.Worker, '/'):], "/%d", &pid); err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	all.Wait()
	notes.wait(t, "a worker on this machine has ended (signal: killed)")
	c.Close() // as if it were killed

	config.Resume = true
	n := 0
	var mu sync.Mutex
	again, err := Open(t.Context(), config, notes.add, func(*link.Outcome) { mu.Lock(); n++; mu.Unlock() })
	if err != nil {
		t.Fatal(err)
	}
	if n != 8 {
		t.Errorf("%d outcomes of the earlier coordinator, want 8", n)
	}
	b := &fakeBatch{Seed: 100, Count: 1}
	right(t, do(t, again, b.batch()), b)
	if err := again.Finish(t.Context()); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "farm*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// The messages that the server handles for a batch are at most as many as docs/use/farm.md counts on.
func TestMessages(t *testing.T) {
	t.Parallel()
	s, url := serve(t, nil)
	file, public := key(t)
	c, _ := open(t, link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file})
	for range 4 {
		work(t, link.WorkerConfig{Server: link.Server{URL: url}, Trust: []string{public}}, here(fake))
	}
	do(t, c, (&fakeBatch{Seed: 1000, Count: 1}).batch()) // what happens once
	count := func() int64 {
		v, err := s.Varz(nil)
		if err != nil {
			t.Fatal(err)
		}
		return v.InMsgs + v.OutMsgs
	}
	const batches, perBatch = 40, 10
	before := count()
	var all sync.WaitGroup
	for i := range batches {
		all.Go(func() {
			b := &fakeBatch{Seed: uint64(i), Count: 1, Time: 10}
			right(t, do(t, c, b.batch()), b)
		})
	}
	all.Wait()
	got := float64(count()-before) / batches
	t.Logf("%.1f messages in and out for a batch", got)
	if got > perBatch {
		t.Errorf("%.1f messages for a batch, docs/use/farm.md counts on %d", got, perBatch)
	}
}

// A stream with other settings is refused.
func TestForeignStream(t *testing.T) {
	t.Parallel()
	_, url := serve(t, nil)
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: workStream, Subjects: []string{workPrefix + ">"}}); err != nil {
		t.Fatal(err)
	}
	file, _ := key(t)
	_, err = Open(t.Context(), link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: file, Dir: t.TempDir()}, new(notebook).add, nil)
	if err == nil || !strings.Contains(err.Error(), "the stream taskinstr-work is not one that taskinstr has made") {
		t.Errorf("error %v", err)
	}
}

// docs/use/farm.md lists the permissions that a worker needs, and no others.
func TestDocumentedPermissions(t *testing.T) {
	t.Parallel()
	text := testfile.Read(t, "../../../../docs/use/farm.md")
	_, list, _ := strings.Cut(text, "publish: [")
	list, _, _ = strings.Cut(list, "]")
	var got []string
	for word := range strings.FieldsSeq(list) {
		got = append(got, strings.Trim(word, `"`))
	}
	if !slices.Equal(got, WorkerPermissions.Publish) || !strings.Contains(text, `subscribe: ["_INBOX.>"]`) {
		t.Errorf("docs/use/farm.md lists %q, a worker needs %q", got, WorkerPermissions.Publish)
	}
}
