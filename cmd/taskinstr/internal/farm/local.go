package farm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// localFolder is the folder, in that of the run, of the server that a coordinator starts.
const localFolder = "farm"

// LocalWorker is the argument by which a coordinator starts its own program as a worker.
const LocalWorker = "local-worker"

// A local is a server in this process and workers on this machine.
type local struct {
	dir             string
	url             string
	coordinatorSeed string // a file
	options         []nats.Option
	server          *server.Server
	workers         int
	trust           string
	note            func(string)
	running         sync.WaitGroup
}

// WorkerPermissions are the subjects that a worker needs. docs/use/farm.md has the same list for servers
// that others run.
var WorkerPermissions = struct{ Publish, Subscribe []string }{
	Publish: []string{
		"$JS.API.CONSUMER.INFO." + workStream + ".*",
		"$JS.API.CONSUMER.MSG.NEXT." + workStream + ".*",
		"$JS.ACK." + workStream + ".>",
		"$JS.API.STREAM.INFO." + resultStream,
		"$JS.API.DIRECT.GET." + resultStream + ".>",
		resultPrefix + ">",
		"$JS.API.STREAM.INFO.OBJ_" + fileBucket,
		"$JS.API.DIRECT.GET.OBJ_" + fileBucket + ".>",
		"$JS.API.CONSUMER.CREATE.OBJ_" + fileBucket + ".>",
		"$JS.API.CONSUMER.DELETE.OBJ_" + fileBucket + ".>",
		"$JS.FC.OBJ_" + fileBucket + ".>",
		"$O." + fileBucket + ".>",
	},
	Subscribe: []string{"_INBOX.>"},
}

// startLocal starts a server that stores its streams below dir. Only the coordinator and the
// workers, which have keys in dir, can use it.
func startLocal(dir string, workers int, trust string, note func(string)) (*local, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	l := &local{dir: dir, workers: workers, trust: trust, note: note, coordinatorSeed: filepath.Join(dir, "coordinator.nk")}
	permissions := map[string]*server.Permissions{"coordinator": nil, "worker": {
		Publish:   &server.SubjectPermission{Allow: WorkerPermissions.Publish},
		Subscribe: &server.SubjectPermission{Allow: WorkerPermissions.Subscribe},
	}}
	var users []*server.NkeyUser
	for name, p := range permissions {
		key, err := nkeys.CreateUser()
		if err != nil {
			return nil, err
		}
		seed, err := key.Seed()
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".nk"), seed, 0o600); err != nil {
			return nil, err
		}
		public, err := key.PublicKey()
		if err != nil {
			return nil, err
		}
		users = append(users, &server.NkeyUser{Nkey: public, Permissions: p})
	}
	s, err := server.NewServer(&server.Options{ServerName: "taskinstr", Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
		Nkeys: users, JetStream: true, StoreDir: dir, DisableJetStreamBanner: true})
	if err != nil {
		return nil, fmt.Errorf("the server for workers on this machine does not start: %w", err)
	}
	problem := &serverLog{}
	s.SetLogger(problem, false, false)
	go s.Start()
	if !s.ReadyForConnections(requestTime) {
		s.Shutdown()
		return nil, fmt.Errorf("the server for workers on this machine does not start%s", problem.last())
	}
	l.server, l.url = s, s.ClientURL()
	l.options = []nats.Option{nats.InProcessServer(s)}
	return l, nil
}

// startWorkers starts the workers, and another one for each that ends, until ctx is done.
func (l *local) startWorkers(ctx context.Context) {
	for range l.workers {
		l.running.Go(func() {
			for ctx.Err() == nil {
				if err := l.work(ctx); ctx.Err() == nil {
					l.note(fmt.Sprintf("a worker on this machine has ended (%v); starting another one", err))
					select {
					case <-time.After(time.Second):
					case <-ctx.Done():
					}
				}
			}
		})
	}
}

// work runs one worker until it ends or ctx is done.
func (l *local) work(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, LocalWorker, "-trust="+l.trust, "-nkey="+filepath.Join(l.dir, "worker.nk"), "-slots=1",
		"-cache="+filepath.Join(l.dir, "cache"), l.url)
	// The worker ends when its standard input does, as it does when this process is killed.
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	defer in.Close()
	said := &bounded{max: maxReply}
	cmd.Stderr = said
	cmd.Cancel = func() error { return in.Close() }
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w%s", err, said.last())
	}
	return errors.New("without a reason")
}

// close ends the workers, then the server. The context of startWorkers is done.
func (l *local) close() {
	l.running.Wait()
	l.server.Shutdown()
	l.server.WaitForShutdown()
}

// EndWith calls end when in ends.
func EndWith(in io.Reader, end func()) {
	go func() {
		io.Copy(io.Discard, in)
		end()
	}()
}

// A serverLog keeps the last errors of a server.
type serverLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *serverLog) add(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
	if len(l.lines) > 5 {
		l.lines = l.lines[1:]
	}
}

func (l *serverLog) last() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == 0 {
		return ""
	}
	return ": " + strings.Join(l.lines, "; ")
}

func (l *serverLog) Errorf(format string, args ...any) { l.add(format, args...) }
func (l *serverLog) Fatalf(format string, args ...any) { l.add(format, args...) }
func (l *serverLog) Noticef(string, ...any)            {}
func (l *serverLog) Warnf(string, ...any)              {}
func (l *serverLog) Debugf(string, ...any)             {}
func (l *serverLog) Tracef(string, ...any)             {}
