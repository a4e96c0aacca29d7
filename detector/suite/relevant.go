package suite

import (
	"taskinstr/detector/dpst"
	"taskinstr/detector/event"
)

// A relevance tells which locks and promises order steps that async and finish leave
// parallel. Others say nothing that a detector without them would miss: a lock that one
// task takes, or that tasks take one after the other, a promise that is read only where
// its Set comes before anyway.
type relevance struct {
	tree    *dpst.Builder
	holders map[uint64][]holder  // of a lock: steps that are not ordered, as far as they are kept
	sets    map[uint64]dpst.Node // of a promise
}

type holder struct {
	step   dpst.Node
	shared bool
}

// keptHolders is how many steps are kept for a lock; what takes the place of an older one
// follows it.
const keptHolders = 4

func newRelevance() *relevance {
	return &relevance{tree: dpst.NewBuilder(), holders: map[uint64][]holder{}, sets: map[uint64]dpst.Node{}}
}

// event takes the next event and reports whether it is a Lock or Get that orders
// parallel steps. Where tasks escape their scopes the tree claims too much order, so
// whatever follows counts.
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
			continue // h follows g and stands for it
		}
		kept = append(kept, g)
	}
	if len(kept) == keptHolders {
		return true
	}
	r.holders[obj] = append(kept, h)
	return matters
}
