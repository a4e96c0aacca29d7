package ptracer

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/lockset"
	"taskinstr/detector/structure/dpst"
)

// A history has the accesses to a byte: an entry for each lockset and kind of access, and,
// for accesses of branches not taken, each decision. Histories are never changed, so that
// bytes share them; nil is the empty one.
type history struct {
	entries []entry
}

// An entry holds up to two accesses that represent its class: a later access that is parallel
// to one of the class is parallel to first or second.
//
// If there is a second, the two are parallel, and all accesses of the class that neither of
// them replaces lie below their lowest common ancestor.
type entry struct {
	class
	first, second seen // second.step is 0 if there is none
}

type class struct {
	locks  lockset.Set
	kind   event.Kind
	branch uint64
}

type seen struct {
	step  dpst.Node
	party event.Party
}

// add returns h with one more access, and the accesses in h that race with it. The
// result is h itself if the accesses in h represent the new one.
func (d *detector) add(h *history, c class, s seen) (*history, []event.Party) {
	var partners []event.Party
	own, possible := -1, 0
	if h != nil {
		for i := range h.entries {
			e := &h.entries[i]
			if e.branch != 0 {
				possible++
			}
			if e.class == c {
				own = i
			}
			if !e.kind.Conflicts(c.kind) || d.held.Protects(e.locks, c.locks) {
				continue
			}
			for _, x := range [2]*seen{&e.first, &e.second} {
				if x.step != 0 && d.lca.relate(x.step, s.step).parallel {
					partners = append(partners, x.party)
				}
			}
		}
	}
	if own < 0 {
		if c.branch != 0 && possible >= maxPossible {
			d.count.dropped++
			return h, partners
		}
		next := new(history)
		if h != nil {
			next.entries = append(next.entries, h.entries...)
		}
		next.entries = append(next.entries, entry{class: c, first: s})
		d.count.classes = max(d.count.classes, int64(len(next.entries)))
		return next, partners
	}
	first, second := d.keep(&h.entries[own], s)
	if first.step == h.entries[own].first.step && second.step == h.entries[own].second.step {
		return h, partners
	}
	next := &history{entries: append([]entry(nil), h.entries...)}
	next.entries[own].first, next.entries[own].second = first, second
	return next, partners
}

// keep returns the two accesses that represent s and the accesses of e.
func (d *detector) keep(e *entry, s seen) (first, second seen) {
	a, b := e.first, e.second
	if a.step == s.step || b.step == s.step {
		return a, b
	}
	as := d.lca.relate(a.step, s.step)
	if b.step == 0 {
		if as.parallel {
			return a, s
		}
		return s, seen{} // a later access that is parallel to a is parallel to s
	}
	bs := d.lca.relate(b.step, s.step)
	switch {
	case !as.parallel && !bs.parallel:
		return s, seen{}
	case as.parallel && bs.parallel && as.depth < d.lca.relate(a.step, b.step).depth:
		return s, b // s lies outside of the subtree: the new one holds both
	}
	return a, b // s lies in the subtree
}
