package differential

import (
	"fmt"
	"maps"
	"slices"

	"taskinstr/detector/event"
)

// FirstRaces runs a detector on a trace in which each access has its own site, and
// compares the reports with brute force. It returns an error unless
//
//   - every reported pair is a structural race, in the bytes that the report names,
//   - the bytes with a reported race are the bytes with a structural race, and
//   - the first report on each byte is made at the first access that races with an
//     earlier one there.
func FirstRaces(spec event.Spec, options map[string]string, trace []event.Event) error {
	judged := Judge(trace)
	place := map[uint32]int{} // index of the access at each site
	for i := range trace {
		if trace[i].Op == event.Access {
			place[trace[i].Site] = i
		}
	}
	got := map[uint64]int{}
	now := 0
	var wrong error
	report := func(r event.Race) {
		second := &trace[now]
		first := &trace[place[r.First.Site]]
		p := Pair{min(first.Site, second.Site), max(first.Site, second.Site)}
		lo, hi := max(first.Addr, second.Addr), min(first.Addr+first.Size, second.Addr+second.Size)
		switch {
		case r.Second != second.Party() || r.First != first.Party():
			wrong = fmt.Errorf("event %d (%v): reported as %v, with %v; the events say %v and %v", now, second, r.Second, r.First, second.Party(), first.Party())
		case r.Size == 0 || r.Addr < lo || r.Addr+r.Size > hi:
			wrong = fmt.Errorf("event %d (%v): the race with (%v) is said to be in %#x+%d", now, second, first, r.Addr, r.Size)
		case !judged.Structural[p]:
			wrong = fmt.Errorf("event %d (%v): no race with (%v)", now, second, first)
		}
		for x := r.Addr; x < r.Addr+r.Size; x++ {
			if _, ok := got[x]; !ok {
				got[x] = now
			}
		}
	}
	d, err := spec.New(event.Config{Report: report, Option: options})
	if err != nil {
		return err
	}
	for now = range trace {
		d.Event(&trace[now])
		if wrong != nil {
			return wrong
		}
	}
	d.Close()
	want := firstOfBytes(trace, judged.Structural, place)
	for _, x := range slices.Sorted(maps.Keys(want)) {
		if now, ok := got[x]; !ok {
			return fmt.Errorf("byte %#x has a race, the first at event %d (%v), that is not reported", x, want[x], trace[want[x]])
		} else if now != want[x] {
			return fmt.Errorf("the first race of byte %#x is at event %d (%v), reported at %d (%v)", x, want[x], trace[want[x]], now, trace[now])
		}
	}
	return nil // a byte without a race has no pair that a correct report could name
}

// firstOfBytes returns for each racy byte the index of the first access that races. place has the indexes
// of the accesses by their sites.
func firstOfBytes(trace []event.Event, races map[Pair]bool, place map[uint32]int) map[uint64]int {
	first := map[uint64]int{}
	for p := range races {
		i, k := place[p.A], place[p.B]
		a, b := &trace[i], &trace[k]
		for x := max(a.Addr, b.Addr); x < min(a.Addr+a.Size, b.Addr+b.Size); x++ {
			if f, ok := first[x]; !ok || max(i, k) < f {
				first[x] = max(i, k)
			}
		}
	}
	return first
}
