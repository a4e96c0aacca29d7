package optimize

import (
	"fmt"
	"go/ast"
)

// # affine
//
// Replaces the checks of array elements in a loop nest by one scan in front of
// it, of exactly the elements that the nest will access. From loop headers and
// conditions that are affine in the iterators comes the domain of each
// access, from its subscripts the access relation, and from package polyhedral
// the set of elements and code that scans it in long runs. The code first tests
// that the iterations will all take place: that pointers on the way are not
// nil, that no symbol is so large that arithmetic wraps, and that every subscript
// of the nest is within its slice. Then it makes the checks and sets a flag.
// While that is false, the accesses are checked where they stand.
//
// Needs, for the nest:
//
//   - no release, acquire, go, blocking, or change of locks, in callees neither:
//     then all of it is in one step, and a check in front of it stands for one
//     inside;
//   - nothing that leaves it early: no return, goto or jump out of it, and no
//     panic but by a subscript or a nil pointer that the code tests (callees that are
//     not looked into: affine_calls.go);
//   - paths to arrays, bounds and symbols that stay the same in it: variables
//     that it does not assign to, memory that it does not write (points-to).
//
// Needs, for an access: affine subscripts and bounds of the loops around it,
// affine conditions around it or none. An access under another condition, in a
// loop that may break, or that other passes dealt with, keeps its check (if it
// has one), but its subscripts have to be within bounds where they are affine.
// Rows of slices of slices are reads themselves, and scanned as such. So are
// pointers in slices: the nest writes none of them, and the code tests that none is
// nil.
//
// A field of an element is a part of it, at an offset (affine_part.go); the scan
// checks the part of each element, or of what each pointer points to. Parts that
// touch and are accessed in the same elements are checked as one (affine_merge.go),
// elements without gaps as a range. Two pointers to one place are checked twice.
//
// Where a nest is refused, the loops inside it are tried alone. An array whose scan
// would take as many steps as the nest keeps its checks; parts of elements are a
// step each.
//
// Calls of simple functions of the package, such as accessors of a matrix, are looked
// into (affine_inline.go): methods and functions that are statements in a row, and what
// they call likewise. If the scan stands for all checks that such a call makes, it goes
// to a clone of the function without them (affine_accessor.go), in a version of the loop
// for when the flag is set (internal/splice/version.go).
//
// Statements in a row (affine_flat.go) are a nest without a loop: neighbouring
// elements that they access become one range.
//
// Source: DRDP, section 4.4.2. Departures: sets are exact and the code decides
// at run time whether it applies; the paper's are computed by a source-to-source
// compiler for loops that the user marked.
//
// Limits: a loop or callee that never ends is taken to end.
func affine(m *maker) {
	if !m.wide() {
		return // what is computed about integers holds for 64 bits
	}
	m.sources(func(s *source, file *ast.File) {
		labels := map[ast.Stmt]string{}
		ast.Inspect(file, func(x ast.Node) bool {
			if l, ok := x.(*ast.LabeledStmt); ok {
				labels[l.Stmt] = l.Label.Name
			}
			if x != nil && s.isLoop(x) {
				s.scanNest(x.(ast.Stmt), labels[x.(ast.Stmt)])
			}
			return true // loops inside may have accesses left
		})
		s.flatRuns(file)
	})
}

// scanNest puts a scan in front of a loop, if it can and something is gained.
func (s *source) scanNest(stmt ast.Stmt, label string) {
	if !s.anyOpen(stmt) && !s.anyCalls(stmt) {
		return
	}
	refuse := func(reason string) {
		if traceNests != nil {
			p := s.m.a.Program().Fset.Position(stmt.Pos())
			traceNests(fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, reason))
		}
	}
	l := s.look(stmt)
	switch {
	case l.odd != "":
		refuse(l.odd)
		return
	case l.sync&stops != 0:
		refuse("a call may synchronize or not return")
		return
	case !l.plain():
		refuse("it shadows len, int, nil, true or false")
		return
	}
	n := newNest(l, label)
	defer n.forget()
	if err := n.walk(); err != "" {
		refuse(string(err))
		return
	}
	if err := n.scan(s.insertAt(stmt)); err != "" {
		refuse(string(err))
	}
}

// scan puts a scan of what the nest's accesses reach into the insert.
func (n *nest) scan(in Insert) refusal {
	var list []*footprint
	if err := n.try(func() { list = n.footprints() }); err != "" {
		return err
	}
	place := "loop"
	if in.Flat {
		place = "statement"
	}
	flag := ""
	for _, f := range list {
		for _, r := range f.refs {
			if flag == "" {
				flag = n.flag("a")
			}
			for _, i := range r.sites {
				if r.in == nil {
					n.m.guard(i, flag, false, fmt.Sprintf("one of the elements that are checked in front of the %s at line %d", place, in.Line))
				} else {
					n.m.spare(i, &in)
				}
			}
		}
	}
	if flag == "" {
		return "a scan would take as many steps"
	}
	in.Flags = []string{flag}
	in.Calls = n.cloneCalls()
	in.Text, in.Sites = n.code(flag, list)
	n.m.insert(in)
	return ""
}

// traceNests is told why nests are refused; tests set it.
var traceNests func(string)

// anyOpen reports whether an access of the loop may have a fate, besides those
// of names, and of fields that are not reached by a subscript.
func (s *source) anyOpen(stmt ast.Stmt) (found bool) {
	open := func(e ast.Expr, elems bool) {
		found = found || s.open(s.site(e, false, elems)) >= 0 || s.open(s.site(e, true, elems)) >= 0
	}
	ast.Inspect(stmt, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IndexExpr:
			open(x, false)
		case *ast.SelectorExpr, *ast.StarExpr:
			if e := x.(ast.Expr); s.info.Types[e].IsValue() && subscripted(s.info, stmt, e) {
				open(e, false)
			}
		case *ast.RangeStmt:
			open(x.X, true)
		}
		return !found
	})
	return found
}
