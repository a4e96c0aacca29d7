package optimize

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"

	"taskinstr/ssapass"
)

// # hoist
//
// Checks an access in a loop only the first time, where its address is the same
// all through the loop and nothing in the loop is a release: what is accessed
// once and races, races then. A flag in front of the outermost such loop says
// whether the check was made; the accesses to one address share one flag, reads
// and writes each their own.
//
// Needs: the place is named by variables that the loop does not assign to, and by
// memory that nothing in it may write (ssapass points-to and summaries); no
// release, go, channel operation, or change of the locks held in the loop
// or its callees. Acquires do no harm: later accesses have more predecessors,
// and the first one was checked as it was. Where the flag is tested, the
// access does happen; so conditional accesses, loops that run zero times, several
// exits and panics need no care.
//
// Source: TaskChecker, section 6.4, which moves the check in front of the
// loop. Departures: nothing is moved, so that the loop needs no unconditional
// execution and no test for zero trips; and the conditions on releases and
// locks, which the paper lacks.
func hoist(m *maker) {
	m.sources(func(s *source, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || !s.isLoop(n) {
				return true
			}
			// Inner loops get what the outer one leaves: they are visited later.
			s.hoistFrom(n.(ast.Stmt))
			return true
		})
	})
}

// ordered is what moves the accesses of a loop into different steps, or under
// different locks.
const ordered = ssapass.MayRelease | ssapass.MaySpawn | ssapass.MayLock | ssapass.CallsUnseen

// A hoisted is the accesses of one kind to one place.
type hoisted struct {
	text  string
	write bool
	sites []int
}

func (s *source) hoistFrom(stmt ast.Stmt) {
	l := s.look(stmt)
	if l.odd != "" || l.sync&ordered != 0 || !l.plain() {
		return
	}
	var groups []*hoisted
	add := func(e ast.Expr, text string, write bool) {
		i := s.open(s.site(e, write, false))
		if i < 0 {
			return
		}
		if t := s.m.twin(i); t >= 0 && !write {
			return // the check is that of the write
		}
		k := slices.IndexFunc(groups, func(g *hoisted) bool { return g.text == text && g.write == write })
		if k < 0 {
			k = len(groups)
			groups = append(groups, &hoisted{text: text, write: write})
		}
		groups[k].sites = append(groups[k].sites, i)
	}
	l.repeated(func(n ast.Node) {
		e, ok := n.(ast.Expr)
		if !ok {
			return
		}
		switch e.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
			if !l.reached(e) {
				return
			}
			if v, ok := l.place(e); ok {
				add(e, v.text, false)
				add(e, v.text, true)
			}
		}
	})
	if len(groups) == 0 {
		return
	}
	in := s.insertAt(stmt)
	for _, g := range groups {
		flag := s.flag("h")
		in.Flags = append(in.Flags, flag)
		if in.Text != "" {
			in.Text += "; "
		}
		in.Text += flag + " := false"
		kind := "read"
		if g.write {
			kind = "write"
		}
		for _, i := range g.sites {
			reason := fmt.Sprintf("the same place all through the loop at line %d: its first %s is checked", in.Line, kind)
			s.m.guard(i, flag, true, reason)
			if t := s.m.twin(i); t >= 0 && s.m.isOpen(t) {
				s.m.guard(t, flag, true, reason)
			}
		}
	}
	s.m.insert(in)
}

// repeated calls f for the nodes that the loop runs in each iteration.
func (l *loop) repeated(f func(ast.Node)) {
	visit := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if n != nil {
				f(n)
			}
			return true
		})
	}
	switch s := l.stmt.(type) {
	case *ast.ForStmt:
		if s.Cond != nil {
			visit(s.Cond)
		}
		if s.Post != nil {
			visit(s.Post)
		}
		visit(s.Body)
	case *ast.RangeStmt:
		visit(s.Body)
	}
}

// flag returns the name of a new variable of the file.
func (s *source) flag(kind string) string {
	s.next++
	return fmt.Sprintf("_ti_%s%d", kind, s.next)
}

// insertAt returns an Insert in front of a loop, still without text.
func (s *source) insertAt(stmt ast.Stmt) Insert {
	p := s.m.a.Program().Fset.PositionFor(stmt.Pos(), true)
	return Insert{Pkg: s.pkg.PkgPath, File: p.Filename, Line: p.Line, Col: p.Column}
}

// guarded lists the sites that depend on the flags of an insert.
func (p *Plan) guarded(in *Insert) (list []int) {
	for i, f := range p.Fates {
		s := p.Analysis.Sites.List[i]
		if f.Kind == Guarded && s.Pkg.Path() == in.Pkg && s.Key.File == in.File && (slices.Contains(in.Flags, f.Flag) || slices.Contains(in.Gathers, f.Flag)) {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(i, j int) int {
		a, b := p.Analysis.Sites.List[i].Key, p.Analysis.Sites.List[j].Key
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return list
}
