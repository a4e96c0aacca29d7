package drdp

import (
	"taskinstr/detector/offline/shadow"
	"taskinstr/detector/structure/dpst"
)

// precede reports whether record a is ordered before b, a record of the present step of
// its task. (Procedure PRECEDE of the paper.)
func (d *detector) precede(a, b *shadow.Record) bool {
	if a.Task == b.Task {
		return true
	}
	d.count.checks++
	t := d.tasks.At(b.Task)
	slot := &d.answers[(a.Step^t.epoch<<4)%uint32(len(d.answers))]
	if slot.step == a.Step && slot.epoch == t.epoch {
		return slot.precedes
	}
	ok := d.tree.Precedes(dpst.Node(a.Step), dpst.Node(b.Step))
	if !ok && t.joins|t.lsa != 0 {
		ok = d.search(a, t, unlimited)
		d.count.search(d.searcher.visited)
	}
	*slot = answer{step: a.Step, epoch: t.epoch, precedes: ok}
	return ok
}

// surelyPrecedes is precede for callers that can do without a definite answer. A search
// that fails visits all points that a task knows; this one ends after the given number of
// points.
func (d *detector) surelyPrecedes(a, b *shadow.Record, points int64) bool {
	if a.Task == b.Task || d.tree.Precedes(dpst.Node(a.Step), dpst.Node(b.Step)) {
		return true
	}
	t := d.tasks.At(b.Task)
	return points > 0 && t.joins|t.lsa != 0 && d.search(a, t, points)
}

const unlimited = 1 << 62

// An answer of precede is valid until the task's next join: until then the steps ordered
// before the task remain so, and no further step becomes ordered before it.
type answer struct {
	step, epoch uint32
	precedes    bool
}

// search reports whether the tree orders the step of a before any point from which t can
// be reached. It examines each point once, when it finds it, and gives up after limit
// points.
func (d *detector) search(a *shadow.Record, t *task, limit int64) bool {
	s := &d.searcher
	s.begin(d, a, limit)
	if d.traversal.depthFirst {
		return s.depthFirst(t)
	}
	return s.breadthFirst(t)
}

// A searcher holds the state of one search. Its storage is reused.
type searcher struct {
	d        *detector
	a        dpst.Node
	time     uint32 // the record's time
	stamp    uint32
	visited  int64
	limit    int64
	lists    []cursor // lists that are still to be read
	lsas     []uint32 // used by breadthFirst: ancestors that are still to be entered
	reversed []uint32 // items of the lists that are read from front to back
}

// A cursor is a position in a list of joins. Front to back, it covers reversed[lo:hi].
type cursor struct {
	join     uint32
	lo, hi   int  // in reversed
	ancestor bool // join is an ancestor, whose list and lsa are still to be read
}

func (s *searcher) begin(d *detector, a *shadow.Record, limit int64) {
	s.d, s.a, s.time, s.visited, s.limit = d, dpst.Node(a.Step), a.Time, 0, limit
	s.lists, s.lsas, s.reversed = s.lists[:0], s.lsas[:0], s.reversed[:0]
	if s.stamp++; s.stamp == 0 { // old stamps could equal new ones
		d.points.All(func(p *point) { p.stamp = 0 })
		d.joins.All(func(j *join) { j.stamp = 0 })
		d.ancestors.All(func(a *ancestor) { a.stamp = 0 })
		s.stamp = 1
	}
}

// breadthFirst reads all joins of a task or ancestor before it follows any of them, and
// joins before ancestors.
func (s *searcher) breadthFirst(t *task) bool {
	s.lists = append(s.lists, s.open(t.joins))
	s.lsas = append(s.lsas, t.lsa)
	for list, lsa := 0, 0; ; {
		for ; list < len(s.lists); list++ {
			for c := s.lists[list]; ; {
				item, ok := s.next(&c)
				if !ok {
					break
				}
				if s.nested(item) {
					continue
				}
				found, past := s.examine(item)
				if found || s.visited == s.limit {
					return found
				}
				s.lsas = append(s.lsas, past)
			}
		}
		if lsa == len(s.lsas) {
			return false
		}
		if a := s.enter(s.lsas[lsa]); a != nil {
			s.lsas = append(s.lsas, a.lsa)
			s.lists = append(s.lists, s.open(a.joins))
		}
		lsa++
	}
}

// depthFirst follows each join before it reads the next one.
func (s *searcher) depthFirst(t *task) bool {
	s.lists = append(s.lists, cursor{join: t.lsa, ancestor: true}, s.open(t.joins))
	for len(s.lists) > 0 {
		c := &s.lists[len(s.lists)-1]
		if c.ancestor {
			a := s.enter(c.join)
			s.lists = s.lists[:len(s.lists)-1]
			if a != nil {
				s.lists = append(s.lists, cursor{join: a.lsa, ancestor: true}, s.open(a.joins))
			}
			continue
		}
		item, ok := s.next(c)
		if !ok {
			s.lists = s.lists[:len(s.lists)-1]
			continue
		}
		if s.nested(item) {
			continue
		}
		found, past := s.examine(item)
		if found || s.visited == s.limit {
			return found
		}
		s.lists = append(s.lists, cursor{join: past, ancestor: true})
	}
	return false
}

// nested reports whether item is a list, and opens it.
func (s *searcher) nested(item uint32) bool {
	if item&list == 0 {
		return false
	}
	if item != list {
		s.lists = append(s.lists, s.open(item&^list))
	}
	return true
}

// open returns a cursor before a list's first item.
func (s *searcher) open(joins uint32) cursor {
	if !s.d.frontToBack {
		return cursor{join: joins}
	}
	c := cursor{lo: len(s.reversed)}
	for j := joins; j != 0; {
		x := s.d.joins.At(j)
		if x.stamp == s.stamp || x.time < s.time {
			break
		}
		x.stamp = s.stamp
		s.reversed = append(s.reversed, x.item)
		j = x.older
	}
	c.hi = len(s.reversed)
	return c
}

// next returns the next item that no cursor has read or will read.
func (s *searcher) next(c *cursor) (item uint32, ok bool) {
	if s.d.frontToBack {
		if c.lo == c.hi {
			return 0, false
		}
		c.hi--
		return s.reversed[c.hi], true
	}
	if c.join == 0 {
		return 0, false
	}
	x := s.d.joins.At(c.join)
	if x.stamp == s.stamp || x.time < s.time {
		return 0, false
	}
	x.stamp = s.stamp
	c.join = x.older
	return x.item, true
}

// enter returns an ancestor. It returns nil if there is none, if the ancestor was entered
// before, or if all of its joins, and hence the joins of its own chain, are too old.
func (s *searcher) enter(i uint32) *ancestor {
	if i == 0 {
		return nil
	}
	a := s.d.ancestors.At(i)
	if a.stamp == s.stamp || s.d.joins.At(a.joins).time < s.time {
		return nil
	}
	a.stamp = s.stamp
	return a
}

// examine reports whether the tree orders the step before a point. If not, past is the
// ancestor with the joins that precede the point.
func (s *searcher) examine(i uint32) (found bool, past uint32) {
	p := s.d.points.At(i)
	if p.stamp == s.stamp || p.time < s.time {
		return false, 0
	}
	p.stamp = s.stamp
	s.visited++
	return s.d.tree.Precedes(s.a, p.step), p.past
}
