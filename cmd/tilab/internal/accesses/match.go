package accesses

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"taskinstr/internal/site"
)

// A check is a site and its syntax.
type check struct {
	spliced
	node   ast.Expr     // the place, or the place whose embedded field or target is accessed
	alike  []ast.Expr   // all expressions with this text in the site table, which shortens long ones
	tokens map[int]bool // offsets of the tokens at which the compiler may place the access
	used   bool         // a compiler access corresponds to it
}

// A comparison is the accesses of one file on both sides.
type comparison struct {
	*tree
	facts    *facts
	code     map[int]bool // offsets of the tokens with code
	checks   []*check
	byToken  map[int][]*check
	byLine   map[int][]*check // by line, after line directives
	accesses []*access
	missing  []*access // the accesses that only the compiler has
}

// comparisons returns a comparison for each file of p, with its checks.
func comparisons(p *parsed, list []spliced) ([]*comparison, error) {
	type syntax struct {
		c *comparison
		e ast.Expr
	}
	at := map[token.Pos][]syntax{}
	facts := newFacts(p)
	var files []*comparison
	for i := range p.Files {
		c := &comparison{tree: newTree(p, i), facts: facts, byToken: map[int][]*check{}, byLine: map[int][]*check{}}
		files = append(files, c)
		ast.Inspect(c.file, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				at[n.Pos()] = append(at[n.Pos()], syntax{c, e})
			}
			return true
		})
	}
	for _, s := range list {
		here := at[s.pos]
		spelled := func(p syntax) bool { return site.Text(p.c.text(p.e)) == s.expr }
		if !slices.ContainsFunc(here, spelled) { // s is an embedded field, or the target of a pointer
			spelled = func(p syntax) bool {
				return strings.HasPrefix(strings.TrimPrefix(s.expr, "*"), site.Text(p.c.text(p.e)))
			}
		}
		i := slices.IndexFunc(here, spelled)
		if i < 0 {
			return nil, fmt.Errorf("%s: no syntax for site %q", s.position, s.expr)
		}
		k := &check{spliced: s, node: here[i].e, tokens: map[int]bool{}}
		for _, p := range here[i:] {
			if spelled(p) && (site.Text(p.c.text(p.e)) == s.expr || len(k.alike) == 0) {
				k.alike = append(k.alike, p.e)
			}
		}
		here[i].c.addCheck(k)
		facts.accompanied = facts.accompanied || here[i].c.initializer(k.node)
	}
	return files, nil
}

func (c *comparison) addCheck(k *check) {
	for _, e := range k.alike {
		c.tokens(k, e)
		if k.kind == Write {
			c.freshTokens(k, e)
		}
	}
	c.checks = append(c.checks, k)
	lines := map[int]bool{k.position.Line: true}
	for o := range k.tokens {
		c.byToken[o] = append(c.byToken[o], k)
		lines[c.pkg.Fset.PositionFor(c.tok.Pos(o), true).Line] = true
	}
	for l := range lines {
		c.byLine[l] = append(c.byLine[l], k)
	}
}

// match finds the checks that correspond to the compiler accesses.
func (c *comparison) match(accesses map[accessKey]*access) {
	for _, a := range accesses {
		if a.offset >= 0 {
			a.line = c.tok.PositionFor(c.tok.Pos(a.offset), false).Line
		}
		c.accesses = append(c.accesses, a)
	}
	slices.SortFunc(c.accesses, func(a, b *access) int {
		return cmp.Or(a.line-b.line, a.offset-b.offset, strings.Compare(string(a.kind), string(b.kind)), strings.Compare(a.callee, b.callee))
	})
	for _, a := range c.accesses {
		list := c.byToken[a.offset]
		if a.offset < 0 {
			list = c.byLine[a.line]
		}
		found := false
		for _, k := range list {
			if k.kind == a.kind {
				k.used, found = true, true
			}
		}
		if !found {
			c.missing = append(c.missing, a)
		}
	}
}

// tokens adds the tokens at which the compiler may place an access to n.
func (c *comparison) tokens(k *check, n ast.Expr) {
	add := func(pos token.Pos) {
		if pos.IsValid() {
			k.tokens[c.tok.Offset(pos)] = true
		}
	}
	addNode := func(n ast.Node) {
		if n != nil {
			add(c.tree.position(n))
		}
	}
	addNode(n)
	outer := c.outer(n)
	if !c.unique(n) {
		for h := c.holder(n); h != nil; h = c.around(h) {
			addNode(h)
		}
	}
	c.outerTokens(k, n, outer, add, addNode)
	if x, ok := n.(*ast.IndexExpr); ok && inRegisters(c.pkg.typeOf(x.X)) { // an array of one element
		addNode(x.X)
	}
	if !inRegisters(c.pkg.typeOf(n)) {
		c.copyTokens(outer, addNode)
	}
	// Conversions have the position of their operand.
	if call, ok := outer.(*ast.CallExpr); ok && c.pkg.Info.Types[call.Fun].IsType() {
		addNode(c.holder(call))
	}
	if kv, ok := outer.(*ast.KeyValueExpr); ok && kv.Value == n {
		addNode(kv.Key)
		outer = c.outer(kv)
	}
	// Variables in a literal have the position of an element that stands before them.
	if l, ok := outer.(*ast.CompositeLit); ok && !c.unique(n) {
		for _, e := range l.Elts {
			addNode(e)
		}
	}
}

// outerTokens adds the tokens of an access that belong to the node around n.
func (c *comparison) outerTokens(k *check, n ast.Expr, outer ast.Node, add func(token.Pos), addNode func(ast.Node)) {
	switch p := outer.(type) {
	case *ast.Field: // a result, which return statements write and read
		if id, ok := n.(*ast.Ident); ok {
			c.resultTokens(id, k.kind, addNode)
		}
	case *ast.AssignStmt:
		addNode(p)
		if clause, ok := c.parent[p].(*ast.CommClause); ok { // the assignment of a received value
			addNode(clause)
		}
	case *ast.IncDecStmt:
		addNode(p)
	case *ast.RangeStmt:
		for _, pos := range c.places(p) {
			add(pos)
		}
	case *ast.CallExpr: // n is an operand of a builtin or a conversion, or the receiver
		addNode(p)
		if s, ok := c.outer(p).(*ast.AssignStmt); ok && c.builtin(p) == "append" { // an append in place
			addNode(s)
		}
	case *ast.SelectorExpr: // an embedded pointer or a receiver
		addNode(p)
		if call, ok := c.outer(p).(*ast.CallExpr); ok && call.Fun == p {
			addNode(call)
			addNode(c.around(call))
		}
	case *ast.IndexExpr, *ast.SliceExpr:
		addNode(p)
	case *ast.BinaryExpr: // ==, which may compare part by part
		addNode(p)
	case *ast.CaseClause: // conditions of a switch without a value
		addNode(c.parent[c.parent[p]])
	}
}

// resultTokens calls add with the statements that access the result id of a function.
func (c *comparison) resultTokens(id *ast.Ident, kind Kind, add func(ast.Node)) {
	for _, r := range c.returnStmts(id) {
		add(r)
	}
	if kind == Read { // the function passes it on after the deferred calls
		_, body := c.function(id)
		within(body, func(n ast.Node) bool {
			if d, ok := n.(*ast.DeferStmt); ok {
				add(d)
			}
			return false
		})
	}
}

// copyTokens calls add with the nodes at which the compiler copies a value that does not fit
// into registers. The value is used by outer.
func (c *comparison) copyTokens(outer ast.Node, add func(ast.Node)) {
	if h := c.around(outer); h != nil {
		add(h)
	}
	switch p := outer.(type) {
	case *ast.KeyValueExpr:
		add(c.holder(p))
		if call, ok := c.outer(c.holder(p)).(*ast.CallExpr); ok { // a conversion of a literal
			add(c.around(call))
		}
	case *ast.ReturnStmt, *ast.ValueSpec, *ast.SwitchStmt, *ast.CompositeLit, *ast.BinaryExpr, *ast.SendStmt, *ast.TypeAssertExpr:
		add(p)
	}
}

// freshTokens adds the tokens at which the compiler may write the first values of the
// memory that n makes.
func (c *comparison) freshTokens(k *check, n ast.Expr) {
	add := func(n ast.Node) {
		for _, pos := range c.places(n) {
			k.tokens[c.tok.Offset(pos)] = true
		}
	}
	switch x := n.(type) {
	case *ast.Ident:
		c.declarationTokens(x, add)
		return
	case *ast.CallExpr:
		for _, a := range append(c.extra(x), c.convertedConstant(x)...) {
			c.valueTokens(a, add)
		}
		if c.builtin(x) == "new" {
			c.valueTokens(x.Args[0], add)
		}
	case *ast.UnaryExpr:
		if l, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
			c.literalTokens(l, add)
		}
	case *ast.CompositeLit:
		c.literalTokens(x, add)
	}
	// The write of an only element has the position of the node that holds the slice.
	for p := c.outer(n); p != nil; p = c.outer(p) {
		add(p)
		switch p.(type) {
		case *ast.KeyValueExpr, *ast.CompositeLit:
		default:
			return
		}
	}
}

// literalTokens calls add with the literal l and with the elements in its own memory.
func (c *comparison) literalTokens(l *ast.CompositeLit, add func(ast.Node)) {
	add(l)
	for _, e := range l.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			add(kv.Key)
			e = kv.Value
		}
		c.valueTokens(e, add)
	}
}

// valueTokens calls add with the value e of an element: with the operand of a conversion,
// and with the elements of a literal of a struct or an array.
func (c *comparison) valueTokens(e ast.Expr, add func(ast.Node)) {
	e = ast.Unparen(e)
	add(e)
	switch x := e.(type) {
	case *ast.CallExpr:
		if c.converts(x) {
			c.valueTokens(x.Args[0], add)
		}
	case *ast.CompositeLit:
		switch site.Core(c.pkg.typeOf(x)).(type) {
		case *types.Struct, *types.Array:
			c.literalTokens(x, add)
		}
	}
}

// declarationTokens calls add with the nodes that declare the variable id and give it its
// first value.
func (c *comparison) declarationTokens(id *ast.Ident, add func(ast.Node)) {
	var values []ast.Expr // the compiler may build a literal in the variable itself
	switch p := c.outer(id).(type) {
	case *ast.AssignStmt:
		values = p.Rhs
	case *ast.ValueSpec:
		values = p.Values
	}
	for _, x := range values {
		if isLiteral(x) {
			c.valueTokens(x, add)
		}
	}
	switch p := c.outer(id).(type) {
	case *ast.AssignStmt, *ast.RangeStmt, *ast.ValueSpec:
		add(p)
		if s, ok := c.parent[p].(*ast.TypeSwitchStmt); ok {
			for _, clause := range s.Body.List {
				add(clause)
			}
		}
	case *ast.Field:
		for n := c.parent[p]; n != nil; n = c.parent[n] {
			switch n.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				add(n)
				return
			}
		}
	}
}

// convertedConstant returns the constant string that call converts to bytes, if any.
func (c *comparison) convertedConstant(call *ast.CallExpr) []ast.Expr {
	if c.converts(call) && c.isConstant(call.Args[0]) {
		return call.Args
	}
	return nil
}

// around returns the node whose position the operands of n have, or nil if they have the
// position of n. The statement evaluates conditions. The statement or clause evaluates
// deferred, started and communicated operations.
func (c *comparison) around(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			return c.holder(n)
		}
		if n.Op == token.ARROW {
			return c.clause(n)
		}
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			return c.holder(n)
		}
		if o, ok := c.outer(n).(*ast.BinaryExpr); ok && n.Op == token.ADD && o.Op == token.ADD && c.isString(n) { // the compiler treats both as one
			return o
		}
	case *ast.CallExpr:
		switch p := c.parent[n].(type) {
		case *ast.DeferStmt, *ast.GoStmt:
			return p
		}
	case *ast.SendStmt:
		return c.clause(n)
	}
	return nil
}

// clause returns the select clause whose communication n belongs to.
func (c *comparison) clause(n ast.Node) ast.Node {
	for p := c.parent[n]; p != nil; p = c.parent[p] {
		switch p := p.(type) {
		case *ast.CommClause:
			if n.Pos() < p.Colon {
				return p
			}
			return nil
		case *ast.BlockStmt:
			return nil
		}
	}
	return nil
}

// returnStmts lists the return statements of the function with the result id.
func (c *comparison) returnStmts(id *ast.Ident) (list []ast.Node) {
	_, body := c.function(id)
	within(body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			list = append(list, r)
		}
		return false
	})
	return list
}

// inRegisters reports whether the compiler keeps values of type t in registers
// (cmd/compile/internal/ssa, CanSSA).
func inRegisters(t types.Type) bool {
	const words = 4
	switch u := site.Core(t).(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if _, ok := types.Unalias(f.Type()).(*types.TypeParam); ok || !inRegisters(f.Type()) {
				return false
			}
		}
		return u.NumFields() <= words && sizes.Sizeof(u) <= words*sizes.Sizeof(types.Typ[types.Uintptr])
	case *types.Array:
		return u.Len() == 0 || u.Len() == 1 && inRegisters(u.Elem())
	case nil:
		return false
	}
	return true
}

// sizes are the sizes of all 64-bit targets, which agree.
var sizes = types.SizesFor("gc", "amd64")
