package accesses

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/internal/gocmd"
)

// A world is a set of packages to audit, with their dependencies and the toolchain that
// compiles them.
type world struct {
	ctx       context.Context
	gocmd     string
	dir       string   // folder in which the patterns are resolved
	env       []string // environment of the go command
	goroot    string
	tools     string // folder of the compiler
	goVersion string
	goarch    string
	parallel  int
	tmp       string // temporary folder, which the owner removes

	units   []*unit           // dependencies first
	exports map[string]string // archives by import path
}

// A unit is a package as the go command lists it.
type unit struct {
	ImportPath, Dir, Export, Name string
	GoFiles, CgoFiles, SFiles     []string
	EmbedPatterns, EmbedFiles     []string
	ImportMap                     map[string]string
	Imports                       []string
	Module                        *struct{ GoVersion string }
	Standard, DepOnly             bool
	Error                         *struct{ Err string }
}

// listFields are the fields of a unit.
const listFields = "ImportPath,Dir,Export,Name,GoFiles,CgoFiles,SFiles,EmbedPatterns,EmbedFiles,ImportMap,Imports,Module,Standard,DepOnly,Error"

// newWorld finds the toolchain that the go command uses in dir. env is added to the
// environment.
func newWorld(ctx context.Context, dir, tmp string, parallel int, env ...string) (*world, error) {
	path, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	w := &world{ctx: ctx, gocmd: path, dir: dir, tmp: tmp, parallel: parallel, exports: map[string]string{}}
	// Without cgo no package has C code.
	w.env = append(append(os.Environ(), "CGO_ENABLED=0"), env...)
	names := []string{"GOROOT", "GOTOOLDIR", "GOVERSION", "GOARCH"}
	out, err := w.output(w.gocmd, append([]string{"env"}, names...)...)
	if err != nil {
		return nil, err
	}
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(values) != len(names) {
		return nil, fmt.Errorf("go env: %d values instead of %d", len(values), len(names))
	}
	for i, p := range []*string{&w.goroot, &w.tools, &w.goVersion, &w.goarch} {
		*p = strings.TrimSpace(values[i])
	}
	return w, nil
}

// output runs a command in the world's folder.
func (w *world) output(name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(w.ctx, name, args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), args[0], err, stderr.Bytes())
	}
	return out, nil
}

// list asks the go command for the packages and their dependencies. The files are the files
// of a -race build, which sets the tag race.
func (w *world) list(patterns []string) error {
	out, err := w.output(w.gocmd, append([]string{"list", "-e", "-deps", "-export", "-tags=race", "-trimpath=false", "-json=" + listFields, "--"}, patterns...)...)
	if err != nil {
		return err
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		u := new(unit)
		if err := dec.Decode(u); err == io.EOF {
			break
		} else if err != nil {
			return fmt.Errorf("go list: %w", err)
		}
		w.units = append(w.units, u)
		if u.Export != "" {
			w.exports[u.ImportPath] = u.Export
		}
		if !u.DepOnly && u.Error != nil && len(u.CgoFiles) == 0 {
			return fmt.Errorf("%s: %s", u.ImportPath, u.Error.Err)
		}
	}
	if !slices.ContainsFunc(w.units, (*unit).audited) {
		return fmt.Errorf("%s: no packages to compare", strings.Join(patterns, " "))
	}
	return nil
}

// audited reports whether u is one of the requested packages and has code.
func (u *unit) audited() bool {
	return !u.DepOnly && len(u.GoFiles) > 0 && u.ImportPath != "unsafe" && u.Error == nil
}

// lang returns the language version of the package, or "" if it is the toolchain's.
func (u *unit) lang() string {
	if u.Module == nil || u.Module.GoVersion == "" {
		return ""
	}
	return version.Lang("go" + u.Module.GoVersion)
}

// names returns the absolute names of the package's files.
func (u *unit) names() (list []string) {
	for _, n := range u.GoFiles {
		list = append(list, filepath.Join(u.Dir, n))
	}
	return list
}

// imported returns the path of the package that u imports as path.
func (u *unit) imported(path string) string {
	if to, ok := u.ImportMap[path]; ok {
		return to
	}
	return path
}

// temp writes a temporary file and returns its name.
func (w *world) temp(name string, data []byte) (string, error) {
	f, err := os.CreateTemp(w.tmp, name)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	return f.Name(), errors.Join(err, f.Close())
}

// A parsed is a package with syntax and types.
type parsed struct {
	unit  *unit
	fset  *token.FileSet
	names []string
	files []*ast.File
	src   [][]byte
	pkg   *types.Package
	info  *types.Info
}

// check parses and type-checks u.
func (w *world) check(u *unit) (*parsed, error) {
	p := &parsed{unit: u, fset: token.NewFileSet(), names: u.names(), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}}
	for _, name := range p.names {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		a, err := parser.ParseFile(p.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files, p.src = append(p.files, a), append(p.src, src)
	}
	conf := types.Config{
		Importer: importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
			return os.Open(w.exports[u.imported(path)])
		}),
		Sizes:     types.SizesFor("gc", w.goarch),
		GoVersion: u.lang(),
	}
	var err error
	p.pkg, err = conf.Check(u.ImportPath, p.fset, p.files, p.info)
	return p, err
}
