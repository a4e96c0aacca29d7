package toolexec

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"strings"
)

// typeChecked is a parsed and type-checked package.
type typeChecked struct {
	fset  *token.FileSet
	files []*ast.File
	src   [][]byte
	pkg   *types.Package
	info  *types.Info

	archives map[string]string // of imports, by package path
}

// typeCheck parses and type-checks the sources of a compile call as the compiler does:
// same files, same order, same language version, same imports. The error is an
// *importError if an import could not be read. Any other error means that the package is
// not type-correct.
func typeCheck(c *call, sources []source, path, goarch string) (*typeChecked, error) {
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
	imp, err := newImports(k.fset, c.set["importcfg"])
	if err != nil {
		return nil, err
	}
	k.archives = imp.file
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
		GoVersion: c.set["lang"],
		Importer:  imp,
		Sizes:     types.SizesFor("gc", goarch),
	}
	k.pkg, err = conf.Check(path, k.fset, k.files, k.info)
	if imp.err != nil {
		return nil, imp.err
	}
	if err != nil {
		return nil, err
	}
	return k, nil
}

// imports reads the packages that an importcfg lists.
type imports struct {
	alias  map[string]string // import path in source -> package path
	file   map[string]string // package path -> export data
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

func newImports(fset *token.FileSet, cfg string) (*imports, error) {
	m := &imports{alias: make(map[string]string), file: make(map[string]string)}
	m.reader = importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(m.file[path])
	})
	if cfg == "" {
		return m, nil
	}
	f, err := os.Open(cfg)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		verb, rest, _ := strings.Cut(strings.TrimSpace(in.Text()), " ")
		from, to, ok := strings.Cut(strings.TrimSpace(rest), "=")
		switch {
		case !ok:
		case verb == "importmap":
			m.alias[from] = to
		case verb == "packagefile":
			m.file[from] = to
		}
	}
	return m, in.Err()
}

// Import implements types.Importer.
func (m *imports) Import(path string) (pkg *types.Package, err error) {
	if to, ok := m.alias[path]; ok {
		path = to
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if m.file[path] == "" {
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
