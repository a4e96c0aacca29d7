package affine

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/builder"
	"taskinstr/optimize/loop"
	"taskinstr/optimize/step"
)

// Run puts scans in front of loop nests and of statements in a row.
func Run(b *builder.Builder) {
	if !b.Is64Bit() {
		return // the results about integers hold for 64 bits
	}
	p := &program{
		panics: map[*ssa.Function]*panicFacts{}, simples: map[*types.Func]*simple{},
		decls: map[*packages.Package]map[*types.Func]*simple{}, cloned: map[token.Pos]bool{},
	}
	for f := range loop.Files(b) {
		s := &file{f, p}
		labels := map[ast.Stmt]string{}
		inside := []bool{false} // for each node around the present one, whether it lies in a claimed loop
		ast.Inspect(f.Syntax, func(x ast.Node) bool {
			claimed := inside[len(inside)-1]
			if x == nil {
				inside = inside[:len(inside)-1]
				return false
			}
			if l, ok := x.(*ast.LabeledStmt); ok {
				labels[l.Stmt] = l.Label.Name
			}
			if s.IsLoop(x) {
				s.scanNest(x.(ast.Stmt), labels[x.(ast.Stmt)], claimed)
			}
			if _, ok := x.(*ast.FuncLit); ok {
				claimed = false
			}
			inside = append(inside, claimed || s.Builder.Claim(x) != builder.Unclaimed)
			return true // inner loops may have accesses left
		})
		s.flatRuns()
	}
}

// A program is the knowledge about functions that all nests share.
type program struct {
	panics  map[*ssa.Function]*panicFacts
	simples map[*types.Func]*simple                       // nil: the function is not simple
	decls   map[*packages.Package]map[*types.Func]*simple // the functions with a body
	cloned  map[token.Pos]bool                            // names of functions in calls that go to clones
}

// A file is one source file of the program.
type file struct {
	*loop.File
	*program
}

// scanNest puts a scan in front of a loop, if that is possible and gains something. claimed says that
// the loop lies in one whose elements another pass checks together.
func (s *file) scanNest(stmt ast.Stmt, label string, claimed bool) {
	if !s.anyOpen(stmt) && !s.anyCalls(stmt) {
		return
	}
	refuse := func(reason string) {
		if traceNests != nil {
			p := s.Builder.Analysis.Program().Fset.Position(stmt.Pos())
			traceNests(fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, reason))
		}
	}
	l := s.Look(stmt)
	switch {
	case l.Obstacle != "":
		refuse(l.Obstacle)
		return
	case l.Sync&step.Interrupts != 0:
		refuse("a call may synchronize or not return")
		return
	case !l.Unshadowed():
		refuse("it shadows len, int, nil, true or false")
		return
	}
	n := newNest(s, l, label)
	n.claimed = claimed && s.allClaimed(stmt)
	n.inlineCalls()
	if err := n.walk(); err != "" {
		refuse(string(err))
		return
	}
	if err := n.scan(s.InsertBefore(stmt)); err != "" {
		refuse(string(err))
	}
}

// scan adds to the insert a scan of the elements that the nest's accesses reach. It
// returns the reason if the scan gains nothing.
func (n *nest) scan(in builder.Insert) refusal {
	var list []*footprint
	if err := n.try(func() { list = n.footprints() }); err != "" {
		return err
	}
	construct := "loop"
	if in.Flat {
		construct = "statement"
	}
	flag := ""
	for _, f := range list {
		for _, r := range f.refs {
			if flag == "" {
				flag = n.NewFlag("a")
			}
			for _, i := range r.sites {
				if i < 0 {
					continue // a call, see accessor.go
				}
				if r.in == nil {
					n.Builder.Guard(i, flag, false, fmt.Sprintf("one of the elements that are checked in front of the %s at line %d", construct, in.Line))
				} else {
					n.Builder.Spare(i, &in)
				}
			}
		}
	}
	if flag == "" {
		return "a scan would take as many steps"
	}
	in.Flags = []string{flag}
	in.Calls = n.cloneCalls()
	in.Text, in.Sites, in.Loads = n.code(flag, list)
	n.Builder.Insert(in)
	return ""
}

// allClaimed reports whether another pass claims all elements that the statement accesses.
func (s *file) allClaimed(stmt ast.Stmt) bool {
	all := true
	ast.Inspect(stmt, func(x ast.Node) bool {
		if e, ok := x.(*ast.IndexExpr); ok && (s.Open(s.Site(e, false, false)) >= 0 || s.Open(s.Site(e, true, false)) >= 0) {
			all = all && s.Builder.Claim(e) != builder.Unclaimed
		}
		return all
	})
	return all
}

// traceNests, set by tests, is called with the reason of each refusal.
var traceNests func(string)

// anyOpen reports whether the loop has an open access to an element, or to a field that
// is reached by a subscript.
func (s *file) anyOpen(stmt ast.Stmt) (found bool) {
	open := func(e ast.Expr, elems bool) {
		found = found || s.Open(s.Site(e, false, elems)) >= 0 || s.Open(s.Site(e, true, elems)) >= 0
	}
	ast.Inspect(stmt, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IndexExpr:
			open(x, false)
		case *ast.SelectorExpr, *ast.StarExpr:
			if e := x.(ast.Expr); s.Info.Type(e).IsValue() && subscripted(s.Info, stmt, e) {
				open(e, false)
			}
		case *ast.RangeStmt:
			open(x.X, true)
		}
		return !found
	})
	return found
}
