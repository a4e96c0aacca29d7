package splice

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// Branches not taken (Yoga and Nagarakatte, PTRacer, section 3.1). With Config.Branches each
// side of a simple if statement begins with a record of the side that was taken, and of the
// reads and writes that the other side would have made, with their locks. A detector judges
// later whether another schedule takes the other side.
//
// An if statement is simple if it lies in no loop and in no other branch, and its sides are
// straight: assignments, declarations, operations of mutexes, and calls of functions of the
// package whose bodies are straight as well. The accesses of a side are recorded up to the first
// statement that is not straight; behind it they are unknown. If the statement has no else and
// its body leaves the function, the other side consists of the statements behind it. A switch
// statement with values is simple under the same conditions: the other sides of a clause are all
// other clauses.
//
// For other if statements, and for loops with a condition, only the decision is recorded, and
// only if its formula is known: the task's later events depend on the reads of the formula.
//
// An expression in a record must not panic, call a function or change anything, and must have
// at the beginning of the side the value that it would have at the access. So an address is
// spelled anew (branch_place.go): the values of assignments replace the local variables that the
// side assigns, and conditions compare pointers with nil and indexes with lengths first. An
// address that depends on memory which the side writes before the access is left out.

// A BranchNote says which accesses of one if statement are recorded.
type BranchNote struct {
	File     string // as in reports
	Line     int
	Recorded int      // the number of accesses that are recorded
	Left     []string // the reasons why others are not
}

// maxBranchLocks bounds the locks of a record that the side takes or gives up before the access.
const maxBranchLocks = 3

// branchCallDepth bounds the depth to which calls are followed.
const branchCallDepth = 4

// branches records the if statements of a function's body.
func (f *file) branches(b *ast.BlockStmt) {
	if !f.pkg.cfg.Branches || f.skip {
		return
	}
	if f.fn.nosplit {
		f.leaveAll(b, "its function is marked go:nosplit, and a record takes more stack than that allows")
		return
	}
	for i, s := range b.List {
		if x, ok := s.(*ast.IfStmt); ok && x.Else == nil && leaves(x.Body) && i+1 < len(b.List) {
			f.branch(x, &ast.BlockStmt{Lbrace: x.End(), List: b.List[i+1:], Rbrace: b.Rbrace})
			f.branchesIn(x.Body, inBranch)
			continue
		}
		f.branchesIn(s, "")
	}
	f.values(b)
}

// leaves reports whether a block ends with a return statement.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return ok
}

// branchesIn visits the if statements in s; why is the reason why they are not simple, "" if they
// may be.
func (f *file) branchesIn(s ast.Node, why string) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false // its body is visited as a function's own
		case *ast.IfStmt:
			if why != "" {
				f.leave(n, why)
				f.decision(n)
				return true
			}
			if _, ok := n.Else.(*ast.IfStmt); ok {
				f.leave(n, "its else is another if statement")
				f.decision(n)
				f.branchesIn(n.Body, inBranch)
				f.branchesIn(n.Else, inBranch)
				return false
			}
			f.branch(n, nil)
			f.branchesIn(n.Body, inBranch)
			if n.Else != nil {
				f.branchesIn(n.Else, inBranch)
			}
			return false
		case *ast.SwitchStmt:
			if why == "" {
				f.switches(n)
			}
		case *ast.ForStmt, *ast.RangeStmt:
			if l, ok := n.(*ast.ForStmt); ok {
				f.loopDecision(l)
			}
			if why == "" {
				for _, c := range blockOf(n) {
					f.branchesIn(c, "it lies in a loop")
				}
				return false
			}
		case *ast.CaseClause, *ast.CommClause:
			if why == "" {
				for _, c := range blockOf(n) {
					f.branchesIn(c, inBranch)
				}
				return false
			}
		}
		return true
	})
}

const inBranch = "it lies in another branch"

// blockOf returns the statements of a loop or clause.
func blockOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n.Body.List
	case *ast.RangeStmt:
		return n.Body.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// noteBranch returns a note on s that has nothing recorded.
func (f *file) noteBranch(s ast.Stmt, left ...string) BranchNote {
	pos := f.pkg.cfg.Fset.Position(s.Pos())
	return BranchNote{File: pos.Filename, Line: pos.Line, Left: left}
}

func (f *file) leave(s *ast.IfStmt, why string) {
	f.pkg.branchNotes = append(f.pkg.branchNotes, f.noteBranch(s, why))
}

// leaveAll notes that nothing is recorded of the if statements in a function's body.
func (f *file) leaveAll(b *ast.BlockStmt, why string) {
	ast.Inspect(b, func(n ast.Node) bool {
		if s, ok := n.(*ast.IfStmt); ok {
			f.leave(s, why)
		}
		_, literal := n.(*ast.FuncLit)
		return !literal
	})
}

// branch records a simple if statement. If the body leaves the function, rest has the statements
// that the function executes when the condition does not hold; otherwise it is nil.
func (f *file) branch(s *ast.IfStmt, rest *ast.BlockStmt) {
	note := f.noteBranch(s)
	no, _ := s.Else.(*ast.BlockStmt)
	other := no
	if rest != nil {
		other = rest
	}
	inYes := f.otherSide(s.Body, other, &note)
	inNo := f.otherSide(no, s.Body, &note)
	if note.Recorded == 0 {
		f.decision(s)
	} else {
		id := f.branchSite(s)
		f.atStart(s.Body, layerInner, append([]part{text(f.takes(id, 1))}, inYes...)...)
		if no != nil {
			f.atStart(no, layerInner, append([]part{text(f.takes(id, 0))}, inNo...)...)
		} else {
			at := f.Offset(s.Body.Rbrace)
			ps := append([]part{source(at, at+1), text(" else { " + f.takes(id, 0))}, inNo...)
			f.add(at, at+1, layerInner, append(ps, text("}"))...)
		}
	}
	f.pkg.branchNotes = append(f.pkg.branchNotes, note)
}

// takes returns the statement that records the side taken.
func (f *file) takes(id, way int) string {
	f.pkg.helpers["_ti_branch"] = true
	return fmt.Sprintf("_ti_branch(&_ti_sites.idx[%d],%d); ", id, way)
}

// branchSite lists an if statement in the site table.
func (f *file) branchSite(s *ast.IfStmt) int { return f.decisionSite(s, s.Cond, f.decided(s.Cond)) }

// decisionSite lists a statement in the site table that decides by expression e.
func (f *file) decisionSite(s ast.Stmt, e ast.Expr, formula string) int {
	f.pkg.sites = append(f.pkg.sites, f.describe(s, f.TextOf(e), "branch"))
	id := len(f.pkg.sites) - 1
	if f.branchSites == nil {
		f.branchSites = map[int]bool{}
	}
	f.branchSites[id] = true
	f.tell(id, e, formula)
	return id
}

// otherSide returns the records of the accesses of side, for the beginning of the side here,
// which is taken. Either is nil if it has no statements.
func (f *file) otherSide(here, side *ast.BlockStmt, note *BranchNote) []part {
	if side == nil {
		return nil
	}
	r := &branchWalk{f: f, in: f, from: side, values: map[*types.Var]string{}, known: map[*types.Var]bool{}, written: map[types.Object]bool{}}
	r.pos = side.Lbrace
	if here != nil {
		r.pos = here.Lbrace
	}
	r.block(side.List)
	note.Recorded += r.recorded
	for _, why := range r.left {
		if !slices.Contains(note.Left, why) {
			note.Left = append(note.Left, why)
		}
	}
	return r.parts
}

// A branchWalk walks one side of a branch and collects records for the other.
type branchWalk struct {
	f     *file          // the file of the records
	in    *file          // the file of the statements that are walked
	from  *ast.BlockStmt // the side, or the body of the function that it calls
	pos   token.Pos      // of the records, which decides the objects that their names denote
	depth int            // of calls that are followed
	calls []*types.Func  // the functions that are followed

	values  map[*types.Var]string // by variable that the side has assigned: its value as an expression at pos
	known   map[*types.Var]bool   // by variable that the side has assigned: whether values has it
	written map[types.Object]bool // variables and fields in memory that the side has written
	locks   []lockAt              // taken since the beginning of the side

	parts    []part
	recorded int
	left     []string
	stopped  bool // the walk has met a return statement, or has stopped
	lost     bool // the statements behind are not known
}

func (r *branchWalk) leave(format string, args ...any) {
	if why := fmt.Sprintf(format, args...); !slices.Contains(r.left, why) {
		r.left = append(r.left, why)
	}
}

// stop ends the walk at n: the accesses behind n are unknown.
func (r *branchWalk) stop(n ast.Node, what string) {
	r.stopped, r.lost = true, true
	r.leave("%s at line %d: the accesses behind it are not known", what, r.f.pkg.cfg.Fset.Position(n.Pos()).Line)
}

func (r *branchWalk) block(list []ast.Stmt) {
	for _, s := range list {
		if r.stopped {
			return
		}
		r.stmt(s)
	}
}

func (r *branchWalk) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		r.block(s.List)
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			r.call(call)
		} else {
			r.stop(s, "a receive")
		}
	case *ast.IncDecStmt:
		r.reads(s.X)
		if !r.stopped {
			r.assign(s.X, nil)
		}
	case *ast.AssignStmt:
		r.assignment(s)
	case *ast.DeclStmt:
		d, ok := s.Decl.(*ast.GenDecl)
		if !ok || d.Tok != token.VAR {
			return
		}
		for _, sp := range d.Specs {
			vs := sp.(*ast.ValueSpec)
			r.all(vs.Values)
			for i, id := range vs.Names {
				var v ast.Expr
				if i < len(vs.Values) && len(vs.Values) == len(vs.Names) {
					v = vs.Values[i]
				}
				r.define(id, v)
			}
		}
	case *ast.ReturnStmt:
		r.all(s.Results)
		r.stopped = true
	default:
		r.stop(s, fmt.Sprintf("a %s", statementName(s)))
	}
}

func statementName(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return "nested branch"
	case *ast.ForStmt, *ast.RangeStmt:
		return "loop"
	case *ast.GoStmt:
		return "go statement"
	case *ast.DeferStmt:
		return "defer statement"
	case *ast.SendStmt:
		return "send"
	case *ast.SelectStmt:
		return "select statement"
	case *ast.BranchStmt:
		return s.Tok.String() + " statement"
	}
	return "statement"
}

func (r *branchWalk) assignment(s *ast.AssignStmt) {
	r.all(s.Rhs)
	if r.stopped {
		return
	}
	compound := s.Tok != token.ASSIGN && s.Tok != token.DEFINE
	values := make([]ast.Expr, len(s.Lhs))
	if !compound && len(s.Rhs) == len(s.Lhs) {
		copy(values, s.Rhs)
	}
	if len(s.Lhs) > 1 {
		clear(values) // the values are evaluated before the first assignment
	}
	for i, l := range s.Lhs {
		if compound {
			r.reads(l)
		} else {
			r.operands(l)
		}
		if r.stopped {
			return
		}
		if id, ok := l.(*ast.Ident); ok && s.Tok == token.DEFINE {
			r.define(id, values[i])
			continue
		}
		r.assign(l, values[i])
	}
}

// define notes that id is declared with value v, nil if the value has no expression.
func (r *branchWalk) define(id *ast.Ident, v ast.Expr) {
	if o, ok := r.f.pkg.cfg.Info.ObjectOf(id).(*types.Var); ok {
		r.setLocal(o, v)
	}
}

func (r *branchWalk) setLocal(o *types.Var, v ast.Expr) {
	r.known[o] = false
	if v == nil {
		return
	}
	if t, ok := r.pure(v); ok {
		r.values[o], r.known[o] = t, true
	}
}

// assign records the write of value v to place e.
func (r *branchWalk) assign(e, v ast.Expr) {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok {
		if id.Name == "_" {
			return
		}
		o, ok := r.f.pkg.cfg.Info.ObjectOf(id).(*types.Var)
		if ok && !r.f.pkg.Shared(o) {
			r.setLocal(o, v)
			return
		}
	}
	if x, ok := e.(*ast.IndexExpr); ok && r.f.isMap(x.X) {
		r.leave("writes of map elements are not recorded")
		return
	}
	r.record(e, site.Write)
	if o := r.f.memoryOf(e); o != nil {
		r.written[o] = true
	} else {
		r.written[anyMemory] = true
	}
}

// anyMemory represents elements and the variables that pointers point to.
var anyMemory types.Object = types.NewLabel(token.NoPos, nil, "memory")

// memoryOf returns the variable or field that place e is, nil if e is an element or a
// dereferenced pointer.
func (f *file) memoryOf(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return f.pkg.cfg.Info.ObjectOf(e)
	case *ast.SelectorExpr:
		return f.pkg.cfg.Info.ObjectOf(e.Sel)
	}
	return nil
}

// all records the reads that the values of several expressions need.
func (r *branchWalk) all(list []ast.Expr) {
	for _, e := range list {
		if r.stopped {
			return
		}
		r.reads(e)
	}
}

// reads records the reads that the value of e needs.
func (r *branchWalk) reads(e ast.Expr) {
	if r.stopped {
		return
	}
	if tv := r.f.pkg.cfg.Info.Types[e]; tv.Value != nil || tv.IsType() || tv.IsNil() {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		r.reads(e.X)
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr:
		r.operands(e)
		r.readPlace(e)
	case *ast.IndexExpr:
		if r.f.isMap(e.X) {
			r.all([]ast.Expr{e.X, e.Index})
			r.leave("reads of map elements are not recorded")
			return
		}
		r.operands(e)
		r.readPlace(e)
	case *ast.BasicLit, *ast.FuncLit:
	case *ast.UnaryExpr:
		switch e.Op {
		case token.ARROW:
			r.stop(e, "a receive")
		case token.AND:
			if _, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				r.reads(e.X)
			} else {
				r.operands(e.X)
			}
		default:
			r.reads(e.X)
		}
	case *ast.BinaryExpr:
		r.reads(e.X)
		if e.Op == token.LAND || e.Op == token.LOR {
			if r.f.hasPlace(e.Y) {
				r.stop(e, "an operand of "+e.Op.String()+" that is not always evaluated")
			}
			return
		}
		r.reads(e.Y)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			r.reads(x)
		}
	case *ast.SliceExpr:
		r.all([]ast.Expr{e.X})
		for _, x := range []ast.Expr{e.Low, e.High, e.Max} {
			if x != nil {
				r.reads(x)
			}
		}
	case *ast.TypeAssertExpr:
		r.reads(e.X)
	case *ast.CallExpr:
		r.call(e)
	default:
		r.stop(e, fmt.Sprintf("%T", e))
	}
}

// hasPlace reports whether e may read shared memory or call a function.
func (f *file) hasPlace(e ast.Expr) bool {
	found := f.Calls(e)
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && f.Storage(x) == site.Reachable {
			found = true
		}
		return !found
	})
	return found
}

// operands records the reads that the address of place e needs.
func (r *branchWalk) operands(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		r.operands(e.X)
	case *ast.SelectorExpr:
		sel := r.f.pkg.cfg.Info.Selections[e]
		if sel == nil || sel.Kind() != types.FieldVal {
			return
		}
		if site.IsPointer(sel.Recv()) {
			r.reads(e.X)
		} else {
			r.operands(e.X)
		}
	case *ast.IndexExpr:
		if site.IsArray(r.f.pkg.TypeOf(e.X)) {
			r.operands(e.X)
		} else {
			r.reads(e.X)
		}
		r.reads(e.Index)
	case *ast.StarExpr:
		r.reads(e.X)
	}
}

func (r *branchWalk) readPlace(e ast.Expr) {
	if r.f.Storage(e) == site.Reachable {
		r.record(e, site.Read)
	}
}

// record adds the record of an access to place e.
func (r *branchWalk) record(e ast.Expr, kind site.Kind) {
	if r.stopped || r.f.Storage(e) != site.Reachable || r.f.pkg.Size(r.f.pkg.TypeOf(e)) == 0 {
		return
	}
	if len(r.locks) > maxBranchLocks {
		r.leave("accesses under more than %d locks that the side takes", maxBranchLocks)
		return
	}
	s := r.spell()
	place, ok := s.place(e)
	if !ok {
		r.leave("%s: its address cannot be told in advance", site.Text(r.in.TextOf(e)))
		return
	}
	r.f.pkg.sites = append(r.f.pkg.sites, r.in.describe(e, r.in.TextOf(e), r.in.What(e)))
	id := len(r.f.pkg.sites) - 1
	locks := make([]string, 0, maxBranchLocks)
	for _, l := range r.locks {
		x, ok := s.lock(l)
		if !ok {
			r.leave("%s: a lock's address cannot be told in advance", site.Text(r.in.TextOf(e)))
			return
		}
		locks = append(locks, x)
	}
	for len(locks) < maxBranchLocks {
		locks = append(locks, "0")
	}
	r.f.pkg.helpers["_ti_possible"], r.f.pkg.helpers["_ti_maybe"] = true, true
	call := fmt.Sprintf("_ti_possible(&%s,%d,&_ti_sites.idx[%d],%s)", place, kind, id, strings.Join(locks, ","))
	r.parts = append(r.parts, text(s.guarded(call)+"; "))
	r.recorded++
}
