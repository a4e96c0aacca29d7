package site

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// byValueLimit is the size up to which the compiler captures a variable that
// is never reassigned by value (cmd/compile/internal/escape, flowClosure).
const byValueLimit = 128

// coverPrefix starts the names of the counters that cmd/cover declares. They
// are the tool's: neither races on them nor order by them is the program's.
const (
	coverPrefix = "goCover_"
	coverAtomic = "_cover_atomic_" // the tool's import of sync/atomic
)

// A Variable holds the facts that decide whether a local variable lives in memory
// that another goroutine may reach.
type Variable struct {
	Owner    ast.Node // the function that declares it
	depth    int      // the number of functions around the declaration
	Captured bool     // a function literal that may run elsewhere uses it
	Assigned bool     // the code assigns it besides its declaration
	Taken    bool     // the code takes its address
	Nested   bool     // some function literal uses it
}

// Var returns the facts of local variable v; nil for variables of other packages and
// for package-level ones.
func (p *Package) Var(v *types.Var) *Variable { return p.vars[v] }

// Shared reports whether v lives in memory that another goroutine may reach:
// package-level variables that change, and locals that the compiler puts
// into memory anyway. Taking the address of any other variable would move it.
func (p *Package) Shared(v *types.Var) bool {
	if v.Name() == "_" || v.IsField() {
		return false
	}
	if IsGlobal(v) {
		return !strings.HasPrefix(v.Name(), coverPrefix) && !p.constant(v)
	}
	l := p.vars[v]
	if l == nil {
		return false
	}
	return l.Taken || l.Captured && (l.Assigned || p.Size(v.Type()) > byValueLimit)
}

// Reached reports whether v is shared and has bytes, so that its accesses are sites.
func (p *Package) Reached(v *types.Var) bool { return p.Shared(v) && p.Size(v.Type()) != 0 }

// IsGlobal reports whether v is a package-level variable.
func IsGlobal(v *types.Var) bool {
	return !v.IsField() && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// A varScan collects the facts of all local variables of one declaration.
type varScan struct {
	p     *Package
	funcs []ast.Node // enclosing functions, as far as storage is concerned
	loop  bool       // the file's range variables are fresh in every iteration
}

// scanVars fills p.vars for all declarations of f.
func (p *Package) scanVars(f *ast.File, perIteration bool) {
	for _, d := range f.Decls {
		s := &varScan{p: p, loop: perIteration}
		if fd, ok := d.(*ast.FuncDecl); ok {
			if fd.Body == nil {
				continue
			}
			s.funcs = []ast.Node{fd}
			s.signature(fd.Recv, fd.Type)
			s.walk(fd.Body)
			continue
		}
		s.funcs = []ast.Node{nil}
		s.walk(d)
	}
}

// signature marks named results as assigned: return statements do it.
func (s *varScan) signature(recv *ast.FieldList, t *ast.FuncType) {
	for _, l := range []*ast.FieldList{recv, t.Params, t.Results} {
		if l == nil {
			continue
		}
		for _, fl := range l.List {
			for _, n := range fl.Names {
				s.declare(s.p.Info.Defs[n])
				if l == t.Results {
					s.mark(n, func(v *Variable) { v.Assigned = true })
				}
			}
		}
	}
}

func (s *varScan) declare(o types.Object) {
	if v, ok := o.(*types.Var); ok && !v.IsField() && !IsGlobal(v) {
		l := s.p.vars[v]
		if l == nil {
			l = new(Variable)
			s.p.vars[v] = l
		}
		l.Owner, l.depth = s.funcs[len(s.funcs)-1], len(s.funcs)
	}
}

func (s *varScan) local(id *ast.Ident) *Variable {
	o := s.p.Info.Uses[id]
	if o == nil {
		o = s.p.Info.Defs[id]
	}
	v, ok := o.(*types.Var)
	if !ok || v.IsField() || IsGlobal(v) {
		return nil
	}
	l := s.p.vars[v]
	if l == nil { // the symbol of a type switch, declared per clause
		l = &Variable{Owner: s.funcs[len(s.funcs)-1], depth: len(s.funcs)}
		s.p.vars[v] = l
	}
	return l
}

func (s *varScan) mark(id *ast.Ident, set func(*Variable)) {
	if l := s.local(id); l != nil {
		set(l)
	}
}

// Root returns the variable whose own storage holds the place e, or nil where
// a pointer or slice stands between.
func (p *Package) Root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			sel := p.Info.Selections[x]
			if sel == nil || sel.Kind() != types.FieldVal || ThroughPointer(sel.Recv(), sel.Index()[:len(sel.Index())-1]) {
				return nil
			}
			e = x.X
		case *ast.IndexExpr:
			if !IsArray(p.TypeOf(x.X)) {
				return nil
			}
			e = x.X
		case *ast.StarExpr:
			if e = p.Punned(x); e == nil {
				return nil
			}
		default:
			return nil
		}
	}
}

// Punned returns x where e is *(*T)(unsafe.Pointer(&x)), which is the place x under
// another type, as in math.Float64bits; else nil.
func (p *Package) Punned(e *ast.StarExpr) ast.Expr {
	operand := func(e ast.Expr, is func(types.Type) bool) ast.Expr {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(c.Args) != 1 {
			return nil
		}
		if tv := p.Info.Types[c.Fun]; !tv.IsType() || !is(tv.Type) {
			return nil
		}
		return c.Args[0]
	}
	ptr := operand(e.X, IsPointer)
	if ptr == nil {
		return nil
	}
	addr := operand(ptr, func(t types.Type) bool { return t == types.Typ[types.UnsafePointer] })
	if addr == nil {
		return nil
	}
	if u, ok := ast.Unparen(addr).(*ast.UnaryExpr); ok && u.Op == token.AND {
		if _, lit := ast.Unparen(u.X).(*ast.CompositeLit); !lit {
			return u.X
		}
	}
	return nil
}

// ThroughPointer reports whether following the fields in path from a value of
// type t dereferences a pointer before the last step.
func ThroughPointer(t types.Type, path []int) bool {
	for _, i := range path {
		if IsPointer(t) {
			return true
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return true
		}
		t = st.Field(i).Type()
	}
	return IsPointer(t)
}

func (s *varScan) assignTo(e ast.Expr) {
	if id := s.p.Root(e); id != nil {
		s.p.mutable(id)
		s.mark(id, func(v *Variable) { v.Assigned = true })
	}
}

func (s *varScan) take(e ast.Expr) {
	if id := s.p.Root(e); id != nil {
		s.p.mutable(id)
		s.mark(id, func(v *Variable) { v.Taken = true })
	}
}

// walk visits n in source order.
func (s *varScan) walk(n ast.Node) {
	info := s.p.Info
	var started *ast.FuncLit // a literal that a go statement starts
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			s.literal(n, n)
			return false
		case *ast.GoStmt:
			started, _ = ast.Unparen(n.Call.Fun).(*ast.FuncLit)
		case *ast.CallExpr:
			if lit, ok := ast.Unparen(n.Fun).(*ast.FuncLit); ok && lit != started {
				// A literal that the code calls or defers on the spot runs on this
				// goroutine: nobody else shares the variables of the function
				// around it.
				for _, a := range n.Args {
					s.walk(a)
				}
				s.literal(lit, s.funcs[len(s.funcs)-1])
				return false
			}
		case *ast.Ident:
			if o := info.Defs[n]; o != nil {
				s.declare(o)
			} else if l := s.local(n); l != nil && info.Uses[n] != nil {
				l.Captured = l.Captured || l.Owner != s.funcs[len(s.funcs)-1]
				l.Nested = l.Nested || l.depth != len(s.funcs)
			}
		case *ast.CaseClause:
			if o := info.Implicits[n]; o != nil {
				s.declare(o)
			}
		case *ast.StarExpr:
			if x := s.p.Punned(n); x != nil {
				s.walk(x)
				return false
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				s.take(n.X)
			}
		case *ast.SliceExpr:
			if IsArray(s.p.TypeOf(n.X)) {
				s.take(n.X)
			}
		case *ast.SelectorExpr:
			s.method(n)
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.DEFINE && info.Defs[id] != nil {
					continue
				}
				s.assignTo(l)
			}
		case *ast.IncDecStmt:
			s.assignTo(n.X)
		case *ast.RangeStmt:
			if _, ok := Core(s.p.TypeOf(n.X)).(*types.Signature); ok {
				s.overFunc(n)
				return false
			}
			for _, l := range []ast.Expr{n.Key, n.Value} {
				if l == nil || n.Tok == token.DEFINE && s.loop {
					continue
				}
				if id, ok := l.(*ast.Ident); ok && info.Defs[id] != nil {
					s.declare(info.Defs[id])
				}
				s.assignTo(l)
			}
		}
		return true
	})
}

// overFunc visits a loop over a function, which may run the body in another goroutine:
// the body is a function of its own, and assigns the variables of the loop.
func (s *varScan) overFunc(n *ast.RangeStmt) {
	s.walk(n.X)
	s.funcs = append(s.funcs, n)
	for _, l := range []ast.Expr{n.Key, n.Value} {
		if l != nil {
			s.walk(l)
			if n.Tok != token.DEFINE {
				s.assignTo(l)
			}
		}
	}
	s.walk(n.Body)
	s.funcs = s.funcs[:len(s.funcs)-1]
}

// literal visits a function literal whose variables belong to owner.
func (s *varScan) literal(lit *ast.FuncLit, owner ast.Node) {
	s.funcs = append(s.funcs, owner)
	s.signature(nil, lit.Type)
	s.walk(lit.Body)
	s.funcs = s.funcs[:len(s.funcs)-1]
}

// method marks the receiver of x.M where the compiler takes its address.
func (s *varScan) method(x *ast.SelectorExpr) {
	sel := s.p.Info.Selections[x]
	if sel == nil || sel.Kind() != types.MethodVal {
		return
	}
	m := sel.Obj().(*types.Func)
	if !IsPointer(m.Signature().Recv().Type()) {
		return
	}
	path := sel.Index()
	if !ThroughPointer(sel.Recv(), path[:len(path)-1]) {
		s.take(x.X)
	}
}
