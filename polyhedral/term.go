package polyhedral

import (
	"fmt"
	"slices"
	"strings"
)

// TermOp is the operation of a Term.
type TermOp uint8

const (
	Plain   TermOp = iota // the value of Expr
	Sum                   // of Args
	Product               // of Args
	Min                   // of Args
	Max                   // of Args
	Floor                 // Args[0] / Div, rounded down
	Ceil                  // Args[0] / Div, rounded up
)

// Term is an expression of a scan. Terms are immutable.
type Term struct {
	Op   TermOp
	Expr Expr // of Plain
	Args []Term
	Div  int64 // divisor of Floor and Ceil, > 1
}

func exprTerm(e Expr) Term       { return Term{Expr: e} }
func number(c int64) Term        { return exprTerm(Const(c)) }
func (t Term) isExpr() bool      { return t.Op == Plain }
func (t Term) plus(c int64) Term { return sumOf(t, number(c)) }

// next returns t + 1.
func (t Term) next() (sum Term, err error) {
	defer catch(&err)
	return t.plus(1), nil
}

// constant returns the value of a term without variables.
func (t Term) constant() (int64, bool) {
	if t.Op != Plain {
		return 0, false
	}
	return t.Expr.IsConst()
}

// mapped returns f of each argument.
func (t Term) mapped(f func(Term) Term) []Term {
	out := make([]Term, len(t.Args))
	for i, a := range t.Args {
		out[i] = f(a)
	}
	return out
}

// Equal reports whether two terms have the same form.
func (t Term) Equal(o Term) bool {
	return t.Op == o.Op && t.Div == o.Div && (t.Op != Plain || t.Expr.Equal(o.Expr)) && slices.EqualFunc(t.Args, o.Args, Term.Equal)
}

// Uses reports whether v occurs in t.
func (t Term) Uses(v Var) bool {
	return t.Op == Plain && t.Expr.Uses(v) || slices.ContainsFunc(t.Args, func(a Term) bool { return a.Uses(v) })
}

// sumOf returns the sum of terms. It adds all expressions to one. It moves that
// expression into the arguments of a minimum or maximum that is the only other term,
// where it may cancel.
func sumOf(terms ...Term) Term {
	var flat Expr
	var rest []Term
	for _, t := range terms {
		parts := []Term{t}
		if t.Op == Sum {
			parts = t.Args
		}
		for _, p := range parts {
			if p.isExpr() {
				flat = flat.Add(p.Expr)
			} else {
				rest = append(rest, p)
			}
		}
	}
	if flat.bad {
		refuse(ErrOverflow)
	}
	switch zero, isConst := flat.IsConst(); {
	case len(rest) == 0:
		return exprTerm(flat)
	case len(rest) == 1 && (rest[0].Op == Min || rest[0].Op == Max):
		return extremum(rest[0].Op, rest[0].mapped(func(a Term) Term { return sumOf(a, exprTerm(flat)) }))
	case len(rest) == 1 && isConst && zero == 0:
		return rest[0]
	case isConst && zero == 0:
		return Term{Op: Sum, Args: rest}
	}
	return Term{Op: Sum, Args: append(rest, exprTerm(flat))}
}

func productOf(a, b Term) Term {
	if a.isExpr() && b.isExpr() {
		e := a.Expr.Mul(b.Expr)
		if e.bad {
			refuse(ErrOverflow)
		}
		return exprTerm(e)
	}
	if a.isExpr() {
		a, b = b, a
	}
	if c, ok := b.constant(); ok {
		switch {
		case c == 0:
			return number(0)
		case c == 1:
			return a
		case a.Op == Sum:
			return sumOf(a.mapped(func(x Term) Term { return productOf(x, b) })...)
		case a.Op == Min || a.Op == Max:
			op := a.Op
			if c < 0 {
				op = Min + Max - op
			}
			return extremum(op, a.mapped(func(x Term) Term { return productOf(x, b) }))
		}
	}
	return Term{Op: Product, Args: []Term{a, b}}
}

func negate(t Term) Term { return productOf(t, number(-1)) }

func difference(a, b Term) Term { return sumOf(a, negate(b)) }

// extremum returns the minimum or maximum of args. Of expressions that differ by a
// number it keeps the smallest or greatest.
func extremum(op TermOp, args []Term) Term {
	var out []Term
	for _, a := range args {
		parts := []Term{a}
		if a.Op == op {
			parts = a.Args
		}
	next:
		for _, p := range parts {
			for i, o := range out {
				if p.Equal(o) {
					continue next
				}
				if !p.isExpr() || !o.isExpr() {
					continue
				}
				if d, ok := p.Expr.Sub(o.Expr).IsConst(); ok {
					if d < 0 && op == Min || d > 0 && op == Max {
						out[i] = p
					}
					continue next
				}
			}
			out = append(out, p)
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return Term{Op: op, Args: out}
}

// floorOf returns t/c rounded down, for c > 0.
func floorOf(t Term, c int64) Term { return quotientOf(Floor, t, c) }

// ceilOf returns t/c rounded up, for c > 0.
func ceilOf(t Term, c int64) Term { return quotientOf(Ceil, t, c) }

func quotientOf(op TermOp, t Term, c int64) Term {
	if c == 1 {
		return t
	}
	if !t.isExpr() {
		return Term{Op: op, Args: []Term{t}, Div: c}
	}
	// Multiples of c need no rounding.
	var whole, rest Expr
	for _, x := range t.Expr.terms {
		switch q, r := floorDiv(x.coef, c), mod(x.coef, c); {
		case r == 0:
			whole.terms = append(whole.terms, summand{x.monomial, q})
		case x.key == "": // divide the constant, and round its remainder
			if q != 0 {
				whole.terms = append(whole.terms, summand{x.monomial, q})
			}
			rest.terms = append(rest.terms, summand{x.monomial, r})
		default:
			rest.terms = append(rest.terms, x)
		}
	}
	if r, ok := rest.IsConst(); ok {
		if op == Ceil && r > 0 {
			whole = whole.Plus(1)
		}
		return exprTerm(whole)
	}
	return sumOf(Term{Op: op, Args: []Term{exprTerm(rest)}, Div: c}, exprTerm(whole))
}

// modulo returns t - c*floor(t/c), which is in [0, c).
func modulo(t Term, c int64) Term {
	if t.isExpr() { // multiples of c have no effect
		var rest Expr
		for _, x := range t.Expr.terms {
			if r := mod(x.coef, c); r != 0 {
				rest.terms = append(rest.terms, summand{x.monomial, r})
			}
		}
		t = exprTerm(rest)
	}
	return difference(t, productOf(floorOf(t, c), number(c)))
}

// linear splits t into coef*v + rest, neither of which uses v.
func (t Term) linear(v Var) (coef Expr, rest Term, ok bool) {
	if !t.Uses(v) {
		return Expr{}, t, true
	}
	switch t.Op {
	case Plain:
		c, r, ok := t.Expr.linear(v)
		return c, exprTerm(r), ok
	case Sum:
		var rests []Term
		for _, a := range t.Args {
			c, r, ok := a.linear(v)
			if !ok {
				return Expr{}, t, false
			}
			coef = coef.Add(c)
			rests = append(rests, r)
		}
		return coef, sumOf(rests...), !coef.bad
	case Min, Max:
		var rests []Term
		for i, a := range t.Args {
			c, r, ok := a.linear(v)
			if !ok || i > 0 && !c.Equal(coef) {
				return Expr{}, t, false
			}
			coef = c
			rests = append(rests, r)
		}
		return coef, extremum(t.Op, rests), true
	}
	return Expr{}, t, false
}

// subst returns t with e substituted for v.
func (t Term) subst(v Var, e Expr) Term {
	if !t.Uses(v) {
		return t
	}
	args := t.mapped(func(a Term) Term { return a.subst(v, e) })
	switch t.Op {
	case Plain:
		x := t.Expr.Subst(v, e)
		if x.bad {
			refuse(ErrOverflow)
		}
		return exprTerm(x)
	case Sum:
		return sumOf(args...)
	case Product:
		return productOf(args[0], args[1])
	case Min, Max:
		return extremum(t.Op, args)
	}
	return quotientOf(t.Op, args[0], t.Div)
}

// Format has the names in the text of a scan. A zero field selects the names that
// String prints: the names of the variables, min(a, b), max(a, b), floor(a, c) and
// ceil(a, c).
type Format struct {
	Name                  func(Var) string
	Min, Max, Floor, Ceil string // names of functions; Floor and Ceil take a number and a positive constant
}

func (f *Format) fill() *Format {
	out := Format{Name: varName, Min: "min", Max: "max", Floor: "floor", Ceil: "ceil"}
	if f != nil {
		if f.Name != nil {
			out.Name = f.Name
		}
		for to, from := range map[*string]string{&out.Min: f.Min, &out.Max: f.Max, &out.Floor: f.Floor, &out.Ceil: f.Ceil} {
			if from != "" {
				*to = from
			}
		}
	}
	return &out
}

// String prints t as a Go expression.
func (t Term) String() string { return t.Text(nil) }

// Text prints t as a Go expression with the names of f.
func (t Term) Text(f *Format) string {
	f = f.fill()
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		args[i] = a.Text(f)
	}
	switch t.Op {
	case Sum:
		var b strings.Builder
		for i, a := range args {
			switch {
			case i == 0:
				b.WriteString(a)
			case strings.HasPrefix(a, "-"):
				// Only the first term of a text is negative.
				b.WriteString(" - " + a[1:])
			default:
				b.WriteString(" + " + a)
			}
		}
		return b.String()
	case Product:
		for i, a := range args {
			if x := t.Args[i]; x.Op == Sum || x.isExpr() && (len(x.Expr.terms) != 1 || strings.HasPrefix(a, "-")) {
				args[i] = "(" + a + ")"
			}
		}
		return args[1] + "*" + args[0]
	case Min:
		return f.Min + "(" + strings.Join(args, ", ") + ")"
	case Max:
		return f.Max + "(" + strings.Join(args, ", ") + ")"
	case Floor:
		return fmt.Sprintf("%s(%s, %d)", f.Floor, args[0], t.Div)
	case Ceil:
		return fmt.Sprintf("%s(%s, %d)", f.Ceil, args[0], t.Div)
	}
	return t.Expr.Text(f.Name)
}
