package farm

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// roleVar has the test binary play one of the processes of a farm.
const roleVar = "TASKINSTR_FARM_ROLE"

func TestMain(m *testing.M) {
	var err error
	if len(os.Args) > 1 && os.Args[1] == LocalWorker { // as a coordinator starts its own program
		EndWith(os.Stdin, func() { os.Exit(0) })
		if err := playWorker(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	switch role := os.Getenv(roleVar); role {
	case "":
		os.Exit(m.Run())
	case "server":
		err = playServer(os.Args[1], os.Args[2])
	case "worker":
		err = playWorker(os.Args[1:])
	case "coordinator":
		err = playCoordinator(os.Args[1])
	case "batch":
		err = RunChild(fake, os.Stdin, os.Stdout)
	default:
		err = fmt.Errorf("no role %q", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// fakeBatch is the payload of a batch whose result depends on its seeds alone.
type fakeBatch struct {
	Seed  uint64 `json:"seed"`
	Count uint64 `json:"count"`
	Time  int    `json:"time"`           // of running it, in milliseconds
	Log   string `json:"log,omitempty"`  // a file that gets a line for each time that it is run
	Fail  string `json:"fail,omitempty"` // an error
	Fat   int    `json:"fat,omitempty"`  // memory to take, in MiB
	Large int    `json:"large,omitempty"`
	Text  string `json:"text,omitempty"` // makes the batch long
}

type fakeResult struct {
	Runs     uint64   `json:"runs"`
	Findings []string `json:"findings"`
	Large    string   `json:"large,omitempty"`
}

func (b *fakeBatch) outcome() fakeResult {
	r := fakeResult{Runs: b.Count, Findings: []string{}}
	for s := b.Seed; s < b.Seed+b.Count; s++ {
		h := fnv.New32a()
		fmt.Fprint(h, s)
		if n := h.Sum32(); n%13 == 0 {
			r.Findings = append(r.Findings, fmt.Sprintf("race %d", n%101))
		}
	}
	return r
}

func (b *fakeBatch) id() string { return fmt.Sprintf("seed-%d", b.Seed) }

func (b *fakeBatch) batch(files ...link.File) *link.Batch {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	return &link.Batch{ID: b.id(), Payload: text, Limit: time.Minute, Files: files}
}

func fake(ctx context.Context, j *Job) (json.RawMessage, error) {
	b := new(fakeBatch)
	if err := json.Unmarshal(j.Payload, b); err != nil {
		return nil, err
	}
	if b.Log != "" {
		f, err := os.OpenFile(b.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			return nil, err
		}
		fmt.Fprintln(f, b.id())
		f.Close()
	}
	fat := make([]byte, b.Fat<<20)
	for i := 0; i < len(fat); i += 4096 {
		fat[i] = 1
	}
	select {
	case <-time.After(time.Duration(b.Time) * time.Millisecond):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if b.Fail != "" {
		return nil, fmt.Errorf("%s", b.Fail)
	}
	runtime.KeepAlive(fat)
	r := b.outcome()
	r.Large = string(make([]byte, b.Large))
	return json.Marshal(r)
}

// here runs a job in this process.
func here(run Runner) Executor {
	return func(ctx context.Context, j *Job, limit time.Duration) (json.RawMessage, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		r, err := run(ctx, j)
		if err != nil {
			err = &jobError{err}
		}
		return r, err
	}
}

// playServer is a NATS server until it is killed.
func playServer(dir, port string) error {
	n, err := strconv.Atoi(port)
	if err != nil {
		return err
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: n, JetStream: true, StoreDir: dir, NoLog: true})
	if err != nil {
		return err
	}
	s.Start()
	s.WaitForShutdown()
	return nil
}

// playWorker is a worker that runs fake batches in its process.
func playWorker(args []string) error {
	c, err := link.ParseWorker(args)
	if err != nil {
		return err
	}
	w, err := NewWorker(*c, here(fake), func(line string) { fmt.Fprintln(os.Stderr, line) })
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	return w.Run(ctx)
}

// A play is the part of a coordinator: batches until all have an outcome.
type play struct {
	Config  link.CoordinatorConfig
	Batches []fakeBatch
	Width   int    // calls of Do at the same time
	Result  string // the file that gets the counts at the end
}

// counts are what a coordinator has counted.
type counts struct {
	Runs       uint64
	Findings   map[string]int
	Batches    map[string]int // how often the outcome of a batch was counted
	Errors     []string
	Earlier    int
	Duplicates int // that the coordinator has refused to count
}

func playCoordinator(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	p := new(play)
	if err := json.Unmarshal(text, p); err != nil {
		return err
	}
	n := &counts{Findings: map[string]int{}, Batches: map[string]int{}}
	var mu sync.Mutex
	outcomes := map[string]*link.Outcome{}
	take := func(out *link.Outcome) {
		mu.Lock()
		defer mu.Unlock()
		if outcomes[out.ID] == out { // passed to earlier, and asked for again
			return
		}
		outcomes[out.ID] = out
		n.Batches[out.ID]++
		if out.Error != "" {
			n.Errors = append(n.Errors, out.ID+": "+out.Error)
			return
		}
		var r fakeResult
		if err := json.Unmarshal(out.Result, &r); err != nil {
			n.Errors = append(n.Errors, err.Error())
		}
		n.Runs += r.Runs
		for _, f := range r.Findings {
			n.Findings[f]++
		}
	}
	// Whether there is a run to resume depends on when the one before was killed.
	if _, err := os.Stat(filepath.Join(p.Config.Dir, runFile)); err == nil {
		p.Config.Resume = true
	}
	ctx := context.Background()
	c, err := Open(ctx, p.Config, func(line string) { fmt.Fprintln(os.Stderr, line) }, func(out *link.Outcome) {
		mu.Lock()
		n.Earlier++
		mu.Unlock()
		take(out)
	})
	if err != nil {
		return err
	}
	var all sync.WaitGroup
	room := make(chan struct{}, p.Width)
	for i := range p.Batches {
		all.Add(1)
		room <- struct{}{}
		go func() {
			defer all.Done()
			defer func() { <-room }()
			out, err := c.Do(ctx, p.Batches[i].batch())
			if err != nil {
				mu.Lock()
				n.Errors = append(n.Errors, err.Error())
				mu.Unlock()
				return
			}
			take(out)
		}()
	}
	all.Wait()
	n.Duplicates = c.State().Duplicates
	text, err = json.Marshal(n)
	if err != nil {
		return err
	}
	if err := c.Finish(ctx); err != nil {
		return err
	}
	if err := os.WriteFile(p.Result+".part", text, 0o666); err != nil {
		return err
	}
	return os.Rename(p.Result+".part", p.Result)
}
