package site

import (
	"bytes"
	"go/ast"
	"go/types"
	"strings"
)

// Spell returns how the source spells t at the node n, if it can.
func (f *File) Spell(t types.Type, n ast.Node) (string, bool) {
	scope := f.Pkg.Scope().Innermost(n.Pos())
	if scope == nil {
		return "", false
	}
	denotes := func(name string, o types.Object) bool {
		_, found := scope.LookupParent(name, n.Pos())
		return found == o
	}
	var spell func(t types.Type) (string, bool)
	named := func(o *types.TypeName, args *types.TypeList) (string, bool) {
		var list []string
		for t := range args.Types() {
			s, ok := spell(t)
			if !ok {
				return "", false
			}
			list = append(list, s)
		}
		with := ""
		if len(list) > 0 {
			with = "[" + strings.Join(list, ", ") + "]"
		}
		if o.Pkg() == nil || o.Pkg() == f.Pkg {
			return o.Name() + with, denotes(o.Name(), o)
		}
		if !o.Exported() {
			return "", false
		}
		for _, spec := range f.Syntax.Imports {
			var name types.Object = f.Info.Implicits[spec]
			if spec.Name != nil {
				name = f.Info.Defs[spec.Name]
			}
			if p, ok := name.(*types.PkgName); ok && p.Imported() == o.Pkg() && denotes(p.Name(), p) {
				return p.Name() + "." + o.Name() + with, true
			}
		}
		return "", false
	}
	spell = func(t types.Type) (string, bool) {
		switch t := t.(type) {
		case *types.Basic:
			return t.Name(), t.Kind() != types.UnsafePointer && denotes(t.Name(), types.Universe.Lookup(t.Name()))
		case *types.TypeParam:
			return t.Obj().Name(), denotes(t.Obj().Name(), t.Obj())
		case *types.Pointer:
			s, ok := spell(t.Elem())
			return "*" + s, ok
		case *types.Slice:
			s, ok := spell(t.Elem())
			return "[]" + s, ok
		case *types.Interface:
			return "interface{}", t.NumMethods() == 0 && t.NumEmbeddeds() == 0
		case *types.Map:
			k, ok1 := spell(t.Key())
			v, ok2 := spell(t.Elem())
			return "map[" + k + "]" + v, ok1 && ok2
		case *types.Alias:
			if s, ok := named(t.Obj(), t.TypeArgs()); ok {
				return s, true
			}
			return spell(types.Unalias(t))
		case *types.Named:
			return named(t.Obj(), t.TypeArgs())
		}
		return "", false
	}
	return spell(t)
}

// SpellAs returns how the source spells t, which the expression typ names if it is not
// nil, at the node n.
func (f *File) SpellAs(typ ast.Expr, t types.Type, n ast.Node) (string, bool) {
	if typ != nil {
		if text := f.Text[f.Offset(typ.Pos()):f.Offset(typ.End())]; !bytes.ContainsAny(text, "\n/") {
			return string(text), true
		}
	}
	return f.Spell(t, n)
}
