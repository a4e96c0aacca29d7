package ssapass

import (
	"go/ast"
	"go/token"
	"path/filepath"

	"taskinstr/internal/site"
)

// A Key is a site.Key with the whole name of the file. Several accesses may share a key
// (generated code maps many places to one line); then a decision needs all of them to
// agree. A file's text may differ from the analysed text; compare it with Program.Text
// before trusting a key.
type Key struct {
	File      string
	Line, Col int
	Expr      string
	Write     bool // assigned, in whole or in part; op= and ++ are writes
	Elems     bool // not the place itself but the elements behind the slice that it holds
}

// NewKey returns the key of an access at pos of an expression that the source spells expr.
func NewKey(fset *token.FileSet, pos token.Pos, expr string, write, elems bool) Key {
	p := fset.PositionFor(pos, true)
	return Key{p.Filename, p.Line, p.Column, site.Text(expr), write, elems}
}

// Site returns the key as package site has it.
func (k Key) Site() site.Key {
	s := site.Key(k)
	s.File = filepath.Base(k.File)
	return s
}

// ssaPos is the position that SSA gives to the load or store of place e.
func ssaPos(e ast.Expr) token.Pos {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Pos()
	case *ast.SelectorExpr:
		return e.Sel.Pos()
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.StarExpr:
		return e.Star
	}
	return token.NoPos
}
