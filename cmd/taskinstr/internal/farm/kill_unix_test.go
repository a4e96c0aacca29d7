//go:build unix

package farm

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/farm/link"
)

var (
	kills    = flag.Int("kills", 8, "the number of processes that TestKills kills")
	killSeed = flag.Uint64("kill.seed", 1, "the seed of TestKills")
)

// A process is one of a farm that a test kills and starts again.
type process struct {
	t    *testing.T
	role string
	args []string
	log  *os.File
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

func start(t *testing.T, log *os.File, role string, args ...string) *process {
	t.Helper()
	p := &process{t: t, role: role, args: args, log: log}
	p.start()
	t.Cleanup(p.kill)
	return p
}

func (p *process) start() {
	p.t.Helper()
	p.cmd = exec.Command(os.Args[0], p.args...)
	p.cmd.Env = append(os.Environ(), roleVar+"="+p.role)
	p.cmd.Stdout, p.cmd.Stderr = p.log, p.log
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	cmd, done := p.cmd, make(chan struct{})
	p.done = done
	go func() {
		cmd.Wait()
		close(done)
	}()
}

func (p *process) kill() {
	p.cmd.Process.Kill()
	<-p.done
}

// exited reports whether the process has ended.
func (p *process) exited() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// waitFor waits until something listens.
func waitFor(t *testing.T, port string) {
	t.Helper()
	for range 500 {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("nothing listens on port %s", port)
}

// Workers, the server and the coordinator are killed, workers are stopped for longer than they may
// give no sign of life, and batches are delivered twice. The findings, and the number of times that
// each batch is counted, are those of a run without any of this.
//
// The long form: go test ./cmd/taskinstr/internal/farm -run Kills -kills 50 -kill.seed 7 -timeout 20m
func TestKills(t *testing.T) {
	random := rand.New(rand.NewPCG(*killSeed, 0))
	dir := t.TempDir()
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	key := filepath.Join(dir, "key.nk")
	pair, err := makeKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	url := "nats://127.0.0.1:" + port

	p := play{Config: link.CoordinatorConfig{Server: link.Server{URL: url}, Sign: key, Dir: filepath.Join(dir, "run"), Wait: time.Minute, AckWait: time.Second},
		Width: 64, Result: filepath.Join(dir, "result")}
	want := map[string]int{}
	var runs uint64
	const size = 10
	executions := filepath.Join(dir, "executions")
	for i := range max(150, 45**kills) {
		b := fakeBatch{Seed: uint64(i) * size, Count: size, Time: 10 + random.IntN(40), Log: executions}
		p.Batches = append(p.Batches, b)
		runs += b.Count
		for _, f := range b.outcome().Findings {
			want[f]++
		}
	}
	script := filepath.Join(dir, "play")
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, script, string(text))

	server := start(t, log, "server", filepath.Join(dir, "store"), port)
	waitFor(t, port)
	var workers []*process
	for range 3 {
		workers = append(workers, start(t, log, "worker", "-trust="+public, "-slots=2", "-cache="+filepath.Join(dir, "cache"), "-scratch="+dir, url))
	}
	coordinator := start(t, log, "coordinator", script)

	done := map[string]int{}
	for n := range *kills {
		time.Sleep(time.Duration(100+random.IntN(400)) * time.Millisecond)
		if _, err := os.Stat(p.Result); err == nil {
			t.Errorf("the run has ended after %d of %d kills", n, *kills)
			break
		}
		what := []string{"worker", "worker", "coordinator", "server", "stop"}[random.IntN(5)]
		if n == 0 {
			duplicate(t, url)
		}
		done[what]++
		switch w := workers[random.IntN(len(workers))]; what {
		case "worker":
			w.kill()
			w.start()
		case "coordinator":
			coordinator.kill()
			coordinator.start()
		case "server":
			server.kill()
			server.start()
		case "stop":
			w.cmd.Process.Signal(syscall.SIGSTOP)
			process := w.cmd.Process
			time.AfterFunc(2500*time.Millisecond, func() { process.Signal(syscall.SIGCONT) })
		}
	}
	var result []byte
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if result, err = os.ReadFile(p.Result); err == nil {
			break
		}
		// A coordinator and workers may have been started while the server was not there.
		for _, x := range append(workers, coordinator) {
			if x.exited() {
				x.start()
			}
		}
		if time.Since(begin) > time.Minute+time.Duration(*kills)*2*time.Second {
			t.Fatalf("the run does not end:\n%s", lastLines(log.Name()))
		}
	}
	var got counts
	if err := json.Unmarshal(result, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Errors) > 0 {
		t.Errorf("errors: %q", got.Errors)
	}
	if got.Runs != runs || !maps.Equal(got.Findings, want) {
		t.Errorf("%d runs, findings %v, want %d, %v", got.Runs, got.Findings, runs, want)
	}
	for _, b := range p.Batches {
		if n := got.Batches[b.id()]; n != 1 {
			t.Errorf("batch %s was counted %d times", b.id(), n)
		}
	}
	if len(got.Batches) != len(p.Batches) {
		t.Errorf("%d batches, want %d", len(got.Batches), len(p.Batches))
	}
	n := strings.Count(testfile.Read(t, executions), "\n")
	if n <= len(p.Batches) {
		t.Errorf("%d batches were run %d times; none was run twice", len(p.Batches), n)
	}
	t.Logf("%v; %d batches, run %d times, %d outcomes from earlier coordinators", done, len(p.Batches), n, got.Earlier)
}

// duplicate publishes a batch again that was acknowledged. The server accepts it once its subject
// is free.
func duplicate(t *testing.T, url string) {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		s, err := js.Stream(ctx, workStream)
		if err != nil {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		info, err := s.Info(ctx)
		if err != nil || info.State.Msgs == 0 {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		m, err := s.GetMsg(ctx, info.State.FirstSeq)
		if err != nil {
			continue
		}
		for ctx.Err() == nil {
			_, err := js.PublishMsg(ctx, &nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data})
			if err == nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	t.Fatal("no batch could be delivered twice")
}

// lastLines returns the end of a file.
func lastLines(name string) string {
	text, _ := os.ReadFile(name)
	return string(text[max(0, len(text)-4000):])
}
