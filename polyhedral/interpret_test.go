package polyhedral

// This file executes expressions, terms and scans. Tests compare the results with
// enumerated sets.

// Eval computes e. The error is ErrOverflow if a step exceeds int64, and an
// *unboundError if function value does not know a variable.
func (e Expr) Eval(value func(Var) (int64, bool)) (sum int64, err error) {
	defer catch(&err)
	return e.eval(value), nil
}

// unboundError names a variable that has no value.
type unboundError struct{ Var Var }

func (e *unboundError) Error() string { return "polyhedral: no value for " + e.Var.Name }

func (e Expr) eval(value func(Var) (int64, bool)) (sum int64) {
	if e.bad {
		refuse(ErrOverflow)
	}
	for _, t := range e.terms {
		p := t.coef
		for _, v := range t.vars {
			x, ok := value(v)
			if !ok {
				refuse(&unboundError{v})
			}
			p = mustMul(p, x)
		}
		sum = mustAdd(sum, p)
	}
	return sum
}

// Eval computes t. It has the errors of Expr.Eval.
func (t Term) Eval(value func(Var) (int64, bool)) (x int64, err error) {
	defer catch(&err)
	return t.eval(value), nil
}

func (t Term) eval(value func(Var) (int64, bool)) int64 {
	if t.Op == Plain {
		return t.Expr.eval(value)
	}
	x := t.Args[0].eval(value)
	switch t.Op {
	case Floor:
		return floorDiv(x, t.Div)
	case Ceil:
		if q := floorDiv(x, t.Div); mod(x, t.Div) == 0 {
			return q
		} else {
			return q + 1
		}
	}
	for _, a := range t.Args[1:] {
		y := a.eval(value)
		switch t.Op {
		case Sum:
			x = mustAdd(x, y)
		case Product:
			x = mustMul(x, y)
		case Min:
			x = min(x, y)
		case Max:
			x = max(x, y)
		}
	}
	return x
}

func (t Test) holds(value func(Var) (int64, bool)) bool {
	l, r := t.L.eval(value), t.R.eval(value)
	switch t.Op {
	case ">=":
		return l >= r
	case "==":
		return l == r
	}
	return mod(mustAdd(l, -r), t.Mod) == 0
}

// Walk calls visit for each node, outer nodes first. It skips the inner nodes of a node
// for which visit returns false.
func (s *Scan) Walk(visit func(Node) bool) { walk(s.Body, visit) }

func walk(nodes []Node, visit func(Node) bool) {
	for _, n := range nodes {
		if !visit(n) {
			continue
		}
		switch n := n.(type) {
		case *If:
			walk(n.Then, visit)
			walk(n.Else, visit)
		case *ForLoop:
			walk(n.Body, visit)
		}
	}
}

// Visit executes the scan. It calls run for each contiguous run [lo, hi) with lo < hi,
// and for each element of a strided run.
func (s *Scan) Visit(value func(Var) (int64, bool), run func(row []int64, lo, hi int64)) (err error) {
	defer catch(&err)
	local := map[Var]int64{}
	visit(s.Body, func(v Var) (int64, bool) {
		if x, ok := local[v]; ok {
			return x, true
		}
		return value(v)
	}, local, run)
	return nil
}

func visit(nodes []Node, value func(Var) (int64, bool), local map[Var]int64, run func(row []int64, lo, hi int64)) {
	rowOf := func(terms []Term) []int64 {
		var row []int64
		for _, t := range terms {
			row = append(row, t.eval(value))
		}
		return row
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *If:
			all := true
			for _, t := range n.Tests {
				if all = t.holds(value); !all {
					break
				}
			}
			if all {
				visit(n.Then, value, local, run)
			} else {
				visit(n.Else, value, local, run)
			}
		case *ForLoop:
			hi := n.Hi.eval(value)
			for x := n.Lo.eval(value); x <= hi; x = mustAdd(x, n.Step) {
				local[n.Var] = x
				visit(n.Body, value, local, run)
			}
			delete(local, n.Var)
		case *Run:
			if lo, hi := n.Lo.eval(value), n.Hi.eval(value); lo < hi {
				run(rowOf(n.Row), lo, hi)
			}
		case *Strided:
			count := n.Count.eval(value)
			if count <= 0 {
				continue
			}
			row, lo, stride := rowOf(n.Row), n.Lo.eval(value), n.Stride.eval(value)
			for k := range count {
				at := mustAdd(lo, mustMul(k, stride))
				run(row, at, mustAdd(at, n.Width))
			}
		}
	}
}
