package polyhedral

import "slices"

// loop returns the shortest form of the loop "for v := a; v <= b; v += step { body }"
// over variable k:
//
//   - a loop of one iteration is its body;
//   - contiguous runs whose starts are a multiple c*step apart, and which are at least that
//     long, are one run; where the length depends on symbols, a test at run time chooses
//     between the run and the loop;
//   - runs of a constant length are one strided run.
func (g *generator) loop(k int, a, b Term, step int64, body []Node) []Node {
	v := g.vars[k]
	if len(body) == 0 {
		return nil
	}
	if a.Equal(b) && a.isExpr() && step == 1 {
		return substNodes(body, v, a.Expr)
	}
	whole := []Node{&ForLoop{Var: v, Lo: a, Hi: b, Step: step, Body: body}}
	if len(body) != 1 {
		return whole
	}
	switch n := body[0].(type) {
	case *If:
		if slices.ContainsFunc(n.Tests, func(t Test) bool { return t.uses(v) }) {
			return whole
		}
		return []Node{&If{Tests: n.Tests, Then: g.loop(k, a, b, step, n.Then), Else: g.loop(k, a, b, step, n.Else)}}
	case *Run:
		if code := g.runs(k, a, b, step, n, whole); code != nil {
			return code
		}
	case *Strided:
		if code := g.strides(v, a, b, step, n); code != nil {
			return code
		}
	}
	return whole
}

func rowsUse(row []Term, v Var) bool {
	return slices.ContainsFunc(row, func(t Term) bool { return t.Uses(v) })
}

// runs collapses a loop over contiguous runs.
func (g *generator) runs(k int, a, b Term, step int64, n *Run, whole []Node) []Node {
	v := g.vars[k]
	if rowsUse(n.Row, v) {
		return nil
	}
	coef, lo, ok1 := n.Lo.linear(v)
	coefHi, hi, ok2 := n.Hi.linear(v)
	if !ok1 || !ok2 || !coef.Equal(coefHi) {
		return nil
	}
	at := func(x, rest Term) Term { return sumOf(productOf(x, exprTerm(coef)), rest) }
	apart := coef.Scale(step)
	if apart.bad {
		return nil
	}
	if x, ok := apart.IsConst(); ok && x == 0 {
		return underTests([]Test{testGE(b, a)}, []Node{n})
	}
	positive, possible := g.positive(k, apart)
	if !possible {
		return nil
	}
	width, isConst := difference(hi, lo).constant()
	unit := isConst && width == 1
	rows := floorOf(difference(b, a), step).plus(1) // number of iterations, if positive

	_, constApart := apart.IsConst()
	long, possible := g.tests(k, hi, sumOf(lo, exprTerm(apart)))
	if possible && (!unit || constApart) {
		last := b
		if step > 1 {
			last = difference(b, modulo(difference(b, a), step))
		}
		code := []Node{&Run{Row: n.Row, Lo: at(a, lo), Hi: at(last, hi)}}
		if !difference(hi, lo).Equal(exprTerm(apart)) {
			// A longer run has elements even when the loop has no iteration.
			nonempty, can := g.tests(k, b, a)
			if !can {
				return nil
			}
			code = underTests(nonempty, code)
		}
		tests := slices.Concat(positive, long)
		if len(tests) == 0 {
			return code
		}
		return []Node{&If{Tests: tests, Then: code, Else: whole}}
	}
	if !isConst || width < 1 {
		return nil
	}
	code := []Node{&Strided{Row: n.Row, Lo: at(a, lo), Count: rows, Stride: exprTerm(apart), Width: width}}
	if len(positive) == 0 {
		return code
	}
	return []Node{&If{Tests: positive, Then: code, Else: whole}}
}

// strides collapses a loop over strided runs if each run continues the previous one.
func (g *generator) strides(v Var, a, b Term, step int64, n *Strided) []Node {
	if rowsUse(n.Row, v) || n.Count.Uses(v) || n.Stride.Uses(v) {
		return nil
	}
	coef, lo, ok := n.Lo.linear(v)
	if !ok || !productOf(n.Count, n.Stride).Equal(exprTerm(coef.Scale(step))) {
		return nil
	}
	rows := floorOf(difference(b, a), step).plus(1)
	return underTests([]Test{testGE(b, a)}, []Node{&Strided{
		Row: n.Row, Lo: sumOf(productOf(a, exprTerm(coef)), lo), Count: productOf(rows, n.Count), Stride: n.Stride, Width: n.Width}})
}

// positive returns the tests for e >= 1. A product of positive symbols needs no test.
func (g *generator) positive(k int, e Expr) ([]Test, bool) {
	if len(e.terms) == 1 && len(e.terms[0].vars) > 1 && e.terms[0].coef > 0 {
		proved := true
		for _, v := range e.terms[0].vars {
			tests, possible := g.tests(k, exprTerm(Of(v)), number(1))
			proved = proved && possible && len(tests) == 0
		}
		if proved {
			return nil, true
		}
	}
	return g.tests(k, exprTerm(e), number(1))
}

// tests returns the run-time tests that imply l >= r inside the loops over the
// variables before k. Result possible is false if l >= r cannot hold.
func (g *generator) tests(k int, l, r Term) (out []Test, possible bool) {
	if l.Op == Min || r.Op == Max {
		split, ls, rs := l.Op, []Term{l}, []Term{r}
		if split == Min {
			ls = l.Args
		}
		if r.Op == Max {
			rs = r.Args
		}
		for _, x := range ls {
			for _, y := range rs {
				more, ok := g.tests(k, x, y)
				if !ok {
					return nil, false
				}
				for _, t := range more {
					if !slices.ContainsFunc(out, t.equal) {
						out = append(out, t)
					}
				}
			}
		}
		return out, true
	}
	d := difference(l, r)
	if c, ok := d.constant(); ok {
		return nil, c >= 0
	}
	if d.isExpr() {
		if row, ok := g.rowOK(d.Expr); ok {
			context := &system{ge: g.context(k)}
			if context.implies(row) {
				return nil, true
			}
			context.ge = append(context.ge, g.derived...)
			if context.implies(row) {
				g.used = true
				return nil, true
			}
			if context.infeasible(row) { // false wherever the piece has an element
				return nil, false
			}
		}
	}
	return []Test{testGE(l, r)}, true
}

// substNodes returns the nodes with e substituted for v.
func substNodes(nodes []Node, v Var, e Expr) []Node {
	terms := func(ts []Term) []Term {
		var out []Term
		for _, t := range ts {
			out = append(out, t.subst(v, e))
		}
		return out
	}
	var out []Node
	for _, n := range nodes {
		switch n := n.(type) {
		case *If:
			c := &If{Then: substNodes(n.Then, v, e), Else: substNodes(n.Else, v, e)}
			never := false
			for _, t := range n.Tests {
				t.L, t.R = t.L.subst(v, e), t.R.subst(v, e)
				if t.Op == ">=" {
					t = testGE(t.L, t.R)
				}
				if holds, isConst := t.constant(); !isConst {
					c.Tests = append(c.Tests, t)
				} else if !holds {
					never = true
				}
			}
			switch {
			case never:
				out = append(out, c.Else...)
			case len(c.Tests) == 0:
				out = append(out, c.Then...)
			default:
				out = append(out, c)
			}
		case *ForLoop:
			out = append(out, &ForLoop{n.Var, n.Lo.subst(v, e), n.Hi.subst(v, e), n.Step, substNodes(n.Body, v, e)})
		case *Run:
			out = append(out, &Run{terms(n.Row), n.Lo.subst(v, e), n.Hi.subst(v, e)})
		case *Strided:
			out = append(out, &Strided{terms(n.Row), n.Lo.subst(v, e), n.Count.subst(v, e), n.Stride.subst(v, e), n.Width})
		}
	}
	return out
}

// join returns one node that visits the elements of a and b, nil if there is none: of strided
// runs that lie side by side, and of equal loops over such runs.
func join(a, b Node) Node {
	switch a := a.(type) {
	case *Strided:
		b, ok := b.(*Strided)
		if !ok || !a.Count.Equal(b.Count) || !a.Stride.Equal(b.Stride) || !slices.EqualFunc(a.Row, b.Row, Term.Equal) {
			return nil
		}
		apart, ok := difference(b.Lo, a.Lo).constant()
		switch {
		case ok && apart == -b.Width:
			a, b = b, a
		case !ok || apart != a.Width:
			return nil
		}
		width := a.Width + b.Width
		if stride, ok := a.Stride.constant(); ok && width == stride {
			return &Run{Row: a.Row, Lo: a.Lo, Hi: sumOf(a.Lo, productOf(a.Count, a.Stride))}
		}
		return &Strided{a.Row, a.Lo, a.Count, a.Stride, width}
	case *ForLoop:
		b, ok := b.(*ForLoop)
		if !ok || a.Var != b.Var || a.Step != b.Step || !a.Lo.Equal(b.Lo) || !a.Hi.Equal(b.Hi) || len(a.Body) != 1 || len(b.Body) != 1 {
			return nil
		}
		if n := join(a.Body[0], b.Body[0]); n != nil {
			return &ForLoop{a.Var, a.Lo, a.Hi, a.Step, []Node{n}}
		}
	}
	return nil
}
