package ptracer

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/lockset"
	"taskinstr/detector/offline/shadow"
	"taskinstr/detector/structure/dpst"
)

// maxPossible is the number of accesses of branches not taken that the history of a byte keeps.
const maxPossible = 64

type detector struct {
	report func(event.Race)
	tree   *dpst.Builder
	held   *lockset.Held
	lca    *lcaCache
	cache  *accessCache
	later  *diagnoser
	shadow shadow.Memory[*history]
	turns  []turn
	spans  event.Spans // races of the present access
	count  counts
}

type counts struct {
	accesses, possible       int64
	races, racesPossible     int64
	classes                  int64 // the longest history
	dropped                  int64 // accesses of branches not taken that no history keeps
	promises, outside, turns int64
}

// sizes are the sizes of the caches in entries: powers of two, or 0 for no cache. There is
// always a cache of turns.
type sizes struct{ lca, access, turns int }

var fullSizes = sizes{lca: 1 << 14, access: 1 << 12, turns: 1 << 10}

func newDetector(report func(event.Race), n sizes, later *diagnoser) *detector {
	d := &detector{
		later:  later,
		report: report,
		tree:   dpst.NewBuilder(),
		held:   lockset.NewHeld(),
		cache:  newAccessCache(n.access),
		turns:  make([]turn, n.turns),
	}
	d.spans.Report = d.raced
	d.lca = newLCACache(d.tree.Tree, n.lca)
	return d
}

func (d *detector) Event(e *event.Event) {
	d.tree.Event(e)
	d.held.Event(e)
	switch e.Op {
	case event.Access:
		d.count.accesses++
		step, locks := d.tree.Step(e.Task), d.held.Of(e.Task)
		if e.Size == 0 {
			break
		}
		repeats := d.cache.repeats(e, step, locks)
		if !repeats || e.Valued || d.later.knows {
			d.later.keep(e)
		}
		if !repeats {
			d.access(e, class{locks: locks, kind: e.Kind}, step)
		}
		return
	case event.Possible:
		d.count.possible++
		locks := d.held.With(e.Task, e.Locks)
		d.access(e, class{locks, e.Kind, e.Obj}, d.tree.Step(e.Task))
	case event.Alloc, event.Free:
		d.shadow.Clear(e.Addr, e.Size)
		d.cache.clear(e.Addr, e.Size)
	case event.Fork:
		d.later.nested = d.later.nested || d.held.Of(e.Task) != 0
	case event.Set, event.Get:
		d.count.promises++
	case event.Outside:
		d.count.outside++
	}
	d.later.keep(e)
}

func (d *detector) access(e *event.Event, c class, step dpst.Node) {
	s := seen{step, e.Party()}
	d.shadow.Update(e.Addr, e.Size, func(h *history, lo, hi uint64) *history {
		t := d.turn(h, c, s)
		for _, p := range t.partners {
			d.spans.Add(p, s.party, lo, hi)
		}
		return t.next
	})
	d.spans.Flush()
}

// raced reports a race, unless it waits for its diagnosis at the end of the run.
func (d *detector) raced(r event.Race) {
	if r.First.Branch == 0 && r.Second.Branch == 0 {
		d.count.races++
		if !d.later.postpone(r) {
			d.report(r)
		}
		return
	}
	r.Tier = event.TierPossible
	d.count.racesPossible++
	if !d.later.postpone(r) {
		d.report(r)
	}
}

// A turn is the result of adding an access to a history. It is the same for all bytes that
// have the history, so a step that walks an array pays for one element.
type turn struct {
	from     *history
	class    class
	by       seen
	known    bool
	next     *history
	partners []event.Party
}

func (d *detector) turn(h *history, c class, s seen) *turn {
	slot := uint32(s.step)*0x9e3779b1 ^ s.party.Site*0x85ebca6b ^ uint32(c.kind)<<5
	if h != nil {
		slot ^= uint32(h.entries[0].first.step)*0xc2b2ae35 ^ uint32(len(h.entries))
	}
	t := &d.turns[int(slot^slot>>16)&(len(d.turns)-1)]
	if !t.known || t.from != h || t.class != c || t.by != s {
		d.count.turns++
		next, partners := d.add(h, c, s)
		*t = turn{h, c, s, true, next, partners}
	}
	return t
}

func (d *detector) Close() []event.Counter {
	n := &d.count
	d.later.close(d.report)
	return []event.Counter{
		{Name: "accesses", Value: n.accesses},
		{Name: "accesses of branches not taken", Value: n.possible},
		{Name: "access cache hits", Value: d.cache.hits},
		{Name: "histories checked", Value: n.turns},
		{Name: "LCA queries", Value: d.lca.queries},
		{Name: "LCA cache hits", Value: d.lca.hits},
		{Name: "DPST nodes", Value: int64(d.tree.Len())},
		{Name: "DPST height", Value: int64(d.tree.Height)},
		{Name: "locksets", Value: int64(d.held.Len())},
		{Name: "longest history", Value: n.classes},
		{Name: "races", Value: n.races},
		{Name: "possible races", Value: n.racesPossible},
		{Name: "pairs of them that are feasible", Value: d.later.feasible},
		{Name: "pairs of them that are infeasible", Value: d.later.infeasible},
		{Name: "possible races whose branch can flip, but whose accesses are ordered", Value: d.later.ordered},
		{Name: "pairs of them that are not decided", Value: d.later.unknown},
		{Name: "pairs of accesses that happened and are infeasible", Value: d.later.refuted},
		{Name: "accesses of branches not taken that were dropped", Value: n.dropped},
		{Name: "outside the model", Value: n.promises + n.outside + d.tree.Escaped + d.held.Foreign},
	}
}
