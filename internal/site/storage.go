package site

import (
	"go/ast"
	"go/types"
)

// A Storage says where the value of an expression lives.
type Storage uint8

const (
	Temporary Storage = iota // nowhere, or in no place that has an address
	Local                    // in a variable that only this goroutine reaches
	Reachable                // where other goroutines may reach it
)

// Storage classifies e.
func (p *Package) Storage(e ast.Expr) Storage {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.Storage(e.X)
	case *ast.Ident:
		v, ok := p.Info.ObjectOf(e).(*types.Var)
		switch {
		case !ok:
			return Temporary
		case p.Shared(v):
			return Reachable
		}
		return Local
	case *ast.SelectorExpr:
		sel := p.Info.Selections[e]
		if sel == nil { // a package's variable
			if _, ok := p.Info.Uses[e.Sel].(*types.Var); ok {
				return Reachable
			}
			return Temporary
		}
		if sel.Kind() != types.FieldVal {
			return Temporary
		}
		if path := sel.Index(); ThroughPointer(sel.Recv(), path[:len(path)-1]) {
			return Reachable
		}
		return p.Storage(e.X)
	case *ast.IndexExpr:
		switch Core(p.TypeOf(e.X)).(type) {
		case *types.Array:
			return p.Storage(e.X)
		case *types.Slice, *types.Pointer:
			return Reachable
		}
	case *ast.StarExpr:
		if x := p.Punned(e); x != nil {
			return p.Storage(x)
		}
		return Reachable
	}
	return Temporary
}

// IsBlank reports whether e is the blank identifier.
func IsBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}
