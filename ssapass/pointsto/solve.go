package pointsto

import (
	"go/types"
	"slices"

	"taskinstr/internal/pace"
	"taskinstr/ssapass/scc"
)

// A constraint belongs to a node. It applies to each cell p in the points-to set of
// that node.
type constraint struct {
	kind constraintKind
	node uint32 // the other node
	off  int32  // cells behind p
	key  int32
}

type constraintKind uint8

const (
	load       constraintKind = iota // node ⊇ *(p+off)
	store                            // *(p+off) ⊇ node
	offset                           // node ∋ p+off
	asserted                         // node ∋ p, if p has this key and is not a box
	unboxed                          // node ⊇ *(p+off), if p is a box with this key
	unlessData                       // node ∋ p, unless p prints as data
	cast                             // node ∋ the cell at the address of p that has this key; without such a cell its object escapes
	reach                            // node ∋ all cells that p leads to; off is 1 if external code stores pointers to them there
	enter                            // external code calls the functions among the cells, in the task of the call
	unknown                          // node is the index of a call; once the value is unknown, the call has unknown callees
)

const noNode = 0 // also the node of a pointer that is nil

// Nodes that every analysis has.
const (
	unkNode uint32 = 1 + iota // a pointer that comes from external code
	escNode                   // a pointer that external code knows
	allNode                   // the same, of code that may leave the value to which it points (package unsafe)
	retNode                   // a pointer that external code gets as the result of a call
	panicNode
	firstNode
)

type solver struct {
	ls *layouts

	rep     []uint32 // union-find over nodes with equal sets
	pts     []set
	visited []bool // constraints and successors have seen pts without delta
	delta   []set  // cells added since the last visit; empty before the first one
	unk     []bool // the pointer is unknown
	unkD    []bool // unk is set since the last visit of the node
	succ    [][]uint32
	cons    [][]constraint

	key    []int32 // type of each cell, see layout.key
	flags  []cellFlag
	object []int32 // index of the object of a cell; -1 for the node of a value

	objs       []Object
	methodKeys map[int32]bool // keys of types that noteMethods found
	dataTypes  map[types.Type]bool

	escaped set   // cells that escaped
	loose   bool  // code may leave the value to which an unknown pointer points
	unsafe  int32 // the key of unsafe.Pointer

	onUnknown func(call uint32)
	onEscape  func(o *Object)

	copies    int // copy constraints
	collapsed int // copies at the last collapse

	dirty   []uint32
	isDirty []bool
}

type cellFlag uint8

const (
	cellPtr cellFlag = 1 << iota
	cellAggr
	cellBox
	cellData // see isDataType
)

func (s *solver) node() uint32 { return s.nodes(1) }

// nodes makes n nodes and returns the first.
func (s *solver) nodes(n uint32) uint32 {
	at := len(s.rep)
	end := at + int(n)
	if end > cap(s.rep) {
		s.grow(max(end, at+at/2, minNodes))
	}
	s.rep, s.object, s.key, s.flags = s.rep[:end], s.object[:end], s.key[:end], s.flags[:end]
	s.pts, s.visited, s.delta = s.pts[:end], s.visited[:end], s.delta[:end]
	s.unk, s.unkD, s.isDirty = s.unk[:end], s.unkD[:end], s.isDirty[:end]
	s.succ, s.cons = s.succ[:end], s.cons[:end]
	for i := at; i < end; i++ {
		s.rep[i], s.object[i] = uint32(i), -1
	}
	return uint32(at)
}

const minNodes = 1 << 12 // the first capacity

// grow makes the capacity of the columns of nodes exactly n.
func (s *solver) grow(n int) {
	s.rep, s.object, s.key, s.flags = grown(s.rep, n), grown(s.object, n), grown(s.key, n), grown(s.flags, n)
	s.pts, s.visited, s.delta = grown(s.pts, n), grown(s.visited, n), grown(s.delta, n)
	s.unk, s.unkD, s.isDirty = grown(s.unk, n), grown(s.unkD, n), grown(s.isDirty, n)
	s.succ, s.cons = grown(s.succ, n), grown(s.cons, n)
}

func grown[T any](s []T, n int) []T {
	t := make([]T, len(s), n)
	copy(t, s)
	return t
}

// finish frees everything that no question about the result needs.
func (s *solver) finish() {
	s.key, s.visited, s.delta, s.unkD, s.isDirty, s.dirty, s.succ, s.cons = nil, nil, nil, nil, nil, nil, nil, nil
	s.methodKeys, s.dataTypes = nil, nil
	for i := range s.pts { // room that sets have reserved
		if w := s.pts[i].words; cap(w) > len(w)+len(w)/spareWords {
			s.pts[i] = s.pts[i].clone()
		}
	}
}

const spareWords = 4 // finish shrinks a set of which more than this part is spare

func (s *solver) find(n uint32) uint32 {
	for s.rep[n] != n {
		s.rep[n] = s.rep[s.rep[n]]
		n = s.rep[n]
	}
	return n
}

func (s *solver) touch(n uint32) {
	if !s.isDirty[n] {
		s.isDirty[n] = true
		s.dirty = append(s.dirty, n)
	}
}

// point adds cell c to the points-to set of n.
func (s *solver) point(n, c uint32) {
	n = s.find(n)
	if s.unk[n] && s.escaped.has(c) || s.pts[n].has(c) {
		return
	}
	s.pts[n].add(c)
	if s.visited[n] {
		s.delta[n].add(c)
	}
	s.touch(n)
}

// setUnknown makes n unknown.
func (s *solver) setUnknown(n uint32) {
	n = s.find(n)
	if !s.unk[n] {
		s.unk[n], s.unkD[n] = true, true
		s.touch(n)
	}
}

// copy adds the constraint from ⊆ to.
func (s *solver) copy(to, from uint32) {
	if to == noNode || from == noNode {
		return
	}
	to, from = s.find(to), s.find(from)
	if to == from {
		return
	}
	for _, x := range s.succ[from] { // collapse removes duplicates from long lists
		if x == to {
			return
		}
		if len(s.succ[from]) > 8 {
			break
		}
	}
	s.succ[from] = append(s.succ[from], to)
	s.copies++
	s.push(to, &s.pts[from], s.unk[from])
}

// push adds the cells of d, and the unknown bit, to node to.
func (s *solver) push(to uint32, d *set, unk bool) {
	if unk && !s.unk[to] {
		s.setUnknown(to)
	}
	if d.empty() {
		return
	}
	var esc *set
	if s.unk[to] {
		esc = &s.escaped
	}
	if n := d.minus(&s.pts[to], esc); !n.empty() {
		s.touch(to)
		s.pts[to].Union(&n)
		switch {
		case !s.visited[to]:
		case s.delta[to].empty():
			s.delta[to] = n
		default:
			s.delta[to].Union(&n)
		}
	}
}

func (s *solver) constrain(n uint32, c constraint) {
	if n == noNode || c.node == noNode && c.kind != unknown {
		return
	}
	n = s.find(n)
	s.cons[n] = append(s.cons[n], c)
	if s.unk[n] {
		s.applyUnknown(c)
	}
	if s.visited[n] && !s.pts[n].empty() {
		p := s.pts[n].minus(&s.delta[n], nil)
		s.apply(c, &p)
	}
}

func (s *solver) apply(c constraint, d *set) {
	d.Each(func(p uint32) {
		o := s.object[p]
		if o < 0 {
			return
		}
		q := p + uint32(c.off)
		in := s.objs[o].has(q)
		switch c.kind {
		case load:
			if in && s.flags[q]&cellPtr != 0 {
				s.copy(c.node, q)
			}
		case store:
			if in && s.flags[q]&cellPtr != 0 {
				s.copy(q, c.node)
			}
		case offset:
			if in {
				s.point(c.node, q)
			}
		case asserted:
			if s.key[p] == c.key && s.flags[p]&cellBox == 0 {
				s.point(c.node, p)
			}
		case unboxed:
			if s.key[p] == c.key && s.flags[p]&cellBox != 0 && in {
				s.copy(c.node, q)
			}
		case unlessData:
			if !s.printsAsData(p) {
				s.point(c.node, p)
			}
		case cast:
			s.cast(c, p)
		case enter:
			s.onEscape(&s.objs[o])
		case reach:
			s.applyReach(s.find(c.node), p, c.off != 0)
		}
	})
}

// cast applies a conversion from unsafe.Pointer. A struct or array has the same address
// as its first part.
func (s *solver) cast(c constraint, p uint32) {
	o := &s.objs[s.object[p]]
	for q := p; ; q-- {
		if s.key[q] == c.key {
			s.point(c.node, q)
			return
		}
		if q == o.Base || s.flags[q-1]&cellAggr == 0 {
			break
		}
	}
	for q := p; s.flags[q]&cellAggr != 0 && o.has(q+1); {
		if q++; s.key[q] == c.key {
			s.point(c.node, q)
			return
		}
	}
	s.point(allNode, p)
	s.setUnknown(c.node)
}

func (s *solver) applyUnknown(c constraint) {
	switch c.kind {
	case store:
		s.copy(escNode, c.node)
	case reach:
		s.setUnknown(c.node)
		if c.off != 0 {
			s.copy(escNode, c.node) // pointers are stored in unknown memory, too
		}
	case enter: // external code knows the function
	case unknown:
		s.onUnknown(c.node)
	default:
		s.setUnknown(c.node)
	}
}

// collapseShare is the part of all copies that must be new before solve looks for cycles
// again: the search visits the whole graph.
const collapseShare = 16

// solve applies all constraints until no set changes.
func (s *solver) solve() {
	for len(s.dirty) > 0 {
		if s.copies-s.collapsed > s.collapsed/collapseShare {
			s.collapse()
			s.collapsed = s.copies
		}
		pace.Step()
		order := s.dirty
		s.dirty = nil
		slices.Sort(order)
		for _, n := range order {
			s.isDirty[n] = false
		}
		for _, n := range order {
			s.visit(n)
		}
	}
}

func (s *solver) visit(n uint32) {
	n = s.find(n)
	d, u := s.delta[n], s.unkD[n]
	if !s.visited[n] {
		d = s.pts[n].clone()
		s.visited[n] = true
	}
	if d.empty() && !u {
		return
	}
	s.delta[n], s.unkD[n] = set{}, false
	switch n {
	case s.find(escNode):
		s.escape(&d, false)
	case s.find(retNode):
		s.returns(&d)
	case s.find(allNode):
		if u && !s.loose {
			s.loosen()
		}
		s.escape(&d, true)
	}
	for i := range len(s.cons[n]) { // apply may add constraints, which see d at once
		c := s.cons[n][i]
		if u {
			s.applyUnknown(c)
		}
		if !d.empty() {
			s.apply(c, &d)
		}
	}
	n = s.find(n)
	for i := 0; i < len(s.succ[n]); i++ {
		if to := s.find(s.succ[n][i]); to != n {
			s.push(to, &d, u)
		}
	}
}

// escape notes that external code knows pointers to the cells in d. A pointer to a part of a variable, such as a
// field, leads to that part alone, unless whole is set. External code may store unknown pointers there, and knows all
// pointers that are stored there.
func (s *solver) escape(d *set, whole bool) {
	d.Each(func(p uint32) {
		o := s.object[p]
		if o < 0 || s.objs[o].Escaped {
			return
		}
		ob := &s.objs[o]
		from, size := ob.Base, ob.Size
		ob.Opened, ob.Escaped = true, whole || s.loose || p == ob.Base || ob.Kind != Variable
		if !ob.Escaped {
			from, size = p, s.ls.widthAt(ob.Type, p-ob.Base)
		}
		for c := from; c < from+size; c++ {
			if s.escaped.has(c) {
				continue
			}
			s.escaped.add(c)
			if s.flags[c]&cellPtr != 0 {
				s.copy(c, unkNode)
				s.copy(s.knower(s.key[c]), c)
			}
		}
		if ob.Escaped {
			s.onEscape(ob)
		}
	})
}

// knower returns the node of pointers that external code knows and holds in a cell with this key.
func (s *solver) knower(key int32) uint32 {
	if key == s.unsafe {
		return allNode
	}
	return escNode
}

// loosen lets the whole of each object escape of which a part has escaped.
func (s *solver) loosen() {
	s.loose = true
	for i := range s.objs {
		if s.objs[i].Opened {
			s.point(allNode, s.objs[i].Base)
		}
	}
}

// collapse unites the nodes on each cycle of copies, since they have equal sets.
func (s *solver) collapse() {
	n := len(s.rep)
	for i := range n {
		v := uint32(i)
		l := s.succ[v] // empty unless v represents its set
		for j := range l {
			l[j] = s.find(l[j])
		}
		if len(l) > 1 {
			slices.Sort(l)
			s.succ[v] = slices.Compact(l)
		}
	}
	scc.Visit(n, func(v uint32) []uint32 { return s.succ[v] }, func(list []uint32) {
		v := list[len(list)-1]
		for _, w := range list[:len(list)-1] {
			s.unite(v, w)
		}
	})
}

// unite makes v the representative of w.
func (s *solver) unite(v, w uint32) {
	s.rep[w] = v
	s.succ[v] = append(s.succ[v], s.succ[w]...)
	// The constraints of each side have not seen the cells of the other side.
	s.pts[v].Union(&s.pts[w])
	s.visited[v], s.delta[v] = false, set{}
	s.cons[v] = append(s.cons[v], s.cons[w]...)
	if s.unk[v] != s.unk[w] || s.unkD[v] || s.unkD[w] {
		s.unkD[v] = true
	}
	s.unk[v] = s.unk[v] || s.unk[w]
	s.succ[w], s.cons[w], s.pts[w], s.delta[w] = nil, nil, set{}, set{}
	if !s.pts[v].empty() || s.unkD[v] {
		s.touch(v)
	}
}
