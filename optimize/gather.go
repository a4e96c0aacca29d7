package optimize

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
	"taskinstr/ssapass"
)

// # gather
//
// Checks neighbouring elements together that an access reaches one after the other
// in a loop, whatever makes it reach them: merging, partitioning, filling with
// gaps. A variable of the function holds the range so far. An element at one of its
// ends makes it longer, one inside is known; any other begins a new range, and the
// old one is checked. So is what is left behind the loop, and when the function is
// left by a return or a panic.
//
// Needs, for the loop: nothing in it, nor in its callees, orders this task and
// another, blocks, changes locks or ends the program; then a check behind an access
// is one in the same step. No jump to a label outside. For its function: no goto, and
// calls are deferred by statements of its own list, in front of the loop. They would
// come between a panic and the check, were not the check deferred behind them.
//
// Loops without a counter are left alone: what they reach is often reached again in
// the same step, as when searching or partitioning, and the filter of the task
// knows single elements, not ranges.
//
// An access that stands for others is gathered as well: those are in the same
// step. Elements in order cost a comparison each; others cost what they cost
// before, and the range a call. After a few ranges of one element most are made
// no more.
//
// Source: none of the papers; it is what affine does, found out at run time.
//
// Limits: where the main task ends the program while the loop runs, races of at
// most a few kilobytes may be missed.
func gather(m *maker) {
	m.sources(func(s *source, file *ast.File) {
		for _, l := range s.counted(file) {
			s.gatherLoop(l)
		}
	})
}

// counted returns the outermost loops of a file that gather can treat.
func (s *source) counted(file *ast.File) (list []*loop) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				list = append(list, s.countedIn(n.Body)...)
			}
		case *ast.FuncLit:
			list = append(list, s.countedIn(n.Body)...)
		}
		return true
	})
	return list
}

// countedIn looks at the loops of a function.
func (s *source) countedIn(body *ast.BlockStmt) (list []*loop) {
	last, ok := site.Deferred(body)
	if !ok || len(site.Gotos(body)) > 0 {
		return nil
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			if !s.isLoop(n) {
				return false // a function's, or one that waits
			}
		case *ast.ForStmt:
			if n.Cond == nil || n.Post == nil {
				return true // a search
			}
		default:
			return true
		}
		if last != nil && n.Pos() < last.End() {
			return true
		}
		l := s.look(n.(ast.Stmt))
		if l.odd != "" || l.sync&disturbs != 0 || leavesByLabel(l.stmt) {
			return true
		}
		list = append(list, l)
		return false // the loops inside are part of this one
	})
	return list
}

// disturbs is what may end or order a step, or the program.
const disturbs = stops &^ ssapass.MayPanic

// gatherLoop gathers the accesses of elements in a loop.
func (s *source) gatherLoop(l *loop) {
	in := s.insertAt(l.stmt)
	names := map[string]string{}
	take := func(t *ssapass.Site, base, index ast.Expr) {
		if t == nil {
			return
		}
		v, ok := l.array(base)
		if !ok {
			return
		}
		i := s.m.indexes[t]
		if !s.m.checked[i] || s.m.part[i] || s.m.Fates[i].Kind != Kept || s.m.Fates[i].Len > 0 || !s.m.inScope(t) {
			return
		}
		// Accesses to one slice are merged where only a constant is between them: a
		// loop may fill it in several places, or read it in two at a time.
		k := fmt.Sprint(t.Key.Write, v.text, s.lane(index))
		name, ok := names[k]
		if !ok {
			name = s.flag("g")
			names[k] = name
			in.Gathers = append(in.Gathers, name)
		}
		s.m.guard(i, name, false, "checked together with its neighbours")
		s.m.Fates[i].Gather = true
	}
	l.repeated(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if !l.reached(n) || !s.varies(l, n.Index) {
				return
			}
			take(s.site(n, false, false), n.X, n.Index)
			take(s.site(n, true, false), n.X, n.Index)
		case *ast.RangeStmt:
			take(s.site(n.X, false, true), n.X, n.Key)
		}
	})
	if r, ok := l.stmt.(*ast.RangeStmt); ok {
		take(s.site(r.X, false, true), r.X, r.Key)
	}
	if len(in.Gathers) > 0 {
		s.m.insert(in)
	}
}

// array returns what e, whose elements are accessed, is all through the loop. A
// range must not go on from one array to another that lies behind it: that one may
// be freed before the range is checked.
func (l *loop) array(e ast.Expr) (v value, ok bool) {
	if isArray(l.info.TypeOf(e)) {
		return l.place(e)
	}
	return l.value(e)
}

// lane is an index without the constants that are added to it.
func (s *source) lane(index ast.Expr) string {
	if index == nil {
		return "" // of a range clause that names none
	}
	for {
		index = ast.Unparen(index)
		e, ok := index.(*ast.BinaryExpr)
		switch {
		case !ok || e.Op != token.ADD && e.Op != token.SUB:
			return types.ExprString(index)
		case s.info.Types[e.Y].Value != nil:
			index = e.X
		case s.info.Types[e.X].Value != nil && e.Op == token.ADD:
			index = e.Y
		default:
			return types.ExprString(index)
		}
	}
}

// varies reports whether the value of an index may change in the loop.
func (s *source) varies(l *loop, index ast.Expr) (found bool) {
	ast.Inspect(index, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
			found = found || s.info.Types[n.(ast.Expr)].Value == nil
		case *ast.Ident:
			if o := s.info.Uses[n]; o != nil && s.info.Types[ast.Expr(n)].Value == nil {
				found = found || l.inside(o)
				for v := range l.assigned {
					found = found || v == o
				}
			}
		}
		return !found
	})
	return found
}

// leavesByLabel reports whether a labelled jump may leave the loop for another
// one.
func leavesByLabel(stmt ast.Stmt) (found bool) {
	inside := map[string]bool{}
	ast.Inspect(stmt, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok {
			inside[l.Label.Name] = true
		}
		return true
	})
	ast.Inspect(stmt, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Label != nil && !inside[b.Label.Name]
		return !found
	})
	return found
}
