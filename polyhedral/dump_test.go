package polyhedral

import (
	"fmt"
	"slices"
	"strings"
)

// Dump prints the nest of the accesses as figure 10 of the DRDP paper does: domains,
// access relations, projected sets, and scans.
func Dump(accesses []Access) string {
	var b strings.Builder
	seen := map[string]bool{}
	for i, a := range accesses {
		if d := a.Domain.String(); !seen[d] {
			seen[d] = true
			fmt.Fprintf(&b, "domain   %s\n", strings.ReplaceAll(d, "\n", "\n         "))
		}
		kind := "read    "
		if a.Write {
			kind = "write   "
		}
		fmt.Fprintf(&b, "%s %d: %s\n", kind, i, a)
	}
	footprints, refused := Analyze(accesses)
	for _, r := range refused {
		fmt.Fprintf(&b, "refused  %d: %v\n", r.Index, r.Err)
	}
	for _, f := range footprints {
		for _, x := range [...]struct {
			name string
			set  *Set
			scan *Scan
		}{{"written", f.Written, f.WriteScan}, {"read", f.Read, f.ReadScan}} {
			if x.set == nil {
				continue
			}
			fmt.Fprintf(&b, "%-8s %s\n", x.name, strings.ReplaceAll(x.set.String(), "\n", "\n         "))
			if len(x.set.mults) > 1 {
				fmt.Fprintf(&b, "element  %s\n", x.set.element())
			}
			for _, g := range x.set.Guard {
				fmt.Fprintf(&b, "each once if %s\n", g)
			}
			b.WriteString("scan\n")
			for line := range strings.Lines(x.scan.String()) {
				b.WriteString("\t" + line)
			}
		}
		fmt.Fprintf(&b, "symbols of %s up to %d\n", f.Array.Name, f.Limit)
	}
	return b.String()
}

// element prints the index of an element as an expression of its coordinates.
func (s *Set) element() string {
	sum := Expr{}
	for k := range s.mults {
		sum = sum.Add(s.multiplier(k).Mul(Iter(s.dimName(s.array.Rows + k))))
	}
	return sum.String()
}

// String prints the access relation: [i, j] -> a[i*n + j].
func (a Access) String() string {
	subs := make([]string, len(a.Subs))
	for i, e := range a.Subs {
		subs[i] = e.String()
	}
	return fmt.Sprintf("[%s] -> %s[%s]", strings.Join(a.Domain.vars, ", "), a.Array.Name, strings.Join(subs, ", "))
}

// String prints the domain as { [i, j] : constraints }, one line for each part.
func (d Domain) String() string {
	var lines []string
	for _, p := range d.split() {
		var params []monomial
		params = symbolMonomials(symbolMonomials(params, p.ge...), p.eq...)
		line := "{ [" + strings.Join(d.vars, ", ") + "]"
		var conds []string
		for _, name := range d.vars {
			if e, ok := p.value[Var{name, Iterator}]; ok {
				conds = append(conds, name+" = "+e.String())
			}
		}
		sys, err := p.system(params)
		if err != nil {
			lines = append(lines, err.Error())
			continue
		}
		if text := sys.text(params, p.counters); text != "" {
			conds = append(conds, text)
		}
		if len(conds) > 0 {
			line += " : " + strings.Join(conds, " and ")
		}
		lines = append(lines, line+" }")
	}
	if len(lines) == 0 {
		return "{ }"
	}
	return strings.Join(slices.Compact(lines), "\n")
}

func (p part) system(params []monomial) (s *system, err error) {
	defer catch(&err)
	return newColumns(params, 0, p.counters).domain(p, nil), nil
}

// dimName returns the name of coordinate k.
func (s *Set) dimName(k int) string { return fmt.Sprintf("c%d", k) }

// String prints the set as { a[c0, c1] : constraints }, one line for each piece.
func (s *Set) String() string {
	if len(s.pieces) == 0 {
		return "{ }"
	}
	var lines []string
	for _, p := range s.pieces {
		lines = append(lines, s.pieceText(p))
	}
	return strings.Join(lines, "\n")
}

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

// text prints a system. The bounds of each variable stand together.
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

// between prints a <= x < b with as many bounds as given.
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
