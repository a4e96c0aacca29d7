package splice

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"taskinstr/internal/site"
)

// The hooks of the runtime check some accesses, which therefore need no check here: the
// accesses of maps, channels, conversions of bytes to strings and growing slices, and the
// accesses that packages sync, sync/atomic and race make known. Reports still have to name
// the expression of such an access, and the expressions of locks. So the site table lists
// these operations as well, in lines behind the sites. The fourth column of such a line is
// a word that names the operation. A report finds the line by this word and by the line of
// the call that the compiler makes of the operation.

// The operations. A method of package sync is named syncOp and the method's name.
const (
	opMapRead   = "mapread"
	opMapAssign = "mapassign"
	opMapDelete = "mapdelete"
	opMapClear  = "mapclear"
	opMapRange  = "maprange"
	opSend      = "send"
	opClose     = "close"
	opAppend    = "append" // reads the elements of a slice that must grow
	opString    = "string" // reads the elements of a slice that becomes a string
	opRace      = "race"   // an access that a call of package race makes known
	syncOp      = "sync."
)

// An unseenAccess is an operation that a hook of the runtime checks.
type unseenAccess struct {
	Row
	op string // the operation, with the line of the call where it is not the line of the site
}

// listUnseen lists the operations of the file that hooks check.
func (f *file) listUnseen() {
	var path []ast.Node                  // the nodes from the file to the current node
	assigned := map[ast.Expr]token.Pos{} // assigned places, and the positions of their assignments
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				assigned[ast.Unparen(l)] = n.TokPos
			}
			if len(n.Lhs) == 2 && len(n.Rhs) == 1 {
				if x, ok := ast.Unparen(n.Rhs[0]).(*ast.IndexExpr); ok && f.isMap(x.X) {
					f.unseen(x, f.mapOp(opMapRead, x.X), f.mapElement(x.X), n.TokPos)
				}
			}
			if x, ok := ast.Unparen(n.Lhs[0]).(*ast.IndexExpr); ok && n.Tok != token.ASSIGN && f.isMap(x.X) {
				f.unseen(x, f.mapOp(opMapRead, x.X), f.mapElement(x.X), x.Lbrack, n.TokPos) // the read; it comes before a division that may panic
			}
		case *ast.IncDecStmt:
			assigned[ast.Unparen(n.X)] = n.TokPos
		case *ast.RangeStmt:
			for _, l := range []ast.Expr{n.Key, n.Value} {
				if l != nil {
					assigned[ast.Unparen(l)] = n.For
				}
			}
			if f.isMap(n.X) {
				f.unseen(n.X, opMapRange, f.mapItself(n.X), n.For, n.Range)
			}
		case *ast.IndexExpr:
			if !f.isMap(n.X) {
				break
			}
			if at, ok := assigned[n]; ok {
				f.unseen(n, f.mapOp(opMapAssign, n.X), f.mapElement(n.X), n.Lbrack, at)
			} else {
				f.unseen(n, f.mapOp(opMapRead, n.X), f.mapElement(n.X), n.Lbrack)
			}
		case *ast.SendStmt:
			at := []token.Pos{n.Arrow}
			if _, ok := path[len(path)-2].(*ast.CommClause); ok {
				at = append(at, path[len(path)-4].Pos()) // the select statement
			}
			f.unseen(n.Chan, opSend, f.typed("channel", n.Chan), at...)
		case *ast.CallExpr:
			at := []token.Pos{n.Lparen}
			if _, ok := path[len(path)-2].(*ast.DeferStmt); ok {
				at = append(at, bodyEnd(path)) // the function makes the call there
			}
			f.unseenCall(n, at)
		}
		return true
	})
}

// bodyEnd returns the end of the innermost function on a path of nodes.
func bodyEnd(path []ast.Node) token.Pos {
	for _, n := range slices.Backward(path) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return n.Body.Rbrace
		case *ast.FuncLit:
			return n.Body.Rbrace
		}
	}
	return token.NoPos
}

func (f *file) isMap(e ast.Expr) bool {
	_, ok := site.Core(f.TypeOf(e)).(*types.Map)
	return ok
}

// mapOp returns the name of operation op on an element of the map e. Where the types of
// keys and elements decide which kind of runtime function the compiler calls, the name says
// the kind (mapfast in cmd/compile/internal/walk).
func (f *file) mapOp(op string, e ast.Expr) string {
	m := site.Core(f.TypeOf(e)).(*types.Map)
	key, value := f.Size(m.Key()), f.Size(m.Elem())
	if key < 0 || value < 0 {
		return op
	}
	kind := ""
	switch k := m.Key().Underlying().(type) {
	case *types.Pointer:
		kind = "_fast64"
	case *types.Interface:
		kind = "_slow"
	case *types.Basic:
		switch {
		case k.Info()&types.IsString != 0:
			kind = "_faststr"
		case k.Kind() == types.UnsafePointer || k.Info()&types.IsInteger != 0 && key == 8:
			kind = "_fast64"
		case k.Info()&types.IsInteger != 0 && key == 4:
			kind = "_fast32"
		default:
			kind = "_slow"
		}
	}
	if value > mapValueLimit {
		kind = "_slow"
	}
	return op + kind
}

// typed describes e by a noun and its type.
func (f *file) typed(noun string, e ast.Expr) string {
	return noun + " of type " + f.TypeName(f.TypeOf(e))
}

// mapItself describes the map e.
func (f *file) mapItself(e ast.Expr) string {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return "map in " + f.What(e)
	}
	return f.typed("map", e)
}

// mapElement describes an element of the map e.
func (f *file) mapElement(e ast.Expr) string { return "element of " + f.mapItself(e) }

// unseenCall lists the accesses of a call of a builtin, a conversion or a method of package
// sync. The compiler gives the call one of the positions at.
func (f *file) unseenCall(c *ast.CallExpr, at []token.Pos) {
	tv := f.Info.Types[c.Fun]
	switch {
	case tv.IsType():
		if len(c.Args) != 1 {
			return
		}
		if from, ok := site.Core(f.TypeOf(c.Args[0])).(*types.Slice); ok && from != nil {
			if to, ok := site.Core(tv.Type).(*types.Basic); ok && to.Info()&types.IsString != 0 {
				f.unseen(c.Args[0], opString, f.typed("elements", c.Args[0]), at...)
			}
		}
	case tv.IsBuiltin():
		f.unseenBuiltin(c, at)
	default:
		if s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			f.unseenMethod(c, s, at)
		}
	}
}

func (f *file) unseenBuiltin(c *ast.CallExpr, at []token.Pos) {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok || len(c.Args) == 0 {
		return
	}
	x := c.Args[0]
	switch id.Name {
	case "append":
		f.unseen(x, opAppend, f.typed("elements", x), at...)
	case "close":
		f.unseen(x, opClose, f.typed("channel", x), at...)
	case "delete":
		if len(c.Args) < 2 { // one call returns both arguments
			return
		}
		f.unseenAs(x, f.TextOf(x)+"["+f.TextOf(c.Args[1])+"]", f.mapOp(opMapDelete, x), f.mapElement(x), at...)
	case "clear":
		if f.isMap(x) {
			f.unseen(x, opMapClear, f.mapItself(x), at...)
		}
	}
}

// unseenMethod lists the accesses of a call of one of these: a method of package sync or
// sync/atomic, a lock behind an interface, a function of package race.
func (f *file) unseenMethod(c *ast.CallExpr, s *ast.SelectorExpr, at []token.Pos) {
	m, ok := f.Info.Uses[s.Sel].(*types.Func)
	if !ok || m.Pkg() == nil {
		return
	}
	sel := f.Info.Selections[s]
	switch path := m.Pkg().Path(); {
	case sel == nil:
		if path == "internal/race" {
			f.unseenRace(c, at)
		}
	case path == "sync" || path == "sync/atomic" || types.IsInterface(sel.Recv()) && locks(m):
		expr, what := f.receiverPlace(s.X, sel)
		if path == "sync" && m.Name() == "Wait" && recvName(m) == "Cond" {
			expr, what = expr+".L", "field L of sync.Cond" // Wait takes this lock again
		}
		f.unseenAs(s.X, expr, syncOp+m.Name(), what, at...)
	}
}

// locks reports whether m has the name and the signature of a method that takes a lock.
func locks(m *types.Func) bool {
	switch m.Name() {
	case "Lock", "RLock":
		return m.Signature().Params().Len()+m.Signature().Results().Len() == 0
	}
	return false
}

// recvName returns the name of the receiver's type of method m.
func recvName(m *types.Func) string {
	if n, ok := site.Elem(m.Signature().Recv().Type()).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// receiverPlace returns the text and the description of the receiver of a method call on x,
// including the embedded fields on the way.
func (f *file) receiverPlace(x ast.Expr, sel *types.Selection) (expr, what string) {
	expr, what = f.TextOf(x), f.What(x)
	t := sel.Recv()
	value := true // the receiver is part of the variable at the start of x, with no pointer between
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		value = value && !site.IsPointer(t)
		st, ok := site.Elem(t).Underlying().(*types.Struct)
		if !ok {
			return expr, what
		}
		expr += "." + st.Field(i).Name()
		what = "field " + st.Field(i).Name() + " of " + f.TypeName(site.Elem(t))
		t = st.Field(i).Type()
	}
	if value && f.copied(x) && !site.IsPointer(t) && !types.IsInterface(t) {
		what += ", a copy"
	}
	return expr, what
}

// copied reports whether place e is part of a receiver or parameter. Each call has its own
// copy of these.
func (f *file) copied(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := f.Info.Uses[e].(*types.Var)
		return ok && (v.Kind() == types.RecvVar || v.Kind() == types.ParamVar)
	case *ast.SelectorExpr:
		sel := f.Info.Selections[e]
		return sel != nil && sel.Kind() == types.FieldVal && !site.ThroughPointer(sel.Recv(), sel.Index()[:len(sel.Index())-1]) && f.copied(e.X)
	case *ast.IndexExpr:
		_, ok := site.Core(f.TypeOf(e.X)).(*types.Array)
		return ok && f.copied(e.X)
	}
	return false
}

// unseenRace lists the place whose address a call of package race has as its argument.
func (f *file) unseenRace(c *ast.CallExpr, at []token.Pos) {
	if len(c.Args) == 0 {
		return
	}
	p, ok := ast.Unparen(c.Args[0]).(*ast.CallExpr) // unsafe.Pointer(&x)
	if !ok || len(p.Args) != 1 {
		return
	}
	if x, ok := ast.Unparen(p.Args[0]).(*ast.UnaryExpr); ok && x.Op == token.AND {
		f.unseen(x.X, opRace, f.What(x.X), at...)
	}
}

// unseen adds an operation on the memory that expression e denotes. The compiler gives the
// operation the line of one of the positions at.
func (f *file) unseen(e ast.Expr, op, what string, at ...token.Pos) {
	f.unseenAs(e, f.TextOf(e), op, what, at...)
}

// unseenAs is unseen for an operation on memory that the table spells as expr.
func (f *file) unseenAs(e ast.Expr, expr, op, what string, at ...token.Pos) {
	if e.Pos() == token.NoPos {
		return
	}
	s := f.describe(e, expr, what)
	start := f.lineOf(e.Pos())
	var lines []int
	for _, p := range at {
		line := f.lineOf(p)
		if line == 0 || slices.Contains(lines, line) {
			continue
		}
		lines = append(lines, line)
		u := unseenAccess{s, op}
		if line != start {
			u.op += "@" + strconv.Itoa(line)
		}
		f.pkg.unseen = append(f.pkg.unseen, u)
	}
}

// lineOf returns the line of a position as the user sees it.
func (f *file) lineOf(p token.Pos) int { return f.Fset.PositionFor(p, true).Line }
