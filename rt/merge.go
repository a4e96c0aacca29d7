package rt

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// hostOnly is the build constraint of the files that stay outside the runtime.
const hostOnly = "//go:build !taskinstr_runtime"

// module is the path in front of source.dir in imports.
const module = "taskinstr/"

// merge returns the files of packages as files of one package, runtime. A package comes
// after the packages that it imports. The text changes in three ways:
//
//   - the package clause says runtime;
//   - each name that a package declares gets the prefix of its package, and so does a
//     field that is embedded by that name;
//   - a qualified name, serial.Engine, becomes the name that the declaration has now,
//     se_Engine, and the import is dropped.
//
// Lines stay where they are.
func merge(sources ...source) ([]File, error) {
	m := merger{
		fset: token.NewFileSet(),
		info: &types.Info{
			Defs:       map[*ast.Ident]types.Object{},
			Uses:       map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
		embedded: map[*types.Var]types.Object{},
		taken:    map[string]token.Pos{},
	}
	for _, src := range sources {
		if err := m.check(src); err != nil {
			return nil, err
		}
	}
	var out []File
	for _, u := range m.units {
		for _, f := range u.files {
			if !f.kept {
				continue
			}
			text, err := m.rewrite(u, f)
			if err != nil {
				return nil, err
			}
			out = append(out, File{Name: "taskinstr_" + path.Base(u.src.dir) + "_" + f.name, Data: text})
		}
	}
	return out, nil
}

// A merger holds the packages of one merge.
type merger struct {
	fset     *token.FileSet
	info     *types.Info
	units    []*unit
	embedded map[*types.Var]types.Object // the type by whose name a field is embedded
	taken    map[string]token.Pos        // the declarations, by their new names
}

// A unit is a package to be merged.
type unit struct {
	src   source
	pkg   *types.Package
	files []*unitFile
}

type unitFile struct {
	name   string
	text   []byte
	syntax *ast.File
	kept   bool // part of the runtime, not of the ordinary package alone
}

// errorf returns an error about the text at pos.
func (m *merger) errorf(pos token.Pos, format string, args ...any) error {
	return fmt.Errorf("rt: merging %s: %s", m.fset.Position(pos), fmt.Sprintf(format, args...))
}

// check parses and type-checks a package.
func (m *merger) check(src source) error {
	names, err := fs.Glob(src.files, "*.go")
	if err != nil {
		return err
	}
	slices.Sort(names)
	u := &unit{src: src}
	kept := map[string]bool{}
	var syntax []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(src.files, name)
		if err != nil {
			return err
		}
		full := path.Join(src.dir, name)
		f, err := parser.ParseFile(m.fset, full, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("rt: merging %s: %w", src.dir, err)
		}
		host := bytes.Contains(text[:m.fset.Position(f.Package).Offset], []byte(hostOnly))
		kept[full] = !host
		u.files = append(u.files, &unitFile{name, text, f, !host})
		syntax = append(syntax, f)
		if !host {
			if err := m.checkImports(f); err != nil {
				return err
			}
		}
	}
	// The files outside the runtime import packages that are missing here, and several of
	// them declare the same names for different systems. Only their declarations matter, so
	// errors in them are ignored.
	var first error
	conf := types.Config{Importer: m, FakeImportC: true, Error: func(err error) {
		if e, ok := err.(types.Error); ok && first == nil && kept[m.fset.Position(e.Pos).Filename] {
			first = m.errorf(e.Pos, "%s", e.Msg)
		}
	}}
	u.pkg, _ = conf.Check(module+src.dir, m.fset, syntax, m.info)
	if first != nil {
		return first
	}
	m.units = append(m.units, u)
	for _, f := range u.files {
		m.noteEmbedded(f.syntax)
		if f.kept {
			if err := m.claim(u, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkImports reports imports that cannot be carried out in package runtime.
func (m *merger) checkImports(f *ast.File) error {
	for _, spec := range f.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil:
			return err
		case name == "unsafe":
		case m.unitOf(name) == nil:
			return m.errorf(spec.Pos(), "%s is not a part of package runtime; a package that is comes before those that import it", name)
		case spec.Name != nil && (spec.Name.Name == "." || spec.Name.Name == "_"):
			return m.errorf(spec.Pos(), "an import of %s as %s is not supported: name the package", name, spec.Name.Name)
		}
	}
	return nil
}

// Import implements types.Importer.
func (m *merger) Import(name string) (*types.Package, error) {
	if name == "unsafe" {
		return types.Unsafe, nil
	}
	if u := m.unitOf(name); u != nil {
		return u.pkg, nil
	}
	return nil, fmt.Errorf("%s is not a part of package runtime", name)
}

func (m *merger) unitOf(name string) *unit {
	for _, u := range m.units {
		if module+u.src.dir == name {
			return u
		}
	}
	return nil
}

// noteEmbedded enters the embedded fields of a file into m.embedded.
func (m *merger) noteEmbedded(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := m.info.Defs[id].(*types.Var); ok && v.Embedded() {
				m.embedded[v] = m.info.Uses[id]
			}
		}
		return true
	})
}

// claim enters the declarations of a file into m.taken, and reports clashes of names.
func (m *merger) claim(u *unit, f *unitFile) error {
	var err error
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || err != nil {
			return err == nil
		}
		for _, v := range m.units {
			if strings.HasPrefix(id.Name, v.src.prefix) {
				err = m.errorf(id.Pos(), "%s begins like the names of %s in package runtime", id.Name, v.src.dir)
				return false
			}
		}
		obj := m.info.Defs[id]
		if obj == nil || obj.Parent() != u.pkg.Scope() || obj.Name() == "_" {
			return true
		}
		name := u.src.prefix + obj.Name()
		if at, ok := m.taken[name]; ok {
			err = m.errorf(id.Pos(), "%s is declared at %s, too", name, m.fset.Position(at))
			return false
		}
		m.taken[name] = id.Pos()
		return true
	})
	return err
}

// prefixOf returns the prefix that the name of an object gets.
func (m *merger) prefixOf(obj types.Object) string {
	if v, ok := obj.(*types.Var); ok && v.Embedded() {
		obj = m.embedded[v]
	}
	if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() || obj.Name() == "_" || obj.Name() == "init" {
		return ""
	}
	if u := m.unitOf(obj.Pkg().Path()); u != nil {
		return u.src.prefix
	}
	return ""
}

// captured returns another package if a selection of an unexported name would find a field or
// method of that package once all are one package: it has the same name, in a type that is
// embedded no deeper. Else it returns nil.
func (m *merger) captured(sel *types.Selection) *types.Package {
	obj := sel.Obj()
	if obj.Exported() {
		return nil
	}
	for _, u := range m.units {
		if u.pkg == obj.Pkg() {
			continue
		}
		if other, index, _ := types.LookupFieldOrMethod(sel.Recv(), true, u.pkg, obj.Name()); other != nil && len(index) <= len(sel.Index()) {
			return u.pkg
		}
	}
	return nil
}

// An edit replaces size bytes at an offset of a text.
type edit struct {
	offset, size int
	text         string
}

func apply(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(x, y edit) int { return x.offset - y.offset })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(append(out, text[done:e.offset]...), e.text...)
		done = e.offset + e.size
	}
	return append(out, text[done:]...)
}

// rewrite returns the text that a file has in package runtime.
func (m *merger) rewrite(u *unit, f *unitFile) ([]byte, error) {
	offset := func(p token.Pos) int { return m.fset.Position(p).Offset }
	remove := func(from, to token.Pos) edit { return edit{offset(from), offset(to) - offset(from), ""} }
	edits := []edit{{offset(f.syntax.Name.Pos()), len(f.syntax.Name.Name), "runtime"}}
	var err error
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			if n.Tok != token.IMPORT {
				break
			}
			for _, spec := range n.Specs {
				if spec := spec.(*ast.ImportSpec); spec.Path.Value == `"unsafe"` {
					continue
				}
				if n.Lparen.IsValid() {
					edits = append(edits, remove(spec.Pos(), spec.End()))
				} else {
					edits = append(edits, remove(n.Pos(), n.End()))
				}
			}
			return false
		case *ast.SelectorExpr:
			if sel := m.info.Selections[n]; sel != nil {
				if other := m.captured(sel); other != nil && err == nil {
					err = m.errorf(n.Sel.Pos(), "%s is an unexported name of %s, too, in a type that is embedded: rename it", n.Sel.Name, other.Path())
				}
			}
			if id, ok := n.X.(*ast.Ident); ok {
				if p, ok := m.info.Uses[id].(*types.PkgName); ok && p.Imported() != types.Unsafe {
					edits = append(edits, remove(id.Pos(), n.Sel.Pos()))
				}
			}
		case *ast.Ident:
			if n == f.syntax.Name {
				break
			}
			obj := m.info.Defs[n]
			if obj == nil {
				obj = m.info.Uses[n]
			}
			if obj != nil {
				if prefix := m.prefixOf(obj); prefix != "" {
					edits = append(edits, edit{offset(n.Pos()), 0, prefix})
				}
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf("//line %s%s/%s:1\n", module, u.src.dir, f.name)
	return append([]byte(head), apply(f.text, edits)...), nil
}
