package site

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// A Kind is the kind of an access.
type Kind uint8

const (
	Read Kind = iota
	Write
	Atomic // an operation of sync/atomic
)

// A Site is one access of the source that gets a check.
type Site struct {
	Key  Key       // names the access for a plan
	Pos  token.Pos // of the expression that the site table has
	Expr string    // the expression, in the site table's form
	What string    // the declared thing: "field balance of Account"
	Kind Kind
	// Fixed: no plan can leave the check out.
	Fixed bool
	// Part: the check is not of exactly the bytes of the access. It cannot cover the
	// check of another access.
	Part bool
	// Early: the check comes before a call that the access follows. A plan must not
	// decide about the site.
	Early bool
}

// Plannable reports whether a plan may decide about the site.
func (s *Site) Plannable() bool { return !s.Fixed && !s.Early }

// Find returns the sites of a package, file by file, in no order that means anything
// within a function. It finds none in files that cgo makes for itself, and none at all
// where the package redeclares the predeclared types that checks need.
func Find(s Source) (list []Site, err error) {
	at := "" // for the error below
	defer func() {
		if r := recover(); r != nil {
			list, err = nil, fmt.Errorf("find the sites of %s: internal error at %s: %v", s.Path, at, r)
		}
	}()
	p, err := New(s)
	if err != nil {
		return nil, fmt.Errorf("find the sites of %w", err)
	}
	if !p.typesSpelled() {
		return nil, nil
	}
	w := &walk{}
	for _, f := range p.files {
		if CgoFile(f.Token.Name()) {
			continue
		}
		w.File, w.inPlace = f, InPlace{}
		for _, d := range f.Syntax.Decls {
			at = s.Fset.Position(d.Pos()).String()
			w.decl(d)
		}
	}
	return w.sites, nil
}

// typesSpelled reports whether the package leaves the predeclared types alone that all
// checks need.
func (p *Package) typesSpelled() bool {
	return p.Shadows("uint32", "uint64", "uintptr", "string") == 0
}

// A walk visits the declarations of a package in the order in which the compiler
// evaluates them.
type walk struct {
	*File
	sites   []Site
	fn      *function
	ctx     context
	skip    bool    // inside a function without checks, atomic operations excepted
	nosplit bool    // the function whose body comes next is marked go:nosplit
	inPlace InPlace // conversions of bytes that the compiler does not copy
}

// A function is the innermost body around the walk, or a package-level initializer.
type function struct {
	nosplit bool            // marked go:nosplit
	global  bool            // a package-level initializer
	defers  bool            // it defers calls
	results *ast.FieldList  // named results
	gotos   map[string]bool // labels that its goto statements name
}

// A context says which code may be added around the statement or header that the walk
// evaluates.
type context struct {
	before bool     // statements in front of it
	after  bool     // statements behind it
	root   ast.Expr // all that the context evaluates, where that is one expression
}

// movable reports whether statements can stand before the one with this label: a goto
// would miss them.
func (w *walk) movable(label string) bool { return label == "" || !w.fn.gotos[label] }

// add lists an access of e, which the source or its reader spells expr. elems says that
// the access is of the elements behind e.
func (w *walk) add(e ast.Node, expr, what string, kind Kind, elems bool) *Site {
	w.sites = append(w.sites, Site{
		Key: w.KeyOf(e, expr, kind == Write, elems), Pos: e.Pos(), Expr: Text(expr), What: Described(what), Kind: kind,
		Fixed: w.fn.nosplit || w.fn.global,
	})
	return &w.sites[len(w.sites)-1]
}

// whole lists an access of the place e.
func (w *walk) whole(e ast.Expr, kind Kind) { w.add(e, w.TextOf(e), w.What(e), kind, false) }

// part lists an access whose check is not of exactly its bytes.
func (w *walk) part(e ast.Node, what string, kind Kind, elems bool) *Site {
	s := w.add(e, w.TextOf(e), what, kind, elems)
	s.Part = true
	return s
}

// fixed lists an access whose check no plan can leave out.
func (w *walk) fixed(e ast.Node, what string, kind Kind, elems bool) {
	w.add(e, w.TextOf(e), what, kind, elems).Fixed = true
}

// elementOf describes the elements behind a value of type t.
func (w *walk) elementOf(t types.Type) string { return "element of " + w.TypeName(t) }

// decl visits a package-level declaration.
func (w *walk) decl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		mark := DirectiveOf(d)
		w.skip, w.nosplit = mark == Cgo || mark == NoRace, mark == NoSplit
		w.body(d.Recv, d.Type, d.Body)
		w.skip = false
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if vs, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
				w.globals(vs)
			}
		}
	}
}

// globals visits the initializers of package-level variables. Values that need no code
// are data, and initializers that run before there is another task race with nothing.
func (w *walk) globals(vs *ast.ValueSpec) {
	w.fn = &function{global: true}
	code := false
	for _, v := range vs.Values {
		w.ctx = context{root: v}
		skip := w.initial || !w.Dynamic(v)
		code = code || !skip
		w.skip = skip
		w.value(v)
		w.skip = false
	}
	if code {
		for _, n := range vs.Names {
			if n.Name != "_" && w.Size(w.Info.Defs[n].Type()) != 0 {
				w.fixed(n, "variable "+n.Name, Write, false)
			}
		}
	}
	w.fn = nil
}

// body visits the body of a function.
func (w *walk) body(recv *ast.FieldList, t *ast.FuncType, b *ast.BlockStmt) {
	fn, ctx := w.fn, w.ctx
	last, all := Deferred(b)
	w.fn = &function{nosplit: w.nosplit, defers: last != nil || !all, results: t.Results, gotos: Gotos(b)}
	w.nosplit = false // the mark is not the literals' inside
	w.firstValues(Parameters(recv, t.Params, t.Results)...)
	if w.fn.defers {
		for _, id := range Parameters(t.Results) {
			if w.newVariable(id) {
				w.fixed(id, "result "+id.Name, Read, false)
			}
		}
	}
	w.statements(b.List)
	w.fn, w.ctx = fn, ctx
}

// literal visits a function literal. A literal in an initializer runs later: it has its
// checks even where the initializer needs none.
func (w *walk) literal(l *ast.FuncLit) {
	skip := w.skip
	w.skip = skip && !w.fn.global
	w.body(nil, l.Type, l.Body)
	w.skip = skip
}
