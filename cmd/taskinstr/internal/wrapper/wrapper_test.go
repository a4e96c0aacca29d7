package wrapper

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/testfile"
)

func TestPlan(t *testing.T) {
	t.Setenv("GOFLAGS", "-tags=a")
	t.Setenv("GOWORK", "off")
	goPath, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, test := range []struct{ cmd, args, want string }{
		{"build", "", "-toolexec=SELF -tags=a,race"},
		{"build", "-v -o x -locks=hb .", "-toolexec='SELF -locks=hb' -v -o x -tags=a,race ."},
		{"build", "-o x -pkgs ./...,m/x -tags b,c ./cmd", "-toolexec='SELF -pkgs=./...,m/x -wrapper=marks' -o x -tags=b,c,race -gcflags=./...=-taskinstr-check -gcflags=m/x=-taskinstr-check ./cmd"},
		{"build", "-gcflags=all=-N -pkgs=./... .", "-toolexec='SELF -pkgs=./... -wrapper=marks' -gcflags=all=-N -tags=a,race -gcflags=./...=-N -taskinstr-check ."},
		{"build", "-pkgs=./nosuch -wrapper=judged .", "-toolexec='SELF -pkgs=./nosuch -wrapper=marks' -tags=a,race -gcflags=./nosuch=-taskinstr-check ."},
		{"build", "-pkgs=./...,all -tags=race -tags=b .", "-toolexec=SELF -tags=b,race ."},
		{"build", "-gcflags=-N -pkgs=./... .", "-toolexec='SELF -pkgs=./... -wrapper=patterns' -gcflags=-N -tags=a,race ."},
		{"test", "-run X -mine 2 -locks=hb ./... -args -race", "-toolexec=SELF -run X -tags=a,race -mine 2 -locks=hb ./... -args -race"},
		{"test", "-v ./... -tags b -gcflags=all=-N -mine -locks=hb -run X x -tags=c", "-toolexec='SELF -locks=hb' -v -gcflags=all=-N -run X -tags=b,race ./... -mine x -tags=c"},
		{"run", ". -race -locks=hb", "-toolexec=SELF -tags=a,race . -race -locks=hb"},
		{"build", "-C DIR -locks=hb -v", "-C DIR -toolexec='SELF -locks=hb' -v -tags=a,race"},
		{"build", "-racetag=off", "-toolexec=SELF"},
		{"build", "-racetag=off -tags=b .", "-toolexec=SELF -tags=b ."},
	} {
		args := strings.Fields(strings.ReplaceAll(test.args, "DIR", dir))
		line, err := planned(option.Default(), test.cmd, args, io.Discard)
		if err != nil {
			t.Errorf("%s %s: %v", test.cmd, test.args, err)
			continue
		}
		got := strings.Join(line, " ")
		want := goPath + " " + test.cmd + " " + strings.NewReplacer("DIR", dir, "SELF", self, "'", "").Replace(test.want)
		if strings.ReplaceAll(got, "'", "") != want {
			t.Errorf("%s %s:\n got %s\nwant %s", test.cmd, test.args, got, want)
		}
	}
}

// planned returns the line that runs the go command.
func planned(base option.Set, name string, args []string, stderr io.Writer) ([]string, error) {
	l, err := read(base, name, args)
	if err != nil {
		return nil, err
	}
	return l.plan(stderr)
}

func TestRefused(t *testing.T) {
	t.Setenv("GOFLAGS", "-race=false")
	for _, test := range []struct {
		args, want string
		usage      bool
	}{
		{"-race", "-race (on the command line)", true},
		{"-toolexec=x", "-toolexec is taken", true},
		{"-locks=x", "neither", true},
		{"-pkgs=./nosuch,example.com/nosuch,.", "./nosuch, example.com/nosuch match no package of this build", false},
		{"-nosuch", "unknown option -nosuch", true},
		{"-C " + filepath.Join(t.TempDir(), "missing"), "missing", false},
	} {
		_, err := planned(option.Default(), "build", strings.Fields(test.args), io.Discard)
		var usage *usageError
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.As(err, &usage) != test.usage {
			t.Errorf("%s: error %v, want %q", test.args, err, test.want)
		}
	}
}

// TestPlanned checks the flags of a build with plans in which -pkgs leaves some packages
// without checks. The pattern std matches no package of the module, although the module's
// path has no dot.
func TestPlanned(t *testing.T) {
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	testfile.Tree(t, dir, map[string]string{
		"go.mod":     "module prog\n\ngo 1.25\n",
		"main.go":    "package main\n\nimport \"prog/lib\"\n\nvar n int\n\nfunc main() {\n\tgo func() { n++ }()\n\tn++\n\tn++\n\tlib.Inc()\n}\n",
		"lib/lib.go": "package lib\n\nvar N int\n\nfunc Inc() {\n\tgo func() { N++ }()\n\tN++\n\tN++\n}\n",
	})
	line, err := planned(option.Default(), "build", []string{"-C", dir, "-scope=program", "-pkgs=./lib,std", "."}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]string{} // by pattern
	for _, arg := range line {
		if f, ok := strings.CutPrefix(arg, "-gcflags="); ok {
			pattern, flags, _ := strings.Cut(f, "=")
			last[pattern] = flags
		}
	}
	for pattern, want := range map[string][2]bool{
		"./lib":    {true, false},
		"std":      {true, false},
		"prog/lib": {true, true},
		"prog":     {false, true},
	} {
		got := [2]bool{strings.Contains(last[pattern], option.Mark), strings.Contains(last[pattern], option.Plan)}
		if got != want {
			t.Errorf("%s: flags %q; mark and plan are %v, want %v", pattern, last[pattern], got, want)
		}
	}
	if tool := strings.Join(line, " "); !strings.Contains(tool, "-wrapper="+option.ByMark) {
		t.Errorf("the tools do not look at the marks: %s", tool)
	}
}
