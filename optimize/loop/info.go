package loop

import (
	"go/ast"
	"go/types"
)

// An Info answers questions about the types and objects of expressions: those of a
// package and, in an extended Info, those that were added to it. The package's own
// types.Info is never changed.
type Info struct {
	pkg   *types.Info
	added *types.Info // nil: nothing can be added
}

// NewInfo returns the Info of a package, to which nothing can be added.
func NewInfo(pkg *types.Info) *Info { return &Info{pkg: pkg} }

// Extend returns an Info to which expressions can be added.
func (x *Info) Extend() *Info {
	return &Info{pkg: x.pkg, added: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
}

// Add gives the expression a type.
func (x *Info) Add(e ast.Expr, tv types.TypeAndValue) { x.added.Types[e] = tv }

// AddDef has the identifier declare an object.
func (x *Info) AddDef(id *ast.Ident, o types.Object) { x.added.Defs[id] = o }

// AddUse has the identifier denote an object.
func (x *Info) AddUse(id *ast.Ident, o types.Object) { x.added.Uses[id] = o }

// AddSelection gives the selector expression a meaning.
func (x *Info) AddSelection(e *ast.SelectorExpr, s *types.Selection) { x.added.Selections[e] = s }

// Lookup returns the type and value of the expression, and whether they are known.
func (x *Info) Lookup(e ast.Expr) (types.TypeAndValue, bool) {
	if x.added != nil {
		if tv, ok := x.added.Types[e]; ok {
			return tv, true
		}
	}
	tv, ok := x.pkg.Types[e]
	return tv, ok
}

// Type returns the type and value of the expression.
func (x *Info) Type(e ast.Expr) types.TypeAndValue {
	tv, _ := x.Lookup(e)
	return tv
}

// TypeOf returns the type of the expression, nil if it has none.
func (x *Info) TypeOf(e ast.Expr) types.Type {
	if tv, ok := x.Lookup(e); ok {
		return tv.Type
	}
	if id, ok := e.(*ast.Ident); ok {
		if o := x.Object(id); o != nil {
			return o.Type()
		}
	}
	return nil
}

// Def returns the object that the identifier declares, nil if none.
func (x *Info) Def(id *ast.Ident) types.Object {
	if x.added != nil {
		if o, ok := x.added.Defs[id]; ok {
			return o
		}
	}
	return x.pkg.Defs[id]
}

// Use returns the object that the identifier denotes, nil if none.
func (x *Info) Use(id *ast.Ident) types.Object {
	if x.added != nil {
		if o, ok := x.added.Uses[id]; ok {
			return o
		}
	}
	return x.pkg.Uses[id]
}

// Object returns the object that the identifier declares or denotes, nil if none.
func (x *Info) Object(id *ast.Ident) types.Object {
	if o := x.Def(id); o != nil {
		return o
	}
	return x.Use(id)
}

// Implicit returns the object that the node declares without naming it, nil if none.
func (x *Info) Implicit(n ast.Node) types.Object { return x.pkg.Implicits[n] }

// Selection returns the meaning of a selector expression, nil if it is a qualified
// identifier.
func (x *Info) Selection(e *ast.SelectorExpr) *types.Selection {
	if x.added != nil {
		if s, ok := x.added.Selections[e]; ok {
			return s
		}
	}
	return x.pkg.Selections[e]
}
