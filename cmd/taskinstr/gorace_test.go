package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"taskinstr/cmd/internal/testfile"
	"taskinstr/rt"
)

const goraceProgram = `package main

import "os"

var x int

func main() {
	done := make(chan bool)
	go func() { x++; done <- true }()
	x++
	<-done
	os.Stdout.WriteString("end\n")
	if len(os.Args) > 1 {
		os.Exit(3)
	}
}
`

// goracePrograms builds the program with -race and with taskinstr, in a folder of its own.
func goracePrograms(t *testing.T) (race, own string) {
	if !hasCgo() {
		t.Skip("-race needs a C compiler here, and there is none")
	}
	dir := t.TempDir()
	testfile.Tree(t, dir, map[string]string{"go.mod": "module example.com/gorace\n\ngo 1.25\n", "main.go": goraceProgram})
	race, own = filepath.Join(dir, "race"+exe), filepath.Join(dir, "own"+exe)
	for _, args := range [][]string{
		{"go", "build", "-race", "-o", race},
		{filepath.Join(command, "taskinstr"+exe), "build", "-o", own},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	return race, own
}

// goraceRun is what a run shows of the effect of GORACE.
type goraceRun struct {
	status  int
	ended   bool     // the program reached its end
	report  bool     // a report on standard error
	files   []string // the files that it wrote, without process ids, with a mark for a report
	unknown string   // the warning of unknown options
	places  []string // file names of the report
}

var (
	goracePID     = regexp.MustCompile(`\.\d+$`)
	goraceUnknown = regexp.MustCompile(`(?m)^WARNING: found \d+ unrecognized flag\(s\):\n(    .*\n)*`)
	goracePlace   = regexp.MustCompile(`(?m)^ +(\S+\.go):\d+ \+0x`)
)

func runGorace(t *testing.T, program, value string, args ...string) goraceRun {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "known.txt"), []byte("race:^main.m*func1$\n"), 0o666); err != nil {
		t.Error(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = []string{"GORACE=" + value}
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Run()
	r := goraceRun{status: cmd.ProcessState.ExitCode(), ended: strings.Contains(out.String(), "end\n")}
	r.report = strings.Contains(errs.String(), "WARNING: DATA RACE")
	r.unknown = goraceUnknown.FindString(errs.String())
	for _, m := range goracePlace.FindAllStringSubmatch(errs.String(), -1) {
		r.places = append(r.places, m[1])
	}
	slices.Sort(r.places)
	r.places = slices.Compact(r.places)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "known.txt" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		name = goracePID.ReplaceAllString(name, "")
		if strings.Contains(string(text), "WARNING: DATA RACE") {
			name += " with a report"
		}
		r.files = append(r.files, name)
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return r
}

// A program reads GORACE as Go's own race detector does.
func TestGorace(t *testing.T) {
	race, own := goracePrograms(t)
	// A program built with -race sleeps for a second at its end.
	var wait sync.WaitGroup
	slots := make(chan bool, 16)
	for _, value := range []string{
		"", "foo=1", "foo=1 bar=2 verbosity=1", "verbosity=1", "=3",
		"exitcode=0", "exitcode=1", "exitcode=255", "exitcode=300", "exitcode=-1", "exitcode=+7", "exitcode=",
		"exitcode=5,halt_on_error=1", "exitcode=5:halt_on_error=1", "exitcode=5\thalt_on_error=1", "exitcode=5\nhalt_on_error=1",
		"exitcode='5'", `exitcode="5"`, "foo='a b:c' exitcode=5", "exitcode=5 exitcode=6",
		"halt_on_error=1", "halt_on_error=yes", "halt_on_error=true", "halt_on_error=no",
		"log_path=a", "log_path=no/such/folder/a", "log_path='a b'", "log_path=stdout", "log_path=stderr",
		"history_size=7", "history_size=0", "report_bugs=0", "atexit_sleep_ms=10", "atexit_sleep_ms=-1",
		"strip_path_prefix=/", "strip_path_prefix=" + filepath.Dir(own) + "/", "suppress_equal_stacks=0",
		"suppressions=known.txt", "external_symbolizer_path=x", "print_suppressions=1", "help=1",
	} {
		for _, args := range [][]string{nil, {"3"}} {
			wait.Go(func() {
				slots <- true
				defer func() { <-slots }()
				want, got := runGorace(t, race, value, args...), runGorace(t, own, value, args...)
				if !want.equal(got) {
					t.Errorf("GORACE=%q, arguments %q:\n-race:     %+v\ntaskinstr: %+v", value, args, want, got)
				}
			})
		}
	}
	wait.Wait()
	// Both stop, with statuses of their own.
	for _, value := range []string{"exitcode=abc", "halt_on_error=maybe", "foo", "foo=1 bar", "exitcode='5'x", "foo='a", "log_path=/a:b"} {
		for _, program := range []string{race, own} {
			if r := runGorace(t, program, value); r.ended || r.report {
				t.Errorf("GORACE=%q: %s goes on: %+v", value, filepath.Base(program), r)
			}
		}
	}
}

func (r goraceRun) equal(o goraceRun) bool {
	return r.status == o.status && r.ended == o.ended && r.report == o.report && r.unknown == o.unknown &&
		slices.Equal(r.files, o.files) && slices.Equal(r.places, o.places)
}

// Every option that Go's race detector lists is known, with an effect or without.
func TestGoraceOptions(t *testing.T) {
	race, own := goracePrograms(t)
	known := map[string]bool{}
	for _, k := range rt.Keys() {
		known[k.Name] = known[k.Name] || k.Gorace
	}
	cmd := exec.Command(race)
	cmd.Env = []string{"GORACE=help=1"}
	out, _ := cmd.CombinedOutput()
	list := regexp.MustCompile(`(?m)^\t(\w+)\n\t\t- `).FindAllStringSubmatch(string(out), -1)
	if len(list) < 50 {
		t.Fatalf("%d options:\n%s", len(list), out)
	}
	for _, m := range list {
		if !known[m[1]] {
			t.Errorf("option %s of -race is unknown", m[1])
		}
	}
	cmd = exec.Command(own)
	cmd.Env = []string{"GORACE=history_size=7"}
	if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), "GORACE: history_size has no effect: no history is dropped") {
		t.Errorf("the program does not say that history_size has no effect:\n%s", out)
	}
}
