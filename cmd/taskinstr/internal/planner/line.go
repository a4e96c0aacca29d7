package planner

import (
	"os"
	"path/filepath"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
)

// Settings are the settings of the go command (gocmd.Env) that a plan depends on.
var Settings = []string{"GOVERSION", "GOROOT", "GOFLAGS", "GOOS", "GOARCH", "CGO_ENABLED", "GOWORK", "GOEXPERIMENT"}

// FromLine returns the request of the command line `go name args...`, run in dir ("" is the
// current folder) with the values env of Settings. It returns nil if the command builds
// nothing that can be planned. program is the identity of the program that makes the plans, o its
// options.
func FromLine(env map[string]string, program, dir, name string, args []string, o option.Set) (*Request, error) {
	switch name {
	case "build", "install", "run", "test":
	default:
		return nil, nil
	}
	flags, rest := gocmd.Line(name, args, gocmd.None)
	fixed, _ := gocmd.Split(gocmd.Fields(env["GOFLAGS"]), gocmd.None)
	r := &Request{
		Env:      environment(fixed),
		Program:  program,
		Flags:    flags,
		Patterns: patterns(name, rest),
		Tests:    name == "test",
		Options:  o,
		GOARCH:   env["GOARCH"],
	}
	for _, k := range Settings {
		r.Settings = append(r.Settings, env[k])
	}
	if w := env["GOWORK"]; w != "" && w != "off" {
		r.Files = append(r.Files, w)
	}
	var err error
	r.Dir, err = filepath.Abs(dir)
	return r, err
}

// environment returns this process's environment without the settings that make the go
// command run tools: a go command that only lists packages needs no toolexec.
func environment(goflags []gocmd.Flag) []string {
	var keep []string
	for _, f := range goflags {
		if f.Name != "toolexec" {
			keep = append(keep, f.Args...)
		}
	}
	text, _ := gocmd.Quote(keep)
	var env []string
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "TOOLEXEC_IMPORTPATH=") && !strings.HasPrefix(e, "GOFLAGS=") {
			env = append(env, e)
		}
	}
	return append(env, "GOFLAGS="+text)
}

// patterns returns the packages that the arguments rest of a go command name.
func patterns(name string, rest []string) []string {
	n := 0
	for n < len(rest) && !strings.HasPrefix(rest[n], "-") {
		n++
		if name == "run" && !strings.HasSuffix(rest[n-1], ".go") {
			break // the remaining arguments are the program's
		}
		if name == "run" && (n == len(rest) || !strings.HasSuffix(rest[n], ".go")) {
			break
		}
	}
	if n == 0 {
		return []string{"."}
	}
	return rest[:n]
}
