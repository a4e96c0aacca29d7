package loop

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"taskinstr/internal/pace"
	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// A File is one source file of a package that the plan decides about.
type File struct {
	Builder *builder.Builder
	Pkg     *packages.Package
	Syntax  *ast.File
	Info    *Info // of the package

	text  []byte
	base  int                      // of the file's positions
	vars  map[*types.Var]*Variable // nil before the first use: most files have no loop that asks for them
	flags int                      // number of flags so far
}

// Files returns the source files that the plan decides about, each of them once, also if
// several packages compile it.
func Files(b *builder.Builder) iter.Seq[*File] {
	prog := b.Analysis.Program()
	return func(yield func(*File) bool) {
		seen := map[string]bool{}
		for _, pkg := range prog.Packages {
			if !b.InScope(pkg.PkgPath) || !ssapass.Instrumented(pkg.PkgPath) || pkg.TypesInfo == nil {
				continue
			}
			info := NewInfo(pkg.TypesInfo)
			for _, syntax := range pkg.Syntax {
				name := prog.Fset.PositionFor(syntax.FileStart, false).Filename
				text, ok := prog.Text(name)
				if !ok || seen[name] {
					continue
				}
				seen[name] = true
				f := &File{
					Builder: b, Pkg: pkg, Syntax: syntax, Info: info, text: text,
					base: prog.Fset.File(syntax.FileStart).Base(),
				}
				pace.Step()
				if !yield(f) {
					return
				}
			}
		}
	}
}

// Text returns the source of n.
func (f *File) Text(n ast.Node) string {
	return string(f.text[int(n.Pos())-f.base : int(n.End())-f.base])
}

// Calls returns the call instructions of SSA for a call expression.
func (f *File) Calls(c *ast.CallExpr) []ssa.CallInstruction { return f.Builder.Calls(c.Lparen) }

// variable returns the uses of a local variable of the file, nil if there are none.
func (f *File) variable(v *types.Var) *Variable {
	if f.vars == nil {
		f.vars = Variables(f.Syntax, f.Info)
	}
	return f.vars[v]
}

// Site returns the site of an access of e; nil if the analysis knows no access there.
func (f *File) Site(e ast.Node, write, elems bool) *ssapass.Site {
	return f.siteAt(e.Pos(), f.Text(e), write, elems)
}

func (f *File) siteAt(pos token.Pos, text string, write, elems bool) *ssapass.Site {
	a := f.Builder.Analysis
	s := a.Sites.Lookup(ssapass.NewKey(a.Program().Fset, pos, text, write, elems))
	if s == nil || len(s.Accesses) == 0 {
		return nil
	}
	return s
}

// Open returns the index of a site that is open, -1 if the site is nil or not open.
func (f *File) Open(s *ssapass.Site) int {
	if s == nil {
		return -1
	}
	if i := f.Builder.Index(s); f.Builder.IsOpen(i) {
		return i
	}
	return -1
}

// IsLoop reports whether n is a loop in front of which code can stand. A range over a
// function is none: its body is called.
func (f *File) IsLoop(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ForStmt:
		return true
	case *ast.RangeStmt:
		t := f.Info.TypeOf(n.X)
		if t == nil {
			return false
		}
		switch t.Underlying().(type) {
		case *types.Basic, *types.Slice, *types.Array, *types.Pointer, *types.Map:
			return true
		}
	}
	return false
}

// NewFlag returns the name of a new variable of the file. The letter says which pass
// needs it.
func (f *File) NewFlag(letter string) string {
	f.flags++
	return fmt.Sprintf("_ti_%s%d", letter, f.flags)
}

// InsertBefore returns an Insert in front of a loop or statement, still without text.
func (f *File) InsertBefore(stmt ast.Stmt) builder.Insert {
	p := f.Builder.Analysis.Program().Fset.PositionFor(stmt.Pos(), true)
	return builder.Insert{Pkg: f.Pkg.PkgPath, File: p.Filename, Line: p.Line, Col: p.Column}
}
