package polyhedral

import "math/bits"

// tooLarge is the least magnitude that counts as an overflow. It leaves room for one
// more step of a loop.
const tooLarge = 1 << 62

// limit returns the greatest power of two that can bound the magnitudes of the symbols
// such that no value in the nest of the accesses or in the scans reaches tooLarge. It
// returns 0 if there is none.
func limit(accesses []Access, scans []*Scan) int64 {
	return greatestBound(func(m *magnitudes) {
		for _, a := range accesses {
			m.access(a)
		}
		for _, s := range scans {
			m.nodes(s.Body, map[Var]uint64{})
		}
	})
}

// greatestBound returns the greatest power of two that can bound the symbols such that no value that
// visit meets reaches tooLarge, 0 if there is none.
func greatestBound(visit func(*magnitudes)) int64 {
	for k := 61; k >= 0; k-- {
		m := magnitudes{symbol: 1 << k}
		if visit(&m); m.greatest < tooLarge {
			return 1 << k
		}
	}
	return 0
}

// Limit returns the greatest power of two that can bound the magnitudes of the symbols of e such
// that the value of e stays below tooLarge. ok is false if e has iterators, or if there is no
// such power.
func (e Expr) Limit() (most int64, ok bool) {
	if e.bad || !e.isSymbolic() {
		return 0, false
	}
	most = greatestBound(func(m *magnitudes) { m.expr(e, nil) })
	return most, most > 0
}

// magnitudes computes bounds of absolute values.
type magnitudes struct {
	symbol   uint64 // bound of every symbol
	greatest uint64 // greatest bound so far
}

func saturatingAdd(a, b uint64) uint64 {
	if s, carry := bits.Add64(a, b, 0); carry == 0 {
		return s
	}
	return 1<<64 - 1
}

func saturatingMul(a, b uint64) uint64 {
	if hi, lo := bits.Mul64(a, b); hi == 0 {
		return lo
	}
	return 1<<64 - 1
}

func (m *magnitudes) expr(e Expr, iterators map[Var]uint64) (sum uint64) {
	for _, t := range e.terms {
		p := magnitude(t.coef)
		for _, v := range t.vars {
			x := m.symbol
			if v.Kind == Iterator {
				x = iterators[v]
			}
			p = saturatingMul(p, x)
		}
		sum = saturatingAdd(sum, p)
	}
	m.greatest = max(m.greatest, sum)
	return sum
}

// access visits the bounds, conditions and subscripts of a nest. The other terms of the
// constraints in which a counter is the innermost one bound that counter.
func (m *magnitudes) access(a Access) {
	for _, p := range a.Domain.split() {
		bound := map[Var]uint64{}
		for i, c := range p.counters {
			bound[c] = 1
			for _, rows := range [2][]Expr{p.ge, p.eq} {
			rows:
				for _, e := range rows {
					if !e.Uses(c) {
						continue
					}
					for _, inner := range p.counters[i+1:] {
						if e.Uses(inner) {
							continue rows
						}
					}
					_, rest, _ := e.linear(c)
					bound[c] = max(bound[c], m.expr(rest, bound))
				}
			}
		}
		for _, rows := range [2][]Expr{p.ge, p.eq} {
			for _, e := range rows {
				m.expr(e, bound)
			}
		}
		for _, e := range p.value {
			m.expr(e, bound)
		}
		index := uint64(0)
		for k, e := range a.Subs {
			x := m.expr(p.resolve(e), bound)
			if k > a.Array.Rows {
				index = saturatingMul(index, m.expr(a.Array.Sizes[k-a.Array.Rows-1], bound))
			}
			if k >= a.Array.Rows {
				index = saturatingAdd(index, x)
			}
		}
		m.greatest = max(m.greatest, index)
	}
}

func (m *magnitudes) term(t Term, bound map[Var]uint64) uint64 {
	if t.isExpr() {
		return m.expr(t.Expr, bound)
	}
	x := m.term(t.Args[0], bound)
	for _, a := range t.Args[1:] {
		y := m.term(a, bound)
		switch t.Op {
		case Sum:
			x = saturatingAdd(x, y)
		case Product:
			x = saturatingMul(x, y)
		default:
			x = max(x, y)
		}
	}
	m.greatest = max(m.greatest, x)
	return x
}

func (m *magnitudes) nodes(nodes []Node, bound map[Var]uint64) {
	for _, n := range nodes {
		var sum uint64
		terms(n, func(t Term) { sum = saturatingAdd(sum, m.term(t, bound)) })
		m.greatest = max(m.greatest, sum)
		switch n := n.(type) {
		case *If:
			m.nodes(n.Then, bound)
			m.nodes(n.Else, bound)
		case *ForLoop:
			bound[n.Var] = saturatingAdd(sum, uint64(n.Step))
			m.nodes(n.Body, bound)
			delete(bound, n.Var)
		}
	}
}
