package planner

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/scope"
)

// List returns the packages that a request builds, dependencies included. If the go command
// cannot list a package, it usually cannot build it either.
func (r *Request) List() ([]scope.Package, error) {
	args := []string{"-deps", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{.Standard}}\t{{with .Module}}{{.Main}}{{end}}"}
	if r.Tests {
		args = append(args, "-test")
	}
	out, err := r.goList(append(args, r.loadFlags()...), r.Patterns)
	if err != nil {
		return nil, err
	}
	var list []scope.Package
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) != 4 {
			continue
		}
		// p [q.test] is a variant of p; p_test [p.test] is p's external test. The go
		// command gives both the flags of p.
		path, variant, _ := strings.Cut(f[0], " ")
		if variant != "" {
			path = strings.TrimSuffix(path, "_test")
		}
		path = strings.TrimSuffix(path, ".test")
		list = append(list, scope.Package{Path: path, Dir: f[1], Std: f[2] == "true", Main: f[3] == "true"})
	}
	return list, nil
}

// goList returns the output of `go list` with flags, on packages, in the folder and the environment
// of the request.
func (r *Request) goList(flags, pkgs []string) (string, error) {
	goPath, err := gocmd.Find()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(goPath, slices.Concat([]string{"list"}, flags, []string{"--"}, pkgs)...)
	cmd.Dir, cmd.Env = r.Dir, r.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	return string(out), nil
}
