package link

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

const someKey = "UBIMG63V3VYD2DGXQ5FMHLOF6FFATRYGULXGXK2I5O6EYFUVQA6CKJXU"

func TestParseWorker(t *testing.T) {
	c, err := ParseWorker([]string{"-trust=" + someKey, "-slots=3", "-memory=512MiB", "-cache-size=1GiB", "-creds=f", "-ca=ca.pem", "tls://build1:4222"})
	if err != nil {
		t.Fatal(err)
	}
	want := &WorkerConfig{Server: Server{URL: "tls://build1:4222", Creds: "f", CA: "ca.pem"}, Trust: []string{someKey}, Slots: 3, Memory: 512 << 20, Disk: 1 << 30,
		Longest: time.Hour, Wait: 10 * time.Minute}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("%+v, want %+v", c, want)
	}
	for _, test := range []struct{ args, want string }{
		{"", "the address of the server is missing"},
		{"nats://a", "-trust is missing"},
		{"-trust=U nats://a", `"U" is no key of a coordinator`},
		{"-trust=KEY,X nats://a", `"X" is no key of a coordinator`},
		{"-trust=KEY build1:4222", "is no address of a server"},
		{"-trust=KEY http://build1", "begins with nats:// or tls://"},
		{"-trust=KEY nats://", "names no host"},
		{"-trust=KEY nats://a nats://b", "too many arguments: nats://b"},
		{"-trust=KEY -slots=0 nats://a", "-slots=0"},
		{"-trust=KEY -memory=4G nats://a", `"4G" is no size; examples are 512MiB`},
		{"-trust=KEY -memory=99999999999GiB nats://a", "is no size"},
		{"-trust=KEY -creds=a -nkey=b nats://a", "two ways to log in"},
		{"-trust=KEY -cert=a tls://a", "give both"},
		{"-trust=KEY -slot=1 nats://a", "flag provided but not defined: -slot"},
		{"-trust=KEY -scratch=/a\tb nats://a", "-scratch"},
	} {
		args := strings.Split(strings.ReplaceAll(test.args, "KEY", someKey), " ")
		if test.args == "" {
			args = nil
		}
		if _, err := ParseWorker(args); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.args, err, test.want)
		}
	}
	if _, err := ParseWorker([]string{"-h"}); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: error %v", err)
	}
	// Each flag has a line of help.
	set := new(WorkerConfig).flags()
	set.VisitAll(func(f *flag.Flag) {
		if f.Usage == "" || !strings.Contains(WorkerHelp(), "\n  -"+f.Name) {
			t.Errorf("no help on -%s", f.Name)
		}
	})
}

// What Start passes to the coordinator arrives.
func TestCoordinatorArguments(t *testing.T) {
	for _, c := range []*CoordinatorConfig{
		{Local: 3, Dir: "/d", Resume: true, Wait: time.Minute},
		{Server: Server{URL: "tls://h:1", Creds: "c", CA: "a", Cert: "b", Key: "k"}, Sign: "s", Dir: "d e", Wait: time.Second, AckWait: 2 * time.Second},
		{Server: Server{URL: "nats://user:pass@h", NKey: "n"}, Dir: "d", Wait: time.Second},
	} {
		got, err := ParseCoordinator(c.args()[1:])
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%+v becomes %+v, error %v", c, got, err)
		}
	}
	for value, want := range map[string]string{"0": "at least 1", "-3": "at least 1", "9999": "at most 1024", "many": "give a number of workers on this machine, or the address", "http://a": ""} {
		err := new(CoordinatorConfig).SetWorkers(value)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("-workers=%s: error %v, want %q", value, err, want)
		}
	}
	if s := (&Server{URL: "nats://user:secret@h:1"}).Shown(); strings.Contains(s, "secret") {
		t.Errorf("the password is shown: %s", s)
	}
}

// A fakeFarm answers each batch with its payload.
type fakeFarm struct {
	mu     sync.Mutex
	calls  []string
	failed chan struct{}
	err    error
}

func (f *fakeFarm) say(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
}

func (f *fakeFarm) Upload(ctx context.Context, u Upload) error {
	f.say("upload %s", u.Path)
	return f.err
}

func (f *fakeFarm) Do(ctx context.Context, b *Batch) (*Outcome, error) {
	if b.ID == "never" {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if b.ID == "too large" {
		return nil, errors.New("it is too large")
	}
	return &Outcome{ID: b.ID, Result: b.Payload}, nil
}

func (f *fakeFarm) Finish(context.Context) error { f.say("finish"); return f.err }
func (f *fakeFarm) Stop(context.Context) error   { f.say("stop"); return f.err }
func (f *fakeFarm) State() State                 { return State{Slots: 7} }
func (f *fakeFarm) Failed() <-chan struct{}      { return f.failed }
func (f *fakeFarm) Err() error                   { return f.err }

// connected returns the two ends of a connection. end is what the far end's process reports.
func connected(t *testing.T, f *fakeFarm, ready *Ready, end error, hooks Hooks) (*Farm, error) {
	t.Helper()
	r, in := io.Pipe()
	out, w := io.Pipe()
	go func() {
		Serve(t.Context(), r, w, func(note func(string), earlier func(*Outcome)) (Coordinator, *Ready, error) {
			if ready == nil {
				return nil, nil, errors.New("no NATS server answers")
			}
			note("hello")
			earlier(&Outcome{ID: "old"})
			return f, ready, nil
		})
		w.Close()
		r.Close()
	}()
	return attach(t.Context(), in, out, hooks, func() error { return end })
}

func TestLink(t *testing.T) {
	f := &fakeFarm{failed: make(chan struct{})}
	var notes, earlier []string
	farm, err := connected(t, f, &Ready{Version: Version, Run: "r", Key: "k"}, nil, Hooks{
		Note: func(line string) { notes = append(notes, line) }, Earlier: func(out *Outcome) { earlier = append(earlier, out.ID) }})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprintln(notes, earlier, farm.Run, farm.Key) != "[hello] [old] r k\n" {
		t.Errorf("notes %v, earlier outcomes %v, run %s, key %s", notes, earlier, farm.Run, farm.Key)
	}
	if err := farm.Upload(t.Context(), Upload{File: File{Digest: "sha256:1"}, Path: "p"}); err != nil {
		t.Error(err)
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			out, err := farm.Do(t.Context(), &Batch{ID: fmt.Sprint(i), Payload: json.RawMessage(fmt.Sprint(i))})
			if err != nil || string(out.Result) != fmt.Sprint(i) {
				t.Errorf("outcome %+v, error %v", out, err)
			}
		})
	}
	all.Wait()
	if out, err := farm.Do(t.Context(), &Batch{ID: "too large"}); err != nil || out.Error != "it is too large" {
		t.Errorf("outcome %+v, error %v", out, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := farm.Do(ctx, &Batch{ID: "never"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if _, err := farm.Do(t.Context(), &Batch{ID: "never"}); err == nil || !strings.Contains(err.Error(), "is running already") {
		t.Errorf("error %v", err)
	}
	for range 300 {
		if farm.State().Slots == 7 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if farm.State().Slots != 7 {
		t.Error("no state has arrived")
	}
	if err := farm.Finish(); err != nil {
		t.Error(err)
	}
	if fmt.Sprint(f.calls) != "[upload p finish]" {
		t.Errorf("calls %v", f.calls)
	}
}

// Whatever ends the coordinator, calls return, with the reason.
func TestLinkEnds(t *testing.T) {
	ready := &Ready{Version: Version}
	quiet := Hooks{Note: func(string) {}, Earlier: func(*Outcome) {}}
	if _, err := connected(t, nil, nil, errors.New("exit status 1"), quiet); err == nil || err.Error() != "no NATS server answers" {
		t.Errorf("error %v", err)
	}
	if _, err := connected(t, &fakeFarm{failed: make(chan struct{})}, &Ready{Version: 99}, nil, quiet); err == nil || !strings.Contains(err.Error(), "taskinstr-farm has version 99 of the messages, taskinstr has version 3") {
		t.Errorf("error %v", err)
	}

	// The coordinator gives up.
	f := &fakeFarm{failed: make(chan struct{}), err: errors.New("the server is gone")}
	farm, err := connected(t, f, ready, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, func() { close(f.failed) })
	if _, err := farm.Do(t.Context(), &Batch{ID: "never"}); err == nil || err.Error() != "the server is gone" {
		t.Errorf("error %v", err)
	}
	if err := farm.Upload(t.Context(), Upload{}); err == nil || err.Error() != "the server is gone" {
		t.Errorf("error %v", err)
	}

	// It is killed, or writes nonsense.
	for text, want := range map[string]string{
		"":           "the coordinator has ended: signal: killed; the outcomes so far are kept, -resume goes on",
		"nonsense\n": "the coordinator's messages cannot be read: invalid character",
	} {
		r, in := io.Pipe()
		out, w := io.Pipe()
		go io.Copy(io.Discard, r)
		go func() {
			json.NewEncoder(w).Encode(Message{Ready: ready})
			io.WriteString(w, text)
			w.Close()
		}()
		farm, err := attach(t.Context(), in, out, quiet, func() error { return errors.New("signal: killed") })
		if err == nil {
			_, err = farm.Do(t.Context(), &Batch{ID: "1"})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
