package unit

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"taskinstr/cmd/internal/testfile"
)

// TestAssembly: a build learns the names that assembly refers to from the assembler, lint
// from the source. Both must name the same functions and variables of the package.
func TestAssembly(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("the packages have assembly on amd64 and arm64")
	}
	// The go command gives the assembler an empty go_asm.h here, too.
	empty := t.TempDir()
	testfile.Write(t, filepath.Join(empty, "go_asm.h"), "")
	found := 0
	for _, path := range []string{"math/big", "hash/crc32", "crypto/md5", "crypto/sha1", "math", "syscall", "os/signal", "reflect", "crypto/internal/fips140/bigmod"} {
		pkg, err := build.Import(path, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		if len(pkg.SFiles) == 0 {
			continue
		}
		var files []string
		for _, f := range pkg.SFiles {
			files = append(files, filepath.Join(pkg.Dir, f))
		}
		list := filepath.Join(t.TempDir(), "symabis")
		args := append([]string{"tool", "asm", "-p", path, "-I", filepath.Join(runtime.GOROOT(), "pkg", "include"), "-gensymabis", "-D", "GOOS_" + runtime.GOOS, "-D", "GOARCH_" + runtime.GOARCH, "-I", empty, "-o", list}, files...)
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", path, err, out)
		}
		built, err := Symabis(list, path)
		if err != nil {
			t.Fatal(err)
		}
		source, err := Assembly(files)
		if err != nil {
			t.Fatal(err)
		}
		declared := declarations(t, pkg)
		found += len(keep(built, declared))
		if a, b := keep(built, declared), keep(source, declared); !maps.Equal(a, b) {
			t.Errorf("%s: the assembler names %v, the source %v", path, slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
		}
	}
	if found == 0 {
		t.Error("no package's assembly refers to a declaration in Go")
	}
}

// declarations returns the package's functions with bodies, and its variables.
func declarations(t *testing.T, pkg *build.Package) map[string]bool {
	names := map[string]bool{}
	for _, name := range pkg.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				names[d.Name.Name] = names[d.Name.Name] || d.Body != nil && d.Recv == nil
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok && d.Tok == token.VAR {
						for _, n := range v.Names {
							names[n.Name] = true
						}
					}
				}
			}
		}
	}
	return names
}

func keep(names, declared map[string]bool) map[string]bool {
	out := map[string]bool{}
	for n := range names {
		if declared[n] {
			out[n] = true
		}
	}
	return out
}
