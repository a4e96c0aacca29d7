package lint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/toolexec"
	"taskinstr/cmd/taskinstr/internal/typecheck"
)

// A listed is a package in the go command's list, after the go command has compiled it.
type listed struct {
	ImportPath      string // with the variant for tests, such as a [a.test]
	Name            string
	Dir             string
	Standard        bool
	DepOnly         bool // no pattern names the package
	Export          string
	CompiledGoFiles []string
	CgoFiles        []string
	SFiles          []string
	Imports         []string          // import paths as in ImportPath
	ImportMap       map[string]string // import path in the source -> import path, if they differ
	Module          *struct{ GoVersion string }

	env      map[string]string // the go command's settings
	archives map[string]string // import path -> Export, of the whole list
}

// path returns the package path.
func (l *listed) path() string { return withoutVariant(l.ImportPath) }

func withoutVariant(importPath string) string {
	path, _, _ := strings.Cut(importPath, " ")
	return path
}

// goList has the go command compile the packages that the patterns name, with their imports,
// as the build does, and lists all of them.
func goList(o *options, dir string, patterns []string, tests bool) ([]*listed, error) {
	goPath, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	env, err := gocmd.Env(goPath, dir, "GOVERSION", "GOOS", "GOARCH")
	if err != nil {
		return nil, err
	}
	tool, err := gocmd.Toolexec(o.own().Args())
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-deps", "-export", "-compiled", tool,
		"-json=ImportPath,Name,Dir,Standard,DepOnly,Export,CompiledGoFiles,CgoFiles,SFiles,Imports,ImportMap,Module"}
	if tests {
		args = append(args, "-test")
	}
	cmd := exec.Command(goPath, append(append(append(args, o.build...), "--"), patterns...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, explain(o, dir, patterns, tests, fmt.Errorf("go list: %w\n%s", err, bytes.TrimSpace(stderr.Bytes())))
	}
	var list []*listed
	archives := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		l := &listed{env: env, archives: archives}
		if err := dec.Decode(l); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		archives[l.ImportPath] = l.Export
		list = append(list, l)
	}
}

// own returns the options with which a build plans the packages by themselves.
func (o *options) own() option.Set {
	s := o.base
	s.Passes = o.set
	return s.ByPackage()
}

// input returns the inputs of the package's compilation.
func (l *listed) input() *toolexec.Input {
	in := &toolexec.Input{
		Path: l.path(), Main: l.Name == "main" && l.path() == l.ImportPath, Std: l.Standard, GoVersion: l.env["GOVERSION"], GOOS: l.env["GOOS"], GOARCH: l.env["GOARCH"],
		Alias: map[string]string{}, Archives: map[string]string{},
	}
	if m := l.Module; m != nil && !l.Standard {
		in.Lang = typecheck.Lang(m.GoVersion)
	}
	for _, f := range l.CompiledGoFiles {
		if typecheck.IsSource(f) {
			in.Files = append(in.Files, l.file(f))
		}
	}
	for _, i := range l.Imports {
		in.Archives[withoutVariant(i)] = l.archives[i]
	}
	maps.Copy(in.Alias, l.ImportMap)
	for source, i := range in.Alias {
		in.Alias[source] = withoutVariant(i)
	}
	return in
}

// assembly returns the files for Go's assembler.
func (l *listed) assembly() (files []string) {
	if len(l.CgoFiles) > 0 {
		return nil // the C compiler assembles the files
	}
	for _, f := range l.SFiles {
		files = append(files, l.file(f))
	}
	return files
}

func (l *listed) file(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(l.Dir, name)
}

// compiled returns the packages that a build compiles, one of each path: the variant for its
// own tests, if the list has one, and no main package that go test generates.
func compiled(list []*listed) (out []*listed) {
	index := map[string]int{}
	for _, l := range list {
		path := l.path()
		_, tested := index[strings.TrimSuffix(path, ".test")]
		if tested && strings.HasSuffix(path, ".test") || path == "unsafe" {
			continue
		}
		i, twice := index[path]
		switch {
		case !twice:
			index[path] = len(out)
			out = append(out, l)
		case l.ImportPath == path+" ["+path+".test]":
			out[i] = l
		}
	}
	return out
}
