package polyhedral

import "slices"

// maxRows bounds the number of rows during Fourier-Motzkin elimination. A question of
// implication whose elimination exceeds it is answered "not proved".
const maxRows = 300

// infeasible reports whether it can prove that the system, together with the
// inequalities extra, has no integer point; all columns are unknown integers. The
// result false is no proof of the opposite. Equalities and congruences are solved over
// the integers. Fourier-Motzkin elimination removes the columns of the remaining
// inequalities one after the other and rounds each new row to integers (Pugh's Omega
// test without its dark shadow).
func (s *system) infeasible(extra ...row) bool {
	var width int
	switch {
	case len(extra) > 0:
		width = len(extra[0])
	case len(s.ge) > 0:
		width = len(s.ge[0])
	case len(s.eq) > 0:
		width = len(s.eq[0])
	case len(s.cg) > 0:
		width = len(s.cg[0].row)
	default:
		return false
	}
	full := width + len(s.cg)
	arena := make([]int64, 0, full*(len(s.ge)+len(s.eq)+len(s.cg)+len(extra)))
	widen := func(r row) row {
		n := len(arena)
		arena = append(arena, r...)
		for range full - width {
			arena = append(arena, 0)
		}
		return arena[n:len(arena):len(arena)]
	}
	eqs := make([]row, 0, len(s.eq)+len(s.cg))
	ges := make([]row, 0, len(s.ge)+len(extra))
	for _, r := range s.eq {
		eqs = append(eqs, widen(r))
	}
	for i, c := range s.cg {
		r := widen(c.row)
		r[width+i] = -c.mod
		eqs = append(eqs, r)
	}
	for _, r := range s.ge {
		ges = append(ges, widen(r))
	}
	for _, r := range extra {
		ges = append(ges, widen(r))
	}
	switch solveEqualities(eqs, ges) {
	case impossible:
		return true
	case unknown:
		return false
	}
	return infeasibleRows(ges)
}

type outcome uint8

const (
	solved outcome = iota
	impossible
	unknown // overflow
)

// solveEqualities eliminates the equalities by integer substitution in all rows, in
// place. Euclid's algorithm on the columns (a unimodular change of variables) makes
// some coefficient 1 or finds that there is no integer solution.
func solveEqualities(eqs, ges []row) outcome {
	for len(eqs) > 0 {
		r := eqs[len(eqs)-1]
		rest := eqs[:len(eqs)-1]
		g := rowGCD(r)
		if g == 0 {
			if r[0] != 0 {
				return impossible
			}
			eqs = rest
			continue
		}
		if r[0]%g != 0 {
			return impossible
		}
		r.divide(g)
		k := smallestColumn(r, 1)
		if a := r[k]; a == 1 || a == -1 {
			for _, rows := range [2][]row{rest, ges} {
				for i, o := range rows {
					if o[k] == 0 {
						continue
					}
					n, ok := combine(1, o, -o[k]*a, r)
					if !ok {
						return unknown
					}
					rows[i] = n
				}
			}
			eqs = rest
			continue
		}
		if !euclidStep(r, k, 1, eqs, ges) {
			return unknown
		}
	}
	return solved
}

// smallestColumn returns the column of the nonzero coefficient that is smallest in
// magnitude, among the columns with index at least from; -1 if all are 0.
func smallestColumn(r row, from int) int {
	k := -1
	for i := from; i < len(r); i++ {
		if r[i] != 0 && (k < 0 || magnitude(r[i]) < magnitude(r[k])) {
			k = i
		}
	}
	return k
}

// euclidStep substitutes x_k = y - sum floor(r_i/r_k)*x_i, for i from parameter from on
// except k, in all rows of sets. This leaves remainders modulo r_k in r. Variable y
// takes the column of x_k. The result is false if a coefficient overflows.
func euclidStep(r row, k, from int, sets ...[]row) bool {
	q := make(row, len(r))
	for i := from; i < len(r); i++ {
		if i != k && r[i] != 0 {
			if r[k] > 0 {
				q[i] = floorDiv(r[i], r[k])
			} else {
				q[i] = -floorDiv(r[i], -r[k])
			}
		}
	}
	for _, rows := range sets {
		for j, o := range rows {
			if o[k] == 0 {
				continue
			}
			n := slices.Clone(o)
			for i := from; i < len(o); i++ {
				p, ok1 := mulOK(q[i], o[k])
				d, ok2 := addOK(n[i], -p)
				if !ok1 || !ok2 || d == -1<<63 {
					return false
				}
				n[i] = d
			}
			rows[j] = n
		}
	}
	return true
}

// infeasibleRows reports whether the elimination of all columns of the inequalities
// leads to a contradiction.
func infeasibleRows(ges []row) bool {
	rows := make([]row, 0, len(ges))
	for _, r := range ges {
		tighten(r)
		if isConstant(r) {
			if r[0] < 0 {
				return true
			}
			continue
		}
		rows = addTightest(rows, r)
	}
	for len(rows) > 0 {
		// Choose the column that makes the fewest new rows.
		best, cost := -1, 0
		for k := 1; k < len(rows[0]); k++ {
			pos, neg := 0, 0
			for _, r := range rows {
				if r[k] > 0 {
					pos++
				} else if r[k] < 0 {
					neg++
				}
			}
			if pos+neg == 0 {
				continue
			}
			if c := pos*neg - pos - neg; best < 0 || c < cost {
				best, cost = k, c
			}
		}
		next, contradiction, ok := eliminateRational(rows, best)
		if contradiction {
			return true
		}
		if !ok {
			return false
		}
		rows = next
	}
	return false
}

// eliminateRational projects column k out of the inequalities over the rationals and
// rounds each new row to integers. The result holds for each integer point of the
// shadow. Result ok is false if the rows exceed maxRows. A row that overflows is
// omitted, which only weakens the result.
func eliminateRational(rows []row, k int) (out []row, contradiction, ok bool) {
	pos, neg, out := bySign(rows, k)
	for _, p := range pos {
		for _, n := range neg {
			g := gcd(p[k], n[k])
			r, fine := combine(-n[k]/g, p, p[k]/g, n)
			if !fine {
				continue
			}
			tighten(r)
			if isConstant(r) {
				if r[0] < 0 {
					return nil, true, true
				}
				continue
			}
			out = addTightest(out, r)
			if len(out) > maxRows {
				return nil, false, false
			}
		}
	}
	return out, false, true
}

// implies reports whether it can prove r >= 0 at every integer point of s.
func (s *system) implies(r row) bool {
	if isConstant(r) {
		return r[0] >= 0 || s.infeasible()
	}
	for _, o := range s.ge {
		if parallel(o, r) && o[0] <= r[0] {
			return true
		}
	}
	return s.infeasible(complement(r))
}

// impliesAll reports whether it can prove all constraints of t at every integer point
// of s.
func (s *system) impliesAll(t *system) bool {
	for _, r := range t.ge {
		if !s.implies(r) {
			return false
		}
	}
	for _, r := range t.eq {
		if !s.implies(r) || !s.implies(negated(r)) {
			return false
		}
	}
	for _, c := range t.cg {
		if !s.impliesCongruence(c) {
			return false
		}
	}
	return true
}

// impliesCongruence proves a congruence by refuting all other residues.
func (s *system) impliesCongruence(c congruence) bool {
	for _, o := range s.cg {
		if o.equal(c) {
			return true
		}
	}
	if c.mod > maxResidues {
		return false
	}
	for k := int64(1); k < c.mod; k++ {
		r := slices.Clone(c.row)
		r[0] = mustAdd(r[0], k)
		t := &system{s.ge, s.eq, append(slices.Clone(s.cg), congruence{r, c.mod})}
		if !t.infeasible() {
			return false
		}
	}
	return true
}

// maxResidues bounds the modulus of a congruence whose residues are refuted one by one.
const maxResidues = 8

// dropRedundant removes inequalities that the others imply together with context,
// beginning with the last.
func (s *system) dropRedundant(context []row) {
	for i := len(s.ge) - 1; i >= 0; i-- {
		rest := &system{slices.Concat(s.ge[:i], s.ge[i+1:], context), s.eq, s.cg}
		if rest.implies(s.ge[i]) {
			s.ge = slices.Delete(slices.Clone(s.ge), i, i+1)
		}
	}
}
