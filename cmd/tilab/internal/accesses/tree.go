package accesses

import (
	"go/ast"
	"go/token"
	"go/types"

	"taskinstr/internal/site"
)

// A tree is the syntax of one file, by the tokens at which the compiler places its nodes.
// The compiler's parser (cmd/compile/internal/syntax) places a selection at its dot, an
// index at its bracket, a call at its parenthesis, an assignment at its operator.
type tree struct {
	pkg    *parsed
	name   string // name of the file
	file   *ast.File
	tok    *token.File
	src    []byte
	parent map[ast.Node]ast.Node
	at     map[int][]ast.Node // nodes by the offset of their token
}

func newTree(p *parsed, i int) *tree {
	a := p.Files[i]
	t := &tree{
		pkg: p, name: p.names[i], file: a, tok: p.Fset.File(a.FileStart), src: p.Src[i],
		parent: map[ast.Node]ast.Node{}, at: map[int][]ast.Node{},
	}
	var stack []ast.Node
	ast.Inspect(a, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			t.parent[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		for _, pos := range t.places(n) {
			o := t.tok.Offset(pos)
			t.at[o] = append(t.at[o], n)
		}
		return true
	})
	return t
}

// places returns the positions that the compiler gives to the operations of n.
func (t *tree) places(n ast.Node) []token.Pos {
	switch n := n.(type) {
	case *ast.RangeStmt:
		// If a function calls the body, the body ends at its brace.
		if t.overFunc(n) {
			return []token.Pos{n.Range, n.For, n.Body.Rbrace}
		}
		return []token.Pos{n.Range, n.For}
	case *ast.FuncDecl:
		// Parameters are copied at the start of the function.
		if n.Recv != nil {
			return []token.Pos{n.Recv.Opening}
		}
		return []token.Pos{n.Name.Pos()}
	}
	if pos := t.position(n); pos.IsValid() {
		return []token.Pos{pos}
	}
	return nil
}

// position returns the position that the compiler gives n.
func (t *tree) position(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		return t.dot(n.X.End())
	case *ast.TypeAssertExpr:
		return t.dot(n.X.End())
	case *ast.IndexExpr:
		return n.Lbrack
	case *ast.IndexListExpr:
		return n.Lbrack
	case *ast.SliceExpr:
		return n.Lbrack
	case *ast.CallExpr:
		return n.Lparen
	case *ast.BinaryExpr:
		return n.OpPos
	case *ast.CompositeLit:
		return n.Lbrace
	case *ast.AssignStmt:
		return n.TokPos
	case *ast.IncDecStmt:
		return n.TokPos
	case *ast.SendStmt:
		return n.Arrow
	case *ast.RangeStmt:
		return n.Range
	case *ast.ParenExpr, *ast.File, *ast.ExprStmt, *ast.DeclStmt, *ast.GenDecl, *ast.FieldList, *ast.Field,
		*ast.FuncType, *ast.BlockStmt, *ast.KeyValueExpr, *ast.Comment, *ast.CommentGroup:
		return token.NoPos
	}
	return n.Pos()
}

// dot returns the position of the dot behind an operand that ends at pos.
func (t *tree) dot(pos token.Pos) token.Pos {
	for i := t.tok.Offset(pos); i < len(t.src); i++ {
		switch {
		case t.src[i] == '.':
			return t.tok.Pos(i)
		case t.src[i] != '/':
		case t.src[i+1] == '/':
			for t.src[i] != '\n' {
				i++
			}
		default:
			for i += 2; t.src[i] != '*' || t.src[i+1] != '/'; i++ {
			}
			i++
		}
	}
	return token.NoPos
}

// text returns the source of n.
func (t *tree) text(n ast.Node) string {
	return string(t.src[t.tok.Offset(n.Pos()):t.tok.Offset(n.End())])
}

// unique reports whether the compiler gives n a position of its own. Variables, including
// variables of other packages, and constants have the position of the node that holds them.
func (t *tree) unique(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Ident, *ast.BasicLit, *ast.ParenExpr, *ast.KeyValueExpr, *ast.ExprStmt, *ast.BlockStmt, *ast.FieldList, *ast.Field, *ast.DeclStmt:
		return false
	case *ast.SelectorExpr:
		return t.pkg.Info.Selections[n] != nil
	}
	return true
}

// outer returns the node around n, skipping parentheses.
func (t *tree) outer(n ast.Node) ast.Node {
	for {
		n = t.parent[n]
		if _, ok := n.(*ast.ParenExpr); !ok {
			return n
		}
	}
}

// converted returns the node around n, skipping parentheses and conversions, which have the
// position of their operand.
func (t *tree) converted(n ast.Node) ast.Node {
	for {
		n = t.outer(n)
		if call, ok := n.(*ast.CallExpr); !ok || !t.pkg.Info.Types[call.Fun].IsType() {
			return n
		}
	}
}

// holder returns the nearest node around n that has a position of its own.
func (t *tree) holder(n ast.Node) ast.Node {
	for p := t.parent[n]; p != nil; p = t.parent[p] {
		if t.unique(p) {
			return p
		}
	}
	return nil
}

// inside reports whether n is in the subtree of top, with no function literal between.
func (t *tree) inside(n, top ast.Node) bool {
	for p := n; p != nil; p = t.parent[p] {
		if p == top {
			return true
		}
		if _, ok := p.(*ast.FuncLit); ok {
			return false
		}
	}
	return false
}

// overFunc reports whether s ranges over a function.
func (t *tree) overFunc(s *ast.RangeStmt) bool {
	_, ok := site.Core(t.pkg.typeOf(s.X)).(*types.Signature)
	return ok
}

// builtin returns the name of the predeclared function that n calls, or "".
func (t *tree) builtin(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok || !t.pkg.Info.Types[call.Fun].IsBuiltin() {
		return ""
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	return id.Name
}

// typeOf returns the type of e, or the invalid type.
func (p *parsed) typeOf(e ast.Expr) types.Type {
	if t := p.Info.TypeOf(e); t != nil {
		return t
	}
	return types.Typ[types.Invalid]
}
