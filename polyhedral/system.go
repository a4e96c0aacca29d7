package polyhedral

import "slices"

// A row is an affine form: a constant, then one coefficient for each other column of
// its system.
type row []int64

// congruence is the constraint that the value of a row is a multiple of mod.
type congruence struct {
	row
	mod int64
}

// system is a conjunction of constraints over columns. Column 0 is the constant. Then
// follow the parameters (monomials of symbols), the dimensions of a set, and the
// existential iterators that could not be eliminated. Rows of a system are immutable,
// so that systems may share them. No entry is the lowest int64, so each entry has an
// opposite.
type system struct {
	ge []row // value >= 0
	eq []row // value == 0
	cg []congruence
}

func (s *system) clone() *system {
	return &system{slices.Clone(s.ge), slices.Clone(s.eq), slices.Clone(s.cg)}
}

// rowGCD returns the greatest common divisor of the coefficients, without the constant.
func rowGCD(r row) (g int64) {
	for _, c := range r[1:] {
		if c != 0 {
			if g = gcd(g, c); g == 1 {
				return 1
			}
		}
	}
	return g
}

// tighten divides an inequality by the greatest common divisor of its coefficients and
// rounds the constant down, in place. The inequality keeps all integer points.
func tighten(r row) {
	if g := rowGCD(r); g > 1 {
		r[0] = floorDiv(r[0], g)
		for i := 1; i < len(r); i++ {
			r[i] /= g
		}
	}
}

// combine returns a*x + b*y and whether all entries fit.
func combine(a int64, x row, b int64, y row) (row, bool) {
	out := make(row, len(x))
	for i := range x {
		p, ok1 := mulOK(a, x[i])
		q, ok2 := mulOK(b, y[i])
		s, ok3 := addOK(p, q)
		if !ok1 || !ok2 || !ok3 || s == -1<<63 {
			return nil, false
		}
		out[i] = s
	}
	return out, true
}

func mustCombine(a int64, x row, b int64, y row) row {
	out, ok := combine(a, x, b, y)
	if !ok {
		refuse(ErrOverflow)
	}
	return out
}

func negated(r row) row {
	out := make(row, len(r))
	for i, c := range r {
		out[i] = -c
	}
	return out
}

// complement returns the inequality that holds exactly where r >= 0 does not hold.
func complement(r row) row {
	out := negated(r)
	if out[0] = mustAdd(out[0], -1); out[0] == -1<<63 {
		refuse(ErrOverflow)
	}
	return out
}

// isConstant reports whether all coefficients of a row are 0.
func isConstant(r row) bool { return onlyBelow(r, 1) }

// bySign splits rows by the sign of column k.
func bySign(rows []row, k int) (pos, neg, rest []row) {
	for _, r := range rows {
		switch {
		case r[k] > 0:
			pos = append(pos, r)
		case r[k] < 0:
			neg = append(neg, r)
		default:
			rest = append(rest, r)
		}
	}
	return pos, neg, rest
}

// onlyBelow reports whether all columns of r from col on are 0.
func onlyBelow(r row, col int) bool {
	for _, c := range r[col:] {
		if c != 0 {
			return false
		}
	}
	return true
}

func isNonzero(c int64) bool { return c != 0 }

// parallel reports whether two rows differ at most in their constants.
func parallel(a, b row) bool { return slices.Equal(a[1:], b[1:]) }

// divide divides all entries of a row, which are multiples of g, in place.
func (r row) divide(g int64) {
	for i := range r {
		r[i] /= g
	}
}

func (c congruence) equal(o congruence) bool { return c.mod == o.mod && slices.Equal(c.row, o.row) }

// addTightest appends an inequality, or replaces a parallel one if the new one is
// stronger. It does not change rows.
func addTightest(rows []row, r row) []row {
	for i, o := range rows {
		if parallel(o, r) {
			if r[0] < o[0] {
				rows[i] = r
			}
			return rows
		}
	}
	return append(rows, r)
}

// normalize reduces all rows and drops those that always hold. It reports false if it
// finds a contradiction.
func (s *system) normalize() bool {
	ge, ok1 := reducedGE(s.ge)
	eq, ok2 := reducedEQ(s.eq)
	if !ok1 || !ok2 {
		return false
	}
	var cg []congruence
	for _, c := range s.cg {
		c, ok := c.reduced()
		if !ok {
			return false
		}
		if c.mod > 1 && !slices.ContainsFunc(cg, c.equal) {
			cg = append(cg, c)
		}
	}
	s.ge, s.eq, s.cg = ge, eq, cg
	// Two opposite inequalities whose constants add up to 0 are an equality.
	for i := 0; i < len(s.ge); i++ {
		for j := i + 1; j < len(s.ge); j++ {
			a, b := s.ge[i], s.ge[j]
			if !slices.EqualFunc(a[1:], b[1:], func(x, y int64) bool { return x == -y }) {
				continue
			}
			sum, ok := addOK(a[0], b[0])
			if ok && sum < 0 {
				return false
			}
			if ok && sum == 0 {
				s.ge = slices.Delete(slices.Delete(s.ge, j, j+1), i, i+1)
				s.eq = append(s.eq, a)
				return s.normalize()
			}
		}
	}
	return true
}

// reducedGE returns the inequalities that do not always hold, divided by their greatest common divisors.
// Of parallel ones it returns the strongest. Result ok is false if one cannot hold.
func reducedGE(rows []row) (out []row, ok bool) {
	for _, r := range rows {
		r = slices.Clone(r)
		tighten(r)
		if isConstant(r) {
			if r[0] < 0 {
				return nil, false
			}
			continue
		}
		out = addTightest(out, r)
	}
	return out, true
}

// reducedEQ returns the equalities that do not always hold, once each, with positive leading
// coefficients and divided by their greatest common divisors. Result ok is false if one cannot hold.
func reducedEQ(rows []row) (out []row, ok bool) {
	for _, r := range rows {
		g := rowGCD(r)
		if g == 0 {
			if r[0] != 0 {
				return nil, false
			}
			continue
		}
		if r[0]%g != 0 {
			return nil, false
		}
		r = slices.Clone(r)
		if i := slices.IndexFunc(r[1:], isNonzero); r[1+i] < 0 {
			g = -g
		}
		r.divide(g)
		if !slices.ContainsFunc(out, func(o row) bool { return slices.Equal(o, r) }) {
			out = append(out, r)
		}
	}
	return out, true
}

// reduced returns the congruence with coefficients in [0, mod), divided by their
// greatest common divisor. Result ok is false if the congruence cannot hold.
func (c congruence) reduced() (out congruence, ok bool) {
	out = congruence{make(row, len(c.row)), c.mod}
	for i, x := range c.row {
		out.row[i] = mod(x, c.mod)
	}
	g := gcd(rowGCD(out.row), c.mod)
	if out.row[0]%g != 0 {
		return out, false
	}
	if g > 1 {
		out.divide(g)
		out.mod /= g
	}
	// A leading coefficient of 1 gives equal congruences equal rows.
	if out.mod > 1 {
		i := slices.IndexFunc(out.row[1:], isNonzero)
		if i >= 0 && gcd(out.row[1+i], out.mod) == 1 {
			k := inverse(out.row[1+i], out.mod)
			scaled := make(row, len(out.row))
			for j, x := range out.row {
				p, fine := mulOK(x, k)
				if !fine {
					return out, true
				}
				scaled[j] = mod(p, out.mod)
			}
			out.row = scaled
		}
	}
	return out, true
}

// columns returns the system with each row r replaced by f(r).
func (s *system) columns(f func(row) row) *system {
	out := &system{}
	for _, r := range s.ge {
		out.ge = append(out.ge, f(r))
	}
	for _, r := range s.eq {
		out.eq = append(out.eq, f(r))
	}
	for _, c := range s.cg {
		out.cg = append(out.cg, congruence{f(c.row), c.mod})
	}
	return out
}
