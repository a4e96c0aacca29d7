package toolexec

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
)

// typeChecked is a parsed and type-checked package.
type typeChecked struct {
	fset  *token.FileSet
	files []*ast.File
	src   [][]byte
	pkg   *types.Package
	info  *types.Info
}

// typeCheck parses and type-checks the sources of a package as the compiler does: same
// files, same order, same language version, same imports. The error is an
// *importError if an import could not be read. Any other error means that the package is
// not type-correct.
func typeCheck(in *Input, sources []source) (*typeChecked, error) {
	k := &typeChecked{fset: token.NewFileSet()}
	for _, s := range sources {
		name, src := s.orig, s.data
		if name == "" {
			name = s.name
		}
		if src == nil {
			var err error
			if src, err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		f, err := parser.ParseFile(k.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		k.files, k.src = append(k.files, f), append(k.src, src)
	}
	imp := newImports(k.fset, in)
	k.info = &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Instances:    make(map[*ast.Ident]types.Instance),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Scopes:       make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string),
	}
	conf := types.Config{
		GoVersion: in.Lang,
		Importer:  imp,
		Sizes:     types.SizesFor("gc", in.GOARCH),
	}
	var err error
	k.pkg, err = conf.Check(in.Path, k.fset, k.files, k.info)
	if imp.err != nil {
		return nil, imp.err
	}
	if err != nil {
		return nil, err
	}
	return k, nil
}

// imports reads the imports of an Input.
type imports struct {
	in     *Input
	reader types.Importer
	err    error // the first failure to read export data
}

// An importError is the failure to read an imported package's export data.
type importError struct {
	path string
	err  error
}

func (e *importError) Error() string {
	return fmt.Sprintf("cannot read the export data of %q: %v", e.path, e.err)
}

func (e *importError) Unwrap() error { return e.err }

func newImports(fset *token.FileSet, in *Input) *imports {
	return &imports{in: in, reader: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(in.Archives[path])
	})}
}

// Import implements types.Importer.
func (m *imports) Import(path string) (pkg *types.Package, err error) {
	if to, ok := m.in.Alias[path]; ok {
		path = to
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if m.in.Archives[path] == "" {
		return nil, fmt.Errorf("could not import %s (open : no such file or directory)", path)
	}
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("%v", e)
		}
		if err != nil {
			err = &importError{path, err}
			if m.err == nil {
				m.err = err
			}
		}
	}()
	return m.reader.Import(path)
}
