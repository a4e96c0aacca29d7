package suite

import (
	"cmp"
	"slices"

	"taskinstr/detector/event"
	"taskinstr/detector/theorem"
)

// An outsider counts the events outside of a detector's model. If the detector's theorem
// depends on the order of critical sections, it also counts the sections whose order may
// matter.
type outsider struct {
	model     event.Model
	weakens   bool                    // critical sections weaken the theorem
	own       func(*event.Event) bool // reports whether an operation belongs to the test harness
	relevance *relevance              // nil: the answers do not depend on it
	scopes    *scopes                 // nil: the answers do not depend on it
	outside   counts
	sections  counts
}

// newOutsider returns an outsider for a detector. orders tells whether the trace may have
// locks or promises; own reports the operations that do not count.
func newOutsider(s event.Spec, orders bool, own func(*event.Event) bool) *outsider {
	const promisesAndLocks = event.Promises | event.Locks
	o := &outsider{model: s.Model, own: own, outside: counts{}, sections: counts{}}
	o.weakens = s.Theorem == theorem.AnySchedule && s.Model&(event.Isolated|event.Locks) != 0
	if orders && (o.weakens || s.Model&promisesAndLocks != promisesAndLocks) {
		o.relevance = newRelevance()
	}
	if s.Model&event.Escaping == 0 || s.Model&(event.Finish|event.Spawns) == event.Spawns {
		o.scopes = newScopes()
	}
	return o
}

func (o *outsider) event(e *event.Event) {
	kind := outsideOf(e, o.model)
	if o.relevance != nil {
		matters := o.relevance.event(e) && !(e.Op == event.Lock && o.own(e))
		if !matters && (e.Op == event.Lock || e.Op == event.Get || e.Op == event.Set) {
			kind = ""
		}
		if matters && o.weakens && kind == "" && e.Op == event.Lock {
			o.sections.add(theorem.Sections, e)
		}
	}
	if o.scopes != nil {
		escapes, loose := o.scopes.event(e)
		if kind == "" && escapes != "" && o.model&event.Escaping == 0 {
			kind = escapes
		}
		if kind == "" && o.model&(event.Finish|event.Spawns) == event.Spawns {
			kind = loose
		}
	}
	if kind != "" {
		o.outside.add(kind, e)
	}
}

// outsideOf returns the kind of an event outside of the model, "" for an event in the
// model.
func outsideOf(e *event.Event, m event.Model) string {
	switch e.Op {
	case event.Outside:
		if m&event.RawOrder == 0 {
			if e.Use == event.UseNone {
				return event.UseOther.String()
			}
			return e.Use.String()
		}
	case event.FinishBegin, event.FinishEnd:
		if m&(event.Finish|event.Spawns) == 0 {
			return "finish scope"
		}
	case event.Set, event.Get:
		if m&event.Promises == 0 {
			return "promise"
		}
	case event.Lock:
		if e.Obj == event.Isolation && m&(event.Isolated|event.Locks) == 0 {
			return "isolated section"
		}
		if e.Obj != event.Isolation && m&event.Locks == 0 {
			return "lock"
		}
	}
	return ""
}

// choicesOf counts, in a structured trace, the events by which another schedule may
// differ: synchronization outside the structure, and critical sections of tasks that
// nothing else orders.
func choicesOf(structured func(func(*event.Event)) error, own func(*event.Event) bool) ([]Outside, error) {
	found := counts{}
	relevance := newRelevance()
	err := structured(func(e *event.Event) {
		matters := relevance.event(e)
		switch {
		case e.Op == event.Outside:
			found.add(outsideOf(e, 0), e)
		case e.Op == event.Lock && matters && !own(e):
			found.add(theorem.Sections, e)
		}
	})
	return found.list(), err
}

// counts counts events by kind and place; the field Count of its keys is 0.
type counts map[Outside]int64

func (c counts) add(kind string, e *event.Event) {
	c[Outside{Kind: kind, Site: e.Site, Stack: e.Stack}]++
}

// list returns the counts, sorted by kind, the most frequent places first.
func (c counts) list() []Outside {
	var list []Outside
	for o, n := range c {
		o.Count = n
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b Outside) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Site, b.Site), cmp.Compare(a.Stack, b.Stack))
	})
	return list
}
