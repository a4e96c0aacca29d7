package toolexec

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/cmd/taskinstr/internal/unit"
)

// compileCall makes a compile call for a package of one file without imports.
func compileCall(t *testing.T, text string) *call {
	t.Helper()
	tool, err := exec.Command("go", "tool", "-n", "compile").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "p.go")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TOOLEXEC_IMPORTPATH", "")
	return parseCall(strings.TrimSpace(string(tool)), []string{"-o", filepath.Join(dir, "p.o"), "-p", "x/p", "-complete", name})
}

// A rewriting that does not compile is a defect of this program only if the original
// compiles.
func TestWhoseFault(t *testing.T) {
	good, bad := "package p\n\nfunc F() {}\n", "package p\n\nfunc F()\n"
	broken := func(c *call) (*output, error) {
		text := "//line " + c.files[0] + ":1:1\npackage p\n\nfunc F() { undefinedName() }\n"
		return &output{sources: []source{{orig: c.files[0], name: "p.go", data: []byte(text)}}}, nil
	}
	for _, test := range []struct {
		name, text string
		rewrite    rewriter
		tool       bool // the compiler's exit code is passed on
		want, not  string
	}{
		{"ours", good, broken, false, "p.go:3:12: undefined: undefinedName", ""},
		{"theirs", bad, broken, true, "p.go:3:6: missing function body", "undefinedName"},
		{"ours, unanalyzed", good, func(*call) (*output, error) { return nil, &sourceError{errors.New("no")} }, false, "", ""},
		{"theirs, unanalyzed", bad, func(*call) (*output, error) { return nil, &sourceError{errors.New("no")} }, true, "missing function body", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := compileCall(t, test.text)
			var out bytes.Buffer
			err := compile(c, test.rewrite, &out, &out)
			var exit *exitError
			switch {
			case err == nil:
				t.Fatal("no error")
			case errors.As(err, &exit) != test.tool:
				t.Errorf("error %v", err)
			case !test.tool && !(strings.Contains(err.Error(), "x/p: ") && strings.Contains(err.Error(), "defect of taskinstr") && strings.Contains(err.Error(), "-pkgs")):
				t.Errorf("error %q does not say whose defect it is and what to do", err)
			}
			if !strings.Contains(out.String(), test.want) || test.not != "" && strings.Contains(out.String(), test.not) {
				t.Errorf("output %q, want %q and not %q", &out, test.want, test.not)
			}
		})
	}
}

// A plan whose text does not compile is dropped, and the user's own errors stay as they are.
func TestWhosePlan(t *testing.T) {
	text := func(c *call, body string) *output {
		return &output{sources: []source{{orig: c.files[0], name: "p.go", data: []byte("//line " + c.files[0] + ":1:1\npackage p\n\nfunc F() { " + body + " }\n")}}}
	}
	for _, test := range []struct {
		name, original, planned, unplanned string
		warns, tool, ours                  bool
	}{
		{"plan", "func F() {}", "undefinedName()", "", true, false, false},
		{"checks", "func F() {}", "undefinedName()", "otherName()", false, false, true},
		{"theirs", "func F()", "undefinedName()", "otherName()", false, true, false},
		{"none", "func F() {}", "", "otherName()", false, false, false},
	} {
		for _, debug := range []string{"", "1"} {
			t.Run(test.name+debug, func(t *testing.T) {
				t.Setenv(DebugVar, debug)
				c := compileCall(t, "package p\n\n"+test.original+"\n")
				var out, errs bytes.Buffer
				err := compile(c, func(c *call) (*output, error) {
					o := text(c, test.planned)
					o.unplanned = func(f *unit.Failure) (*output, error) {
						o := text(c, test.unplanned)
						o.failure = &unit.Failure{Cause: f.Cause, Stack: []byte("the stack\n")}
						o.members = unit.FallbackMembers()
						return o, nil
					}
					return o, nil
				}, &out, &errs)
				var exit *exitError
				if tool := errors.As(err, &exit); tool != test.tool || (err != nil && !tool) != test.ours {
					t.Errorf("error %v, output %q", err, &out)
				}
				warning, stack, _ := strings.Cut(errs.String(), "\n")
				if test.warns != strings.Contains(warning, "x/p: built with every check, without optimizations: the compiler rejects the package with the plan's checks: ") ||
					test.warns != strings.Contains(warning, "undefined: undefinedName") {
					t.Errorf("warning %q", warning)
				}
				if want := map[bool]string{true: "the stack\n"}[test.warns && debug != ""]; stack != want && !test.tool {
					t.Errorf("stack %q, want %q", stack, want)
				}
				if test.warns {
					member, err := archive.Read(c.set["o"], unit.PlanMember)
					if err != nil || string(member) != unit.Fallback {
						t.Errorf("member %q, error %v", member, err)
					}
				}
			})
		}
	}
}

// A compiler that is killed, or cannot write its output, has not judged the text.
func TestRejected(t *testing.T) {
	kill, fail := exec.Command("sh", "-c", "kill -9 $$"), exec.Command("sh", "-c", "exit 2")
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	failed := fail.Run()
	if rejected(kill.Run(), nil) || !rejected(failed, nil) || rejected(nil, nil) {
		t.Error("only an exit status is a rejection")
	}
	if rejected(failed, []byte("compile: writing output: write p.a: no space left on device\n")) {
		t.Error("a full disk is a rejection")
	}
}

// A compiler that is killed is not called again for the original, whose success would be called a defect.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	c := compileCall(t, "package p\n")
	dir := t.TempDir()
	c.tool = filepath.Join(dir, "compile")
	testfile.Write(t, c.tool, "#!/bin/sh\necho >>"+filepath.Join(dir, "runs")+"\nkill -9 $$\n")
	if err := os.Chmod(c.tool, 0o755); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := compile(c, func(c *call) (*output, error) {
		return &output{sources: []source{{orig: c.files[0], name: "p.go", data: []byte("package p\n")}}}, nil
	}, &out, &out)
	if err == nil || !strings.Contains(err.Error(), "signal: killed") || !strings.Contains(err.Error(), "-p=1") || strings.Contains(err.Error(), "defect") {
		t.Errorf("error %v, output %q", err, &out)
	}
	if runs, err := os.ReadFile(filepath.Join(dir, "runs")); string(runs) != "\n" {
		t.Errorf("the compiler ran %d times, %v", len(runs), err)
	}
}

// What is compiled instead leaves no trace of where it lay.
func TestWriteHidesFolder(t *testing.T) {
	c := compileCall(t, "package p\n")
	added := func(c *call) (*output, error) {
		return &output{sources: append(unchanged(c.files),
			source{name: "added.go", data: []byte("package p\n\nvar X = 1\n\nfunc G() int { panic(X) }\n")},
			source{name: "p.go", data: []byte("package p\n\nfunc H() int { panic(X) }\n")},
		)}, nil
	}
	if err := compile(c, added, os.Stdout, os.Stdout); err != nil {
		t.Fatal(err)
	}
	object, err := os.ReadFile(c.set["o"])
	if err != nil {
		t.Fatal(err)
	}
	if dir := filepath.Join(filepath.Dir(c.set["o"]), "taskinstr"); bytes.Contains(object, []byte(dir)) {
		t.Errorf("the object file contains %s", dir)
	}
	if !bytes.Contains(object, []byte("added.go")) {
		t.Error("the object file does not know added.go")
	}
}

func TestUnwritableFolder(t *testing.T) {
	c := compileCall(t, "package p\n")
	if err := os.WriteFile(filepath.Join(filepath.Dir(c.set["o"]), "taskinstr"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	err := compile(c, func(c *call) (*output, error) {
		return &output{sources: []source{{name: "q.go", data: []byte("package p\n")}}}, nil
	}, os.Stdout, os.Stdout)
	if err == nil || !strings.Contains(err.Error(), "GOTMPDIR") {
		t.Errorf("error %v does not say what to do", err)
	}
}

func TestWithoutGenerated(t *testing.T) {
	in := "a.go:1:2: x\n" + generatedName + ":3:4: can inline _ti_r\nb.go:1:1: y"
	if got, want := string(withoutGenerated([]byte(in))), "a.go:1:2: x\nb.go:1:1: y"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
