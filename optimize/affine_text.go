package optimize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"taskinstr/polyhedral"
	"taskinstr/ssapass"
)

// A footprint is what the nest does to one array.
type footprint struct {
	array  *array
	scans  []scan             // what replaces the checks of sites
	guards []*polyhedral.Scan // elements that have to exist
	sites  []int
	limit  int64
}

type scan struct {
	*polyhedral.Scan
	write bool
	sites []int // those it stands for
}

// maxReferences bounds the nests that are looked at.
const maxReferences = 100

// footprints computes the sets of elements that the nest's references reach, fewer
// subscripts first: the rows of an array are known to exist before their lengths
// are asked for.
func (n *nest) footprints() (list []*footprint) {
	if len(n.refs) > maxReferences {
		n.fail("it has too many accesses")
	}
	var keys []string
	groups := map[string][]reference{}
	for _, r := range n.refs {
		k := r.array.key()
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], r)
	}
	for _, k := range keys {
		list = append(list, n.footprint(groups[k]))
	}
	slices.SortStableFunc(list, func(a, b *footprint) int { return len(a.array.levels) - len(b.array.levels) })
	return list
}

func (n *nest) footprint(refs []reference) *footprint {
	f := &footprint{array: refs[0].array, limit: 1 << 62}
	var checked, bounded []reference
	depth := 0
	for _, r := range refs {
		if len(r.sites) > 0 {
			checked = append(checked, r)
			depth = max(depth, r.st.depth)
		} else {
			bounded = append(bounded, r)
		}
	}
	for len(checked) > 0 {
		out, refused := polyhedral.Analyze(accesses(checked))
		if len(refused) == 0 && len(out) == 1 && n.gains(out[0], checked, depth) {
			f.add(out[0])
			for _, r := range checked {
				f.sites = append(f.sites, r.sites...)
				for i := range f.scans {
					if f.scans[i].write || !r.write {
						f.scans[i].sites = append(f.scans[i].sites, r.sites...)
					}
				}
			}
			break
		}
		if len(refused) == 0 || len(out) == 0 {
			// Nothing is gained, or nothing can be done.
			bounded = append(bounded, checked...)
			break
		}
		bad := map[int]bool{}
		at := 0
		for _, x := range refused {
			bad[x.Index] = true
		}
		var rest []reference
		for _, r := range checked {
			refusedHere := false
			for range r.st.doms {
				refusedHere = refusedHere || bad[at]
				at++
			}
			if refusedHere {
				bounded = append(bounded, r)
			} else {
				rest = append(rest, r)
			}
		}
		checked = rest
	}
	var open []polyhedral.Access
	seen := map[string]bool{}
	for i, r := range append(slices.Clip(checked), bounded...) {
		for _, x := range accesses([]reference{r}) {
			x.Write = false
			k := fmt.Sprint(x.Subs, x.Domain)
			if !seen[k] && (i >= len(checked) || len(f.sites) == 0) {
				open = append(open, x)
			}
			seen[k] = true
		}
	}
	out, refused := polyhedral.Analyze(open)
	if len(refused) > 0 {
		n.fail("the subscripts of " + f.array.base + " are not known: " + refused[0].Err.Error())
	}
	for _, x := range out {
		f.limit = min(f.limit, x.Limit)
		if x.ReadScan != nil {
			f.guards = append(f.guards, x.ReadScan)
		}
	}
	return f
}

func (f *footprint) add(x *polyhedral.Footprint) {
	f.limit = min(f.limit, x.Limit)
	for _, s := range []scan{{x.WriteScan, true, nil}, {x.ReadScan, false, nil}} {
		if s.Scan != nil {
			f.scans = append(f.scans, s)
			f.guards = append(f.guards, s.Scan)
		}
	}
}

func accesses(refs []reference) (list []polyhedral.Access) {
	for _, r := range refs {
		for _, d := range r.st.doms {
			list = append(list, polyhedral.Access{Array: r.array.in(), Subs: r.subs, Write: r.write, Domain: d})
		}
	}
	return list
}

// loops is how deep the loops of a footprint's scans are, at the most.
func loops(x *polyhedral.Footprint) (most int) {
	var walk func(nodes []polyhedral.Node, depth int)
	walk = func(nodes []polyhedral.Node, depth int) {
		for _, node := range nodes {
			switch node := node.(type) {
			case *polyhedral.If:
				walk(node.Then, depth)
				walk(node.Else, depth)
			case *polyhedral.ForLoop:
				walk(node.Body, depth+1)
			case *polyhedral.Strided:
				most = max(most, depth+1)
			default:
				most = max(most, depth)
			}
		}
	}
	for _, s := range []*polyhedral.Scan{x.WriteScan, x.ReadScan} {
		if s != nil {
			walk(s.Body, 0)
		}
	}
	return most
}

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

// nodes writes a scan, with run and strided for what it visits.
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

// subscripts writes terms as subscripts; constant ones are hidden from the
// compiler, which would refuse those that are out of range.
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

// guard writes the test that all elements of the scan exist; if one does not,
// _ti_ok becomes false.
func (w *writer) guard(a *array, s *polyhedral.Scan) {
	length := func(row []polyhedral.Term) string {
		if n := a.levels[len(a.levels)-1].array; n >= 0 {
			return fmt.Sprint(n)
		}
		return "len(" + a.row(w.subscripts(row)) + ")"
	}
	w.nodes(s.Body, func(r *polyhedral.Run) {
		w.f("if _ti_l, _ti_h := %s, %s; _ti_l < _ti_h && (_ti_l < 0 || _ti_h > %s) { _ti_ok = false }", w.term(r.Lo), w.term(r.Hi), length(r.Row))
	}, func(r *polyhedral.Strided) {
		w.f("if _ti_l, _ti_n := %s, %s; _ti_n > 0 && (_ti_l < 0 || _ti_l + (_ti_n-1)*(%s) >= %s) { _ti_ok = false }",
			w.term(r.Lo), w.term(r.Count), w.term(r.Stride), length(r.Row))
	})
}

// scan writes the checks of a scan's elements, which exist.
func (w *writer) scan(a *array, s scan, site int) {
	kind := 0
	if s.write {
		kind = 1
	}
	row := func(list []polyhedral.Term) string {
		text := a.row(w.subscripts(list))
		if a.levels[len(a.levels)-1].array >= 0 {
			text += "[:]"
		}
		return text
	}
	// The row of no elements need not exist.
	w.nodes(s.Body, func(r *polyhedral.Run) {
		if len(r.Row) == 0 {
			w.f("$span(%s, %s, %s, %d, $%d)", row(nil), w.term(r.Lo), w.term(r.Hi), kind, site)
			return
		}
		w.f("if _ti_l, _ti_h := %s, %s; _ti_l < _ti_h { $span(%s, _ti_l, _ti_h, %d, $%d) }", w.term(r.Lo), w.term(r.Hi), row(r.Row), kind, site)
	}, func(r *polyhedral.Strided) {
		if len(r.Row) == 0 {
			w.f("$step(%s, %s, %s, %s, %d, $%d)", row(nil), w.term(r.Lo), w.term(r.Count), w.term(r.Stride), kind, site)
			return
		}
		w.f("if _ti_n := %s; _ti_n > 0 { $step(%s, %s, _ti_n, %s, %d, $%d) }", w.term(r.Count), row(r.Row), w.term(r.Lo), w.term(r.Stride), kind, site)
	})
}

// other is 1 for a site that is not of this kind.
func other(s *ssapass.Site, write bool) int {
	if s.Key.Write != write {
		return 1
	}
	return 0
}

// code returns what stands in front of the nest, which sets the flag if it checked
// the elements of all footprints, and the sites that its checks stand for.
func (n *nest) code(flag string, list []*footprint) (text string, sites [][]int) {
	w := newWriter(n.symbols)
	limit := int64(1 << 62)
	for _, f := range list {
		limit = min(limit, f.limit)
	}
	w.f("%s := false; ", flag)
	if len(n.pre) > 0 {
		w.f("if %s ", strings.Join(n.pre, " && "))
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
		for _, s := range f.guards {
			w.f("if _ti_ok { ")
			w.guard(f.array, s)
			w.f(" }; ")
		}
	}
	w.f("if _ti_ok { ")
	for _, f := range list {
		for _, s := range f.scans {
			k := len(sites)
			// A check of writes is named after one.
			all := slices.Clone(s.sites)
			slices.SortStableFunc(all, func(i, j int) int {
				return cmp.Compare(other(n.m.a.Sites.List[i], s.write), other(n.m.a.Sites.List[j], s.write))
			})
			sites = append(sites, all)
			w.scan(f.array, s, k)
			w.f("; ")
		}
	}
	w.f("%s = true } } }", flag)
	return w.String(), sites
}
