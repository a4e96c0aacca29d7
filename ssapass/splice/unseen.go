package splice

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Some accesses are checked by the runtime's hooks and need no check here: maps,
// channels, conversions of bytes to strings, growing slices, and what package
// sync makes known of its objects. Reports still have to name the expression.
// So these operations are listed in the site table, behind the sites and with
// the kind of access in a fourth column; a report finds them by file and line.

// An unseen access is one of these operations.
type unseenAccess struct {
	site
	kind string // read or write
}

// listUnseen lists the unseen accesses of the file.
func (f *file) listUnseen() {
	info := f.pkg.cfg.Info
	written := map[ast.Expr]bool{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				written[ast.Unparen(l)] = true
			}
		case *ast.IncDecStmt:
			written[ast.Unparen(n.X)] = true
		case *ast.IndexExpr:
			if f.isMap(n.X) {
				f.unseen(n.X, "map", kindOf(written[n]))
			}
		case *ast.RangeStmt:
			for _, l := range []ast.Expr{n.Key, n.Value} {
				if l != nil {
					written[ast.Unparen(l)] = true
				}
			}
			if f.isMap(n.X) {
				f.unseen(n.X, "map", "read")
			}
		case *ast.SendStmt:
			f.unseen(n.Chan, "channel", "read")
		case *ast.CallExpr:
			f.unseenCall(info, n)
		}
		return true
	})
}

func kindOf(write bool) string {
	if write {
		return "write"
	}
	return "read"
}

func (f *file) isMap(e ast.Expr) bool {
	t := f.pkg.typeOf(e)
	if t == nil {
		return false
	}
	_, ok := core(t).(*types.Map)
	return ok
}

// unseenCall lists what a call of a builtin, a conversion or a method of package
// sync accesses.
func (f *file) unseenCall(info *types.Info, c *ast.CallExpr) {
	tv := info.Types[c.Fun]
	switch {
	case len(c.Args) == 0 || tv.IsType() && len(c.Args) != 1:
	case tv.IsType():
		if from, ok := core(f.pkg.typeOf(c.Args[0])).(*types.Slice); ok && from != nil {
			if to, ok := core(tv.Type).(*types.Basic); ok && to.Info()&types.IsString != 0 {
				f.unseen(c.Args[0], "elements", "read")
			}
		}
		return
	case tv.IsBuiltin():
		id, ok := ast.Unparen(c.Fun).(*ast.Ident)
		if !ok {
			return
		}
		switch id.Name {
		case "append":
			f.unseen(c.Args[0], "elements", "read")
		case "close":
			f.unseen(c.Args[0], "channel", "write")
		case "delete", "clear":
			if f.isMap(c.Args[0]) {
				f.unseen(c.Args[0], "map", "write")
			}
		}
		return
	}
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	if m, ok := info.Uses[sel.Sel].(*types.Func); ok && m.Pkg() != nil && m.Pkg().Path() == "sync" && info.Selections[sel] != nil {
		f.unseen(sel.X, "sync", "read")
		f.unseen(sel.X, "sync", "write")
	}
}

// unseen adds one access, of what the expression e denotes.
func (f *file) unseen(e ast.Expr, noun, kind string) {
	pos := f.pkg.cfg.Fset.PositionFor(e.Pos(), true)
	if e.Pos() == token.NoPos || pos.Line == 0 {
		return
	}
	what := noun + " of type " + f.typeName(f.pkg.typeOf(e))
	if noun == "sync" {
		what = f.what(e)
	}
	f.pkg.unseen = append(f.pkg.unseen, unseenAccess{f.describe(e, string(f.src[f.offset(e.Pos()):f.offset(e.End())]), what), kind})
}
