package affine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"taskinstr/optimize/builder"
	"taskinstr/polyhedral"
	"taskinstr/ssapass"
)

// A writer writes the code in front of a nest.
type writer struct {
	strings.Builder
	names  map[string]string // of symbols
	format *polyhedral.Format
}

func newWriter(symbols []string) *writer {
	w := &writer{names: map[string]string{}}
	for i, s := range symbols {
		w.names[s] = fmt.Sprintf("_ti_s%d", i)
	}
	w.format = &polyhedral.Format{Min: "$min", Max: "$max", Floor: "$floor", Ceil: "$ceil", Name: func(v polyhedral.Var) string {
		if v.Kind == polyhedral.Symbol {
			return w.names[v.Name]
		}
		return "_ti_" + strings.ReplaceAll(v.Name, "'", "_")
	}}
	return w
}

func (w *writer) f(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *writer) term(t polyhedral.Term) string { return t.Text(w.format) }

// nodes writes a scan. The functions run and strided write its visits of elements.
func (w *writer) nodes(list []polyhedral.Node, run func(*polyhedral.Run), strided func(*polyhedral.Strided)) {
	for i, node := range list {
		if i > 0 {
			w.f("; ")
		}
		switch node := node.(type) {
		case *polyhedral.If:
			tests := make([]string, len(node.Tests))
			for k, t := range node.Tests {
				tests[k] = t.Text(w.format)
			}
			w.f("if %s { ", strings.Join(tests, " && "))
			w.nodes(node.Then, run, strided)
			if len(node.Else) > 0 {
				w.f(" } else { ")
				w.nodes(node.Else, run, strided)
			}
			w.f(" }")
		case *polyhedral.ForLoop:
			v := w.format.Name(node.Var)
			w.f("for %s, _ti_e := %s, %s; %s <= _ti_e; %s += %d { ", v, w.term(node.Lo), w.term(node.Hi), v, v, node.Step)
			w.nodes(node.Body, run, strided)
			w.f(" }")
		case *polyhedral.Run:
			run(node)
		case *polyhedral.Strided:
			strided(node)
		}
	}
}

// subscripts writes terms as subscripts. Constants are hidden from the compiler, which
// would refuse those that are out of range.
func (w *writer) subscripts(list []polyhedral.Term) (out []string) {
	for _, t := range list {
		text := w.term(t)
		if _, ok := t.Expr.IsConst(); ok && t.Op == polyhedral.Plain {
			text = "$min(" + text + ")"
		}
		out = append(out, text)
	}
	return out
}

// testExist writes the test that all elements of the scan exist. If one does not, _ti_ok
// becomes false.
func (w *writer) testExist(a *array, s *polyhedral.Scan) {
	length := func(row []polyhedral.Term) string {
		end := ""
		if a.ends {
			end = " + 1"
		}
		if n := a.levels[len(a.levels)-1].array; n >= 0 {
			return fmt.Sprint(n) + end
		}
		return "len(" + a.row(w.subscripts(row)) + ")" + end
	}
	w.nodes(s.Body, func(r *polyhedral.Run) {
		missing := "" // a pointer must not be nil, either
		if a.through {
			missing = fmt.Sprintf(" || $nil(%s, _ti_l, _ti_h - _ti_l, 1)", w.row(a, r.Row))
		}
		w.f("if _ti_l, _ti_h := %s, %s; _ti_l < _ti_h && (_ti_l < 0 || _ti_h > %s%s) { _ti_ok = false }",
			w.term(r.Lo), w.term(r.Hi), length(r.Row), missing)
	}, func(r *polyhedral.Strided) {
		w.f("if _ti_l, _ti_n := %s, %s; _ti_n > 0 { if _ti_l < 0 || _ti_l + (_ti_n-1)*(%s) + %d > %s { _ti_ok = false }",
			w.term(r.Lo), w.term(r.Count), w.term(r.Stride), r.Width, length(r.Row))
		if a.through {
			w.f("; if _ti_ok { ")
			w.each(r, func(at string) {
				w.f("if $nil(%s, %s, _ti_n, %s) { _ti_ok = false }", w.row(a, r.Row), at, w.term(r.Stride))
			})
			w.f(" }")
		}
		w.f(" }")
	})
}

// each writes code for each strided run of single elements of r, which starts at _ti_l.
func (w *writer) each(r *polyhedral.Strided, code func(at string)) {
	if r.Width == 1 {
		code("_ti_l")
		return
	}
	w.f("for _ti_w := _ti_l; _ti_w < _ti_l + %d; _ti_w++ { ", r.Width)
	code("_ti_w")
	w.f(" }")
}

// row writes the slice of a row that exists.
func (w *writer) row(a *array, list []polyhedral.Term) string {
	text := a.row(w.subscripts(list))
	if a.levels[len(a.levels)-1].array >= 0 && !a.isPlace {
		text += "[:]"
	}
	return text
}

// scan writes the checks of a scan's elements, which exist.
func (w *writer) scan(a *array, s scan, site int) {
	kind := 0
	if s.write {
		kind = 1
	}
	if !s.whole(a) {
		helper := "part"
		if a.through {
			helper = "through"
		}
		check := func(row []polyhedral.Term, at, n, stride string) {
			w.f("$%s(%s, %s, %s, %s, %d, %d, %d, $%d)", helper, w.row(a, row), at, n, stride, s.part.off, s.part.size, kind, site)
		}
		w.nodes(s.Body, func(r *polyhedral.Run) {
			w.f("if _ti_l, _ti_h := %s, %s; _ti_l < _ti_h { ", w.term(r.Lo), w.term(r.Hi))
			check(r.Row, "_ti_l", "_ti_h - _ti_l", "1")
			w.f(" }")
		}, func(r *polyhedral.Strided) {
			w.f("if _ti_l, _ti_n := %s, %s; _ti_n > 0 { ", w.term(r.Lo), w.term(r.Count))
			w.each(r, func(at string) { check(r.Row, at, "_ti_n", w.term(r.Stride)) })
			w.f(" }")
		})
		return
	}
	// A row of which no element is visited need not exist.
	w.nodes(s.Body, func(r *polyhedral.Run) {
		if len(r.Row) == 0 {
			w.f("$span(%s, %s, %s, %d, $%d)", w.row(a, nil), w.term(r.Lo), w.term(r.Hi), kind, site)
			return
		}
		w.f("if _ti_l, _ti_h := %s, %s; _ti_l < _ti_h { $span(%s, _ti_l, _ti_h, %d, $%d) }", w.term(r.Lo), w.term(r.Hi), w.row(a, r.Row), kind, site)
	}, func(r *polyhedral.Strided) {
		check := func(lo, n string) {
			if r.Width == 1 {
				w.f("$step(%s, %s, %s, %s, %d, $%d)", w.row(a, r.Row), lo, n, w.term(r.Stride), kind, site)
			} else {
				w.f("$part(%s, %s, %s, %s, 0, %d, %d, $%d)", w.row(a, r.Row), lo, n, w.term(r.Stride), r.Width*a.elem, kind, site)
			}
		}
		if len(r.Row) == 0 {
			check(w.term(r.Lo), w.term(r.Count))
			return
		}
		w.f("if _ti_n := %s; _ti_n > 0 { ", w.term(r.Count))
		check(w.term(r.Lo), "_ti_n")
		w.f(" }")
	})
}

// other returns 1 for a site of the other kind than write, else 0.
func other(s *ssapass.Site, write bool) int {
	if s.Key.Write != write {
		return 1
	}
	return 0
}

// code returns the code in front of the nest, which sets the flag once it has checked the
// elements of all footprints, and the sites and calls of accessors whose checks each of
// its checks replaces.
func (n *nest) code(flag string, list []*footprint) (text string, sites [][]int, loads [][]builder.Load) {
	w := newWriter(n.symbols)
	limit := n.limit
	for _, f := range list {
		limit = min(limit, f.limit)
	}
	w.f("%s := false; ", flag)
	if len(n.conds) > 0 {
		w.f("if %s ", strings.Join(n.conds, " && "))
	}
	w.f("{ ")
	var small []string
	for _, s := range n.symbols {
		name := w.names[s]
		w.f("%s := int(%s); ", name, s)
		small = append(small, fmt.Sprintf("%s <= %d", name, limit))
		if !strings.HasPrefix(s, "len(") {
			small = append(small, fmt.Sprintf("%s >= -%d", name, limit))
		}
	}
	if len(small) > 0 {
		w.f("if %s ", strings.Join(small, " && "))
	}
	w.f("{ _ti_ok := true; ")
	for _, f := range list {
		if f.array.isPlace {
			continue
		}
		for _, s := range f.exist {
			w.f("if _ti_ok { ")
			w.testExist(f.array, s)
			w.f(" }; ")
		}
	}
	w.f("if _ti_ok { ")
	for _, f := range list {
		for _, s := range f.scans {
			k := len(sites)
			replaced, calls := n.replaced(s)
			sites, loads = append(sites, replaced), append(loads, calls)
			w.scan(f.array, s, k)
			w.f("; ")
		}
	}
	w.f("%s = true } } }", flag)
	if len(n.accessed) == 0 {
		loads = nil
	}
	return w.String(), sites, loads
}

// replaced returns the sites and the calls of accessors whose checks a scan replaces. Reports name the
// check after the first site, so a check of writes has a write there.
func (n *nest) replaced(s scan) (sites []int, calls []builder.Load) {
	for _, i := range s.sites {
		if i >= 0 {
			sites = append(sites, i)
		} else {
			calls = append(calls, n.accessed[^i])
		}
	}
	slices.SortStableFunc(sites, func(i, j int) int {
		return cmp.Compare(other(n.Builder.Analysis.Sites.List[i], s.write), other(n.Builder.Analysis.Sites.List[j], s.write))
	})
	return sites, calls
}
