package splice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"taskinstr/internal/site"
)

// A listed is a package as go list describes it.
type listed struct {
	ImportPath, Dir, Export, Name string
	GoFiles, SFiles               []string
	EmbedPatterns, EmbedFiles     []string
	ImportMap                     map[string]string
	Module                        *struct{ GoVersion string }
	Standard                      bool
}

// list loads packages with export data of all their dependencies.
func list(t testing.TB, dir string, patterns ...string) []*listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps", "-export", "-json=ImportPath,Dir,Export,Name,GoFiles,SFiles,EmbedPatterns,EmbedFiles,ImportMap,Module,Standard"}, patterns...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", patterns, err, stderr.Bytes())
	}
	var pkgs []*listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		l := new(listed)
		if err := dec.Decode(l); err == io.EOF {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, l)
	}
}

// A world rewrites and compiles packages against one set of export data.
type world struct {
	exports  map[string]string
	cfg      string // importcfg of the compiler
	link     string // importcfg of the linker
	tmp      string
	branches bool          // Config.Branches
}

func newWorld(t testing.TB, pkgs []*listed) *world {
	w := &world{exports: map[string]string{}, tmp: t.TempDir()}
	var cfg, link strings.Builder
	for _, l := range pkgs {
		if l.Export != "" {
			w.exports[l.ImportPath] = l.Export
			fmt.Fprintf(&link, "packagefile %s=%s\n", l.ImportPath, l.Export)
		}
		for from, to := range l.ImportMap {
			if l.Standard {
				fmt.Fprintf(&cfg, "importmap %s=%s\n", from, to)
			}
		}
	}
	w.cfg, w.link = filepath.Join(w.tmp, "importcfg"), filepath.Join(w.tmp, "importcfg.link")
	cfg.WriteString(link.String())
	for name, text := range map[string]string{w.cfg: cfg.String(), w.link: link.String()} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func newInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
	}
}

// check parses and type-checks the package. files replaces the texts of files by name.
func (w *world) check(l *listed, files map[string]string) (Config, error) {
	c := Config{Source: site.Source{Fset: token.NewFileSet(), Path: l.ImportPath, Info: newInfo()}}
	if l.Module != nil && l.Module.GoVersion != "" {
		c.GoVersion = "go" + l.Module.GoVersion
	}
	for _, name := range l.GoFiles {
		path := filepath.Join(l.Dir, name)
		src, err := os.ReadFile(path)
		if s, ok := files[name]; ok {
			src, err = []byte(s), nil
		}
		if err != nil {
			return c, err
		}
		a, err := parser.ParseFile(c.Fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return c, err
		}
		c.Files, c.Src = append(c.Files, a), append(c.Src, src)
	}
	lookup := func(path string) (io.ReadCloser, error) {
		if to, ok := l.ImportMap[path]; ok {
			path = to
		}
		return os.Open(w.exports[path])
	}
	conf := types.Config{Importer: importer.ForCompiler(c.Fset, "gc", lookup), Sizes: types.SizesFor("gc", "amd64"), GoVersion: c.GoVersion}
	p, err := conf.Check(l.ImportPath, c.Fset, c.Files, c.Info)
	c.Pkg = p
	return c, err
}

// write stores the rewritten package in a new directory and returns the files to compile.
func (w *world) write(l *listed, c Config, r *Result) ([]string, error) {
	dir, err := os.MkdirTemp(w.tmp, "pkg")
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range r.Files {
		name := filepath.Join(l.Dir, l.GoFiles[i])
		if r.Files[i] != nil {
			name = filepath.Join(dir, l.GoFiles[i])
			if err := os.WriteFile(name, r.Files[i], 0o666); err != nil {
				return nil, err
			}
		}
		names = append(names, name)
	}
	if r.Generated != nil {
		name := filepath.Join(dir, "_ti_.go")
		if err := os.WriteFile(name, r.Generated, 0o666); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// compile runs the compiler on files.
func (w *world) compile(l *listed, lang string, files []string) error {
	args := []string{"tool", "compile", "-p", l.ImportPath, "-importcfg", w.cfg, "-o", filepath.Join(w.tmp, "out.a"), "-c=1"}
	if l.Name == "main" {
		args[3] = "main"
	}
	if l.Standard {
		args = append(args, "-std")
	}
	if lang != "" {
		args = append(args, "-lang="+lang)
	}
	if len(l.SFiles) > 0 {
		abis := filepath.Join(w.tmp, "symabis")
		os.WriteFile(filepath.Join(w.tmp, "go_asm.h"), nil, 0o666)
		include := filepath.Join(runtime.GOROOT(), "pkg", "include")
		asm := exec.Command("go", append([]string{"tool", "asm", "-p", l.ImportPath, "-I", w.tmp, "-I", include, "-gensymabis", "-o", abis}, l.SFiles...)...)
		asm.Dir = l.Dir
		if out, err := asm.CombinedOutput(); err != nil {
			return fmt.Errorf("asm: %v\n%s", err, out)
		}
		args = append(args, "-symabis", abis)
	}
	if len(l.EmbedFiles) > 0 {
		embed := struct {
			Patterns map[string][]string
			Files    map[string]string
		}{map[string][]string{}, map[string]string{}}
		for _, p := range l.EmbedPatterns {
			embed.Patterns[p] = l.EmbedFiles[:1]
		}
		for _, f := range l.EmbedFiles {
			embed.Files[f] = filepath.Join(l.Dir, f)
		}
		b, err := json.Marshal(embed)
		if err != nil {
			return err
		}
		cfg := filepath.Join(w.tmp, "embedcfg")
		if err := os.WriteFile(cfg, b, 0o666); err != nil {
			return err
		}
		args = append(args, "-embedcfg", cfg)
	}
	cmd := exec.Command("go", append(args, files...)...)
	cmd.Dir = l.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v\n%s", err, out)
	}
	return nil
}
