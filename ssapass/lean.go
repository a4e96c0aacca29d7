package ssapass

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// This file frees the parts of a program that no later phase asks for.

// A kept holds the facts that outlive the syntax of packages without sites.
type kept struct {
	comments map[*packages.Package][]*ast.Comment // directives
	literals map[token.Pos]bool                   // see Program.literals
}

// freed is a package of which only the generic functions still have their syntax: package
// ssa builds each instance when it finds the first use.
type freed struct {
	info  *types.Info
	decls []*ast.FuncDecl
}

// note records the functions of a package whose bodies are left out.
func (l *loader) note(pkg *packages.Package) {
	for i, f := range pkg.Syntax {
		name := pkg.CompiledGoFiles[i]
		if len(l.pruned[name]) == 0 {
			continue
		}
		at := map[int]bool{}
		for _, b := range l.pruned[name] {
			at[b.name] = true
		}
		base := l.p.Fset.File(f.FileStart).Base()
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body == nil && at[int(d.Name.Pos())-base] {
				l.bare[d.Name.Pos()] = bodyName{name, int(d.Name.Pos()) - base}
			}
		}
	}
}

// lacks reports whether a function may run whose body is left out, and adds these bodies
// to forced.
func (l *loader) lacks(forced map[bodyName]bool) bool {
	found := false
	for _, f := range l.p.funcs {
		if f.Blocks != nil || f.Object() == nil {
			continue
		}
		if b, ok := l.bare[f.Object().Pos()]; ok {
			forced[b] = true
			found = true
		}
	}
	return found
}

// free frees the syntax of a package whose SSA is built.
func (l *loader) free(pkg *packages.Package) {
	l.note(pkg)
	p := l.p
	var comments []*ast.Comment
	var generic []*ast.FuncDecl
	for _, f := range pkg.Syntax {
		for _, g := range f.Comments {
			for _, c := range g.List {
				if isDirective(c) {
					comments = append(comments, &ast.Comment{Slash: c.Slash, Text: strings.Clone(c.Text)})
				}
			}
		}
		if Instrumented(pkg.PkgPath) {
			freedLiterals(f, pkg.TypesInfo, p.kept.literals)
		}
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && isGeneric(d) {
				generic = append(generic, d)
				continue
			}
			freeBodies(d)
		}
		f.Comments = nil
	}
	p.kept.comments[pkg] = comments
	trim(pkg.TypesInfo, generic)
	if len(generic) > 0 {
		l.generic = append(l.generic, freed{pkg.TypesInfo, generic})
	}
	pkg.Syntax, pkg.TypesInfo = nil, nil
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range pkg.CompiledGoFiles {
		delete(l.files, name)
	}
}

func isDirective(c *ast.Comment) bool {
	return strings.HasPrefix(c.Text, "//go:linkname") || strings.HasPrefix(c.Text, "//export")
}

// isGeneric reports whether the function, or its receiver, has type parameters.
func isGeneric(d *ast.FuncDecl) bool {
	if d.Type.TypeParams != nil {
		return true
	}
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return false
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	if s, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(s.X)
	}
	switch t.(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// freeBodies removes the bodies of functions from a declaration. SSA functions refer to
// their declarations and literals.
func freeBodies(d ast.Decl) {
	var lits []*ast.FuncLit
	var loops []*ast.RangeStmt
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			lits = append(lits, n)
		case *ast.RangeStmt: // the body of a loop over a function is a function
			loops = append(loops, n)
		}
		return true
	})
	for _, n := range lits {
		n.Body = nil
	}
	for _, n := range loops {
		n.Body, n.X, n.Key, n.Value = nil, nil, nil, nil
	}
	if f, ok := d.(*ast.FuncDecl); ok {
		f.Body = nil
	}
}

// trim removes the types of all expressions from info, except in the given functions.
func trim(info *types.Info, decls []*ast.FuncDecl) {
	if len(decls) == 0 {
		*info = types.Info{}
		return
	}
	old := *info
	*info = *NewInfo(0)
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if t, ok := old.Types[e]; ok {
					info.Types[e] = t
				}
			}
			if o, ok := old.Implicits[n]; ok {
				info.Implicits[n] = o
			}
			switch n := n.(type) {
			case *ast.Ident:
				if o, ok := old.Defs[n]; ok {
					info.Defs[n] = o
				}
				if o, ok := old.Uses[n]; ok {
					info.Uses[n] = o
				}
				if t, ok := old.Instances[n]; ok {
					info.Instances[n] = t
				}
			case *ast.SelectorExpr:
				if s, ok := old.Selections[n]; ok {
					info.Selections[n] = s
				}
			}
			return true
		})
	}
}

// freeGeneric frees the generic functions, once all instances are built.
func (l *loader) freeGeneric() {
	for _, g := range l.generic {
		*g.info = types.Info{}
		for _, d := range g.decls {
			freeBodies(d)
		}
	}
	l.generic, l.files = nil, nil
}

// freeUnreachable removes the bodies of functions that cannot run.
func (l *loader) freeUnreachable() {
	if !l.lean {
		return
	}
	for _, s := range l.p.SSA.AllPackages() {
		eachDeclared(s, func(f *ssa.Function) {
			if !l.p.seen[f] {
				f.Blocks, f.Locals, f.AnonFuncs, f.FreeVars, f.Recover = nil, nil, nil, nil, nil
			}
		})
	}
	for _, f := range l.p.funcs { // instances of generic functions
		dropDebug(f)
	}
}

// eachDeclared calls do for the functions and methods that a package declares.
func eachDeclared(s *ssa.Package, do func(*ssa.Function)) {
	for _, m := range s.Members {
		switch m := m.(type) {
		case *ssa.Function:
			do(m)
		case *ssa.Type:
			if n, ok := types.Unalias(m.Type()).(*types.Named); ok {
				for i := range n.NumMethods() {
					if f := s.Prog.FuncValue(n.Method(i)); f != nil {
						do(f)
					}
				}
			}
		}
	}
}

// dropDebug removes the instructions of f, and of the function literals in f, that only
// describe the source. It keeps those that newAccessIndex asks for.
func dropDebug(f *ssa.Function) {
	var described []ssa.Value
	for _, b := range f.Blocks {
		kept := 0
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.DebugRef); !ok || describesElement(d) {
				kept++
			}
		}
		if kept == len(b.Instrs) {
			continue
		}
		list := make([]ssa.Instruction, 0, kept)
		for _, in := range b.Instrs {
			if d, ok := in.(*ssa.DebugRef); ok && !describesElement(d) {
				described = append(described, d.X)
				continue
			}
			list = append(list, in)
		}
		b.Instrs = list
	}
	for _, v := range described {
		if r := v.Referrers(); r != nil {
			*r = slices.DeleteFunc(*r, func(in ssa.Instruction) bool {
				d, ok := in.(*ssa.DebugRef)
				return ok && !describesElement(d)
			})
		}
	}
	for _, a := range f.AnonFuncs {
		dropDebug(a)
	}
}

// describesElement reports whether an instruction describes a load that has no position: of
// an element, in a range clause.
func describesElement(d *ssa.DebugRef) bool {
	u, ok := d.X.(*ssa.UnOp)
	if !ok || u.Op != token.MUL || u.Pos().IsValid() {
		return false
	}
	_, ok = u.X.(*ssa.IndexAddr)
	return ok
}

// freedLiterals adds the positions that Program.literals describes, of a file whose
// accesses have no sites. It omits the positions at which the source has an access.
func freedLiterals(f *ast.File, info *types.Info, at map[token.Pos]bool) {
	var accesses []token.Pos
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			for _, pos := range literalPositions(n) {
				at[pos] = true
			}
		case *ast.Ident:
			if v, ok := info.ObjectOf(n).(*types.Var); ok && !v.IsField() {
				accesses = append(accesses, ssaPos(n))
			}
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			if sel != nil && sel.Kind() == types.FieldVal {
				accesses = append(accesses, n.Sel.Pos())
			} else if _, ok := info.Uses[n.Sel].(*types.Var); sel == nil && ok {
				accesses = append(accesses, n.Sel.Pos())
			}
		case *ast.IndexExpr, *ast.StarExpr:
			accesses = append(accesses, ssaPos(n.(ast.Expr)))
		}
		return true
	})
	for _, pos := range accesses {
		delete(at, pos)
	}
}

// literalPositions returns the positions that package ssa gives to the stores of elements
// of a composite literal.
func literalPositions(l *ast.CompositeLit) []token.Pos {
	list := []token.Pos{l.Lbrace}
	for _, e := range l.Elts {
		pos := e.Pos()
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			pos = kv.Colon
		}
		list = append(list, pos)
	}
	return list
}
