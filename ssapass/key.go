package ssapass

import (
	"go/ast"
	"go/token"
	"path/filepath"

	"taskinstr/internal/site"
)

// A Key is a site.Key with the full name of the file. Several accesses may share a key,
// since generated code maps many places to one line; a decision then needs all of them
// to agree. The text of a file may differ from the analysed text: compare it with
// Program.Text before using a key.
type Key struct {
	File      string
	Line, Col int
	Expr      string
	Write     bool // assigned, as a whole or in part; op= and ++ are writes
	Elems     bool // the access is to the elements behind the slice, not to the variable
}

// NewKey returns the key of an access at position pos whose expression has the source
// text expr.
func NewKey(fset *token.FileSet, pos token.Pos, expr string, write, elems bool) Key {
	p := fset.PositionFor(pos, true)
	return Key{p.Filename, p.Line, p.Column, site.Text(expr), write, elems}
}

// Site returns the key in the form of package site.
func (k Key) Site() site.Key {
	s := site.Key(k)
	s.File = filepath.Base(k.File)
	return s
}

// ssaPos returns the position that package ssa gives to the load or store of e.
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
