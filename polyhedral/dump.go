package polyhedral

import (
	"fmt"
	"slices"
	"strings"
)

// Dump prints, for the accesses of a nest, what the figure 10 of the DRDP paper
// shows: domains, access relations, the projected sets, and the scans.
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

// element prints how coordinates become an element's index.
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
