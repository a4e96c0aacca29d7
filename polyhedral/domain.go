package polyhedral

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Reasons of a refusal.
var (
	ErrNotAffine = errors.New("polyhedral: not affine in the iterators")
	errLarge     = errors.New("polyhedral: too many constraints")
	errStep      = errors.New("polyhedral: the step of a loop contradicts its comparison")
)

// Op is the comparison in a loop's condition.
type Op uint8

const (
	Less Op = iota // i < To
	LessEqual
	Greater
	GreaterEqual
)

// Loop is for Var := From; Var Op To; Var += Step.
//
// From and To are lists of bounds that all hold: an upward loop starts at the greatest
// From and ends at the smallest To; a downward loop starts at the smallest From and
// ends at the greatest To. A range over an int or a slice is {Var: i, From: 0, Op:
// Less, To: n, Step: 1}.
type Loop struct {
	Var  string
	From []Expr
	Op   Op
	To   []Expr
	Step int64
}

// Domain is the set of iterations in which a statement runs: the conjunction of the
// loops and conditions around the statement. The zero value is a statement outside all
// loops. Domains are immutable: a method returns the domain one level deeper.
type Domain struct {
	assume []Cond
	vars   []string // iterators of the source, outermost first
	parts  []part   // disjoint; nil represents one part without constraints
}

// part is a conjunction over iterators of step 1. A counter from 0 replaces an iterator
// of the source that has another step or a start that is not affine.
type part struct {
	counters []Var
	value    map[Var]Expr // of the iterators that counters replace
	ge, eq   []Expr
}

// NewDomain returns the domain of a statement outside all loops, under assumptions on
// symbols. Results are correct for all values of the symbols that satisfy the
// assumptions.
func NewDomain(assume ...Cond) Domain { return Domain{assume: slices.Clone(assume)} }

func (d Domain) split() []part {
	if d.parts == nil {
		return []part{{}}
	}
	return d.parts
}

func (d Domain) with(parts []part) Domain {
	if parts == nil {
		parts = []part{}
	}
	return Domain{d.assume, d.vars, parts}
}

func (p part) clone() part {
	value := map[Var]Expr{}
	maps.Copy(value, p.value)
	return part{slices.Clone(p.counters), value, slices.Clone(p.ge), slices.Clone(p.eq)}
}

// resolve substitutes counters for the iterators that they replace.
func (p part) resolve(e Expr) Expr {
	for _, v := range e.Vars() {
		if x, ok := p.value[v]; ok {
			e = e.Subst(v, x)
		}
	}
	if e.bad {
		refuse(ErrOverflow)
	}
	for _, v := range e.Vars() {
		if v.Kind == Iterator && !slices.Contains(p.counters, v) {
			refuse(fmt.Errorf("polyhedral: %s is not an iterator of an enclosing loop", v.Name))
		}
	}
	return e
}

func (p *part) require(rel relation, e Expr) {
	if !e.isAffine() {
		if e.bad {
			refuse(ErrOverflow)
		}
		refuse(fmt.Errorf("%w: %s", ErrNotAffine, e))
	}
	if rel == eq {
		p.eq = append(p.eq, e)
	} else {
		p.ge = append(p.ge, e)
	}
}

// unused returns a counter whose name, derived from the given one, is not in use.
func (p part) unused(name string) Var {
	v := Var{name + "'", Iterator}
	for slices.Contains(p.counters, v) {
		v.Name += "'"
	}
	return v
}

// Loop returns the domain of the body of the loop.
func (d Domain) Loop(l Loop) (out Domain, err error) {
	defer catch(&err)
	up := l.Op == Less || l.Op == LessEqual
	if l.Step == 0 || up != (l.Step > 0) || len(l.From) == 0 || len(l.To) == 0 || l.Step == -1<<63 {
		return Domain{}, fmt.Errorf("%w: %s", errStep, l.Var)
	}
	if err := d.unnamed(l.Var); err != nil {
		return Domain{}, err
	}
	sign := int64(1)
	if !up {
		sign = -1
	}
	var parts []part
	for _, p := range d.split() {
		var from, last []Expr
		direct := l.Step == 1 || l.Step == -1
		for _, e := range l.From {
			e = p.resolve(e)
			from = append(from, e)
			direct = direct && e.isAffine()
		}
		for _, e := range l.To {
			if e = p.resolve(e); l.Op == Less || l.Op == Greater {
				e = e.Plus(-sign)
			}
			last = append(last, e)
			direct = direct && e.isAffine()
		}
		v := Var{l.Var, Iterator}
		if direct {
			p = p.clone()
			p.counters = append(p.counters, v)
			for _, e := range from {
				p.require(ge, Of(v).Sub(e).Scale(sign))
			}
			for _, e := range last {
				p.require(ge, e.Sub(Of(v)).Scale(sign))
			}
			parts = append(parts, p)
			continue
		}
		for k := range from {
			parts = append(parts, p.counted(l, from, k, last, sign))
		}
	}
	return d.under(l.Var, parts), nil
}

// counted returns the part in which loop l begins at from[k], which is the strictest of from, and the
// iterator is from[k] + Step*counter. sign is the sign of the step.
func (p part) counted(l Loop, from []Expr, k int, last []Expr, sign int64) part {
	p = p.clone()
	for o, other := range from {
		if o == k {
			continue
		}
		diff := from[k].Sub(other).Scale(sign)
		if o < k { // the first of equal starts counts
			diff = diff.Plus(-1)
		}
		p.require(ge, diff)
	}
	c := p.unused(l.Var)
	p.counters = append(p.counters, c)
	value := from[k].Add(Of(c).Scale(l.Step))
	p.value[Var{l.Var, Iterator}] = value
	p.require(ge, Of(c))
	for _, e := range last {
		p.require(ge, e.Sub(value).Scale(sign))
	}
	return p
}

// unnamed returns an error if an iterator has the name.
func (d Domain) unnamed(name string) error {
	if slices.Contains(d.vars, name) {
		return fmt.Errorf("polyhedral: %s is the iterator of two loops of one nest", name)
	}
	return nil
}

// under returns the domain of parts with one more iterator of the source.
func (d Domain) under(name string, parts []part) Domain {
	out := d.with(parts)
	out.vars = append(slices.Clone(d.vars), name)
	return out
}

// iterator returns the domain with a counter whose constraints require adds.
func (d Domain) iterator(name string, require func(p *part, v Expr)) (Domain, error) {
	if err := d.unnamed(name); err != nil {
		return Domain{}, err
	}
	var parts []part
	for _, p := range d.split() {
		q := p.clone()
		v := Var{name, Iterator}
		q.counters = append(q.counters, v)
		require(&q, Of(v))
		parts = append(parts, q)
	}
	return d.under(name, parts), nil
}

// Where returns the domain restricted to the conditions.
func (d Domain) Where(conds ...Cond) (out Domain, err error) {
	defer catch(&err)
	parts := d.split()
	for _, c := range conds {
		var next []part
		for _, p := range parts {
			e := p.resolve(c.e)
			switch c.rel {
			case ne:
				for _, sign := range [2]int64{1, -1} {
					q := p.clone()
					q.require(ge, e.Scale(sign).Plus(-1))
					next = append(next, q)
				}
				continue
			case multiple:
				q := p.clone()
				v := q.unused("q")
				q.counters = append(q.counters, v)
				q.require(eq, e.Sub(Of(v).Scale(c.mod)))
				next = append(next, q)
			default:
				q := p.clone()
				q.require(c.rel, e)
				next = append(next, q)
			}
		}
		parts = next
	}
	return d.with(parts), nil
}

// Counter returns the domain with an iterator from 0 on, which conditions have to bound.
func (d Domain) Counter(name string) (out Domain, err error) {
	defer catch(&err)
	return d.iterator(name, func(p *part, v Expr) { p.require(ge, v) })
}

// Has reports whether name is an iterator of the domain.
func (d Domain) Has(name string) bool { return slices.Contains(d.vars, name) }

// Quotient returns the domain in which name is e/c rounded down, for c > 0. Go's e/c
// has this value if e >= 0; then e%c is e - c*name.
func (d Domain) Quotient(name string, e Expr, c int64) (out Domain, err error) {
	defer catch(&err)
	if c <= 0 {
		return Domain{}, fmt.Errorf("polyhedral: quotient %s by %d", name, c)
	}
	return d.iterator(name, func(p *part, v Expr) {
		rest := p.resolve(e).Sub(v.Scale(c))
		p.require(ge, rest)
		p.require(ge, Const(c-1).Sub(rest))
	})
}
