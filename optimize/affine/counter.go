package affine

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/polyhedral"
)

// A loop whose header names no single iterator runs over a counter of its iterations:
//
//	for i, k := 0, k0; i < n; i, k = i+1, k+4
//	for len(p) >= 8 { ...; p = p[8:] }
//	for i != end { ...; i += 4 }
//	for i := 0; i < n; i += 2 * h { ... }
//
// The condition is a conjunction of comparisons that are affine in the counter. A comparison
// that becomes true, or stays true, counts in the first iteration only. A comparison by !=
// needs a difference that is a multiple of its stride; the code in front of the nest tests
// this, and that strides that are symbols have the sign with which the loop ends.

// maxStride bounds the strides of comparisons by !=, which need as many tests.
const maxStride = 16

// begin sets the values at the outermost loop's start. The loop evaluates its initial
// statement behind the scan, so the statement must not panic. begin reports whether all its
// values are known.
func (n *nest) begin(init ast.Stmt) bool {
	if init == nil {
		return true
	}
	a, ok := init.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != len(a.Rhs) || a.Tok != token.DEFINE && a.Tok != token.ASSIGN || !n.ready(a) {
		return false
	}
	n.assigned(a.Lhs, a.Rhs)
	for _, l := range a.Lhs {
		v := n.local(l)
		if v == nil {
			return false
		}
		if _, known := n.now.ints[v]; !known {
			return false
		}
	}
	return true
}

// counterHeader enters a loop with strides over a counter, and returns the domains of its body.
// With symbolic set, it does so only if a symbol bounds the counter.
func (n *nest) counterHeader(s *ast.ForStmt, entry values, list []stride, st state, symbolic bool) (doms []polyhedral.Domain, ok bool) {
	if s.Cond == nil || !onlyStrides(n, s.Post, list) {
		return nil, false
	}
	n.count++
	name := fmt.Sprintf("k%d", n.count)
	n.enter(entry, list, polyhedral.Iter(name), n.strict(s.Cond, list))
	h := &counted{nest: n, name: name, st: st}
	if !h.conjuncts(s.Cond) || !h.bounded || symbolic && !h.symbolic {
		return nil, false
	}
	for _, d := range st.doms {
		d, err := d.Counter(name)
		if err == nil {
			d, err = d.Where(h.conds...)
		}
		if err != nil {
			return nil, false
		}
		doms = append(doms, d)
	}
	return doms, true
}

// strict returns the variables that a loop changes by one, up to a strict bound: they do not
// wrap.
func (n *nest) strict(cond ast.Expr, list []stride) map[*types.Var]bool {
	set := map[*types.Var]bool{}
	var conjuncts func(e ast.Expr)
	conjuncts = func(e ast.Expr) {
		b, ok := ast.Unparen(e).(*ast.BinaryExpr)
		if !ok {
			return
		}
		for _, s := range list {
			by, isConst := s.by.IsConst()
			x, y := n.local(b.X) == s.v, n.local(b.Y) == s.v
			switch up := b.Op == token.LSS && x || b.Op == token.GTR && y; {
			case !isConst || x == y:
			case up && by == 1, !up && by == -1 && (b.Op == token.LSS || b.Op == token.GTR):
				set[s.v] = true
			}
		}
		if b.Op == token.LAND {
			conjuncts(b.X)
			conjuncts(b.Y)
		}
	}
	conjuncts(cond)
	return set
}

// onlyStrides reports whether a loop's post statement changes nothing but variables that have
// a stride.
func onlyStrides(n *nest, post ast.Stmt, list []stride) bool {
	if post == nil {
		return true
	}
	has := map[*types.Var]bool{}
	for _, s := range list {
		has[s.v] = true
	}
	switch p := post.(type) {
	case *ast.IncDecStmt:
		return has[n.local(p.X)]
	case *ast.AssignStmt:
		for _, l := range p.Lhs {
			if !has[n.local(l)] {
				return false
			}
		}
		return true
	}
	return false
}

// A counted is the condition of a loop over a counter.
type counted struct {
	*nest
	name    string
	st      state // in front of the loop
	conds   []polyhedral.Cond
	bounded bool // the conditions bound the counter
	// symbolic: a symbol bounds the counter of a loop with a stride. Then the elements that a
	// loop with stride 4 reaches at i, i+1, i+2 and i+3 are one run, as they have one end.
	symbolic bool
}

// conjuncts adds a condition.
func (h *counted) conjuncts(cond ast.Expr) bool {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if e.Op == token.LAND {
		return h.conjuncts(e.X) && h.conjuncts(e.Y)
	}
	if !isExact(h.Info.TypeOf(e.X)) || !isExact(h.Info.TypeOf(e.Y)) {
		return false
	}
	x, y, ok := h.operandsOf(e)
	if !ok {
		return false
	}
	switch e.Op {
	case token.LSS:
		return h.atLeast(y.Sub(x).Plus(-1))
	case token.LEQ:
		return h.atLeast(y.Sub(x))
	case token.GTR:
		return h.atLeast(x.Sub(y).Plus(-1))
	case token.GEQ:
		return h.atLeast(x.Sub(y))
	case token.NEQ:
		return h.differs(y.Sub(x))
	}
	return false
}

// atLeast adds the condition x >= 0.
func (h *counted) atLeast(x polyhedral.Expr) bool {
	slope, start, ok := x.Linear(h.name)
	if !ok {
		return false
	}
	c, isConst := slope.IsConst()
	if isConst && c >= 0 {
		h.conds = append(h.conds, polyhedral.GE(start, polyhedral.Const(0)))
		return true
	}
	last, ok := h.last(start, slope.Neg())
	switch {
	case ok:
		h.symbolic = true
		x = last.Sub(polyhedral.Iter(h.name))
	case !isConst:
		return false
	}
	h.bounded = true
	h.conds = append(h.conds, polyhedral.GE(x, polyhedral.Const(0)))
	if !isConst {
		h.conds = append(h.conds, polyhedral.GE(slope.Neg(), polyhedral.Const(1)))
	}
	return true
}

// last returns start/by rounded down, the number of the last iteration, as a symbol or constant. If
// the step is no constant, the code in front of the nest tests that it is positive.
func (n *nest) last(start, by polyhedral.Expr) (x polyhedral.Expr, ok bool) {
	k, isConst := start.IsConst()
	step, fixed := by.IsConst()
	if fixed && (step == 1 || isConst && k < 0) {
		return x, false
	}
	most, ok := start.Limit()
	mostStep, okStep := by.Limit()
	switch {
	case !ok || !okStep:
		return x, false
	case fixed && isConst:
		return polyhedral.Const(k / step), true
	case !fixed:
		n.require([]string{inInts(by) + " >= 1"})
	}
	n.limit = min(n.limit, most, mostStep)
	n.named(start)
	n.named(by)
	return n.named(polyhedral.Sym(fmt.Sprintf("$floor(%s, %s)", inInts(start), inInts(by)))), true
}

// inInts returns a polynomial over symbols as Go source.
func inInts(x polyhedral.Expr) string {
	return x.Text(func(v polyhedral.Var) string { return "int(" + v.Name + ")" })
}

// differs adds the condition x != 0.
func (h *counted) differs(x polyhedral.Expr) bool {
	slope, start, ok := x.Linear(h.name)
	c, isConst := slope.IsConst()
	if !ok || !isConst || c == 0 || c < -maxStride || c > maxStride {
		return false
	}
	if c > 0 {
		c, start, x = -c, start.Neg(), x.Neg()
	}
	defer h.in0(h.st)()
	h.atLeast0(start)
	for r := int64(1); r < -c; r++ {
		h.never(h.st, polyhedral.Multiple(start.Plus(-r), -c))
	}
	return h.atLeast(x.Plus(-1))
}
