package polyhedral

import (
	"fmt"
	"slices"
	"strings"
)

// A Scan is an abstract loop program that visits the elements of a set.
type Scan struct {
	Array Array
	Body  []Node
}

// Node is a statement of a scan: *If, *ForLoop, *Run or *Strided.
type Node interface{ node() }

// If runs Then if all tests hold, and Else otherwise.
type If struct {
	Tests      []Test
	Then, Else []Node
}

// ForLoop is "for Var := Lo; Var <= Hi; Var += Step", with Step > 0.
type ForLoop struct {
	Var    Var
	Lo, Hi Term
	Step   int64
	Body   []Node
}

// Run visits the elements from Lo to Hi-1, none if Hi <= Lo. Row has the row subscripts
// of the array.
type Run struct {
	Row    []Term
	Lo, Hi Term
}

// Strided visits Count groups of Width neighbouring elements, at Lo, Lo+Stride, ..., none if
// Count <= 0. Width is positive; Stride is positive where it is executed.
type Strided struct {
	Row               []Term
	Lo, Count, Stride Term
	Width             int64
}

func (*If) node()      {}
func (*ForLoop) node() {}
func (*Run) node()     {}
func (*Strided) node() {}

// Test compares two terms. With Mod > 0 it tests whether L - R is a multiple of Mod.
type Test struct {
	L   Term
	Op  string // ">=", "==", or "mod"
	R   Term
	Mod int64
}

// testGE returns the test l >= r, written with few negative terms.
func testGE(l, r Term) Test {
	if l.isExpr() && r.isExpr() {
		a, b := l.Expr.Sub(r.Expr).sides()
		l, r = exprTerm(a), exprTerm(b)
	}
	return Test{L: l, Op: ">=", R: r}
}

// Text prints the test as a Go expression.
func (t Test) Text(f *Format) string {
	f = f.fill()
	if t.Op == "mod" {
		d := difference(t.L, t.R)
		return fmt.Sprintf("%s == %s", d.Text(f), productOf(Term{Op: Floor, Args: []Term{d}, Div: t.Mod}, number(t.Mod)).Text(f))
	}
	// Write a <= b if the number is on the left.
	if _, ok := t.L.constant(); ok && t.Op == ">=" {
		return t.R.Text(f) + " <= " + t.L.Text(f)
	}
	return t.L.Text(f) + " " + t.Op + " " + t.R.Text(f)
}

func (t Test) String() string { return t.Text(nil) }

func (t Test) equal(o Test) bool {
	return t.Op == o.Op && t.Mod == o.Mod && t.L.Equal(o.L) && t.R.Equal(o.R)
}

func (t Test) uses(v Var) bool { return t.L.Uses(v) || t.R.Uses(v) }

// constant returns whether the test holds, if its terms are constant.
func (t Test) constant() (holds, isConst bool) {
	l, ok1 := t.L.constant()
	r, ok2 := t.R.constant()
	if !ok1 || !ok2 {
		return false, false
	}
	switch t.Op {
	case ">=":
		return l >= r, true
	case "==":
		return l == r, true
	}
	return mod(mustAdd(l, -r), t.Mod) == 0, true
}

// terms calls visit for each term of node n, but not for the terms of inner nodes.
func terms(n Node, visit func(Term)) {
	switch n := n.(type) {
	case *If:
		for _, t := range n.Tests {
			visit(t.L)
			visit(t.R)
		}
	case *ForLoop:
		visit(n.Lo)
		visit(n.Hi)
	case *Run:
		for _, t := range slices.Concat(n.Row, []Term{n.Lo, n.Hi}) {
			visit(t)
		}
	case *Strided:
		for _, t := range slices.Concat(n.Row, []Term{n.Lo, n.Count, n.Stride}) {
			visit(t)
		}
	}
}

// String prints the scan, with runs as a[lo:hi] and strided runs as a[lo:: count,
// stride], or a[lo:: count, stride, width].
func (s *Scan) String() string { return s.Text(nil) }

// Text prints the scan with the names of f.
func (s *Scan) Text(f *Format) string {
	var b strings.Builder
	s.print(&b, s.Body, f.fill(), 0)
	return b.String()
}

func (s *Scan) print(b *strings.Builder, nodes []Node, f *Format, depth int) {
	indent := strings.Repeat("\t", depth)
	for _, n := range nodes {
		switch n := n.(type) {
		case *If:
			tests := make([]string, len(n.Tests))
			for i, t := range n.Tests {
				tests[i] = t.Text(f)
			}
			fmt.Fprintf(b, "%sif %s {\n", indent, strings.Join(tests, " && "))
			s.print(b, n.Then, f, depth+1)
			if len(n.Else) > 0 {
				fmt.Fprintf(b, "%s} else {\n", indent)
				s.print(b, n.Else, f, depth+1)
			}
			fmt.Fprintf(b, "%s}\n", indent)
		case *ForLoop:
			v := f.Name(n.Var)
			step := v + "++"
			if n.Step != 1 {
				step = fmt.Sprintf("%s += %d", v, n.Step)
			}
			fmt.Fprintf(b, "%sfor %s := %s; %s; %s {\n", indent, v, n.Lo.Text(f), below(v, n.Hi, f), step)
			s.print(b, n.Body, f, depth+1)
			fmt.Fprintf(b, "%s}\n", indent)
		case *Run:
			fmt.Fprintf(b, "%s%s[%s:%s]\n", indent, s.rowText(n.Row, f), n.Lo.Text(f), n.Hi.Text(f))
		case *Strided:
			width := ""
			if n.Width > 1 {
				width = fmt.Sprintf(", %d", n.Width)
			}
			fmt.Fprintf(b, "%s%s[%s:: %s, %s%s]\n", indent, s.rowText(n.Row, f), n.Lo.Text(f), n.Count.Text(f), n.Stride.Text(f), width)
		}
	}
}

func (s *Scan) rowText(row []Term, f *Format) string {
	text := s.Array.Name
	for _, t := range row {
		text += "[" + t.Text(f) + "]"
	}
	return text
}

// below prints v <= hi, or v < hi+1 if that is shorter.
func below(v string, hi Term, f *Format) string {
	at := hi.Text(f)
	if next, err := hi.next(); err == nil && len(next.Text(f)) < len(at) {
		return v + " < " + next.Text(f)
	}
	return v + " <= " + at
}
