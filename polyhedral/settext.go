package polyhedral

import (
	"fmt"
	"slices"
	"strings"
)

// pieceText prints one piece: { a[c0, c1] : 0 <= c0 < n and c1 = c0 }.
func (s *Set) pieceText(p piece) string {
	vars := make([]Var, 0, s.dims()+p.exist)
	var coords, exists []string
	for k := range s.dims() {
		vars = append(vars, Var{s.dimName(k), Iterator})
		coords = append(coords, s.dimName(k))
	}
	for k := range p.exist {
		v := Var{fmt.Sprintf("e%d", k), Iterator}
		vars = append(vars, v)
		exists = append(exists, v.Name)
	}
	text := fmt.Sprintf("{ %s[%s]", s.array.Name, strings.Join(coords, ", "))
	conds := p.text(s.params, vars)
	if len(exists) > 0 {
		conds = "exists " + strings.Join(exists, ", ") + " : " + conds
	}
	if conds == "" {
		return text + " }"
	}
	return text + " : " + conds + " }"
}

// text prints a system, the bounds of each variable together.
func (s *system) text(params []monomial, vars []Var) string {
	expr := func(r row, skip int) Expr {
		e := paramExpr(params, r[:1+len(params)])
		for i, v := range vars {
			if c := r[1+len(params)+i]; c != 0 && 1+len(params)+i != skip {
				e = e.Add(Of(v).Scale(c))
			}
		}
		return e
	}
	// A row belongs to the last variable it has with coefficient 1 or -1.
	owner := func(r row) int {
		for k := len(r) - 1; k > len(params); k-- {
			if r[k] == 1 || r[k] == -1 {
				return k
			}
		}
		return 0
	}
	var conds []string
	for k := range 1 + len(params) + len(vars) {
		var lower, upper []string
		name := ""
		if k > len(params) {
			name = vars[k-1-len(params)].Name
		}
		for _, r := range s.eq {
			if owner(r) != k {
				continue
			}
			if k == 0 {
				conds = append(conds, sideways(expr(r, 0), "="))
			} else {
				conds = append(conds, name+" = "+expr(r, k).Scale(-r[k]).String())
			}
		}
		for _, r := range s.ge {
			switch {
			case owner(r) != k:
			case k == 0:
				conds = append(conds, sideways(expr(r, 0), ">="))
			case r[k] > 0:
				lower = append(lower, expr(r, k).Neg().String())
			default:
				upper = append(upper, "< "+expr(r, k).Plus(1).String())
			}
		}
		if len(lower) > 0 || len(upper) > 0 {
			conds = append(conds, between(lower, name, upper))
		}
	}
	for _, c := range s.cg {
		conds = append(conds, fmt.Sprintf("(%s) mod %d = 0", expr(c.row, 0), c.mod))
	}
	return strings.Join(conds, " and ")
}

// between prints a <= x < b with as many bounds as there are.
func between(lower []string, name string, upper []string) string {
	text := name
	switch len(lower) {
	case 0:
	case 1:
		text = lower[0] + " <= " + text
	default:
		text = "max(" + strings.Join(lower, ", ") + ") <= " + text
	}
	switch len(upper) {
	case 0:
	case 1:
		text += " " + upper[0]
	default:
		trimmed := slices.Clone(upper)
		for i := range trimmed {
			trimmed[i] = strings.TrimPrefix(trimmed[i], "< ")
		}
		text += " < min(" + strings.Join(trimmed, ", ") + ")"
	}
	return text
}

// sideways prints e op 0 with the negative terms on the other side.
func sideways(e Expr, op string) string {
	l, r := e.sides()
	return l.String() + " " + op + " " + r.String()
}

// sides splits e into l - r, both with positive coefficients only; a constant
// stays alone on its side where it can.
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
	if c, ok := l.IsConst(); ok && c != 0 { // 5 >= n + 1 reads 4 >= n
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
