package suite

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/event"
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
	events := []event.Event{
		{Op: event.FinishBegin, Obj: 1},
		{Op: event.Fork, Other: 1}, {Op: event.Fork, Other: 2},
		{Op: event.Lock, Task: 1, Obj: 0x1000, Site: 0}, {Op: event.Unlock, Task: 1, Obj: 0x1000},
		{Op: event.Lock, Task: 1, Obj: event.Isolation}, {Op: event.Unlock, Task: 1, Obj: event.Isolation},
		{Op: event.Lock, Task: 2, Obj: 0x1000, Site: 0}, {Op: event.Unlock, Task: 2, Obj: 0x1000},
		{Op: event.Lock, Task: 2, Obj: event.Isolation}, {Op: event.Unlock, Task: 2, Obj: event.Isolation},
		{Op: event.Set, Task: 1, Obj: 5}, {Op: event.Get, Task: 2, Obj: 5},
		// Operations that the structure orders anyway do not count.
		{Op: event.Lock, Task: 2, Obj: 0x2000, Site: 0}, {Op: event.Unlock, Task: 2, Obj: 0x2000},
		{Op: event.Lock, Task: 2, Obj: 0x2000, Site: 0}, {Op: event.Unlock, Task: 2, Obj: 0x2000},
		{Op: event.Set, Task: 2, Obj: 6}, {Op: event.Get, Task: 2, Obj: 6},
		{Op: event.Outside, Task: 2, Use: event.UseSelect},
		{Op: event.End, Task: 1, Obj: 1}, {Op: event.End, Task: 2},
		{Op: event.FinishEnd, Obj: 1},
	}
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
		events []event.Event
		want   string
	}{
		{[]event.Event{
			{Op: event.FinishBegin, Obj: 1}, {Op: event.Fork, Other: 1},
			{Op: event.FinishBegin, Task: 1, Obj: 2}, {Op: event.Fork, Task: 1, Other: 2}, {Op: event.End, Task: 2, Obj: 2}, {Op: event.FinishEnd, Task: 1, Obj: 2},
			{Op: event.End, Task: 1, Obj: 1}, {Op: event.FinishEnd, Obj: 1},
			{Op: event.FinishBegin, Obj: 1}, {Op: event.Fork, Other: 3}, {Op: event.End, Task: 3, Obj: 1}, {Op: event.FinishEnd, Obj: 1},
		}, ""},
		{[]event.Event{
			{Op: event.FinishBegin, Obj: 1}, {Op: event.Fork, Other: 1},
			{Op: event.Fork, Task: 1, Other: 2}, {Op: event.End, Task: 2, Obj: 1},
			{Op: event.End, Task: 1, Obj: 1}, {Op: event.FinishEnd, Obj: 1},
		}, "task that may outlive its parent"},
		{[]event.Event{
			{Op: event.FinishBegin, Obj: 1}, {Op: event.Fork, Other: 1},
			{Op: event.FinishBegin, Obj: 2}, {Op: event.Fork, Other: 2},
			{Op: event.End, Task: 1, Obj: 1}, {Op: event.End, Task: 2, Obj: 2},
			{Op: event.FinishEnd, Obj: 2}, {Op: event.FinishEnd, Obj: 1},
		}, "scope that waits for some of the children"},
	} {
		checkOutside(t, event.Spawns, c.events, c.want)
	}
}

// A clean run proves the theorem that its choices leave, which differs by detector.
func TestTheorem(t *testing.T) {
	section := func(task uint32, lock uint64) []event.Event {
		return []event.Event{{Op: event.Lock, Task: task, Obj: lock, Site: 0},
			{Op: event.Access, Kind: event.Write, Task: task, Addr: 0x8000, Size: 8},
			{Op: event.Unlock, Task: task, Obj: lock}}
	}
	two := func(first, second []event.Event) []event.Event {
		return slices.Concat(
			[]event.Event{{Op: event.FinishBegin, Obj: 1}, {Op: event.Fork, Other: 1}}, first, []event.Event{{Op: event.End, Task: 1, Obj: 1}},
			[]event.Event{{Op: event.Fork, Other: 2}}, second, []event.Event{{Op: event.End, Task: 2, Obj: 1}},
			[]event.Event{{Op: event.FinishEnd, Obj: 1}})
	}
	for _, c := range []struct {
		name     string
		events   []event.Event
		detector string
		want     theorem.Theorem
		choices  string
	}{
		{"nothing", two(nil, nil), "engine", theorem.AnySchedule, ""},
		{"nothing", two(nil, nil), "espbags", theorem.AnySchedule, ""},
		{"nothing", two(nil, nil), "zipper", theorem.SectionOrder, ""},
		{"nothing", two(nil, nil), "fasttrack", theorem.ThisRun, ""},
		{"sections", two(section(1, 0x1000), section(2, 0x1000)), "engine", theorem.SameChoices, theorem.Sections},
		{"sections", two(section(1, 0x1000), section(2, 0x1000)), "espbags", theorem.SameOperations, theorem.Sections},
		{"sections", two(section(1, 0x1000), section(2, 0x1000)), "ptracer", theorem.SameOperations, ""},
		{"sections", two(section(1, 0x1000), section(2, 0x1000)), "drdp", "", ""},
		{"one section", two(section(1, 0x1000), nil), "espbags", theorem.AnySchedule, ""},
		{"one section", two(section(1, 0x1000), nil), "engine", theorem.AnySchedule, ""},
		{"a race", two(section(1, 0x1000), section(2, 0x2000)), "espbags", "", ""},
		{"select", two([]event.Event{{Op: event.Outside, Task: 1, Use: event.UseSelect}}, nil), "engine", theorem.SameChoices, theorem.Select},
		{"select", two([]event.Event{{Op: event.Outside, Task: 1, Use: event.UseSelect}}, nil), "espbags", "", ""},
	} {
		choices, err := Parse(c.detector)
		if err != nil {
			t.Fatal(err)
		}
		results, err := Run(detectortest.Source(t, c.events), choices)
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
