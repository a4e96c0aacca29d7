package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/cmd/taskinstr/internal/archive"
	"taskinstr/cmd/taskinstr/internal/cli"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/optimize"
	"taskinstr/optimize/builder"
)

// faultyVar is the environment variable that makes the test binary behave as the command
// with a faulty pass (faulty). The command itself does not know it.
const faultyVar = "TASKINSTR_TEST_FAULTY"

// faultyMain is the command with a faulty pass.
func faultyMain() int {
	for i := range optimize.Passes {
		if p := &optimize.Passes[i]; p.Name == "gather" { // the last pass
			p.Run = faulty
		}
	}
	return cli.Main(os.Args[1:], os.Stdout, os.Stderr)
}

// faulty fails in four packages, in a way that their names tell.
func faulty(b *builder.Builder) {
	path := b.Analysis.Program().Packages[0].PkgPath
	insert := func(text string) {
		file := b.Analysis.Sites.List[0].Key.File
		b.Insert(builder.Insert{Pkg: path, File: file, Line: 7, Col: 2, Text: text, Sites: [][]int{{0}}})
	}
	switch path {
	case "faulty/panics":
		panic("injected\nfailure")
	case "faulty/cover":
		b.Cover(0, 0, "itself")
	case "faulty/splice":
		insert("$odd()")
	case "faulty/text":
		insert("undefinedName()")
	}
}

// faultyPackage has an access that no pass can spare, and a loop on line 7.
const faultyPackage = `package NAME

var Shared int

//go:noinline
func Add(n int, f func()) {
	for i := 0; i < n; i++ {
		f()
		Shared++
	}
}
`

// TestFallback builds a program whose packages the passes fail on. Each of these packages gets
// every check, without facts, and each build says so in one line. Lint agrees.
func TestFallback(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	faults := map[string]string{
		"panics": `pass gather: injected;`,
		"cover":  `the plan does not hold: .*;`,
		"splice": `splice faulty/splice: internal error .*\$odd.*;`,
		"text":   `the compiler rejects the package with the plan's checks: .*undefinedName`,
	}
	dir := t.TempDir()
	main := "package main\n\nimport (\n\"os\"\n"
	calls := ""
	files := map[string]string{"go.mod": "module faulty\n\ngo 1.25\n"}
	for name := range faults {
		files[name+"/"+name+".go"] = strings.ReplaceAll(faultyPackage, "NAME", name)
		main += "\"faulty/" + name + "\"\n"
		calls += "case \"" + name + "\": add = " + name + ".Add\n"
	}
	files["main.go"] = main + ")\n\nfunc main() {\nvar add func(int, func())\nswitch os.Args[1] {\n" + calls + `}
	done := make(chan bool)
	go func() { add(3, func() {}); done <- true }()
	add(3, func() {})
	<-done
}
`
	testfile.Tree(t, dir, files)
	run := func(env, name string, args ...string) (stdout, stderr string, code int) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), faultyVar+"=1", "GOFLAGS=", "GORACE=", "TASKINSTR=", env)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return out.String(), errs.String(), cmd.ProcessState.ExitCode()
	}

	prog := filepath.Join(t.TempDir(), "faulty"+exe)
	flags := []string{"-tags=race", "-toolexec=" + self}
	for range 2 { // the second time from the build cache
		_, text, code := run("", "go", append(append([]string{"build"}, flags...), "-o", prog, ".")...)
		if code != 0 {
			t.Fatalf("the build fails:\n%s", text)
		}
		if strings.Contains(text, "goroutine ") || strings.Count(text, "taskinstr: ") != len(faults) {
			t.Errorf("the build prints\n%s", text)
		}
		for name, cause := range faults {
			line := regexp.MustCompile(`(?m)^taskinstr: faulty/` + name + `: built with every check, without optimizations: ` + cause + `.* please report it .*$`)
			if !line.MatchString(text) {
				t.Errorf("the build does not print %s\n%s", line, text)
			}
		}
	}
	for name := range faults {
		if _, text, code := run("", prog, name); code != 66 || !strings.Contains(text, "Shared") {
			t.Errorf("%s: exit status %d\n%s", name, code, text)
		}
		export, _, _ := run("", "go", append(append([]string{"list", "-export", "-f={{.Export}}"}, flags...), "./"+name)...)
		facts, err := archive.Read(strings.TrimSpace(export), unit.FactsMember)
		if err != nil || facts != nil {
			t.Errorf("%s: facts %q, error %v", name, facts, err)
		}
	}

	out, text, code := run("", self, "lint", "-format=json", "./...")
	var report struct {
		Sites []struct{ Package, Expr, Fate string }
		Notes []string
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 {
		t.Fatalf("lint: %v, exit status %d\n%s\n%s", err, code, out, text)
	}
	notes, kept := strings.Join(report.Notes, "\n"), map[string]int{}
	for _, s := range report.Sites {
		if name := strings.TrimPrefix(s.Package, "faulty/"); faults[name] != "" {
			kept[name]++
			if s.Fate != "kept" {
				t.Errorf("lint: %s of %s is %s", s.Expr, name, s.Fate)
			}
		}
	}
	for name := range faults {
		if kept[name] == 0 || !strings.Contains(notes, "faulty/"+name+": built with every check, without optimizations: ") {
			t.Errorf("lint: %s has %d accesses, and the notes are\n%s", name, kept[name], notes)
		}
	}
	if strings.Contains(notes, "faulty: ") || strings.Contains(notes, "another plan") {
		t.Errorf("lint: the notes are\n%s", notes)
	}
}
