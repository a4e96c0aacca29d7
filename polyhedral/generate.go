package polyhedral

import (
	"fmt"
	"slices"
)

// Scan returns a loop program that visits exactly the elements of the set, by rising
// coordinates. It has one loop for each coordinate but the last, bounded by the
// projection of the piece on this coordinate and the outer ones, and a run for the last
// coordinate. Loops whose runs touch collapse to one run. Existential iterators become
// loops around the last coordinate.
func (s *Set) Scan() (scan *Scan, err error) {
	defer catch(&err)
	scan = &Scan{Array: s.array}
	for _, p := range s.pieces {
		g := s.generator(p)
		if g == nil {
			continue
		}
		scan.Body = joinTests(scan.Body, g.piece())
	}
	return scan, nil
}

// joinTests appends code to nodes. Neighbours under the same tests share one If; nodes that
// can be joined become one.
func joinTests(nodes, code []Node) []Node {
	if len(code) == 1 {
		for i, n := range nodes {
			if n := join(n, code[0]); n != nil {
				return joinTests(slices.Delete(nodes, i, i+1), []Node{n}) // it may touch another one
			}
		}
	}
	if len(nodes) > 0 && len(code) == 1 {
		a, ok1 := nodes[len(nodes)-1].(*If)
		b, ok2 := code[0].(*If)
		if ok1 && ok2 && len(a.Else)+len(b.Else) == 0 && slices.EqualFunc(a.Tests, b.Tests, Test.equal) {
			a.Then = joinTests(a.Then, b.Then)
			return nodes
		}
	}
	return append(nodes, code...)
}

// generator generates the code of one piece. Its columns are the constant, the
// parameters, and the scanned variables, outermost first.
type generator struct {
	*columns
	array     Array
	first     int // column of the first variable
	index     Expr
	rows      []Term
	assume    []row   // assumptions of the set, which need no test
	explicit  []row   // inequalities on parameters only; they are tested
	residues  []Test  // congruences on parameters only
	derived   []row   // inequalities on parameters that hold if the piece has an element
	used      bool    // a proof needed derived, so it must be tested
	bounds    [][]row // inequalities of each variable in which it is the last
	congruent [][]congruence
}

// generator prepares the bounds of each loop over piece p. It returns nil if the piece
// is empty.
func (s *Set) generator(p piece) *generator {
	g := &generator{array: s.array, first: s.firstDim()}
	vars, target := s.scanned(p)
	g.address(s, vars, target)
	g.columns = newColumns(s.params, 0, vars)
	g.assume = s.context(g.width)
	sys := p.moved(target)
	var rows []row
	for _, r := range sys.ge {
		rows = addTightest(rows, r)
	}
	for _, r := range sys.eq {
		rows = addTightest(addTightest(rows, r), negated(r))
	}
	g.congruences(sys.cg)
	for _, r := range rows {
		if onlyBelow(r, g.first) {
			g.explicit = append(g.explicit, r)
		}
	}
	shadow, ok := g.project(rows)
	if !ok {
		return nil
	}
	g.bound(shadow)
	return g
}

// scanned returns the variables of the loops over piece p, outermost first, and the new place of each
// column of the piece: the last coordinate moves behind the existentials.
func (s *Set) scanned(p piece) (vars []Var, target []int) {
	first, n := s.firstDim(), s.dims()+p.exist
	target = make([]int, first+n)
	for i := range target {
		target[i] = i
	}
	for k := range s.dims() - 1 {
		vars = append(vars, Var{fmt.Sprintf("c%d", k), Iterator})
	}
	for k := range p.exist {
		vars = append(vars, Var{fmt.Sprintf("e%d", k), Iterator})
		target[s.firstExist()+k] = s.firstExist() + k - 1
	}
	vars = append(vars, Var{fmt.Sprintf("c%d", s.dims()-1), Iterator})
	target[s.firstExist()-1] = first + n - 1
	return vars, target
}

// address sets the rows and the index of the element at the coordinates of the set.
func (g *generator) address(s *Set, vars []Var, target []int) {
	for k := range s.dims() {
		v := Of(vars[target[g.first+k]-g.first])
		if k < s.array.Rows {
			g.rows = append(g.rows, exprTerm(v))
		} else {
			g.index = g.index.Add(s.multiplier(k - s.array.Rows).Mul(v))
		}
	}
}

// congruences gives each congruence to the last variable in it. Those without a variable are tests.
func (g *generator) congruences(list []congruence) {
	n := len(g.vars)
	g.congruent = make([][]congruence, n)
	for _, c := range list {
		if onlyBelow(c.row, g.first) {
			g.residues = append(g.residues, Test{L: exprTerm(paramExpr(g.params, c.row[:g.first])), Op: "mod", R: number(0), Mod: c.mod})
			continue
		}
		k := n - 1
		for c.row[g.first+k] == 0 {
			k--
		}
		g.congruent[k] = append(g.congruent[k], c)
	}
}

// project returns the projections of the rows: shadow[k] is the projection on the variables up to k.
// The projection on the parameters is in g.derived. Result ok is false if the rows contradict each other.
func (g *generator) project(rows []row) (shadow [][]row, ok bool) {
	shadow = make([][]row, len(g.vars))
	for k := len(shadow) - 1; k >= 0; k-- {
		shadow[k] = rows
		next, contradiction, ok := eliminateRational(rows, g.first+k)
		if contradiction {
			return nil, false
		}
		if !ok {
			refuse(errLarge)
		}
		rows = next
	}
	g.derived = rows
	return shadow, true
}

// bound sets the bounds of each variable: the rows of its shadow that the bounds of the outer variables
// do not imply.
func (g *generator) bound(shadow [][]row) {
	outer := slices.Concat(g.assume, g.explicit)
	g.bounds = make([][]row, len(shadow))
	for k := range shadow {
		var own []row
		for _, r := range shadow[k] {
			if r[g.first+k] != 0 {
				own = append(own, r)
			}
		}
		needed := &system{ge: own}
		needed.dropRedundant(outer)
		g.bounds[k] = needed.ge
		outer = append(outer, needed.ge...)
	}
}

// moved returns the system with column c at target[c].
func (s *system) moved(target []int) *system {
	return s.columns(func(r row) row {
		out := make(row, len(r))
		for i, c := range r {
			out[target[i]] = c
		}
		return out
	})
}

// context returns the inequalities that hold inside the loops over the variables before
// k.
func (g *generator) context(k int) []row {
	out := slices.Concat(g.assume, g.explicit)
	for _, b := range g.bounds[:k] {
		out = append(out, b...)
	}
	return out
}

// piece returns the code of the piece.
func (g *generator) piece() []Node {
	last := &Run{Row: g.rows, Lo: exprTerm(g.index), Hi: exprTerm(g.index.Plus(1))}
	nodes := []Node{last}
	for k := len(g.bounds) - 1; k >= 0; k-- {
		nodes = g.level(k, nodes)
	}
	tests := slices.Clone(g.residues)
	guard := g.explicit
	if g.used {
		guard = slices.Concat(guard, g.derived)
	}
	needed := &system{ge: guard}
	needed.dropRedundant(g.assume)
	for _, r := range needed.ge {
		tests = append(tests, testGE(exprTerm(paramExpr(g.params, r[:g.first])), number(0)))
	}
	return underTests(tests, nodes)
}

// underTests returns nodes, inside an If when there are tests.
func underTests(tests []Test, nodes []Node) []Node {
	if len(tests) == 0 || len(nodes) == 0 {
		return nodes
	}
	return []Node{&If{Tests: tests, Then: nodes}}
}

// expr returns a row as an expression, without the term of column skip.
func (g *generator) expr(r row, skip int) Expr {
	e := paramExpr(g.params, r[:g.first])
	for i, v := range g.vars {
		if c := r[g.first+i]; c != 0 && g.first+i != skip {
			e = e.Add(Of(v).Scale(c))
		}
	}
	if e.bad {
		refuse(ErrOverflow)
	}
	return e
}

// level returns the loop over variable k around body.
func (g *generator) level(k int, body []Node) []Node {
	at := g.first + k
	var lower, upper []Term
	for _, r := range g.bounds[k] {
		if c := r[at]; c > 0 {
			lower = append(lower, ceilOf(exprTerm(g.expr(r, at).Neg()), c))
		} else {
			upper = append(upper, floorOf(exprTerm(g.expr(r, at)), -c))
		}
	}
	if len(lower) == 0 || len(upper) == 0 {
		// Each loop has both bounds. A bound is missing only if its row overflowed.
		refuse(fmt.Errorf("%w: bounds of the subscripts of %s", ErrOverflow, g.array.Name))
	}
	lo, hi := extremum(Max, lower), extremum(Min, upper)
	var tests []Test
	step, residue := int64(1), number(0)
	for _, c := range g.congruent[k] {
		var more []Test
		step, residue, more = g.meet(step, residue, c, at)
		tests = append(tests, more...)
	}
	if step > 1 {
		lo = sumOf(lo, modulo(difference(residue, lo), step))
	}
	return underTests(tests, g.loop(k, lo, hi, step, body))
}

// meet combines the congruence "x is residue modulo step" with a congruence c on column
// at, which is the column of x. A solution exists if the returned tests hold.
func (g *generator) meet(step int64, residue Term, c congruence, at int) (int64, Term, []Test) {
	var tests []Test
	a, m := c.row[at], c.mod
	e := exprTerm(g.expr(c.row, at).Neg()) // a*x = e modulo m
	if d := gcd(a, m); d > 1 {
		tests = append(tests, Test{L: e, Op: "mod", R: number(0), Mod: d})
		e, a, m = floorOf(e, d), a/d, m/d
	}
	if m == 1 {
		return step, residue, tests
	}
	own := productOf(e, number(inverse(a, m))) // x = own modulo m
	if step == 1 {
		return m, own, tests
	}
	d := gcd(step, m)
	diff := difference(own, residue)
	if d > 1 {
		if rest, ok := modulo(diff, d).constant(); !ok || rest != 0 {
			tests = append(tests, Test{L: diff, Op: "mod", R: number(0), Mod: d})
		}
		diff = floorOf(diff, d)
	}
	// x = residue + step*t, where (step/d)*t = diff modulo m/d.
	if m/d > 1 {
		t := modulo(productOf(diff, number(inverse(step/d, m/d))), m/d)
		residue = sumOf(residue, productOf(t, number(step)))
	}
	return mustMul(step, m/d), residue, tests
}
