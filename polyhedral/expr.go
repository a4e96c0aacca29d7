package polyhedral

import (
	"slices"
	"strconv"
	"strings"
)

// Kind distinguishes the variables of a nest.
type Kind uint8

const (
	Symbol   Kind = iota // constant while the nest runs
	Iterator             // takes the values of a loop
)

// Var is a variable. Its name and kind identify it within a nest.
type Var struct {
	Name string
	Kind Kind
}

func (v Var) key() string { return string('0'+rune(v.Kind)) + v.Name }

// monomial is a product of variables, sorted by key. The key of the product identifies
// it; the product 1 has the empty key.
type monomial struct {
	key  string
	vars []Var
}

func (m monomial) iterators() (n int) {
	for _, v := range m.vars {
		if v.Kind == Iterator {
			n++
		}
	}
	return n
}

func newMonomial(vars []Var) monomial {
	if len(vars) == 1 {
		return monomial{vars[0].key(), vars}
	}
	slices.SortFunc(vars, func(a, b Var) int { return strings.Compare(a.key(), b.key()) })
	keys := make([]string, len(vars))
	for i, v := range vars {
		keys[i] = v.key()
	}
	return monomial{strings.Join(keys, "*"), vars}
}

// times returns the product of two monomials.
func (m monomial) times(o monomial) monomial {
	if len(m.vars) == 0 {
		return o
	}
	if len(o.vars) == 0 {
		return m
	}
	return newMonomial(slices.Concat(m.vars, o.vars))
}

// over returns m divided by o, and whether o divides m.
func (m monomial) over(o monomial) (monomial, bool) {
	rest := slices.Clone(m.vars)
	for _, v := range o.vars {
		i := slices.Index(rest, v)
		if i < 0 {
			return monomial{}, false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return newMonomial(rest), true
}

// compareMonomials orders by degree, then by name.
func compareMonomials(a, b monomial) int {
	if d := len(a.vars) - len(b.vars); d != 0 {
		return d
	}
	return strings.Compare(a.key, b.key)
}

type summand struct {
	monomial
	coef int64 // never 0
}

// Expr is a polynomial with int64 coefficients over symbols and iterators. Most uses
// require an affine expression: of degree at most one in the iterators, whose
// coefficients are numbers, where a product of symbols counts as a symbol. Subscripts
// may have products of an iterator and symbols. An Expr is immutable. An expression
// whose coefficients exceed int64 stays invalid through all operations; its uses are
// refused.
type Expr struct {
	terms []summand // sorted by compareMonomials
	bad   bool
}

// Const returns the expression c.
func Const(c int64) Expr {
	if c == 0 {
		return Expr{}
	}
	return Expr{terms: []summand{{monomial{}, c}}}
}

// Of returns the expression v.
func Of(v Var) Expr { return Expr{terms: []summand{{newMonomial([]Var{v}), 1}}} }

// Sym returns the symbol with the given name.
func Sym(name string) Expr { return Of(Var{name, Symbol}) }

// Iter returns the iterator with the given name.
func Iter(name string) Expr { return Of(Var{name, Iterator}) }

// Add returns e + f.
func (e Expr) Add(f Expr) Expr {
	if e.bad || f.bad {
		return Expr{bad: true}
	}
	out := make([]summand, 0, len(e.terms)+len(f.terms))
	a, b := e.terms, f.terms
	for len(a) > 0 && len(b) > 0 {
		switch c := compareMonomials(a[0].monomial, b[0].monomial); {
		case c < 0:
			out, a = append(out, a[0]), a[1:]
		case c > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			s, ok := addOK(a[0].coef, b[0].coef)
			if !ok {
				return Expr{bad: true}
			}
			if s != 0 {
				out = append(out, summand{a[0].monomial, s})
			}
			a, b = a[1:], b[1:]
		}
	}
	return Expr{terms: append(append(out, a...), b...)}
}

// Scale returns k*e.
func (e Expr) Scale(k int64) Expr {
	if e.bad || k == 0 {
		return Expr{bad: e.bad}
	}
	out := make([]summand, len(e.terms))
	for i, t := range e.terms {
		c, ok := mulOK(t.coef, k)
		if !ok {
			return Expr{bad: true}
		}
		out[i] = summand{t.monomial, c}
	}
	return Expr{terms: out}
}

// Neg returns -e.
func (e Expr) Neg() Expr { return e.Scale(-1) }

// Sub returns e - f.
func (e Expr) Sub(f Expr) Expr { return e.Add(f.Neg()) }

// Plus returns e + c.
func (e Expr) Plus(c int64) Expr { return e.Add(Const(c)) }

// Mul returns e * f.
func (e Expr) Mul(f Expr) Expr {
	sum := Expr{bad: e.bad || f.bad}
	for _, t := range f.terms {
		part := make([]summand, len(e.terms))
		for i, s := range e.terms {
			c, ok := mulOK(s.coef, t.coef)
			if !ok {
				return Expr{bad: true}
			}
			part[i] = summand{s.times(t.monomial), c}
		}
		slices.SortFunc(part, func(a, b summand) int { return compareMonomials(a.monomial, b.monomial) })
		sum = sum.Add(Expr{terms: part})
	}
	return sum
}

// IsConst returns the value of e if e has no variables.
func (e Expr) IsConst() (int64, bool) {
	switch {
	case e.bad:
		return 0, false
	case len(e.terms) == 0:
		return 0, true
	case len(e.terms) == 1 && e.terms[0].key == "":
		return e.terms[0].coef, true
	}
	return 0, false
}

// Equal reports whether e and f are the same polynomial.
func (e Expr) Equal(f Expr) bool {
	return !e.bad && !f.bad && slices.EqualFunc(e.terms, f.terms, func(a, b summand) bool {
		return a.coef == b.coef && a.key == b.key
	})
}

// Uses reports whether v occurs in e.
func (e Expr) Uses(v Var) bool {
	return slices.ContainsFunc(e.terms, func(t summand) bool { return slices.Contains(t.vars, v) })
}

// Vars returns the variables of e, each once: symbols first, then by name.
func (e Expr) Vars() []Var {
	var out []Var
	for _, t := range e.terms {
		for _, v := range t.vars {
			if !slices.Contains(out, v) {
				out = append(out, v)
			}
		}
	}
	slices.SortFunc(out, func(a, b Var) int { return strings.Compare(a.key(), b.key()) })
	return out
}

// isAffine reports whether each iterator occurs alone and to the first degree.
func (e Expr) isAffine() bool {
	for _, t := range e.terms {
		if n := t.iterators(); n > 0 && len(t.vars) > 1 {
			return false
		}
	}
	return !e.bad
}

// isSymbolic reports whether e has no iterators.
func (e Expr) isSymbolic() bool {
	for _, t := range e.terms {
		if t.iterators() > 0 {
			return false
		}
	}
	return !e.bad
}

// Subst returns e with f substituted for v.
func (e Expr) Subst(v Var, f Expr) Expr {
	if !e.Uses(v) {
		return e
	}
	sum := Expr{bad: e.bad}
	for _, t := range e.terms {
		part := Const(t.coef)
		for _, w := range t.vars {
			if w == v {
				part = part.Mul(f)
			} else {
				part = part.Mul(Of(w))
			}
		}
		sum = sum.Add(part)
	}
	return sum
}

// Linear splits e into coef*i + rest, for the iterator i with this name. Neither part uses the
// iterator.
func (e Expr) Linear(iterator string) (coef, rest Expr, ok bool) {
	return e.linear(Var{iterator, Iterator})
}

// linear splits e into coef*v + rest, neither of which uses v.
func (e Expr) linear(v Var) (coef, rest Expr, ok bool) {
	coef.bad, rest.bad = e.bad, e.bad
	for _, t := range e.terms {
		i := slices.Index(t.vars, v)
		if i < 0 {
			rest.terms = append(rest.terms, t)
			continue
		}
		m, _ := t.over(monomial{vars: []Var{v}})
		if slices.Contains(m.vars, v) {
			return Expr{}, Expr{}, false
		}
		coef = coef.Add(Expr{terms: []summand{{m, t.coef}}})
	}
	return coef, rest, true
}

// String prints e with the names of its variables.
func (e Expr) String() string { return e.Text(varName) }

func varName(v Var) string { return v.Name }

// Text prints e with the names of variables that a function gives: the terms by falling degree,
// beginning with a positive one if there is any.
func (e Expr) Text(name func(Var) string) string {
	if e.bad {
		return "overflow"
	}
	if len(e.terms) == 0 {
		return "0"
	}
	terms := slices.Clone(e.terms)
	slices.SortStableFunc(terms, func(a, b summand) int {
		if d := len(b.vars) - len(a.vars); d != 0 {
			return d
		}
		// Iterators come before symbols, as people write them.
		return b.iterators() - a.iterators()
	})
	// Begin with a positive term.
	if i := slices.IndexFunc(terms, func(t summand) bool { return t.coef > 0 }); i > 0 && len(terms[i].vars) > 0 {
		t := terms[i]
		terms = slices.Insert(slices.Delete(terms, i, i+1), 0, t)
	}
	var b strings.Builder
	for i, t := range terms {
		c := t.coef
		switch {
		case i > 0 && c < 0:
			b.WriteString(" - ")
			c = -c
		case i > 0:
			b.WriteString(" + ")
		case c < 0:
			b.WriteString("-")
			c = -c
		}
		if c < 0 { // the lowest int64 has no opposite
			b.WriteString(strings.TrimPrefix(strconv.FormatInt(c, 10), "-"))
		} else if c != 1 || len(t.vars) == 0 {
			b.WriteString(strconv.FormatInt(c, 10))
		}
		if c != 1 && len(t.vars) > 0 {
			b.WriteString("*")
		}
		for j, v := range t.vars {
			if j > 0 {
				b.WriteString("*")
			}
			b.WriteString(name(v))
		}
	}
	return b.String()
}

// sides splits e into l - r such that all coefficients of both are positive. If it can,
// it leaves a constant alone on one side.
func (e Expr) sides() (l, r Expr) {
	for _, t := range e.terms {
		if t.coef > 0 {
			l.terms = append(l.terms, t)
		} else {
			r.terms = append(r.terms, t)
		}
	}
	if r.bad = e.bad; len(r.terms) > 0 {
		r = r.Neg()
	}
	l.bad = e.bad
	if c, ok := l.IsConst(); ok && c != 0 { // prints 4 >= n instead of 5 >= n + 1
		if k, rest := r.constant(); k != 0 {
			l, r = l.Plus(-k), rest
		}
	} else if k, rest := l.constant(); k != 0 && len(rest.terms) > 0 {
		l, r = rest, r.Plus(-k)
	}
	return l, r
}

// constant splits e into its constant and the rest.
func (e Expr) constant() (int64, Expr) {
	if len(e.terms) > 0 && e.terms[0].key == "" {
		return e.terms[0].coef, Expr{e.terms[1:], e.bad}
	}
	return 0, e
}
