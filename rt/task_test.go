package rt

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRewriteTask(t *testing.T) {
	own, err := filepath.Abs(filepath.Join("task", "events.go"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "events.go")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	covered := filepath.Join(t.TempDir(), "events.cover.go")
	if err := os.WriteFile(covered, text, 0o666); err != nil {
		t.Fatal(err)
	}
	newer := write(strings.Replace(string(text), "events 1", "events 2", 1))
	for _, test := range []struct {
		name, pkg, file string
		ok              bool
		err             string
	}{
		{"the package", taskPackage, own, true, ""},
		{"with coverage", taskPackage, covered, true, ""},
		{"another path", "example.com/" + taskPackage, own, false, ""},
		{"no marker", taskPackage, write("package task\n"), false, ""},
		{"no such file", taskPackage, "doc.go", false, ""},
		{"another version", taskPackage, newer, true, newer + ": taskinstr is of another version"},
	} {
		t.Run(test.name, func(t *testing.T) {
			out, dropComplete, ok, err := Rewrite(Target{}, test.pkg, []string{"task.go", test.file})
			if ok != test.ok || (err != nil) != (test.err != "") {
				t.Fatalf("ok %v, error %v", ok, err)
			}
			if err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("error %q", err)
			}
			if err == nil && ok && (!dropComplete || len(out) != 2 || out[0].Data != nil || !strings.Contains(string(out[1].Data), "taskinstr_structure")) {
				t.Errorf("out %v", out)
			}
		})
	}
}

// The file of events, the one that replaces it, and the runtime agree.
func TestTaskEvents(t *testing.T) {
	plain := declared(t, filepath.Join("task", "events.go"))
	if plain["promiseSet"] != "5" || plain["hide"] != "func() (task uintptr)" {
		t.Fatalf("declared: %v", plain)
	}
	instrumented := declared(t, filepath.Join("files", "task", "events.go"))
	delete(plain, "loopTasks")
	delete(instrumented, "loopTasks")
	if !maps.Equal(plain, instrumented) {
		t.Errorf("plain builds have %v\ninstrumented ones %v", plain, instrumented)
	}
	host := declared(t, filepath.Join("files", "runtime", "task.go"))
	for name, value := range plain {
		if len(value) == 1 {
			event := "tr_event" + strings.ToUpper(name[:1]) + name[1:]
			if host[event] != value {
				t.Errorf("%s is %s, %s is %s", name, value, event, host[event])
			}
		}
	}
}

// declared returns the constants and functions that a file declares, with their values
// and types.
func declared(t *testing.T, name string) map[string]string {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			all[d.Name.Name] = types.ExprString(d.Type)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ValueSpec); ok && d.Tok == token.CONST {
					all[s.Names[0].Name] = types.ExprString(s.Values[0])
				}
			}
		}
	}
	return all
}
