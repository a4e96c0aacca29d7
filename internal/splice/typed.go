package splice

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Most helpers have a type parameter, which stands for the type of the place. The compiler pays
// for an instance more than for a function: it infers the type argument of each call, and makes
// two functions, one of which calls the other and both of which go into each caller. So where
// the generated file can spell the type, it has the helper as a function without type
// parameters, such as _ti_r0_3. Other types, as types with type parameters, types that a
// function declares, and types of packages that this one does not import, use the helper itself.

// A typedHelper is a helper for one type.
type typedHelper struct {
	name string // of the helper
	typ  string // as the generated file spells it
}

// spellings are the types that the generated file spells.
type spellings struct {
	texts   map[types.Type]string     // by type, "" if it cannot be spelled
	numbers map[string]int            // by text
	paths   map[*types.Package]string // of imported packages, as the source spells them
	names   map[*types.Package]string // of packages that the generated file may import
	imports []string                  // these imports, in order: name and path
	helpers map[typedHelper]bool      // the helpers in use
}

// of says that the helper's type parameter stands for t.
func (p part) of(t types.Type) part {
	p.typ = t
	return p
}

// typed returns the name of the helper for a place of type t: of the helper without type
// parameters, if there is one.
func (p *pkg) typed(name string, t types.Type) string {
	if t != nil && parameter(name, p.cfg.Shadow) != "" {
		if text := p.spelled(t); text != "" {
			h := typedHelper{name, text}
			p.types.helpers[h] = true
			return p.typedName(h)
		}
	}
	p.helpers[name] = true
	return name
}

func (p *pkg) typedName(h typedHelper) string {
	return h.name + "_" + strconv.Itoa(p.types.numbers[h.typ])
}

// compareTyped orders helpers by name and number.
func (p *pkg) compareTyped(x, y typedHelper) int {
	return cmp.Or(cmp.Compare(x.name, y.name), cmp.Compare(p.types.numbers[x.typ], p.types.numbers[y.typ]))
}

// parameter returns the name of the helper's type parameter, "" if it has none or several.
func parameter(name string, shadow bool) string {
	if h := helpers(shadow)[name]; h != nil {
		return h.parameter
	}
	return ""
}

// parameterOf returns the name of the type parameter of d, if it has one alone, for any type.
func parameterOf(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Type.TypeParams == nil || len(f.Type.TypeParams.List) != 1 {
		return ""
	}
	p := f.Type.TypeParams.List[0]
	if _, ok := p.Type.(*ast.InterfaceType); !ok || len(p.Names) != 1 {
		return ""
	}
	return p.Names[0].Name
}

// typedText returns the source of a helper for one type.
func (p *pkg) typedText(h typedHelper) string {
	param := parameter(h.name, p.cfg.Shadow)
	text := helperText(h.name, p.cfg.Count, p.cfg.Shadow)
	_, body, _ := strings.Cut(text[strings.Index(text, "\nfunc "):], "](")
	directive := ""
	if strings.Contains(text, "\n//go:nosplit\n") {
		directive = "//go:nosplit\n"
	}
	if strings.Contains(text, "\n//go:nocheckptr\n") {
		directive = "//go:nocheckptr\n"
	}
	return "\n" + directive + "func " + p.typedName(h) + "(" + regexp.MustCompile(`\b`+param+`\b`).ReplaceAllLiteralString(body, h.typ)
}

// spelled returns t as the generated file spells it, or "".
func (p *pkg) spelled(t types.Type) string {
	s := &p.types
	text, known := s.texts[t]
	if !known {
		if x, ok := p.spell(t); ok {
			text = x
		}
		s.texts[t] = text
		if text != "" && s.numbers[text] == 0 {
			s.numbers[text] = len(s.numbers) + 1
		}
	}
	return text
}

// spell returns t as the generated file spells it, if it can.
func (p *pkg) spell(t types.Type) (string, bool) {
	prefixed := func(prefix string, t types.Type) (string, bool) {
		s, ok := p.spell(t)
		return prefix + s, ok
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return "unsafe.Pointer", true
		}
		name := types.Typ[t.Kind()].Name() // byte and rune have the names of their types
		return name, t.Info()&types.IsUntyped == 0 && p.Pkg.Scope().Lookup(name) == nil
	case *types.Named:
		return p.spellNamed(t)
	case *types.Pointer:
		return prefixed("*", t.Elem())
	case *types.Slice:
		return prefixed("[]", t.Elem())
	case *types.Array:
		return prefixed(fmt.Sprintf("[%d]", t.Len()), t.Elem())
	case *types.Chan:
		prefix := map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()]
		s, ok := p.spell(t.Elem())
		return prefix + "(" + s + ")", ok
	case *types.Map:
		k, ok := p.spell(t.Key())
		v, ok2 := p.spell(t.Elem())
		return "map[" + k + "]" + v, ok && ok2
	case *types.Interface:
		return "interface{}", t.NumMethods() == 0 && t.NumEmbeddeds() == 0
	case *types.Struct:
		return "struct{}", t.NumFields() == 0
	case *types.Signature:
		return p.spellFunc(t)
	}
	return "", false
}

func (p *pkg) spellNamed(t *types.Named) (string, bool) {
	o := t.Obj()
	name := o.Name()
	switch {
	case o.Pkg() == nil: // error
		if p.Pkg.Scope().Lookup(name) != nil {
			return "", false
		}
	case o.Parent() != o.Pkg().Scope():
		return "", false
	case o.Pkg() != p.Pkg:
		from := p.importName(o.Pkg())
		if from == "" || !o.Exported() {
			return "", false
		}
		name = from + "." + name
	}
	var args []string
	for a := range t.TypeArgs().Types() {
		s, ok := p.spell(a)
		if !ok {
			return "", false
		}
		args = append(args, s)
	}
	if len(args) > 0 {
		name += "[" + strings.Join(args, ",") + "]"
	}
	return name, true
}

func (p *pkg) spellFunc(t *types.Signature) (string, bool) {
	list := func(vars *types.Tuple, variadic bool) (string, bool) {
		var texts []string
		for i := range vars.Len() {
			v, prefix := vars.At(i).Type(), ""
			if variadic && i == vars.Len()-1 {
				v, prefix = v.(*types.Slice).Elem(), "..."
			}
			s, ok := p.spell(v)
			if !ok {
				return "", false
			}
			texts = append(texts, prefix+s)
		}
		return "(" + strings.Join(texts, ",") + ")", true
	}
	params, ok := list(t.Params(), t.Variadic())
	results, ok2 := list(t.Results(), false)
	if t.Results().Len() == 0 {
		results = ""
	}
	return "func" + params + results, ok && ok2 && t.TypeParams() == nil
}

// importName returns the name by which the generated file knows an imported package, "" if no file
// of this package imports it.
func (p *pkg) importName(q *types.Package) string {
	s := &p.types
	if s.paths == nil {
		s.paths = map[*types.Package]string{}
		for _, f := range p.cfg.Files {
			for _, spec := range f.Imports {
				if n := p.Info.PkgNameOf(spec); n != nil {
					s.paths[n.Imported()] = spec.Path.Value
				}
			}
		}
	}
	name, path := s.names[q], s.paths[q]
	if name == "" && path != "" {
		name = fmt.Sprintf("_ti_p%d", len(s.imports)+1)
		s.names[q] = name
		s.imports = append(s.imports, name+" "+path)
	}
	return name
}

// imported returns the imports that the helpers need.
func (s *spellings) imported(helpers []typedHelper) (list []string) {
	for _, line := range s.imports {
		name, _, _ := strings.Cut(line, " ")
		if slices.ContainsFunc(helpers, func(h typedHelper) bool { return strings.Contains(h.typ, name+".") }) {
			list = append(list, line)
		}
	}
	return list
}
