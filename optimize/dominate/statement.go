package dominate

import (
	"go/ast"
	"go/token"
	"slices"
	"sort"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
	"taskinstr/ssapass/instrs"
)

// SSA loads the operands of a statement from left to right. The compiler may load a
// variable later, behind calls that stand to the right of it, and the check is made at
// the later load. So the calls of a statement may come between a load and the place that
// SSA gives it. The operands of && and || count as statements of their own: the left one has its
// value before anything of the right one is evaluated.

// A statements holds the extents of statements and calls in the source.
type statements struct {
	a     *ssapass.Analysis
	files map[*token.File]*statementFile
	syncs map[*ssa.Function][]syncAt
}

type statementFile struct {
	stmts []extent             // by start; the longest first among those with one start
	equal map[extent]token.Pos // of the assignments among stmts, the position of the operator
	nodes map[token.Pos]extent // calls, receives, sends and go statements, by the position that SSA gives them
}

type extent struct{ pos, end token.Pos }

func (e extent) has(p token.Pos) bool { return e.pos <= p && p < e.end }

// anyCall has the bits of everything that a load may be delayed past.
const anyCall = ^ssapass.Sync(0)

// isCall marks calls, also those without synchronization.
const isCall ssapass.Sync = 1 << 15

// A syncAt is an instruction that calls or may order tasks.
type syncAt struct {
	pos  token.Pos
	sync ssapass.Sync
}

func newStatements(b *builder.Builder) *statements {
	s := &statements{a: b.Analysis, files: map[*token.File]*statementFile{}, syncs: map[*ssa.Function][]syncAt{}}
	prog := b.Analysis.Program()
	for _, pkg := range prog.Packages {
		if !b.InScope(pkg.PkgPath) {
			continue
		}
		for _, f := range pkg.Syntax {
			if t := prog.Fset.File(f.FileStart); s.files[t] == nil {
				s.files[t] = statementsOf(f)
			}
		}
	}
	return s
}

// statementsOf returns the extents of the statements and calls in a file.
func statementsOf(f *ast.File) *statementFile {
	s := &statementFile{equal: map[extent]token.Pos{}, nodes: map[token.Pos]extent{}}
	add := func(n ast.Node) {
		if n != nil {
			s.stmts = append(s.stmts, extent{n.Pos(), n.End()})
		}
	}
	expr := func(e ast.Expr) {
		if e != nil {
			add(e)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			s.equal[extent{n.Pos(), n.End()}] = n.TokPos
		case *ast.IfStmt:
			expr(n.Cond)
		case *ast.ForStmt:
			expr(n.Cond)
		case *ast.RangeStmt:
			expr(n.X)
		case *ast.SwitchStmt:
			expr(n.Tag)
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				add(n.X)
				add(n.Y)
			}
		case *ast.CallExpr:
			s.nodes[n.Lparen] = extent{n.Pos(), n.End()}
		case *ast.UnaryExpr:
			s.nodes[n.OpPos] = extent{n.Pos(), n.End()}
		case *ast.SendStmt:
			s.nodes[n.Arrow] = extent{n.Pos(), n.End()}
		case *ast.GoStmt:
			s.nodes[n.Go] = extent{n.Pos(), n.End()}
		}
		if st, ok := n.(ast.Stmt); ok {
			if _, block := st.(*ast.BlockStmt); !block {
				add(st)
			}
		}
		return true
	})
	sort.SliceStable(s.stmts, func(i, j int) bool {
		if a, b := s.stmts[i], s.stmts[j]; a.pos != b.pos {
			return a.pos < b.pos
		} else {
			return a.end > b.end
		}
	})
	return s
}

// around returns the innermost statement at p.
func (f *statementFile) around(p token.Pos) (extent, bool) {
	for i := sort.Search(len(f.stmts), func(i int) bool { return f.stmts[i].pos > p }) - 1; i >= 0; i-- {
		if f.stmts[i].has(p) {
			return f.stmts[i], true
		}
	}
	return extent{}, false
}

// together reports whether the sites may be in one statement.
func (s *statements) together(a, b *ssapass.Site) bool {
	fset := s.a.Program().Fset
	return fset.File(a.Pos) == fset.File(b.Pos) && s.togetherAt(a.Pos, b.Pos)
}

// togetherAt reports whether what is at a, such as a site, may be in the statement at p.
func (s *statements) togetherAt(a, p token.Pos) bool {
	f := s.files[s.a.Program().Fset.File(a)]
	if f == nil || !p.IsValid() {
		return true
	}
	x, ok := f.around(a)
	y, ok2 := f.around(p)
	return !ok || !ok2 || x == y
}

// late reports whether a stands on the left of an assignment and b on its right. SSA has a before b.
// In the program, the right side is evaluated before the variables on the left are read, and may
// panic then.
func (s *statements) late(a, b token.Pos) bool {
	f := s.files[s.a.Program().Fset.File(a)]
	if f == nil {
		return true
	}
	e, ok := f.around(a)
	equal, assigns := f.equal[e]
	return !ok || assigns && a < equal && equal < b && e.has(b)
}

// operand reports whether what is at p belongs to an operand of the call.
func (s *statements) operand(c *ssa.Call, p token.Pos) bool {
	f := s.files[s.a.Program().Fset.File(c.Pos())]
	if f == nil || !p.IsValid() {
		return false
	}
	e, ok := f.nodes[c.Pos()]
	return ok && e.has(p)
}

// delayed reports whether the load of site t in fn may be delayed past an instruction of
// its statement that has one of the bits.
func (s *statements) delayed(t *ssapass.Site, fn *ssa.Function, bits ssapass.Sync) bool {
	f, list, ok := s.beside(t.Pos, fn)
	return !ok || slices.ContainsFunc(list, func(x syncAt) bool {
		// An instruction waits for the loads of its operands.
		e, known := f.nodes[x.pos]
		return x.sync&bits != 0 && !(known && e.has(t.Pos))
	})
}

// calls reports whether the statement at pos in fn may contain calls. The instructions of
// such a statement may run in another order than in SSA.
func (s *statements) calls(pos token.Pos, fn *ssa.Function) bool {
	_, list, ok := s.beside(pos, fn)
	return !ok || len(list) > 0
}

// beside returns the file of the statement at pos in fn, and the instructions of the statement that
// call or may order tasks. ok is false if the statement is not known.
func (s *statements) beside(pos token.Pos, fn *ssa.Function) (f *statementFile, list []syncAt, ok bool) {
	f = s.files[s.a.Program().Fset.File(pos)]
	if f == nil {
		return nil, nil, false
	}
	stmt, ok := f.around(pos)
	if !ok {
		return nil, nil, false
	}
	l := s.syncsOf(fn)
	from := sort.Search(len(l), func(i int) bool { return l[i].pos >= stmt.pos })
	to := sort.Search(len(l), func(i int) bool { return l[i].pos >= stmt.end })
	return f, l[from:to], true
}

// syncsOf returns the instructions of fn that call or may order tasks, by position.
func (s *statements) syncsOf(fn *ssa.Function) []syncAt {
	l, ok := s.syncs[fn]
	if ok {
		return l
	}
	for in := range instrs.Of(fn) {
		sync := s.a.InstrSync(in) &^ ssapass.MayPanic
		pos := in.Pos()
		if c, ok := in.(*ssa.Call); ok {
			pos = c.Call.Pos()
			if _, builtin := c.Call.Value.(*ssa.Builtin); !builtin {
				sync |= isCall
			}
		}
		if _, ok := in.(*ssa.Select); ok {
			continue // its operands are evaluated before it
		}
		if sync != 0 && pos.IsValid() {
			l = append(l, syncAt{pos, sync})
		}
	}
	sort.Slice(l, func(i, j int) bool { return l[i].pos < l[j].pos })
	s.syncs[fn] = l
	return l
}
