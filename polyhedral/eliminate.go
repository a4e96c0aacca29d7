package polyhedral

import "slices"

// eliminate removes existential columns, from col on, as far as that is exact for
// integers, and returns the system with its remaining columns. Result possible is false
// if eliminate finds that the system has no point.
//
//   - An equality with existentials is solved for one of them. Euclid's algorithm leaves a
//     single existential with coefficient g, which exists if and only if the rest of the
//     equality is a multiple of g: a congruence.
//   - A congruence with existentials becomes an equality with one more existential.
//   - Fourier-Motzkin elimination removes an existential that occurs in inequalities only, if
//     each pair of a lower bound a*t >= l and an upper bound b*t <= u leaves room for an
//     integer: a or b is 1, or a*u - b*l >= (a-1)*(b-1) (Pugh's dark shadow) holds wherever
//     the shadow holds.
func (s *system) eliminate(col, width int) (out *system, newWidth int, possible bool) {
	s = s.clone()
	s, width = s.spellCongruences(col, width)
	for progress := true; progress; {
		progress = false
		// Normalizing may find equalities, and solving equalities may find congruences.
		for again := true; again; {
			s.solveExistentials(col, width)
			if !s.normalize() {
				return nil, 0, false
			}
			again = slices.ContainsFunc(s.eq, func(r row) bool { return !onlyBelow(r, col) })
		}
		for k := col; k < width && !progress; k++ {
			if next, ok := s.eliminateExact(k); ok {
				s, progress = next, true
			}
		}
	}
	return s.dropColumns(col, width)
}

// spellCongruences turns congruences over existentials into equalities and returns the
// new width.
func (s *system) spellCongruences(col, width int) (*system, int) {
	var spelled, kept []congruence
	for _, c := range s.cg {
		if onlyBelow(c.row, col) {
			kept = append(kept, c)
		} else {
			spelled = append(spelled, c)
		}
	}
	if len(spelled) == 0 {
		return s, width
	}
	s.cg = kept
	full := width + len(spelled)
	s = s.columns(func(r row) row { return append(slices.Clone(r), make(row, len(spelled))...) })
	for i, c := range spelled {
		r := append(slices.Clone(c.row), make(row, len(spelled))...)
		r[width+i] = -c.mod
		s.eq = append(s.eq, r)
	}
	return s, full
}

// solveExistentials solves each equality that has existentials for one of them.
func (s *system) solveExistentials(col, width int) {
	for {
		i := slices.IndexFunc(s.eq, func(r row) bool { return !onlyBelow(r, col) })
		if i < 0 {
			return
		}
		r := s.eq[i]
		if g := gcd(rowGCD(r), r[0]); g > 1 {
			r = slices.Clone(r)
			r.divide(g)
			s.eq[i] = r
		}
		k := smallestColumn(r, col)
		alone := true
		for j := col; j < width; j++ {
			alone = alone && (j == k || r[j] == 0)
		}
		a := r[k]
		unit := a == 1 || a == -1
		if !unit && !alone {
			if !euclidStep(r, k, col, s.ge, s.eq) {
				refuse(ErrOverflow)
			}
			continue
		}
		s.eq = slices.Delete(s.eq, i, i+1)
		if !unit {
			rest := slices.Clone(r)
			rest[k] = 0
			s.cg = append(s.cg, congruence{rest, int64(magnitude(a))})
		}
		for _, rows := range [2][]row{s.ge, s.eq} {
			for j, o := range rows {
				if b := o[k]; b != 0 {
					if a < 0 {
						b = -b
					}
					rows[j] = mustCombine(int64(magnitude(a)), o, -b, r)
					if g := gcd(rowGCD(rows[j]), rows[j][0]); g > 1 {
						rows[j].divide(g)
					}
				}
			}
		}
	}
}

// eliminateExact projects out column k if that is exact for integers.
func (s *system) eliminateExact(k int) (*system, bool) {
	if !slices.ContainsFunc(s.ge, func(r row) bool { return r[k] != 0 }) {
		return nil, false
	}
	shadow := &system{eq: s.eq, cg: s.cg}
	pos, neg, rest := bySign(s.ge, k)
	shadow.ge = rest
	var dark []row
	for _, p := range pos {
		for _, n := range neg {
			a, b := p[k], -n[k]
			r, ok := combine(b, p, a, n)
			if !ok {
				return nil, false
			}
			shadow.ge = append(shadow.ge, r)
			if a > 1 && b > 1 {
				d := slices.Clone(r)
				gap, ok1 := mulOK(a-1, b-1)
				c, ok2 := addOK(d[0], -gap)
				if !ok1 || !ok2 || c == -1<<63 {
					return nil, false
				}
				d[0] = c
				tighten(d)
				dark = append(dark, d)
			}
		}
	}
	if len(shadow.ge) > maxRows {
		refuse(errLarge)
	}
	if len(dark) > 0 {
		test := &system{eq: shadow.eq, cg: shadow.cg}
		for _, r := range shadow.ge {
			r = slices.Clone(r)
			tighten(r)
			test.ge = addTightest(test.ge, r)
		}
		for _, d := range dark {
			if !test.implies(d) {
				return nil, false
			}
		}
	}
	return shadow, true
}

// dropColumns removes the unused columns from col on.
func (s *system) dropColumns(col, width int) (*system, int, bool) {
	var keep []int
	for k := 0; k < width; k++ {
		uses := func(r row) bool { return r[k] != 0 }
		if k < col || slices.ContainsFunc(s.ge, uses) || slices.ContainsFunc(s.eq, uses) || slices.ContainsFunc(s.cg, func(c congruence) bool { return uses(c.row) }) {
			keep = append(keep, k)
		}
	}
	if len(keep) == width {
		return s, width, true
	}
	return s.columns(func(r row) row {
		out := make(row, len(keep))
		for i, k := range keep {
			out[i] = r[k]
		}
		return out
	}), len(keep), true
}
