package inline

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// The compiler's prices, in nodes of its syntax tree.
const (
	budget       = 80   // a function that costs more is not inlined
	callPrice    = 57   // of a call that is not inlined, beside its nodes
	paramPrice   = 17   // of a call of a parameter
	literalPrice = 16   // of a function literal, whatever its body
	declPrice    = 2    // of a declaration of a variable, beside the assignment
	never        = 1000 // of a construct that keeps a function from being inlined
)

// A costing adds up the price of a function's body. Each method adds the price of one construct: the
// number of nodes that the compiler makes of it, with the exceptions that the compiler makes.
type costing struct {
	*analysis
	sig  *types.Signature // of the function
	cost int
}

// costOf returns the price of a function's body.
func (a *analysis) costOf(sig *types.Signature, body *ast.BlockStmt) int {
	c := costing{analysis: a, sig: sig}
	c.stmts(body.List)
	return min(c.cost, never)
}

func (c *costing) stmts(list []ast.Stmt) {
	for _, s := range list {
		if c.cost >= never {
			return
		}
		c.stmt(s)
	}
}

func (c *costing) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
	case *ast.ExprStmt:
		c.expr(s.X)
	case *ast.BlockStmt:
		c.stmts(s.List)
	case *ast.LabeledStmt:
		c.cost++
		c.stmt(s.Stmt)
	case *ast.BranchStmt:
		if s.Tok != token.FALLTHROUGH {
			c.cost++
		}
	case *ast.IncDecStmt:
		c.cost += 2
		c.expr(s.X)
	case *ast.SendStmt:
		c.cost++
		c.expr(s.Chan)
		c.value(s.Value, elemOf(c.typeOf(s.Chan)))
	case *ast.AssignStmt:
		c.assign(s)
	case *ast.DeclStmt:
		c.decl(s)
	case *ast.ReturnStmt:
		c.results(s)
	case *ast.IfStmt:
		c.ifStmt(s)
	case *ast.ForStmt:
		c.stmt(s.Init)
		if v := c.constant(s.Cond); v != nil && !constant.BoolVal(v) {
			return
		}
		c.cost++
		if s.Cond != nil {
			c.expr(s.Cond)
		}
		c.stmt(s.Post)
		c.stmts(s.Body.List)
	case *ast.RangeStmt:
		c.rangeStmt(s)
	case *ast.SwitchStmt:
		c.cost++
		c.stmt(s.Init)
		if s.Tag != nil {
			c.expr(s.Tag)
		}
		for _, cl := range s.Body.List {
			cl := cl.(*ast.CaseClause)
			c.cost++
			for _, e := range cl.List {
				c.expr(e)
			}
			c.stmts(cl.Body)
		}
	case *ast.TypeSwitchStmt:
		c.cost += 2
		c.stmt(s.Init)
		switch g := s.Assign.(type) {
		case *ast.ExprStmt:
			c.expr(g.X.(*ast.TypeAssertExpr).X)
		case *ast.AssignStmt:
			c.cost++
			c.expr(g.Rhs[0].(*ast.TypeAssertExpr).X)
		}
		for _, cl := range s.Body.List {
			cl := cl.(*ast.CaseClause)
			c.cost++
			if c.Info.Implicits[cl] != nil {
				c.cost++ // its variable
			}
			c.cost += len(cl.List)
			c.stmts(cl.Body)
		}
	case *ast.SelectStmt:
		c.cost++
		for _, cl := range s.Body.List {
			cl := cl.(*ast.CommClause)
			c.cost++
			c.stmt(cl.Comm)
			c.stmts(cl.Body)
		}
	default: // go and defer
		c.cost += never
	}
}

func (c *costing) ifStmt(s *ast.IfStmt) {
	c.stmt(s.Init)
	if v := c.static(s.Cond); v != nil {
		if constant.BoolVal(v) {
			c.stmts(s.Body.List)
		} else {
			c.stmt(s.Else)
		}
		return
	}
	c.cost++
	c.expr(s.Cond)
	c.stmts(s.Body.List)
	c.stmt(s.Else)
}

// static returns the value of a condition whose other branch the compiler leaves out.
func (c *costing) static(e ast.Expr) constant.Value {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		x, y := c.static(e.X), c.static(e.Y)
		switch {
		case e.Op == token.LAND && x != nil && !constant.BoolVal(x), e.Op == token.LOR && x != nil && constant.BoolVal(x):
			return x
		case (e.Op == token.LAND || e.Op == token.LOR) && x != nil:
			return y
		}
	case *ast.UnaryExpr:
		if x := c.static(e.X); e.Op == token.NOT && x != nil {
			return constant.MakeBool(!constant.BoolVal(x))
		}
	}
	v := c.constant(e)
	if v == nil || v.Kind() != constant.Bool {
		return nil
	}
	return v
}

func (c *costing) constant(e ast.Expr) constant.Value {
	if e == nil {
		return nil
	}
	return c.Info.Types[e].Value
}

func (c *costing) assign(s *ast.AssignStmt) {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		c.cost++
		c.expr(s.Lhs[0])
		c.expr(s.Rhs[0])
		return
	}
	c.cost++
	for _, l := range s.Lhs {
		c.target(l, s.Tok == token.DEFINE)
	}
	if len(s.Lhs) > 1 && len(s.Rhs) == 1 {
		c.expr(s.Rhs[0]) // temporary variables for the results are free
		return
	}
	for i, r := range s.Rhs {
		c.value(r, c.typeOf(s.Lhs[i]))
	}
}

// target is the price of an expression that is assigned to, or of a variable that is defined.
func (c *costing) target(l ast.Expr, define bool) {
	if id, ok := l.(*ast.Ident); ok {
		c.cost++
		if define && id.Name != "_" && c.Info.Defs[id] != nil {
			c.cost += declPrice
		}
		return
	}
	c.expr(l)
}

func (c *costing) decl(s *ast.DeclStmt) {
	g := s.Decl.(*ast.GenDecl)
	if g.Tok != token.VAR {
		return
	}
	for _, sp := range g.Specs {
		sp := sp.(*ast.ValueSpec)
		if len(sp.Values) == 0 {
			c.cost += (2 + declPrice) * len(sp.Names)
			continue
		}
		c.cost++
		for i, n := range sp.Names {
			c.cost++
			if n.Name != "_" {
				c.cost += declPrice
			}
			if len(sp.Values) == len(sp.Names) {
				c.value(sp.Values[i], c.typeOf(n))
			}
		}
		if len(sp.Values) != len(sp.Names) {
			c.expr(sp.Values[0])
		}
	}
}

func (c *costing) results(s *ast.ReturnStmt) {
	c.cost++
	n := c.sig.Results().Len()
	if len(s.Results) == 1 && n > 1 {
		// The results go through temporary variables.
		c.cost += 1 + 4*n
		c.expr(s.Results[0])
		return
	}
	for i, r := range s.Results {
		c.value(r, c.sig.Results().At(i).Type())
	}
}

func (c *costing) rangeStmt(s *ast.RangeStmt) {
	t := c.typeOf(s.X)
	if _, ok := under(t).(*types.Signature); ok {
		c.cost += never
		return
	}
	c.cost++
	for _, l := range []ast.Expr{s.Key, s.Value} {
		if l != nil {
			c.target(l, s.Tok == token.DEFINE)
		}
	}
	c.expr(s.X)
	c.stmts(s.Body.List)
}

// value is the price of an expression that becomes a value of type to.
func (c *costing) value(e ast.Expr, to types.Type) {
	c.expr(e)
	c.convert(c.typeOf(e), to)
}

// convert is the price of an implicit conversion.
func (c *costing) convert(from, to types.Type) {
	if from == nil || to == nil || !types.IsInterface(to) || types.Identical(from, to) {
		return
	}
	if b, ok := from.(*types.Basic); ok && b.Kind() == types.UntypedNil {
		return
	}
	c.cost++
}

func (c *costing) exprs(list []ast.Expr) {
	for _, e := range list {
		c.expr(e)
	}
}

func (c *costing) expr(e ast.Expr) {
	if c.cost >= never {
		return
	}
	tv := c.Info.Types[e]
	if tv.Value != nil || tv.IsNil() {
		c.cost++
		return
	}
	if tv.IsType() {
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		c.expr(e.X)
	case *ast.Ident:
		c.cost++
	case *ast.FuncLit:
		c.cost += literalPrice
	case *ast.CompositeLit:
		c.literal(e)
	case *ast.SelectorExpr:
		c.selector(e)
	case *ast.IndexExpr:
		if c.Info.Types[e.Index].IsType() {
			c.cost++
			return
		}
		c.cost++
		if m, ok := under(c.typeOf(e.X)).(*types.Map); ok {
			c.expr(e.X)
			c.value(e.Index, m.Key())
			return
		}
		c.expr(e.X)
		c.expr(e.Index)
		if _, ok := under(c.typeOf(e.X)).(*types.Pointer); ok {
			c.cost++ // an array through its address
		}
	case *ast.IndexListExpr:
		c.cost++
	case *ast.SliceExpr:
		c.slice(e)
	case *ast.StarExpr:
		c.cost++
		if isAddress(c.Info, e.X) {
			c.cost--
		}
		c.expr(e.X)
	case *ast.UnaryExpr:
		c.cost++
		if e.Op == token.AND {
			c.address(e.X)
		}
		c.expr(e.X)
	case *ast.BinaryExpr:
		c.binary(e)
	case *ast.TypeAssertExpr:
		c.cost++
		c.expr(e.X)
	case *ast.CallExpr:
		c.call(e)
	}
}

// address gives back the price of the first field of a variable's struct, whose address costs
// nothing.
func (c *costing) address(x ast.Expr) {
	s, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok {
		return
	}
	sel := c.Info.Selections[s]
	if sel == nil || sel.Kind() != types.FieldVal || len(sel.Index()) != 1 || sel.Index()[0] != 0 {
		return
	}
	if _, ok := ast.Unparen(s.X).(*ast.Ident); ok {
		c.cost -= 2
	}
}

// isAddress reports whether x is a conversion of an address: *(*T)(unsafe.Pointer(&x)).
func isAddress(info *types.Info, x ast.Expr) bool {
	for {
		switch e := ast.Unparen(x).(type) {
		case *ast.CallExpr:
			if !info.Types[e.Fun].IsType() {
				return false
			}
			x = e.Args[0]
		case *ast.UnaryExpr:
			return e.Op == token.AND
		default:
			return false
		}
	}
}

func (c *costing) binary(e *ast.BinaryExpr) {
	if e.Op == token.ADD && isString(c.typeOf(e)) {
		// A sum of strings is one node.
		c.cost++
		c.sum(e)
		return
	}
	c.cost++
	switch e.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		x, y := c.typeOf(e.X), c.typeOf(e.Y)
		c.expr(e.X)
		c.expr(e.Y)
		if types.IsInterface(x) != types.IsInterface(y) {
			c.convert(x, y)
			c.convert(y, x)
		}
		return
	}
	c.expr(e.X)
	c.expr(e.Y)
}

func (c *costing) sum(e ast.Expr) {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if ok && b.Op == token.ADD && c.Info.Types[b].Value == nil {
		c.sum(b.X)
		c.sum(b.Y)
		return
	}
	c.expr(e)
}

func (c *costing) slice(e *ast.SliceExpr) {
	c.cost++
	c.expr(e.X)
	if _, ok := under(c.typeOf(e.X)).(*types.Array); ok {
		c.cost++ // its address
	}
	for _, i := range []ast.Expr{e.Low, e.High, e.Max} {
		if i != nil {
			c.expr(i)
		}
	}
	if v := c.constant(e.Low); v != nil && constant.Sign(v) == 0 {
		c.cost--
	}
}

func (c *costing) literal(e *ast.CompositeLit) {
	t := c.typeOf(e)
	if p, ok := under(t).(*types.Pointer); ok { // an element of a literal whose & is left out
		c.cost++
		t = p.Elem()
	}
	c.cost++
	switch t := under(t).(type) {
	case *types.Struct:
		for i, el := range e.Elts {
			c.cost++
			v, f := el, (*types.Var)(nil)
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				v = kv.Value
				f, _ = c.Info.Uses[kv.Key.(*ast.Ident)].(*types.Var)
			} else {
				f = t.Field(i)
			}
			if f != nil {
				c.value(v, f.Type())
			} else {
				c.expr(v)
			}
		}
	case *types.Map:
		for _, el := range e.Elts {
			kv := el.(*ast.KeyValueExpr)
			c.cost++
			c.value(kv.Key, t.Key())
			c.value(kv.Value, t.Elem())
		}
	default:
		if _, ok := t.(*types.Slice); ok {
			c.cost++
		}
		for _, el := range e.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				c.cost += 2
				el = kv.Value
			}
			c.value(el, elemOf(t))
		}
	}
}

// selector is the price of a field, a method value, or a name of another package.
func (c *costing) selector(e *ast.SelectorExpr) {
	sel := c.Info.Selections[e]
	if sel == nil {
		c.cost++
		return
	}
	switch sel.Kind() {
	case types.FieldVal:
		c.cost += len(sel.Index())
		c.expr(e.X)
	case types.MethodVal:
		c.cost += 2 + len(sel.Index()) - 1
		c.expr(e.X)
	}
}

// call is the price of a call.
func (c *costing) call(e *ast.CallExpr) {
	fun := ast.Unparen(e.Fun)
	if c.Info.Types[fun].IsType() {
		c.conversion(e)
		return
	}
	if b, ok := typeutil.Callee(c.Info, e).(*types.Builtin); ok {
		c.builtin(b.Name(), e)
		return
	}
	c.cost++
	c.arguments(e)
	f := typeutil.StaticCallee(c.Info, e)
	switch {
	case f != nil:
		if s, ok := fun.(*ast.SelectorExpr); ok && c.Info.Selections[s] != nil {
			if c.Info.Selections[s].Kind() == types.MethodVal {
				c.receiver(s)
			}
		} else {
			c.cost++
		}
		c.cost += c.price(f)
		return
	}
	// A call of a variable, of a method of an interface, or of a literal.
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		if sel := c.Info.Selections[fun]; sel != nil && sel.Kind() == types.MethodVal {
			c.cost += len(sel.Index())
			c.expr(fun.X)
			c.cost += callPrice
			return
		}
	case *ast.Ident:
		c.cost++
		if v, ok := c.Info.Uses[fun].(*types.Var); ok && c.isParam(v) {
			c.cost += paramPrice
			return
		}
		c.cost += callPrice
		return
	case *ast.FuncLit:
		c.cost += literalPrice
		sig, _ := c.typeOf(fun).(*types.Signature)
		p := c.costOf(sig, fun.Body)
		if p > 2*budget {
			p = callPrice
		}
		c.cost += p
		return
	}
	c.expr(fun)
	c.cost += callPrice
}

func (c *costing) isParam(v *types.Var) bool {
	if c.sig.Recv() == v {
		return true
	}
	ps := c.sig.Params()
	for i := range ps.Len() {
		if ps.At(i) == v {
			return true
		}
	}
	return false
}

// receiver is the price of the receiver of a static call.
func (c *costing) receiver(s *ast.SelectorExpr) {
	sel := c.Info.Selections[s]
	c.cost += len(sel.Index()) - 1
	f := sel.Obj().(*types.Func)
	_, wantsPtr := f.Signature().Recv().Type().(*types.Pointer)
	t := sel.Recv()
	if n := len(sel.Index()); n > 1 {
		t = fieldAt(t, sel.Index()[:n-1])
	}
	_, isPtr := under(t).(*types.Pointer)
	switch {
	case wantsPtr && !isPtr:
		c.cost++
		if len(sel.Index()) == 1 {
			c.address(s.X)
		} else if _, ok := ast.Unparen(s.X).(*ast.Ident); ok && len(sel.Index()) == 2 && sel.Index()[0] == 0 {
			c.cost -= 2
		}
	case !wantsPtr && isPtr:
		c.cost++
	}
	c.expr(s.X)
}

// arguments is the price of a call's arguments.
func (c *costing) arguments(e *ast.CallExpr) {
	sig, _ := under(c.typeOf(e.Fun)).(*types.Signature)
	if sig == nil {
		c.exprs(e.Args)
		return
	}
	n := sig.Params().Len()
	if len(e.Args) == 1 && n > 1 {
		if t, ok := c.typeOf(e.Args[0]).(*types.Tuple); ok {
			c.cost += 1 + 4*t.Len()
			c.expr(e.Args[0])
			return
		}
	}
	for i, a := range e.Args {
		if sig.Variadic() && i >= n-1 && !e.Ellipsis.IsValid() {
			c.value(a, elemOf(sig.Params().At(n-1).Type()))
		} else {
			c.value(a, sig.Params().At(i).Type())
		}
	}
	if sig.Variadic() && !e.Ellipsis.IsValid() {
		c.cost++
		if len(e.Args) >= n {
			c.cost++
		}
	}
}

// conversion is the price of an explicit conversion.
func (c *costing) conversion(e *ast.CallExpr) {
	from, to := c.typeOf(e.Args[0]), c.typeOf(e.Fun)
	c.expr(e.Args[0])
	if types.IsInterface(to) {
		c.convert(from, to)
		return
	}
	f, ok1 := under(from).(*types.Basic)
	t, ok2 := under(to).(*types.Basic)
	switch {
	case ok1 && ok2:
		if machine(f.Kind()) != machine(t.Kind()) {
			c.cost++
		}
	case ok1 && f.Info()&types.IsString != 0, ok2 && t.Info()&types.IsString != 0:
		c.cost++
	}
	if _, ok := under(from).(*types.Slice); ok {
		switch under(to).(type) {
		case *types.Array:
			c.cost += 2
		case *types.Pointer:
			c.cost++
		}
	}
}

// machine returns the kind of number that the compiler uses for a kind.
func machine(k types.BasicKind) types.BasicKind {
	switch k {
	case types.Int, types.UntypedInt:
		return types.Int64
	case types.Uint, types.Uintptr:
		return types.Uint64
	case types.UnsafePointer:
		return types.Uint64
	}
	return k
}

func (c *costing) builtin(name string, e *ast.CallExpr) {
	switch name {
	case "recover":
		c.cost += never
		return
	case "panic":
		c.cost += 2
		c.expr(e.Args[0])
		return
	case "append":
		c.cost++
		c.expr(e.Args[0])
		for _, a := range e.Args[1:] {
			if e.Ellipsis.IsValid() {
				c.expr(a)
			} else {
				c.value(a, elemOf(c.typeOf(e)))
			}
		}
		return
	case "make":
		c.cost++
		if _, ok := under(c.typeOf(e)).(*types.Map); ok && len(e.Args) == 1 {
			c.cost++
		}
	default:
		c.cost++
	}
	c.exprs(e.Args)
}
