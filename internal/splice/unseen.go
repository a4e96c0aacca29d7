package splice

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"taskinstr/internal/site"
)

// Some accesses are checked by the runtime's hooks and need no check here: maps,
// channels, conversions of bytes to strings, growing slices, and what packages sync,
// sync/atomic and race make known. Reports still have to name the expression, and they
// name locks. So these operations are listed in the site table, behind the sites and
// with a word in the fourth column that tells operations apart. A report finds them by
// that word and by the line of the call that the compiler made of the operation.

// The operations. What a method of package sync does is called syncOp and its name.
const (
	opMapRead   = "mapread"
	opMapAssign = "mapassign"
	opMapDelete = "mapdelete"
	opMapClear  = "mapclear"
	opMapRange  = "maprange"
	opSend      = "send"
	opClose     = "close"
	opAppend    = "append" // reads the elements of a slice that must grow
	opString    = "string" // reads those of a slice that becomes a string
	opRace      = "race"   // made known by a call of package race
	syncOp      = "sync."
)

// An unseenAccess is one of these operations.
type unseenAccess struct {
	Row
	op string // with the line of the call, where that is not the line of the site
}

// listUnseen lists the unseen accesses of the file.
func (f *file) listUnseen() {
	var path []ast.Node                  // to the node at hand
	assigned := map[ast.Expr]token.Pos{} // left sides, and the position of the assignment
	ast.Inspect(f.ast, func(n ast.Node) bool {
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
				f.unseen(x, f.mapOp(opMapRead, x.X), f.mapElement(x.X), x.Lbrack, n.TokPos) // before a division
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
				at = append(at, bodyEnd(path)) // where the function calls it
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
	t := f.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := site.Core(t).(*types.Map)
	return ok
}

// mapOp returns op for an element of the map e and, where the types of keys and elements
// tell, the kind of runtime function that the compiler calls for it (mapfast in
// cmd/compile/internal/walk).
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
	if value > fastElem {
		kind = "_slow"
	}
	return op + kind
}

// fastElem is the size of elements up to which some types of keys have functions of their
// own.
const fastElem = 128

// typed describes e by its type.
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

// unseenCall lists what a call of a builtin, a conversion or a method of package
// sync accesses.
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
		if len(c.Args) < 2 { // a call returns both
			return
		}
		f.unseenAs(x, f.textOf(x)+"["+f.textOf(c.Args[1])+"]", f.mapOp(opMapDelete, x), f.mapElement(x), at...)
	case "clear":
		if f.isMap(x) {
			f.unseen(x, opMapClear, f.mapItself(x), at...)
		}
	}
}

// unseenMethod lists a call of a method of packages sync and sync/atomic, of a lock that
// an interface hides, or of a function of package race.
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
			expr, what = expr+".L", "field L of sync.Cond" // the lock that it takes again
		}
		f.unseenAs(s.X, expr, syncOp+m.Name(), what, at...)
	}
}

// locks reports whether m is called like a method that takes a lock.
func locks(m *types.Func) bool {
	switch m.Name() {
	case "Lock", "RLock":
		return m.Signature().Params().Len()+m.Signature().Results().Len() == 0
	}
	return false
}

// recvName returns the name of the type that the method m is declared for.
func recvName(m *types.Func) string {
	if n, ok := site.Elem(m.Signature().Recv().Type()).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// receiverPlace spells and describes the receiver of a method call on x, embedded fields
// included.
func (f *file) receiverPlace(x ast.Expr, sel *types.Selection) (expr, what string) {
	expr, what = f.textOf(x), f.What(x)
	t := sel.Recv()
	value := true // the receiver is a part of the variable that x begins with
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

// copied reports whether place e is a part of a receiver or parameter: each call has
// its own.
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

// unseenRace lists the place whose address is handed to a function of package race.
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

// textOf returns the source text of n.
func (f *file) textOf(n ast.Node) string {
	return string(f.src[f.offset(n.Pos()):f.offset(n.End())])
}

// unseen adds an operation on what the expression e denotes. The compiler gives it the
// line of one of the positions at.
func (f *file) unseen(e ast.Expr, op, what string, at ...token.Pos) {
	f.unseenAs(e, f.textOf(e), op, what, at...)
}

// unseenAs is unseen where the source does not spell expr out.
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
