package planner

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/scope"
)

// List returns the packages that a request builds, dependencies included. If the go command
// cannot list a package, it usually cannot build it either.
func (r *Request) List() ([]scope.Package, error) {
	goPath, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-deps", "-f", "{{.ImportPath}}\t{{.Dir}}\t{{.Standard}}\t{{with .Module}}{{.Main}}{{end}}"}
	if r.Tests {
		args = append(args, "-test")
	}
	args = append(append(args, r.loadFlags()...), "--")
	cmd := exec.Command(goPath, append(args, r.Patterns...)...)
	cmd.Dir, cmd.Env = r.Dir, r.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	var list []scope.Package
	for line := range strings.Lines(string(out)) {
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
