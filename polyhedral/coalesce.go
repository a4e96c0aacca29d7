package polyhedral

import (
	"iter"
	"slices"
)

// reduce makes the pieces of a set few and disjoint as far as it can, without changing
// the set. Pieces whose union is one conjunction become one piece. Of two pieces that
// overlap, one is cut if the cut leaves few pieces and needs no loop that the two do not need.
func (s *Set) reduce() {
	pieces := s.pieces
	s.pieces = nil
	for _, p := range pieces {
		s.add(p)
	}
	s.coalesce(true)
	joined := slices.Clone(s.pieces)
	if !s.disjoin() {
		return
	}
	s.coalesce(false)
	// The cuts of rows that may overlap, such as those at i*m and i*m + n, depend on i, so that each
	// needs a loop.
	cut, err := s.loops(s.pieces)
	if err != nil || cut == 0 {
		return
	}
	if whole, err := s.loops(joined); err == nil && whole < cut {
		s.pieces, s.OneToOne, s.Guard = joined, false, nil
	}
}

// loops returns the greatest depth of the loops that visit the pieces. Rows whose stride is known
// at run time only count as rows. An error says that the pieces have no scan.
func (s *Set) loops(pieces []piece) (most int, err error) {
	defer catch(&err)
	var walk func(nodes []Node, depth int)
	walk = func(nodes []Node, depth int) {
		most = max(most, depth)
		for _, n := range nodes {
			switch n := n.(type) {
			case *If:
				walk(n.Then, depth)
				if !isRow(n.Then) {
					walk(n.Else, depth)
				}
			case *ForLoop:
				walk(n.Body, depth+1)
			}
		}
	}
	for _, p := range pieces {
		if g := s.generator(p); g != nil {
			walk(g.piece(), 0)
		}
	}
	return most, nil
}

// isRow reports whether nodes are one strided run.
func isRow(nodes []Node) bool {
	if len(nodes) != 1 {
		return false
	}
	_, ok := nodes[0].(*Strided)
	return ok
}

// coalesce joins pieces whose union is one conjunction. With overlap it also joins two
// pieces whose union is one conjunction only together with a third piece, which the
// result then overlaps.
func (s *Set) coalesce(overlap bool) {
	for again := true; again; {
		again = false
	pairs:
		for i := 0; i < len(s.pieces); i++ {
			for j := i + 1; j < len(s.pieces); j++ {
				if u, ok := s.join(i, j, overlap); ok {
					s.pieces = slices.Delete(s.pieces, j, j+1)
					s.pieces[i] = u
					again = true
					break pairs
				}
			}
		}
		if !again {
			again = s.joinResidues()
		}
	}
}

// envelope returns the inequalities of a piece, with its equalities as pairs of
// inequalities and with the constraints on parameters that the piece implies.
func (s *Set) envelope(p piece) []row {
	rows := slices.Clone(p.ge)
	for _, r := range p.eq {
		rows = append(rows, r, negated(r))
	}
	shadow := rows
	for k := s.firstDim(); k < s.firstExist()+p.exist; k++ {
		next, contradiction, ok := eliminateRational(shadow, k)
		if contradiction || !ok {
			return rows
		}
		shadow = next
	}
	for _, r := range shadow {
		rows = addTightest(rows, r)
	}
	return rows
}

// join returns a piece that may replace pieces i and j, called p and q: the conjunction
// H of the constraints of p that hold on q and the constraints of q that hold on p. H
// is the union if no point of H breaks both a constraint of p that H leaves out and a
// constraint of q that H leaves out. With overlap, such points may exist if another
// piece has them.
func (s *Set) join(i, j int, overlap bool) (piece, bool) {
	p, q := s.pieces[i], s.pieces[j]
	if p.exist > 0 || q.exist > 0 {
		return p, p.exist == q.exist && samePiece(p, q)
	}
	context := s.context(s.firstExist())
	within := func(x piece) *system {
		return &system{slices.Concat(x.ge, context), x.eq, x.cg}
	}
	inP, inQ := within(p), within(q)
	hull := &system{}
	for _, c := range p.cg {
		if !inQ.impliesCongruence(c) {
			if inP.impliesAll(q.system) {
				return q, true
			}
			return piece{}, false
		}
		hull.cg = append(hull.cg, c)
	}
	for _, c := range q.cg {
		if !inP.impliesCongruence(c) {
			if inQ.impliesAll(p.system) {
				return p, true
			}
			return piece{}, false
		}
		hull.cg = append(hull.cg, c)
	}
	var leftP, leftQ []row
	sort := func(rows []row, other *system, left *[]row) {
		for _, r := range rows {
			if other.implies(r) {
				hull.ge = append(hull.ge, r)
			} else {
				*left = append(*left, r)
			}
		}
	}
	sort(s.envelope(p), inQ, &leftP)
	if len(leftP) == 0 {
		return p, true
	}
	sort(s.envelope(q), inP, &leftQ)
	if len(leftQ) == 0 {
		return q, true
	}
	test := &system{slices.Concat(hull.ge, context), hull.eq, hull.cg}
	for gap := range test.gaps(leftP, leftQ) {
		if !overlap || !s.covered(gap, i, j) {
			return piece{}, false
		}
	}
	return hull.finished(context)
}

// gaps returns the parts of a system, those that have points, in which a constraint of p and a constraint
// of q do not hold.
func (s *system) gaps(p, q []row) iter.Seq[*system] {
	return func(yield func(*system) bool) {
		for _, a := range p {
			for _, b := range q {
				if s.infeasible(complement(a), complement(b)) {
					continue
				}
				if !yield(&system{append(slices.Clone(s.ge), complement(a), complement(b)), s.eq, s.cg}) {
					return
				}
			}
		}
	}
}

// finished returns the piece of a system in reduced form, unless that is provably empty.
func (s *system) finished(context []row) (piece, bool) {
	if !s.normalize() {
		return piece{}, false
	}
	s.dropRedundant(context)
	return piece{s, 0}, true
}

// covered reports whether one piece other than i and j contains all points of gap.
func (s *Set) covered(gap *system, i, j int) bool {
	for k, r := range s.pieces {
		if k != i && k != j && r.exist == 0 && gap.impliesAll(r.system) {
			return true
		}
	}
	return false
}

func samePiece(p, q piece) bool {
	same := func(a, b []row) bool { return slices.EqualFunc(a, b, slices.Equal[row]) }
	return same(p.ge, q.ge) && same(p.eq, q.eq) && slices.EqualFunc(p.cg, q.cg, congruence.equal)
}

// joinResidues joins pieces that differ only in the residue of one congruence and in
// the rounding of their bounds to it, if there is a piece for each residue. An example
// is the even and the odd elements of a range.
func (s *Set) joinResidues() bool {
	for i, p := range s.pieces {
		if p.exist > 0 {
			continue
		}
		for at, c := range p.cg {
			if c.mod > maxResidues {
				continue
			}
			family := s.residueFamily(i, at)
			if family == nil {
				continue
			}
			if hull, ok := s.joinFamily(family, c); ok {
				var rest []piece
				for j, q := range s.pieces {
					if !slices.Contains(family, j) {
						rest = append(rest, q)
					}
				}
				s.pieces = append(rest, hull)
				return true
			}
		}
	}
	return false
}

// residueFamily returns one piece for each residue of congruence number at of piece i.
// Each of these pieces has that congruence, with its own residue, as its only one.
func (s *Set) residueFamily(i, at int) []int {
	c := s.pieces[i].cg[at]
	if len(s.pieces[i].cg) != 1 || len(s.pieces) < int(c.mod) {
		return nil
	}
	family := []int{i}
	for k := int64(1); k < c.mod; k++ {
		found := -1
		for j, q := range s.pieces {
			if q.exist > 0 || len(q.cg) != 1 || q.cg[0].mod != c.mod || !parallel(q.cg[0].row, c.row) {
				continue
			}
			if mod(q.cg[0].row[0]-c.row[0], c.mod) == k {
				found = j
				break
			}
		}
		if found < 0 {
			return nil
		}
		family = append(family, found)
	}
	return family
}

// joinFamily collects the constraints of each piece that hold on all other pieces.
// Their conjunction is the union if it implies each piece, given the congruence of that
// piece.
func (s *Set) joinFamily(family []int, c congruence) (piece, bool) {
	context := s.context(s.firstExist())
	hull := &system{}
	for _, i := range family {
	rows:
		for _, r := range s.envelope(s.pieces[i]) {
			for _, j := range family {
				q := s.pieces[j]
				if i != j && !(&system{slices.Concat(q.ge, context), q.eq, q.cg}).implies(r) {
					continue rows
				}
			}
			hull.ge = append(hull.ge, r)
		}
	}
	for _, i := range family {
		p := s.pieces[i]
		with := &system{slices.Concat(hull.ge, context), nil, p.cg}
		if !with.impliesAll(p.system) {
			return piece{}, false
		}
	}
	return hull.finished(context)
}

// disjoin cuts overlapping pieces. It reports whether it cut any.
func (s *Set) disjoin() (changed bool) {
	for budget := maxPieces; budget > 0; budget-- {
		if !s.cutOverlap() {
			return changed
		}
		changed = true
	}
	return changed
}

func (s *Set) cutOverlap() bool {
	for i := range s.pieces {
		for j := i + 1; j < len(s.pieces); j++ {
			p, q := s.pieces[i], s.pieces[j]
			if p.exist > 0 || q.exist > 0 || s.disjoint(p, q) {
				continue
			}
			rest, fromQ := s.minus(q, p)
			other, fromP := s.minus(p, q)
			keep := p
			if !fromQ || fromP && s.runs(other) < s.runs(rest) {
				rest, keep = other, q
			}
			if !fromQ && !fromP || len(rest) > 2 {
				continue
			}
			others := slices.Delete(slices.Delete(slices.Clone(s.pieces), j, j+1), i, i+1)
			s.pieces = slices.Concat([]piece{keep}, others, rest)
			return true
		}
	}
	return false
}

func (s *Set) disjoint(p, q piece) bool {
	context := s.context(s.firstExist())
	return (&system{slices.Concat(p.ge, q.ge, context), slices.Concat(p.eq, q.eq), slices.Concat(p.cg, q.cg)}).infeasible()
}

// runs estimates the number of runs that visit the pieces: a factor of ten for each
// coordinate that no equality fixes, except the last.
func (s *Set) runs(pieces []piece) (cost int) {
	last := s.firstExist() - 1
	for _, p := range pieces {
		each := 1
		for k := s.firstDim(); k < last; k++ {
			if !slices.ContainsFunc(p.eq, func(r row) bool { return r[k] != 0 && onlyBelow(r, k+1) }) {
				each *= 10
			}
		}
		cost += each
	}
	return cost
}
