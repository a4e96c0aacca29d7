package suite

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/event/eventtest"
	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/theorem"
)

var all = differential.Features{Finish: true, Sync: true, Promises: true, Isolated: true, Locks: true, Atomics: true, Ranges: true}

// The engine, given structured events alone, finds a race if brute force finds one, and
// names only bytes that race. (It keeps one race of each pair of places.)
func TestEngine(t *testing.T) {
	choices, err := Parse("engine:predicted=all")
	if err != nil {
		t.Fatal(err)
	}
	races := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 2))
		events := differential.Random(r, 10+r.IntN(80), all).Run(r)
		results, err := Run(detectortest.Source(t, events), choices)
		if err != nil {
			t.Fatal(err)
		}
		found := map[uint64]bool{}
		for _, x := range results[0].Races {
			for a := x.Addr; a < x.Addr+x.Size; a++ {
				found[a] = true
			}
		}
		want := differential.Judge(events).Words
		for a := range found {
			if !want[a] {
				t.Fatalf("seed %d: byte %#x does not race", seed, a)
			}
		}
		if len(found) == 0 && len(want) > 0 {
			t.Fatalf("seed %d: %d bytes race, none is found", seed, len(want))
		}
		if len(results[0].Outside) > 0 {
			t.Fatalf("seed %d: outside of the model: %v", seed, results[0].Outside)
		}
		races += len(found)
	}
	if races == 0 {
		t.Error("nothing races")
	}
}

// A recorder stores the events that a detector receives.
type recorder struct{ events []event.Event }

func (r *recorder) Event(e *event.Event)   { r.events = append(r.events, *e) }
func (r *recorder) Close() []event.Counter { return nil }

// choice returns a detector with a model that records its events.
func choice(m event.Model, serial bool, r *recorder) Choice {
	return Choice{Name: "recorder", Spec: event.Spec{Name: "recorder", Model: m, Serial: serial, Theorem: theorem.ThisRun,
		New: func(event.Config) (event.Detector, error) { return r, nil }}}
}

// A serial detector receives events in depth-first order.
func TestSerial(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		events := differential.Random(r, 60, all).Run(r)
		var got recorder
		results, err := Run(detectortest.Source(t, events), []Choice{choice(event.Finish|event.Promises|event.Locks, true, &got)})
		if err != nil {
			t.Fatal(err)
		}
		if at := event.IsDepthFirst(got.events); at >= 0 || len(got.events) != len(events) {
			t.Fatalf("seed %d: event %d of %d is not in order, %d were recorded", seed, at, len(got.events), len(events))
		}
		if results[0].Late >= 0 || results[0].Theorem != theorem.ThisRun {
			t.Errorf("seed %d: late %d, %s, outside %v", seed, results[0].Late, results[0].Verdict(), results[0].Outside)
		}
	}
}

// Events outside of a model are counted, and take the theorem away.
func TestOutside(t *testing.T) {
	events := eventtest.Trace(t, eventtest.Names{"isolation": event.Isolation, "l": 0x1000, "m": 0x2000}, `
		0 begin 1; 0 fork 1; 0 fork 2
		1 lock l; 1 unlock l; 1 lock isolation; 1 unlock isolation
		2 lock l; 2 unlock l; 2 lock isolation; 2 unlock isolation
		1 set 5; 2 get 5
		2 lock m; 2 unlock m; 2 lock m; 2 unlock m; 2 set 6; 2 get 6 // the structure orders these anyway: they do not count
		2 select
		1 end 1; 2 end; 0 finish 1`)
	for _, c := range []struct {
		model event.Model
		want  string
	}{
		{event.Finish | event.Escaping | event.Promises | event.Locks | event.RawOrder, ""},
		{event.Finish | event.Escaping | event.Promises | event.Locks, "select"},
		{event.Finish | event.Escaping | event.Isolated | event.RawOrder, "lock, promise"},
		{event.Finish | event.Promises | event.Locks | event.RawOrder, "task that no scope waits for"},
		{event.Escaping | event.Promises | event.Locks | event.RawOrder, "finish scope"},
		{event.Finish | event.Escaping | event.Promises | event.RawOrder, "isolated section, lock"},
	} {
		checkOutside(t, c.model, events, c.want)
	}
}

// checkOutside runs a detector with a model on the events and compares the list of events
// outside of it.
func checkOutside(t *testing.T, m event.Model, events []event.Event, want string) {
	t.Helper()
	results, err := Run(detectortest.Source(t, events), []Choice{choice(m, false, new(recorder))})
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	if got := kinds(r.Outside); got != want {
		t.Errorf("%s: outside %q, want %q", ModelText(m), got, want)
	}
	if proved := r.Theorem == theorem.ThisRun && r.Verdict() == r.Theorem.Text(); proved != (want == "") {
		t.Errorf("%s: %s", ModelText(m), r.Verdict())
	}
}

func kinds(list []Outside) string {
	var kinds []string
	for _, o := range list {
		kinds = append(kinds, o.Kind)
	}
	return strings.Join(kinds, ", ")
}

// A scope is a sync if it waits for all children of its task and for no other task.
func TestSyncs(t *testing.T) {
	for _, c := range []struct {
		events, want string
	}{
		{`0 begin 1; 0 fork 1
			1 begin 2; 1 fork 2; 2 end 2; 1 finish 2; 1 end 1
			0 finish 1
			0 begin 1; 0 fork 3; 3 end 1; 0 finish 1`, ""},
		{"0 begin 1; 0 fork 1; 1 fork 2; 2 end 1; 1 end 1; 0 finish 1", "task that may outlive its parent"},
		{"0 begin 1; 0 fork 1; 0 begin 2; 0 fork 2; 1 end 1; 2 end 2; 0 finish 2; 0 finish 1", "scope that waits for some of the children"},
	} {
		checkOutside(t, event.Spawns, eventtest.Trace(t, nil, c.events), c.want)
	}
}

// A clean run proves the theorem that its choices leave, which differs by detector.
func TestTheorem(t *testing.T) {
	const (
		section1 = "1 lock l; 1 write x; 1 unlock l"
		section2 = "2 lock l; 2 write x; 2 unlock l"
		other2   = "2 lock m; 2 write x; 2 unlock m"
		choice1  = "1 select"
	)
	for _, c := range []struct {
		name          string
		first, second string // the events of two tasks in a scope
		detector      string
		want          theorem.Theorem
		choices       string
	}{
		{"nothing", "", "", "engine", theorem.AnySchedule, ""},
		{"nothing", "", "", "espbags", theorem.AnySchedule, ""},
		{"nothing", "", "", "zipper", theorem.SectionOrder, ""},
		{"nothing", "", "", "fasttrack", theorem.ThisRun, ""},
		{"sections", section1, section2, "engine", theorem.SameChoices, theorem.Sections},
		{"sections", section1, section2, "espbags", theorem.SameOperations, theorem.Sections},
		{"sections", section1, section2, "ptracer", theorem.SameOperations, ""},
		{"sections", section1, section2, "drdp", "", ""},
		{"one section", section1, "", "espbags", theorem.AnySchedule, ""},
		{"one section", section1, "", "engine", theorem.AnySchedule, ""},
		{"a race", section1, other2, "espbags", "", ""},
		{"select", choice1, "", "engine", theorem.SameChoices, theorem.Select},
		{"select", choice1, "", "espbags", "", ""},
	} {
		choices, err := Parse(c.detector)
		if err != nil {
			t.Fatal(err)
		}
		trace := eventtest.Trace(t, eventtest.Names{"l": 0x1000, "m": 0x2000, "x": 0x8000},
			"0 begin 1; 0 fork 1;"+c.first+"; 1 end 1; 0 fork 2;"+c.second+"; 2 end 1; 0 finish 1")
		results, err := Run(detectortest.Source(t, trace), choices)
		if err != nil {
			t.Fatal(err)
		}
		r := results[0]
		if r.Theorem != c.want || kinds(r.Choices) != c.choices {
			t.Errorf("%s, %s: theorem %q, choices %q; want %q, %q (%s)", c.name, c.detector, r.Theorem, kinds(r.Choices), c.want, c.choices, r.Verdict())
		}
	}
}

// A refuser is a detector that analyses nothing.
type refuser struct{}

func (refuser) Event(*event.Event)     {}
func (refuser) Close() []event.Counter { return nil }
func (refuser) Refused() error         { return errors.New("too large") }

// A detector that refuses an execution proves nothing of it, although it reports no race.
func TestRefused(t *testing.T) {
	spec := event.Spec{Name: "refuser", Model: event.Finish, Theorem: theorem.AnySchedule,
		New: func(event.Config) (event.Detector, error) { return refuser{}, nil }}
	results, err := Run(detectortest.Source(t, []event.Event{{Op: event.FinishBegin, Obj: 1}, {Op: event.FinishEnd, Obj: 1}}), []Choice{{Name: spec.Name, Spec: spec}})
	if err != nil {
		t.Fatal(err)
	}
	r := results[0]
	if r.Theorem != "" || r.Verdict() != "not analysed: too large" {
		t.Errorf("theorem %q, verdict %q", r.Theorem, r.Verdict())
	}
	text, err := json.Marshal(r.Summary())
	if err != nil || !strings.Contains(string(text), `"theorem":"",`) || !strings.Contains(string(text), `"not_analysed":"too large"`) {
		t.Errorf("%v: %s", err, text)
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"engine", ""},
		{"engine,engine:predicted=all", ""},
		{"nothing", `"nothing" is no detector; there are engine`},
		{"engine,", `"" is no detector`},
		{"engine:predicted=maybe", "predicted is one of warn, all, off"},
		{"engine:depth=3", `no option "depth"`},
		{"engine,engine", "listed twice"},
	} {
		_, err := Parse(c.list)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.list, err, c.want)
		}
	}
}

// The table has all fields that help prints.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Table {
		if s.Name == "" || s.Doc == "" || s.Source == "" || s.Model == 0 || s.Theorem.Text() == "" || s.New == nil || seen[s.Name] {
			t.Errorf("%+v", s)
		}
		seen[s.Name] = true
		for _, o := range s.Options {
			if o.Name == "" || o.Doc == "" {
				t.Errorf("%s: %+v", s.Name, o)
			}
		}
	}
}
