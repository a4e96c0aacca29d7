package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/explore/batch"
	"taskinstr/cmd/taskinstr/internal/farm/link"
)

// A schedule is counted once, however the spans of results overlap.
func TestCountOnce(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		u, counted := new(unit), map[uint64]bool{}
		for range 30 {
			x := span{from: uint64(random.IntN(100))}
			x.to = x.from + 1 + uint64(random.IntN(10))
			free := true
			for s := x.from; s < x.to; s++ {
				free = free && !counted[s]
			}
			if got := u.count(x); got != free {
				t.Fatalf("span %v beside %v: %v, want %v", x, u.counted, got, free)
			}
			for s := x.from; free && s < x.to; s++ {
				counted[s] = true
			}
		}
	}
}

// An exploration that goes on plans each schedule that was not counted, and no other one.
func TestPlanResumed(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		o := &options{seed: 5, count: 80, strategies: []string{"random"}}
		u := &unit{target: &target{}, ready: true}
		counted := map[uint64]int{}
		for range random.IntN(8) {
			x := span{from: 5 + uint64(random.IntN(70))}
			x.to = x.from + 1 + uint64(random.IntN(10))
			if u.count(x) {
				for s := x.from; s < x.to; s++ {
					counted[s]++
				}
			}
		}
		u.plan(o)
		for {
			_, b := next(o, []*unit{u})
			if b == nil {
				break
			}
			for s := b.Seed; s < b.Seed+uint64(b.Count); s++ {
				counted[s]++
			}
		}
		for s := o.seed; s < o.seed+uint64(o.count); s++ {
			if counted[s] != 1 {
				t.Fatalf("schedule %d was planned %d times; counted before: %v", s, counted[s], u.counted)
			}
		}
	}
}

// A batch for a worker takes about half a minute, a part of the budget, or a part of the schedules.
func TestBatchSize(t *testing.T) {
	u := &unit{planned: 100, result: batch.Result{Runs: 10, Elapsed: time.Second}}
	here, far := new(options), new(options)
	far.farm.given = true
	budget, count := *far, *far
	budget.budget, count.count = 80*time.Second, 1600
	for _, test := range []struct {
		o    *options
		want int
	}{{here, batchSize}, {far, 300}, {&budget, 50}, {&count, 100}} {
		if got := u.size(test.o); got != test.want {
			t.Errorf("%d schedules, want %d", got, test.want)
		}
	}
	u.planned = 0
	if got := u.size(far); got != firstBatch {
		t.Errorf("the first batch has %d schedules", got)
	}
}

// Results of an exploration that goes on count once; those of other binaries do not.
func TestAbsorb(t *testing.T) {
	var notes []string
	u := &unit{target: &target{path: "p", digest: "sha256:1"}, test: "TestX", run: "^TestX$"}
	s := newTestSession(u)
	s.note = func(line string) { notes = append(notes, line) }
	outcome := func(binary string, seed uint64, text string) *link.Outcome {
		payload, err := json.Marshal(&batch.Batch{Binary: binary, Package: "p", Test: "TestX", Run: "^TestX$", Strategy: "random", Seed: seed, Count: 4})
		if err != nil {
			t.Fatal(err)
		}
		out := &link.Outcome{Payload: payload, Error: text, Worker: "w"}
		if text == "" {
			out.Result, _ = json.Marshal(&batch.Result{Runs: 4, Graphs: map[string]int{fmt.Sprint(seed): 4}})
		}
		return out
	}
	s.farm = &farm{earlier: []*link.Outcome{outcome("sha256:1", 1, ""), outcome("sha256:1", 1, ""), outcome("sha256:1", 9, ""), outcome("sha256:1", 11, ""),
		outcome("sha256:2", 21, ""), outcome("sha256:1", 31, "no memory")}}
	s.absorb()
	if u.result.Runs != 8 || fmt.Sprint(u.counted) != "[{1 5} {9 13}]" || fmt.Sprint(u.holes) != "[{5 9}]" || u.planned != 12 {
		t.Errorf("%d schedules, counted %v, holes %v, planned %d", u.result.Runs, u.counted, u.holes, u.planned)
	}
	want := []string{"TestX: worker w could not run 4 schedules: no memory", "going on with 8 schedules of the earlier command", "1 results are of other tests or other binaries"}
	if len(notes) != len(want) || notes[0] != want[0] || notes[1] != want[1] || !strings.HasPrefix(notes[2], want[2]) || !s.failed {
		t.Errorf("notes %q, failed %v", notes, s.failed)
	}
}

func newTestSession(u *unit) *session {
	s := &session{options: &options{seed: 1, strategies: []string{"random"}}, units: []*unit{u}, budget: context.Background()}
	s.event = func(string, *unit, *found) {}
	s.begin()
	return s
}

// Contradictions between flags.
func TestWorkersFlags(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"-explore=9 -resume", "-resume goes on with an exploration that -workers has begun"},
		{"-explore=9 -workers-ca=x", "give -workers=nats://HOST as well"},
		{"-explore=9 -workers=2 -resume", "-resume needs the folder of the exploration"},
		{"-explore=9 -workers=nats://h -baseline=b", "-baseline names a file of this machine"},
		{"-explore=9 -workers=2 -workers-creds=c", "-workers=2 has a server of its own"},
		{"-explore=9 -workers=two", "give a number of workers on this machine"},
		{"-explore=9 -workers=nats://h -workers-creds=c -workers-nkey=n", "two ways to log in"},
		{"-explore=9 -workers=http://h", "begins with nats:// or tls://"},
		{"-workers=2", "-explore=N|DURATION is missing"},
	} {
		if _, err := parse(option.Set{}, strings.Fields(test.args)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.args, err, test.want)
		}
	}
	o, err := parse(option.Set{}, strings.Fields("-explore=9 -workers=nats://h:1 -workers-creds=c -workers-wait=3s -resume -explore-dir=d ./..."))
	if err != nil || o.farm.URL != "nats://h:1" || o.farm.Creds != "c" || o.farm.Wait != 3*time.Second || !o.farm.Resume {
		t.Errorf("%+v, error %v", o, err)
	}
}
