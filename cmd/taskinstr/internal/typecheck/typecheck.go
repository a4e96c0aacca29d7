package typecheck

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"os"
	"path/filepath"

	"taskinstr/ssapass"
)

// A File is a source file. Its text is read if it is nil.
type File struct {
	Name string
	Text []byte
}

// IsSource reports whether a file that go list names as compiled is Go source. A file without an
// extension is Go source that cgo has written into the build cache.
func IsSource(file string) bool {
	ext := filepath.Ext(file)
	return ext == ".go" || ext == ""
}

// A Config holds the inputs of type checking besides the files.
type Config struct {
	Path   string            // import path
	Lang   string            // language version, such as go1.25; "" is the toolchain's
	GOARCH string            // target
	Alias  map[string]string // import path in the source -> package path, if they differ
	// Own holds imports that were type-checked from source, by import path in the source.
	Own map[string]*types.Package
}

// noGoLine is the language version of a module whose go.mod has no line go.
const noGoLine = "1.16"

// Lang returns the language version of the packages of a module; its go.mod has the line "go v",
// or none if v is "".
func Lang(v string) string { return version.Lang("go" + cmp.Or(v, noGoLine)) }

// A Package is a parsed and type-checked package.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Texts [][]byte // of Files
	Types *types.Package
	Info  *types.Info
}

// Parse reads and parses files.
func Parse(fset *token.FileSet, files []File) (*Package, error) {
	k := &Package{Fset: fset}
	for _, s := range files {
		src := s.Text
		if src == nil {
			var err error
			if src, err = os.ReadFile(s.Name); err != nil {
				return nil, err
			}
		}
		f, err := parser.ParseFile(fset, s.Name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		k.Files, k.Texts = append(k.Files, f), append(k.Texts, src)
	}
	return k, nil
}

// Check type-checks the package. The error is an *ImportError if an import could not be
// read. Any other error means that the package is not type-correct.
func (k *Package) Check(c Config, from *Imports) error {
	size := 0
	for _, t := range k.Texts {
		size += len(t)
	}
	k.Info = ssapass.NewInfo(size)
	k.Info.Scopes = map[ast.Node]*types.Scope{}
	imp := &imports{Imports: from, c: &c}
	conf := types.Config{GoVersion: c.Lang, Importer: imp, Sizes: types.SizesFor("gc", c.GOARCH)}
	var err error
	k.Types, err = conf.Check(c.Path, k.Fset, k.Files, k.Info)
	if imp.err != nil {
		return imp.err
	}
	return err
}

// Imports holds compiled packages.
type Imports struct {
	archives map[string]string
	reader   types.Importer
}

// NewImports returns the packages in archives, by package path.
func NewImports(fset *token.FileSet, archives map[string]string) *Imports {
	m := &Imports{archives: archives}
	m.reader = importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(archives[path]) })
	return m
}

// imports are the imports of one package.
type imports struct {
	*Imports
	c   *Config
	err error // the first failure to read export data
}

// An ImportError is the failure to read an imported package's export data.
type ImportError struct {
	Path string
	Err  error
}

func (e *ImportError) Error() string {
	return fmt.Sprintf("cannot read the export data of %q: %v", e.Path, e.Err)
}

func (e *ImportError) Unwrap() error { return e.Err }

// Import implements types.Importer.
func (m *imports) Import(path string) (pkg *types.Package, err error) {
	if pkg := m.c.Own[path]; pkg != nil {
		return pkg, nil
	}
	if to, ok := m.c.Alias[path]; ok {
		path = to
	}
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if m.archives[path] == "" {
		return nil, fmt.Errorf("could not import %s (open : no such file or directory)", path)
	}
	defer func() {
		if e := recover(); e != nil {
			err = fmt.Errorf("%v", e)
		}
		if err != nil {
			err = &ImportError{path, err}
			if m.err == nil {
				m.err = err
			}
		}
	}()
	return m.reader.Import(path)
}
