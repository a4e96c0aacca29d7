package splice

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// A sequence follows the order in which the compiler evaluates one statement or header. The
// compiler first executes all calls and receives, from left to right, keeps their results
// in temporaries, and then executes the rest. So in x.f + g() it calls g before it loads x
// and x.f. A spliced check is a call itself and would come before g, which may release,
// acquire, panic or change x. Therefore, if a call follows a pending check, the call and
// all calls before it move into temporaries in front of the statement. The compiler does
// the same with them.
type sequence struct {
	canHoist bool
	pending  int       // number of checks whose accesses come after the calls that follow
	calls    int       // number of calls so far
	live     []*unit   // calls that have not moved and that no later call contains
	hoists   []*unit   // calls that have moved, in order
	after    []part    // checks behind the statement
	canAfter bool      // statements can be added behind this one
	line     int       // the line where checks can stand in front of the statement, 0 if they cannot
	ahead    []*direct // these checks, in order
	sites    int       // number of sites before the statement
	root     ast.Expr  // the whole expression that the sequence evaluates, nil if unknown
}

// A unit is a call, a receive, or a && or || that contains one.
type unit struct {
	node  ast.Expr
	names []string // temporaries of a moved unit
	edit  *edit
	// For X && Y with calls to be moved inside Y:
	cond *ast.BinaryExpr
	y    []*unit
}

// A mark is the state of a sequence before the operands of a unit.
type mark struct{ pending, live, hoists int }

func (s *sequence) mark() mark { return mark{s.pending, len(s.live), len(s.hoists)} }

// settle ends a unit that began at m. The program executes the checks and calls of the
// unit's operands together with the unit.
func (s *sequence) settle(m mark) {
	s.pending = m.pending
	s.forget(m)
}

// forget removes the units since m from the units that may still move: they move with the
// expression that contains them.
func (s *sequence) forget(m mark) {
	if len(s.hoists) > m.hoists { // the units before m have moved
		m.live = 0
	}
	s.live = s.live[:min(m.live, len(s.live))]
}

// call notes a call e. The walk has visited its operands since m.
func (f *file) call(e ast.Expr, m mark) {
	s := f.seq
	s.settle(m)
	s.calls++
	u := &unit{node: e}
	switch {
	case s.pending == 0:
		s.live = append(s.live, u)
	case s.canHoist && f.Nameable(e):
		f.hoist(u)
	default:
		f.pkg.stats.EarlyCheck++
		s.live = append(s.live, u)
	}
}

// operation notes an operation e, such as len, a slice expression or a type assertion. The
// compiler evaluates it among the calls, into a temporary. It is no call itself, so it
// moves in front of the statement only together with a later call.
func (f *file) operation(e ast.Expr, m mark) {
	s := f.seq
	s.settle(m)
	if f.Nameable(e) {
		s.live = append(s.live, &unit{node: e})
	}
}

// hoist moves u and all calls before it in front of the statement.
func (f *file) hoist(u *unit) {
	s := f.seq
	for _, l := range append(s.live, u) {
		n := 1
		if t, ok := f.TypeOf(l.node).(*types.Tuple); ok {
			n = t.Len()
		}
		for range n {
			l.names = append(l.names, f.temp())
		}
		a, b := f.Offset(l.node.Pos()), f.Offset(l.node.End())
		repl := []part{text(strings.Join(l.names, ", "))}
		if f.multiline(a, b) {
			repl = append(repl, f.resync(b))
		}
		l.edit = f.add(a, b, layerHoist, repl...)
		f.moved[ast.Unparen(l.node)] = true
		s.hoists = append(s.hoists, l)
	}
	s.live = nil
}

// variable moves e, behind all calls so far, in front of the statement. It returns the unit
// of e, which has a temporary.
func (f *file) variable(e ast.Expr) *unit {
	s := f.seq
	is := func(u *unit) bool { return ast.Unparen(u.node) == ast.Unparen(e) }
	if i := slices.IndexFunc(s.hoists, is); i >= 0 {
		return s.hoists[i]
	}
	u := &unit{node: e}
	if i := slices.IndexFunc(s.live, is); i >= 0 {
		u = s.live[i]
		s.live = slices.Delete(s.live, i, i+1)
	}
	f.hoist(u)
	return u
}

// shortCircuit visits X && Y or X || Y. The compiler evaluates the operation in its order
// among the calls, and evaluates Y under a condition.
func (f *file) shortCircuit(e *ast.BinaryExpr) {
	s := f.seq
	m := s.mark()
	calls, root := s.calls, s.root
	s.root = e.X
	f.rvalue(e.X)
	s.settle(m)
	s.root = root
	movable := s.canHoist && site.IsBool(f.TypeOf(e))
	f.seq = &sequence{canHoist: movable, root: e.Y}
	f.rvalue(e.Y)
	y := f.seq
	f.seq = s
	s.calls += y.calls
	switch {
	case len(y.hoists) > 0:
		f.hoist(&unit{node: e, cond: e, y: y.hoists})
	case s.calls > calls:
		s.calls--
		f.call(e, s.mark())
	default:
		f.operation(e, m)
	}
}

// hoistParts returns the statements that evaluate the moved units in order. The text at
// offset next follows them on its line, and keeps its position.
func (f *file) hoistParts(q *sequence, us []*unit, next int) []part {
	var ps []part
	shifted := false
	for _, u := range us {
		moved := f.multiline(min(next, u.edit.start), max(next, u.edit.end))
		if moved {
			ps = append(ps, f.resync(u.edit.start))
			shifted = true
		}
		ps = append(ps, q.aheadOf(u)...)
		names := strings.Join(u.names, ", ")
		if u.cond == nil {
			ps = append(ps, text(names+" := "), inner(u.edit), text("; "))
			continue
		}
		neg := ""
		if u.cond.Op.String() == "||" {
			neg = "!"
		}
		x, y := u.cond.X, u.cond.Y
		ps = append(ps, text(names+" := "), f.within(u.edit, x), text("; if "+neg+names+" { "))
		ps = append(ps, f.hoistParts(q, u.y, f.Offset(y.Pos()))...)
		if f.multiline(f.Offset(x.Pos()), f.Offset(y.Pos())) {
			ps = append(ps, f.resync(f.Offset(y.Pos())))
		}
		ps = append(ps, text(names+" = "), f.within(u.edit, y), text("}; "))
	}
	if shifted {
		ps = append(ps, f.resync(next))
	}
	return ps
}

// within returns the part for the text of n, which is inside the text that e replaces.
func (f *file) within(e *edit, n ast.Node) part {
	return part{kind: partInner, e: e, a: f.Offset(n.Pos()), b: f.Offset(n.End())}
}
