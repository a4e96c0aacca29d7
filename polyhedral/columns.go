package polyhedral

import "slices"

// columns numbers the variables of a system: column 0 is the constant, then follow the
// parameters (monomials of symbols), unnamed dimensions, and the variables vars.
type columns struct {
	params []monomial // sorted by compareMonomials
	vars   []Var      // variables behind the unnamed dimensions
	index  map[string]int
	width  int
}

// newColumns numbers the given parameters, dims unnamed columns, and vars.
func newColumns(params []monomial, dims int, vars []Var) *columns {
	c := &columns{params: params, vars: vars, index: make(map[string]int, len(params)+len(vars))}
	for i, m := range params {
		c.index[m.key] = 1 + i
	}
	for i, v := range vars {
		c.index[v.key()] = 1 + len(params) + dims + i
	}
	c.width = 1 + len(params) + dims + len(vars)
	return c
}

// row returns the coefficients of e, all of whose variables must have columns.
func (c *columns) row(e Expr) row {
	r, ok := c.rowOK(e)
	if !ok {
		refuse(ErrOverflow)
	}
	return r
}

func (c *columns) rowOK(e Expr) (row, bool) {
	if e.bad {
		return nil, false
	}
	r := make(row, c.width)
	for _, t := range e.terms {
		if t.coef == -1<<63 {
			return nil, false
		}
		if t.key == "" {
			r[0] = t.coef
			continue
		}
		i, ok := c.index[t.key]
		if !ok {
			return nil, false
		}
		r[i] = t.coef
	}
	return r, true
}

// paramExpr is the inverse of row for rows over the constant and the parameters.
func paramExpr(params []monomial, r row) Expr {
	e := Const(r[0])
	for i, m := range params {
		if r[1+i] != 0 {
			e.terms = append(e.terms, summand{m, r[1+i]})
		}
	}
	return e
}

// domain returns the system of a part.
func (c *columns) domain(p part, assume []row) *system {
	s := &system{}
	for _, r := range assume {
		s.ge = append(s.ge, widened(r, c.width))
	}
	for _, e := range p.ge {
		s.ge = append(s.ge, c.row(e))
	}
	for _, e := range p.eq {
		s.eq = append(s.eq, c.row(e))
	}
	return s
}

func widened(r row, width int) row {
	out := make(row, width)
	copy(out, r)
	return out
}

// boundedBy returns a condition on symbols that implies e < limit (if upper) or e >=
// limit (if not upper) on the whole domain. The condition compares limit with a bound
// of the projection of e.
func (c *columns) boundedBy(domain *system, e, limit Expr, upper bool) (Cond, bool) {
	// Add a column x with x = e and eliminate all iterators.
	x := c.width
	r := append(negated(c.row(e)), 1)
	rows := []row{r, negated(r)}
	for _, o := range domain.ge {
		rows = append(rows, widened(o, x+1))
	}
	for _, o := range domain.eq {
		rows = append(rows, widened(o, x+1), widened(negated(o), x+1))
	}
	for k := 1 + len(c.params); k < x; k++ {
		next, contradiction, ok := eliminateRational(rows, k)
		if contradiction || !ok {
			return Cond{}, false
		}
		rows = next
	}
	for _, o := range rows {
		switch {
		case upper && o[x] == -1: // x <= rest
			return LT(paramExpr(c.params, o), limit), true
		case !upper && o[x] == 1: // x >= -rest
			return GE(paramExpr(c.params, o).Neg(), limit), true
		}
	}
	return Cond{}, false
}

// symbolMonomials adds the parameters of the expressions to a sorted list.
func symbolMonomials(into []monomial, exprs ...Expr) []monomial {
	for _, e := range exprs {
		for _, t := range e.terms {
			if t.key == "" || t.iterators() > 0 {
				continue
			}
			i, found := slices.BinarySearchFunc(into, t.monomial, compareMonomials)
			if !found {
				into = slices.Insert(into, i, t.monomial)
			}
		}
	}
	return into
}
