package ssapass

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"taskinstr/internal/splice"
)

// A spliced site is one line of splice's table, with how the check names it.
type splicedSite struct {
	key    Key
	helper string
	what   string
}

var every = flag.Int("ssapass.every", 50, "show one missing site in so many")

// splicedSites runs splice on the package and reads its sites back from the
// text it produces.
func splicedSites(t *testing.T, p *Program, pkg *packages.Package) (list []splicedSite) {
	c := splice.Config{Fset: p.Fset, Path: pkg.PkgPath, Pkg: pkg.Types, Info: pkg.TypesInfo, Files: pkg.Syntax}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		c.GoVersion = "go" + pkg.Module.GoVersion
	}
	for _, n := range pkg.CompiledGoFiles {
		c.Src = append(c.Src, p.sources[n].text)
	}
	r, err := splice.Package(c)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	uses := map[int][]string{}
	arg := map[int]int{} // which of a helper's sites
	for _, text := range r.Files {
		if text == nil {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				fun := n.Fun
				if x, ok := fun.(*ast.IndexExpr); ok {
					fun = x.X
				}
				id, ok := fun.(*ast.Ident)
				if !ok || !strings.HasPrefix(id.Name, "_ti_") {
					return true
				}
				k := 0
				for _, a := range n.Args {
					if i, ok := siteIndex(a); ok {
						uses[i] = append(uses[i], id.Name)
						arg[i] = k
						k++
					}
				}
			case *ast.ValueSpec:
				if n.Names[0].Name == "_ti_sites" {
					ast.Inspect(n, func(m ast.Node) bool {
						if l, ok := m.(*ast.BasicLit); ok && l.Kind == token.STRING && lines == nil {
							if s, err := strconv.Unquote(l.Value); err == nil && strings.Contains(s, "\t") {
								lines = strings.Split(strings.TrimSuffix(s, "\n"), "\n")
							}
						}
						return true
					})
					return false
				}
			}
			return true
		})
	}
	for i, l := range lines {
		cols := strings.Split(l, "\t")
		if len(cols) != 3 {
			continue // known to the runtime's hooks only
		}
		pos := strings.Split(cols[0], ":")
		n := len(pos)
		line, _ := strconv.Atoi(pos[n-2])
		col, _ := strconv.Atoi(pos[n-1])
		if len(uses[i]) == 0 {
			called := fmt.Sprintf("{site: &_ti_sites.idx[%d],", i) // it may lead to a method wrapper
			if slices.ContainsFunc(r.Files, func(text []byte) bool { return strings.Contains(string(text), called) }) {
				continue
			}
			t.Fatalf("site %d (%s) is not used", i, l)
		}
		h := uses[i][0]
		k := Key{File: strings.Join(pos[:n-2], ":"), Line: line, Col: col, Expr: cols[1]}
		switch strings.TrimRight(h, "01") {
		case "_ti_r", "_ti_rl", "_ti_rc":
			// The element that a range clause reads.
			k.Elems = strings.HasPrefix(cols[2], "element of") && !strings.HasSuffix(cols[1], "]") && !strings.HasSuffix(cols[1], "…")
		case "_ti_w", "_ti_set":
			k.Write = true
		case "_ti_rs", "_ti_rm":
			k.Elems = true
		case "_ti_ws", "_ti_ap", "_ti_va":
			k.Elems, k.Write = true, true
		case "_ti_append", "_ti_appends", "_ti_copy", "_ti_copys":
			k.Elems, k.Write = true, arg[i] == 0
		}
		list = append(list, splicedSite{k, h, cols[2]})
	}
	return list
}

func siteIndex(e ast.Expr) (int, bool) {
	u, ok := e.(*ast.UnaryExpr)
	if !ok {
		return 0, false
	}
	x, ok := u.X.(*ast.IndexExpr)
	if !ok {
		return 0, false
	}
	if s, ok := x.X.(*ast.SelectorExpr); !ok || s.Sel.Name != "idx" {
		return 0, false
	}
	l, ok := x.Index.(*ast.BasicLit)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(l.Value)
	return i, err == nil
}

// TestSitesFound asks which share of splice's sites is known here.
func TestSitesFound(t *testing.T) {
	if testing.Short() {
		t.Skip("loads programs")
	}
	for _, c := range []struct {
		dir      string
		patterns []string
		tests    bool
		owed     float64
	}{
		{"..", []string{"./examples/...", "./testdata/patterns", "./benchmarks/..."}, true, 0.99},
		{"..", []string{"encoding/json", "text/template", "sort", "slices", "strings", "bytes", "go/types", "bufio", "container/heap", "compress/flate", "math/big"}, false, 0.95},
	} {
		p := load(t, c.dir, c.tests, c.patterns...)
		sites := p.Sites()
		total, found, dead := 0, 0, 0
		missing := 0
		for _, pkg := range p.Packages {
			if !Instrumented(pkg.PkgPath) || len(pkg.Syntax) == 0 || strings.HasSuffix(pkg.ID, ".test") {
				continue
			}
			for _, s := range splicedSites(t, p, pkg) {
				if strings.HasPrefix(s.helper, "_ti_atomic") {
					continue
				}
				total++
				switch k := sites.Lookup(s.key); {
				case k == nil:
					if missing++; missing%max(1, *every) == 0 && missing < 40**every {
						t.Logf("missing: %+v %s %s", s.key, s.helper, s.what)
					}
				default:
					if k.Dead {
						dead++
					}
					found++
				}
			}
		}
		share := float64(found) / float64(total)
		t.Logf("%v: %d of %d sites found (%.2f%%), %d of them in functions that never run; %d stray instructions", c.patterns, found, total, 100*share, dead, sites.Stray)
		if share < c.owed {
			t.Errorf("%v: found %.4f of the sites, want %.2f", c.patterns, share, c.owed)
		}
	}
}
