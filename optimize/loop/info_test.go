package loop_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"testing"

	"taskinstr/optimize/loop"
)

// TestExtend: expressions are added to the extension alone, and all others are looked up in
// the package.
func TestExtend(t *testing.T) {
	id, added := ast.NewIdent("x"), ast.NewIdent("y")
	v := types.NewVar(token.NoPos, nil, "x", types.Typ[types.Int])
	w := types.NewVar(token.NoPos, nil, "y", types.Typ[types.String])
	pkg := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{id: v}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	base := loop.NewInfo(pkg)
	x := base.Extend()
	sum, sel := &ast.BinaryExpr{X: id, Y: id}, &ast.SelectorExpr{X: id, Sel: added}
	x.Add(sum, types.TypeAndValue{Type: types.Typ[types.Int]})
	x.AddUse(added, w)
	x.AddSelection(sel, &types.Selection{})
	if x.TypeOf(sum) != types.Typ[types.Int] || x.TypeOf(added) != types.Typ[types.String] || x.Selection(sel) == nil {
		t.Error("the extension does not know its expressions")
	}
	if x.TypeOf(id) != types.Typ[types.Int] || x.Object(id) != v {
		t.Error("the extension does not know the package's expressions")
	}
	if base.TypeOf(sum) != nil || base.Object(added) != nil || base.Selection(sel) != nil || len(pkg.Types)+len(pkg.Uses)+len(pkg.Selections) > 0 {
		t.Error("the package knows expressions of the extension")
	}
}
