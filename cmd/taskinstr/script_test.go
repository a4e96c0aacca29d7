package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/tooltest"
	"taskinstr/cmd/taskinstr/internal/recipes"
)

var heavy = flag.Bool("heavy", false, "also run what builds the standard library in several more ways")

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// exe ends the name of an executable.
var exe = gocmd.ExeSuffix

// command is the folder of the command that the scripts run.
var command string

func TestMain(m *testing.M) {
	if os.Getenv(faultyVar) != "" {
		os.Exit(faultyMain())
	}
	flag.Parse()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "taskinstr-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		if _, err := tooltest.Build(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		command = dir
		return m.Run()
	}())
}

// TestScript runs the command as users do: each archive below testdata/script
// is a folder of files and the commands to run there.
//
// Scripts share the user's build cache, since the standard library takes a minute to
// build. So the assertions of a script must not depend on the contents of the cache.
//
// Each different set of options (-pkgs in bare mode, -stats, -detector, build tags, the
// compiler's flags) compiles the standard library anew. A script for such a set has a
// program with few imports, or shares the set with other scripts. The most common set is
// the wrapper's, so scripts of the bare mode have -tags=race unless they are about the tag.
func TestScript(t *testing.T) {
	env, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Split(strings.TrimSpace(string(env)), "\n")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			for _, kv := range []string{
				"GOCACHE=" + dirs[0],
				"GOMODCACHE=" + dirs[1],
				"REALROOT=" + dirs[2],
				"REPO=" + repo,
				"GOPROXY=off",
				"GOTOOLCHAIN=local",
				"GOFLAGS=",
				"GOWORK=",
				"GO111MODULE=",
				"CGO_ENABLED=" + os.Getenv("CGO_ENABLED"),
				"TASKINSTR=",
				"GORACE=",
				option.ReuseVar + "=" + os.Getenv(option.ReuseVar),
				"CMD=" + filepath.Join(command, "taskinstr"+exe),
			} {
				k, v, _ := strings.Cut(kv, "=")
				e.Setenv(k, v)
			}
			e.Setenv("PATH", command+string(os.PathListSeparator)+e.Getenv("PATH"))
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "cgo":
				return hasCgo(), nil
			case "heavy":
				return *heavy, nil
			}
			return false, fmt.Errorf("unknown condition %s", cond)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"instrumented": instrumented,
			"jsonlines":    jsonLines,
			"problems":     problems,
			"reports":      reports,
			"same":         same,
		},
	})
}

// hasCgo reports whether programs can be built with cgo here.
func hasCgo() bool {
	if os.Getenv("CGO_ENABLED") == "0" {
		return false
	}
	_, err := exec.LookPath("gcc")
	return err == nil && runtime.GOOS != "windows"
}

// instrumented PROGRAM asserts that a binary was built with checks: then it
// answers TASKINSTR=help=1 with the keys it knows.
func instrumented(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: instrumented program")
	}
	cmd := exec.Command(ts.MkAbs(args[0]))
	cmd.Dir = ts.Getenv("WORK")
	cmd.Env = []string{"TASKINSTR=help=1"}
	out, _ := cmd.CombinedOutput()
	if has := strings.Contains(string(out), "halt_on_error"); has == neg {
		ts.Fatalf("%s: instrumented is %v\n%s", args[0], has, out)
	}
}

// problems TASK FROM TO writes the problems that an editor finds in the output of a task of
// examples/editor/vscode/tasks.json, one a line.
func problems(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: problems task from to")
	}
	text, err := os.ReadFile(filepath.Join(ts.Getenv("REPO"), "examples", "editor", "vscode", "tasks.json"))
	ts.Check(err)
	tasks, err := recipes.Tasks(text)
	ts.Check(err)
	for _, t := range tasks {
		if t.Label == args[0] {
			list, err := t.Problems(ts.ReadFile(args[1]))
			ts.Check(err)
			ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(strings.Join(list, "\n")+"\n"), 0o666))
			return
		}
	}
	ts.Fatalf("no task %s", args[0])
}

// same CMD1 -- CMD2 asserts that two go commands have the same output and exit status. The
// script must avoid names that differ between runs.
func same(ts *testscript.TestScript, neg bool, args []string) {
	var parts [2][]string
	i := 0
	for _, a := range args {
		if a == "--" {
			i++
			continue
		}
		parts[i] = append(parts[i], a)
	}
	var out [2]string
	for i, p := range parts {
		cmd := exec.Command(p[0], p[1:]...)
		cmd.Dir = ts.MkAbs(".")
		for _, k := range []string{"PATH", "HOME", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS", "GOTOOLCHAIN", "CGO_ENABLED", "TMPDIR", "GOWORK"} {
			cmd.Env = append(cmd.Env, k+"="+ts.Getenv(k))
		}
		text, err := cmd.CombinedOutput()
		out[i] = fmt.Sprintf("%s%v\n", text, err)
	}
	if (out[0] == out[1]) == neg {
		ts.Fatalf("%q:\n%s\n%q:\n%s", parts[0], out[0], parts[1], out[1])
	}
}
