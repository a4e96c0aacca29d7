package ssapass

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Opaque instances represent the instances of exposed generic functions that are not in sight:
// those of other packages. The type arguments of an opaque instance are opaque types, of which the
// analysis assumes nothing but what the constraint demands.
//
// For a constraint that is a set of methods the opaque type is a named interface type with these
// methods. Interface values may be made of pointers, may panic when they are compared or used as keys
// of a map, and have any dynamic type. So no other type argument can do more. Each value of such a
// type is unknown (pointsto.Config.Opaque), also where the program has the zero value, whose methods
// may do anything in another instance. A call of a method runs external code.
//
// For a union there is a named type for each kind of its types: integers, floating-point and complex
// numbers, strings, booleans, and slices. The types of one kind have the same operations, with the
// same effects and the same panics, so one of them is enough. Their methods are not known either.
//
// A value of an opaque type that becomes an interface value is unknown. The size of an opaque type is
// not known (package optimize/layout).
//
// Opaque instances are entries. So a decision about a site of an exposed generic function holds for
// the instances of other packages if it holds for the opaque instances: all have the same source.
// There is none for other constraints: unions with methods, with pointers, maps, channels, functions,
// arrays or structs, and those whose methods mention type parameters. The sites of such functions have
// no accesses.

// opaquePackage is the package of all opaque types. It belongs to no unit.
var opaquePackage = types.NewPackage("taskinstr/opaque", "opaque")

// Opaque reports whether t is the type argument of an opaque instance.
func Opaque(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == opaquePackage
}

// maxOpaque bounds the opaque instances of one function or type.
const maxOpaque = 8

// opaqueArguments returns lists of opaque types for type parameters: together they represent all type
// arguments. It returns nil if there are none for one of the parameters, or too many.
func opaqueArguments(list *types.TypeParamList) (lists [][]types.Type) {
	lists = [][]types.Type{nil}
	params := slices.Collect(list.TypeParams())
	for _, p := range params {
		kinds := opaqueKinds(p)
		if len(kinds) == 0 || len(kinds)*len(lists) > maxOpaque {
			return nil
		}
		var longer [][]types.Type
		for _, l := range lists {
			for _, t := range kinds {
				longer = append(longer, append(slices.Clip(l), t))
			}
		}
		lists = longer
	}
	for _, args := range lists {
		for i, t := range args {
			name := types.NewTypeName(token.NoPos, opaquePackage, params[i].Obj().Name(), nil)
			args[i] = types.NewNamed(name, t, nil)
		}
		for _, t := range args {
			elementType(t.(*types.Named), params, args)
		}
	}
	return lists
}

// opaqueKinds returns the underlying types of the opaque types for a type parameter, nil if there are
// none.
func opaqueKinds(p *types.TypeParam) (list []types.Type) {
	i, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	if methodsOnly(i) {
		var methods []*types.Func
		for m := range i.Methods() {
			if parameterized(m.Signature()) {
				return nil
			}
			methods = append(methods, types.NewFunc(token.NoPos, m.Pkg(), m.Name(), m.Signature()))
		}
		return []types.Type{types.NewInterfaceType(methods, nil).Complete()}
	}
	kinds := map[string]types.Type{}
	if i.NumMethods() > 0 || !unionKinds(i, kinds) {
		return nil
	}
	for _, k := range slices.Sorted(maps.Keys(kinds)) {
		list = append(list, kinds[k])
	}
	return list
}

// methodsOnly reports whether a constraint demands methods, and that values can be compared, at most.
func methodsOnly(i *types.Interface) bool {
	for t := range i.EmbeddedTypes() {
		j, ok := t.Underlying().(*types.Interface)
		if !ok || !methodsOnly(j) {
			return false
		}
	}
	return true
}

// unionKinds adds a type of each kind that a constraint permits. It returns false for kinds that have
// no opaque type. An intersection of constraints permits no more than one of its parts.
func unionKinds(i *types.Interface, kinds map[string]types.Type) bool {
	for t := range i.EmbeddedTypes() {
		switch t := t.(type) {
		case *types.Union:
			for term := range t.Terms() {
				if !addKind(term.Type(), kinds) {
					return false
				}
			}
		default:
			if !addKind(t, kinds) {
				return false
			}
		}
	}
	return true
}

func addKind(t types.Type, kinds map[string]types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return u.NumMethods() == 0 && !methodsOnly(u) && unionKinds(u, kinds)
	case *types.Slice:
		if _, ok := u.Elem().(*types.TypeParam); !ok && parameterized(u.Elem()) {
			return false
		}
		kinds["slice of "+u.Elem().String()] = u
		return true
	case *types.Basic:
		for kind, info := range map[types.BasicKind]types.BasicInfo{
			types.Int: types.IsInteger, types.Float64: types.IsFloat, types.Complex128: types.IsComplex, types.String: types.IsString, types.Bool: types.IsBoolean,
		} {
			if u.Info()&info != 0 {
				// Of the integers the signed ones can do more: a shift by a negative count panics.
				kinds[types.Typ[kind].Name()] = types.Typ[kind]
				return true
			}
		}
	}
	return false
}

// elementType replaces a type parameter that is the element of an opaque slice type by its argument.
func elementType(n *types.Named, params []*types.TypeParam, args []types.Type) {
	s, ok := n.Underlying().(*types.Slice)
	if !ok {
		return
	}
	for i, p := range params {
		if types.Identical(s.Elem(), p) {
			n.SetUnderlying(types.NewSlice(args[i]))
		}
	}
}

// addOpaque makes the opaque instances of the exposed generic functions of the unit: of functions,
// which become entries, and of types, whose methods become entries as those of open types.
func (p *Program) addOpaque() {
	if p.unit.Main {
		return
	}
	for _, m := range p.unit.list {
		scope := m.Pkg.Scope()
		for _, name := range scope.Names() {
			t, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || t.IsAlias() {
				continue
			}
			n, ok := t.Type().(*types.Named)
			if !ok || n.TypeParams().Len() == 0 || types.IsInterface(n) {
				continue
			}
			for _, args := range opaqueArguments(n.TypeParams()) {
				if i, err := types.Instantiate(nil, n, args, false); err == nil {
					p.unit.opaqueTypes = append(p.unit.opaqueTypes, i.(*types.Named))
				}
			}
		}
		p.opaqueFunctions(m)
	}
}

// opaqueFunctions makes the opaque instances of a member's exposed generic functions. Package ssa
// makes an instance for each use, so it gets a package with a function for each:
//
//	func use() func(...) { return f[...] }
func (p *Program) opaqueFunctions(m *Unit) {
	pkg := types.NewPackage(opaquePackage.Path()+"/"+m.Path, opaquePackage.Name())
	info := NewInfo(0)
	file := &ast.File{Name: ast.NewIdent(pkg.Name())}
	for fn := range m.generics() {
		sig := fn.Signature()
		if sig.Recv() != nil || !p.unit.exposed(fn) {
			continue
		}
		for _, args := range opaqueArguments(sig.TypeParams()) {
			i, err := types.Instantiate(nil, sig, args, false)
			if err != nil {
				continue
			}
			use, name := ast.NewIdent(fn.Name()), ast.NewIdent(fmt.Sprintf("use%d", len(file.Decls)))
			info.Uses[use], info.Types[use] = fn, types.TypeAndValue{Type: i}
			info.Instances[use] = types.Instance{TypeArgs: typeList(args), Type: i}
			result := types.NewTuple(types.NewVar(token.NoPos, pkg, "", i))
			info.Defs[name] = types.NewFunc(token.NoPos, pkg, name.Name, types.NewSignatureType(nil, nil, nil, nil, result, false))
			file.Decls = append(file.Decls, &ast.FuncDecl{
				Name: name,
				Type: &ast.FuncType{Params: &ast.FieldList{}, Results: &ast.FieldList{List: []*ast.Field{{Type: ast.NewIdent("func")}}}},
				Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ReturnStmt{Results: []ast.Expr{use}}}},
			})
		}
	}
	if len(file.Decls) == 0 {
		return
	}
	s := p.SSA.CreatePackage(pkg, []*ast.File{file}, info, false)
	s.Build()
	for _, d := range file.Decls {
		f := s.Func(d.(*ast.FuncDecl).Name.Name)
		if r, ok := f.Blocks[0].Instrs[len(f.Blocks[0].Instrs)-1].(*ssa.Return); ok {
			if g, ok := r.Results[0].(*ssa.Function); ok {
				p.unit.opaqueFuncs = append(p.unit.opaqueFuncs, g)
			}
		}
	}
}

// typeList returns a list of type arguments, which package types makes for instances alone.
func typeList(args []types.Type) *types.TypeList {
	var params []*types.TypeParam
	for range args {
		name := types.NewTypeName(token.NoPos, opaquePackage, "P", nil)
		params = append(params, types.NewTypeParam(name, types.NewInterfaceType(nil, nil)))
	}
	n := types.NewNamed(types.NewTypeName(token.NoPos, opaquePackage, "list", nil), types.NewStruct(nil, nil), nil)
	n.SetTypeParams(params)
	i, err := types.Instantiate(nil, n, args, false)
	if err != nil {
		panic(fmt.Sprintf("ssapass: %v", err)) // there are as many arguments as parameters
	}
	return i.(*types.Named).TypeArgs()
}
