package suite

import (
	"taskinstr/detector/event"
	"taskinstr/detector/structure/dpst"
)

// A relevance finds the locks and promises that order steps which async and finish leave
// parallel. A detector without locks and promises misses nothing by ignoring the others:
// a lock that one task takes, a lock that tasks take in structural order, a promise whose
// Set precedes its Gets in the structure.
type relevance struct {
	tree    *dpst.Builder
	holders map[uint64][]holder  // by lock: steps that hold it and are unordered, at most keptHolders
	sets    map[uint64]dpst.Node // by promise
}

type holder struct {
	step   dpst.Node
	shared bool
}

// keptHolders is the number of steps kept for a lock. A step replaces the kept steps that
// precede it.
const keptHolders = 4

func newRelevance() *relevance {
	return &relevance{tree: dpst.NewBuilder(), holders: map[uint64][]holder{}, sets: map[uint64]dpst.Node{}}
}

// event records the next event and reports whether it is a Lock or Get that orders
// parallel steps. If a task has escaped its scope, the tree claims too much order, so
// that every later Lock and Get counts.
func (r *relevance) event(e *event.Event) bool {
	r.tree.Event(e)
	switch e.Op {
	case event.Set:
		r.sets[e.Obj] = r.tree.Step(e.Task)
	case event.Get:
		set, ok := r.sets[e.Obj]
		return !ok || r.tree.Escaped > 0 || r.tree.Parallel(set, r.tree.Step(e.Task))
	case event.Lock:
		return r.lock(e.Obj, holder{r.tree.Step(e.Task), e.Shared})
	}
	return false
}

func (r *relevance) lock(obj uint64, h holder) bool {
	matters := r.tree.Escaped > 0
	held := r.holders[obj]
	kept := held[:0]
	for _, g := range held {
		switch {
		case g.step == h.step && g.shared == h.shared:
			continue
		case r.tree.Parallel(g.step, h.step):
			matters = matters || !g.shared || !h.shared
		case h.shared && !g.shared:
		default:
			continue // h follows g and replaces it
		}
		kept = append(kept, g)
	}
	if len(kept) == keptHolders {
		return true
	}
	r.holders[obj] = append(kept, h)
	return matters
}
