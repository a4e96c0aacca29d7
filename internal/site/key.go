package site

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/token"
	"path/filepath"
)

// A Key names an access of the source in a way that syntax alone gives: the position
// of its expression after line directives, the text of the expression in the site
// table's form, and the kind of the access. Accesses of generated code may share a key.
type Key struct {
	File      string // base name
	Line, Col int
	Expr      string
	Write     bool // assigned, in whole or in part; op= and ++ are writes
	Elems     bool // not the place itself but the elements behind the slice that it holds
}

// Less orders keys by their fields.
func (k Key) Less(l Key) bool {
	switch {
	case k.File != l.File:
		return k.File < l.File
	case k.Line != l.Line:
		return k.Line < l.Line
	case k.Col != l.Col:
		return k.Col < l.Col
	case k.Expr != l.Expr:
		return k.Expr < l.Expr
	case k.Write != l.Write:
		return l.Write
	}
	return !k.Elems && l.Elems
}

// A Pos is a place in the source, after line directives.
type Pos struct {
	File      string // base name
	Line, Col int
}

// PosOf returns the place of a position.
func (s *Source) PosOf(pos token.Pos) Pos {
	q := s.Fset.PositionFor(pos, true)
	return Pos{filepath.Base(q.Filename), q.Line, q.Column}
}

// KeyOf returns the key of an access of e, which the source or its reader spells expr.
func (p *Package) KeyOf(e ast.Node, expr string, write, elems bool) Key {
	q := p.PosOf(e.Pos())
	return Key{q.File, q.Line, q.Col, Text(expr), write, elems}
}

// Digest returns a short name for a text, by which readers tell that it has not changed.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
