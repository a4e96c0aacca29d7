package accesses

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// compareJSON runs the command and returns the one audit that it prints.
func compareJSON(t *testing.T, args ...string) (a Audit, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(append([]string{"-json"}, args...), &out, &errs)
	if errs.Len() > 0 {
		t.Fatalf("%s", &errs)
	}
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	return a, code
}

func explained(t *testing.T, a Audit, code int) {
	t.Helper()
	for _, d := range a.Differences {
		if d.Class == "" {
			t.Error(d)
		}
	}
	for _, f := range a.Failed {
		t.Error(f)
	}
	if want := a.unexplained() > 0 || len(a.Failed) > 0; (code == exitFailed) != want {
		t.Errorf("exit code %d", code)
	}
}

// TestStd compares a sample of the standard library.
func TestStd(t *testing.T) {
	a, code := compareJSON(t, "container/list", "encoding/json", "slices", "sort", "strings", "text/tabwriter")
	explained(t, a, code)
	if a.Packages != 6 || a.Compiler < 1500 || a.Matched < a.Compiler/2 || a.Checks < a.Matched/2 {
		t.Errorf("%d packages, %d accesses, %d matched, %d checks", a.Packages, a.Compiler, a.Matched, a.Checks)
	}
}

// unseen are classes without a program of their own: their code belongs to the standard
// library or to another module.
var unseen = []string{leftOut.Name, directed.Name}

// TestClasses compares the programs of testdata. Each program has differences of the class
// that its comment names, and each class has a program.
func TestClasses(t *testing.T) {
	about := regexp.MustCompile(`(?m)^// Class: (.*)$`)
	missing := map[string]bool{}
	for _, c := range Classes() {
		missing[c.Name] = !slices.Contains(unseen, c.Name)
	}
	a, code := compareJSON(t, "./testdata/classes", "./testdata/recorded")
	explained(t, a, code)
	of := map[string][]string{} // classes by base name of the file
	for _, d := range a.Differences {
		file, _, _ := strings.Cut(d.Position, ":")
		of[filepath.Base(file)] = append(of[filepath.Base(file)], d.Class)
		missing[d.Class] = false
	}
	files, err := filepath.Glob("testdata/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m := about.FindSubmatch(text)
		if filepath.Base(name) == "main.go" {
			continue
		}
		if m == nil {
			if strings.HasPrefix(name, "testdata/classes/") {
				t.Errorf("%s names no class", name)
			}
			continue
		}
		class := string(m[1])
		if !slices.ContainsFunc(Classes(), func(c Class) bool { return c.Name == class }) {
			t.Errorf("%s: there is no class %q", name, class)
			continue
		}
		seen := slices.Concat(of[filepath.Base(name)], of[generatedFile])
		if !slices.Contains(seen, class) && !slices.Contains(unseen, class) {
			t.Errorf("%s: no difference of class %q, only %q", name, class, seen)
		}
	}
	for name, m := range missing {
		if m {
			t.Errorf("no program has a difference of class %q", name)
		}
	}
}

// TestUnexplained removes a class. Its differences are unexplained then.
func TestUnexplained(t *testing.T) {
	defer func(list []Class) { ofPlaces = list }(ofPlaces)
	ofPlaces = nil
	a, code := compareJSON(t, "./testdata/classes")
	if code != exitFailed || a.unexplained() == 0 {
		t.Fatalf("exit code %d, %d unexplained", code, a.unexplained())
	}
	lost := func(d Difference) bool {
		return d.Only == compilerOnly && d.Class == "" && strings.Contains(d.Position, "compound.go:") && d.Kind == Read && d.Expr == "c.n"
	}
	if !slices.ContainsFunc(a.Differences, lost) {
		t.Errorf("the read of c.n++ is not among the unexplained")
	}
	var text bytes.Buffer
	if err := a.writeText(&text, false); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"compound.go:", "only the compiler: read of c.n in main.racy.Compound.func1 (SelectorExpr, runtime.raceread)\n", " unexplained\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
}

// TestUncompiled compares a package that does not compile.
func TestUncompiled(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module broken\n\ngo 1.25\n", "a.go": "package broken\n\nvar x int = \"\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	var out, errs bytes.Buffer
	if code := Main([]string{"."}, &out, &errs); code != exitFailed || !strings.Contains(errs.String()+out.String(), "a.go:3:13") {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string // part of the output
	}{
		{nil, exitUsage, "which packages?"},
		{[]string{"-frob", "std"}, exitUsage, "-frob"},
		{[]string{"-p", "0", "std"}, exitUsage, "at least one package"},
		{[]string{"-h"}, exitOK, "usage: tilab accesses"},
		{[]string{"-classes"}, exitOK, "map element"},
		{[]string{"./nosuch"}, exitFailed, "nosuch"},
	} {
		var out, errs bytes.Buffer
		code := Main(tt.args, &out, &errs)
		if code != tt.code || !strings.Contains(out.String()+errs.String(), tt.want) {
			t.Errorf("%q: exit code %d\n%s%s", tt.args, code, &out, &errs)
		}
		if (code == exitOK) != (errs.Len() == 0) {
			t.Errorf("%q: standard error: %s", tt.args, &errs)
		}
	}
}

func TestTargets(t *testing.T) {
	list := targets([]string{"std", "go.uber.org/zap@v1.28.0", "./..."})
	if len(list) != 2 || list[0].name != "std ./..." || list[0].module != "" ||
		list[1].patterns[0] != "go.uber.org/zap/..." || list[1].module != "go.uber.org/zap@v1.28.0" {
		t.Errorf("%+v", list)
	}
	if n := len(targets([]string{modulesArg})); n != len(modules) {
		t.Errorf("%d targets for %d modules", n, len(modules))
	}
}
