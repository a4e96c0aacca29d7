package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

// A check is a check in a build, as the table of sites names it: place and expression.
type check struct{ place, expr string }

// TestLintAndBuild builds examples/bank in bare mode from an empty cache. The checks in the
// rewritten source of each package, the standard library's included, are the checks that
// lint does not call removed.
func TestLintAndBuild(t *testing.T) {
	tool := filepath.Join(command, "taskinstr"+exe)
	env := append(os.Environ(), "GOCACHE="+t.TempDir(), "GOTMPDIR="+t.TempDir(), "GOFLAGS=", "GORACE=", "TASKINSTR=")
	run := func(args ...string) (stdout, stderr string) {
		t.Helper()
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = filepath.Join("..", "..", "examples", "bank"), env
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, errs.String())
		}
		return string(out), errs.String()
	}
	_, text := run("go", "build", "-work", "-toolexec="+tool, "-o", filepath.Join(t.TempDir(), "bank"+exe), ".")
	work, ok := strings.CutPrefix(strings.TrimSpace(text), "WORK=")
	if !ok {
		t.Fatalf("the go command names no folder:\n%s", text)
	}
	built := builtChecks(t, work)

	out, _ := run(tool, "lint", "-racetag=off", "-deps", "-format=json", ".")
	var report struct {
		Sites []struct {
			File, Expr, Package, Fate, Access string
			Line, Column                      int
		}
		Notes []string
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	for _, n := range report.Notes {
		t.Error(n)
	}
	listed := map[string]map[check]bool{}
	fates := map[string]int{}
	for _, s := range report.Sites {
		fates[s.Fate]++
		path := s.Package
		if path == "taskinstr/examples/bank" {
			path = "main"
		}
		if listed[path] == nil {
			listed[path] = map[check]bool{}
		}
		if s.Fate != "removed" {
			listed[path][check{fmt.Sprintf("%s:%d:%d", filepath.Base(s.File), s.Line, s.Column), s.Expr}] = true
		}
	}
	for path := range built {
		if listed[path] == nil {
			t.Errorf("%s: it has checks, and lint does not list it", path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(listed)) {
		for c := range built[path] {
			if !listed[path][c] {
				t.Errorf("%s: the build checks %s at %s, lint says that it does not", path, c.expr, c.place)
			}
		}
		for c := range listed[path] {
			if !built[path][c] {
				t.Errorf("%s: lint keeps the check of %s at %s, the build does not have it", path, c.expr, c.place)
			}
		}
	}
	if built["main"] == nil || built["fmt"] == nil || built["syscall"] == nil || fates["kept"] == 0 || fates["removed"] == 0 || fates["guarded"] == 0 {
		t.Errorf("%d packages, fates %v: nothing to compare", len(built), fates)
	}
}

// siteCount matches the type of the table's last field.
var siteCount = regexp.MustCompile(`var _ti_sites = struct \{[^{}]* idx \[(\d+)\]uint32 \}`)

// builtChecks reads the tables of sites in the rewritten source below the go command's
// temporary folder, by package.
func builtChecks(t *testing.T, work string) map[string]map[check]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(work, "*", "taskinstr", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	built := map[string]map[check]bool{}
	for _, name := range files {
		text := testfile.Read(t, name)
		count := siteCount.FindStringSubmatch(text)
		if count == nil {
			continue
		}
		n, err := strconv.Atoi(count[1])
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(node ast.Node) bool {
			v, ok := node.(*ast.ValueSpec)
			if !ok || v.Names[0].Name != "_ti_sites" {
				return true
			}
			table := v.Values[0].(*ast.CompositeLit).Elts
			path, blob := unquote(t, table[1]), unquote(t, table[2])
			checks := map[check]bool{}
			for _, line := range strings.Split(blob, "\n")[:n] {
				columns := strings.Split(line, "\t")
				if columns[2] == "atomic operation" && strings.HasSuffix(columns[1], ".Load()") {
					continue // in other programs package sync/atomic makes it, and lint knows no access there
				}
				checks[check{filepath.Base(columns[0]), columns[1]}] = true
			}
			built[path] = checks
			return false
		})
	}
	return built
}

func unquote(t *testing.T, e ast.Expr) string {
	s, err := strconv.Unquote(e.(*ast.BasicLit).Value)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
