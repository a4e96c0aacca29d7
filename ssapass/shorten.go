package ssapass

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// This file shortens tables. The initializers of some packages are tables of thousands of
// numbers and strings, of character classes for instance. Package ssa makes three
// instructions for each element. To the analysis all elements of an array are the same
// memory, and so are all values of a map. So one element of each shape stands for all
// elements that consist of constants: the others would add the same accesses to the same
// memory.
//
// Only the initializers of package-level variables are shortened. Constants that a store
// converts to an interface stay, since each of them is an object of its own. So do elements
// that are pointers, slices and maps.

// plentiful is the number of elements from which a table is shortened.
const plentiful = 8

// A shortened is a literal whose elements are left out for a while.
type shortened struct {
	lit  *ast.CompositeLit
	elts []ast.Expr
}

// shorten shortens the tables in the initializers of package-level variables. The caller
// calls the returned function once the SSA is built: it restores the syntax.
func shorten(files []*ast.File, info *types.Info) (restore func()) {
	var all []shortened
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			ast.Inspect(g, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.CompositeLit:
					if elts := kinds(n, info); elts != nil {
						all = append(all, shortened{n, n.Elts})
						n.Elts = elts
					}
				}
				return true
			})
		}
	}
	return func() {
		for _, s := range all {
			s.lit.Elts = s.elts
		}
	}
}

// kinds returns one element of each shape and all elements without a shape. It returns nil
// if the literal is no large table.
func kinds(l *ast.CompositeLit, info *types.Info) (list []ast.Expr) {
	if len(l.Elts) < plentiful {
		return nil
	}
	seen := map[string]bool{}
	var key, elem types.Type
	switch t := literalType(l, info).(type) {
	case *types.Array:
		elem = t.Elem()
	case *types.Slice:
		elem = t.Elem()
	case *types.Map:
		key, elem = t.Key(), t.Elem()
	default:
		return nil
	}
	for _, e := range l.Elts {
		s, ok := "", true
		v := e
		if kv, has := e.(*ast.KeyValueExpr); has {
			v = kv.Value
			if key != nil {
				s, ok = shape(kv.Key, key, info)
				s += ":"
			}
		}
		if ok {
			var t string
			t, ok = shape(v, elem, info)
			s += t
		}
		if !ok || !seen[s] {
			list = append(list, e)
		}
		if ok {
			seen[s] = true
		}
	}
	return list
}

// literalType returns the type of a literal whose type is known, without a pointer to it.
func literalType(l *ast.CompositeLit, info *types.Info) types.Type {
	t := info.TypeOf(l)
	if t == nil {
		return nil
	}
	return t.Underlying()
}

// shape returns a text for the accesses that initialize memory of type t with the value of
// e. It reports false if the value is not made of constants.
func shape(e ast.Expr, t types.Type, info *types.Info) (string, bool) {
	if _, basic := t.Underlying().(*types.Basic); basic && info.Types[e].Value != nil {
		return "c", true
	}
	l, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok {
		return "", false
	}
	var b strings.Builder
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if !types.Identical(info.TypeOf(l), t) {
			return "", false // an interface or a pointer holds it
		}
		for i, e := range l.Elts {
			name := strconv.Itoa(i)
			if kv, has := e.(*ast.KeyValueExpr); has {
				id, ok := kv.Key.(*ast.Ident)
				if !ok {
					return "", false
				}
				name, e = id.Name, kv.Value
			}
			f := field(u, name)
			if f == nil {
				return "", false
			}
			s, ok := shape(e, f.Type(), info)
			if !ok {
				return "", false
			}
			b.WriteString(f.Name() + "=" + s + " ")
		}
		return "{" + b.String() + "}", true
	case *types.Array:
		if !types.Identical(info.TypeOf(l), t) || int64(len(l.Elts)) != u.Len() {
			return "", false
		}
		for _, e := range l.Elts {
			if kv, has := e.(*ast.KeyValueExpr); has {
				e = kv.Value
			}
			s, ok := shape(e, u.Elem(), info)
			if !ok {
				return "", false
			}
			if b.Len() == 0 {
				b.WriteString(s)
			} else if s != b.String() {
				return "", false
			}
		}
		return "[" + b.String() + "]", true
	}
	return "", false
}

// field returns the field of a struct with a name, or with an index.
func field(t *types.Struct, name string) *types.Var {
	if i, err := strconv.Atoi(name); err == nil {
		if i < t.NumFields() {
			return t.Field(i)
		}
		return nil
	}
	for f := range t.Fields() {
		if f.Name() == name {
			return f
		}
	}
	return nil
}
