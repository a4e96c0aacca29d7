package contract_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/contract"
	"taskinstr/detector/parallel"
	"taskinstr/detector/serial/drdp"
	"taskinstr/detector/serial/espbags"
)

var (
	_ contract.Parallel[parallel.Task, parallel.Options, parallel.Stats] = (*parallel.Engine)(nil)
	_ contract.Engine[espbags.Task, espbags.Options, espbags.Stats]      = (*espbags.Engine)(nil)
	_ contract.Engine[drdp.Task, drdp.Options, drdp.Stats]               = (*drdp.Engine)(nil)
)

func names() []string {
	var all []string
	for _, e := range contract.Entries {
		all = append(all, e.Name)
	}
	slices.Sort(all)
	return all
}

// The table has a row for each method.
func TestEntries(t *testing.T) {
	var methods []string
	m := reflect.TypeFor[contract.Parallel[int, int, int]]()
	for i := range m.NumMethod() {
		methods = append(methods, m.Method(i).Name)
	}
	slices.Sort(methods)
	if got := names(); !slices.Equal(got, methods) {
		t.Errorf("rows\n%v\nmethods\n%v", got, methods)
	}
}

// The parallel engine exports nothing else.
func TestEngineExports(t *testing.T) {
	m := reflect.TypeFor[*parallel.Engine]()
	for i := range m.NumMethod() {
		if name := m.Method(i).Name; !slices.Contains(names(), name) {
			t.Errorf("%s is not in the contract", name)
		}
	}
}

// The files that join every detector call entry points of the contract alone.
func TestRuntimeCalls(t *testing.T) {
	calls := regexp.MustCompile(`tr_engine\.(\w+)`)
	used := map[string]bool{}
	root := filepath.Join("..", "..", "rt", "files")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && filepath.Base(filepath.Dir(path)) == "engine" && d.Name() != "parallel":
			return fs.SkipDir // the hosts of package serial call its own methods, too
		case d.IsDir():
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range calls.FindAllSubmatch(text, -1) {
			used[string(m[1])] = true
			if !slices.Contains(names(), string(m[1])) {
				t.Errorf("%s calls %s", path, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range contract.Entries {
		if !used[e.Name] && e.Name != "Close" {
			t.Errorf("nobody calls %s", e.Name)
		}
	}
}

// In each detector, an entry point that may run on a task's own stack is nosplit or calls nothing.
func TestOwnStack(t *testing.T) {
	own := map[string]bool{}
	for _, e := range contract.Entries {
		own[e.Name] = e.Stack == contract.Own
	}
	for _, dir := range []string{"parallel", "serial", "serial/espbags", "serial/drdp"} {
		found := 0
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv == nil || !own[fn.Name.Name] || receiver(fn) != "Engine" {
					continue
				}
				found++
				if !nosplit(fn) && calls(fn.Body) {
					t.Errorf("%s: %s is not nosplit", file, fn.Name.Name)
				}
			}
		}
		if found == 0 {
			t.Errorf("%q has none", dir)
		}
	}
}

func receiver(fn *ast.FuncDecl) string {
	if p, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok {
		if id, ok := p.X.(*ast.Ident); ok {
			return id.Name
		}
	}
	return ""
}

func nosplit(fn *ast.FuncDecl) bool {
	return fn.Doc != nil && slices.ContainsFunc(fn.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:nosplit") })
}

func calls(body *ast.BlockStmt) (some bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		_, ok := n.(*ast.CallExpr)
		some = some || ok
		return !some
	})
	return some
}
