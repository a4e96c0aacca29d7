package golist

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"

	"taskinstr/internal/site"
)

// newInfo returns the empty facts that type checking fills in for package site.
func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
}

// Text type-checks a package of one file. The types of its imports come from their sources.
func Text(path, file, text string) (site.Source, error) {
	s := site.Source{Fset: token.NewFileSet(), Path: path, Info: newInfo(), Src: [][]byte{[]byte(text)}}
	a, err := parser.ParseFile(s.Fset, file, text, parser.ParseComments)
	if err != nil {
		return s, err
	}
	s.Files = []*ast.File{a}
	conf := types.Config{Importer: importer.ForCompiler(s.Fset, "source", nil)}
	s.Pkg, err = conf.Check(path, s.Fset, s.Files, s.Info)
	return s, err
}

// Check parses and type-checks the package for an architecture.
func (p *Package) Check(archives map[string]string, arch string) (site.Source, error) {
	s := site.Source{Fset: token.NewFileSet(), Path: p.ImportPath, Info: newInfo(), GoVersion: p.Lang()}
	for _, name := range p.Files() {
		src, err := os.ReadFile(name)
		if err != nil {
			return s, err
		}
		a, err := parser.ParseFile(s.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return s, err
		}
		s.Files, s.Src = append(s.Files, a), append(s.Src, src)
	}
	archived := importer.ForCompiler(s.Fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(archives[p.Imported(path)])
	})
	conf := types.Config{Importer: archived, Sizes: types.SizesFor("gc", arch), GoVersion: s.GoVersion}
	var err error
	s.Pkg, err = conf.Check(p.ImportPath, s.Fset, s.Files, s.Info)
	return s, err
}
