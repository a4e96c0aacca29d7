package toolexec

import (
	"bufio"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/cmd/taskinstr/internal/typecheck"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/internal/site"
)

// An Input holds the inputs of a package's compilation that decide about its checks. A
// compile call has them among its arguments; `taskinstr lint` takes them from the go
// command's list of packages.
type Input struct {
	Path         string            // import path
	Main         bool              // a main package that no package imports
	Files        []string          // Go files, before package rt patches them
	Std          bool              // the package is a part of the standard library
	Lang         string            // language version, such as go1.25; "" is the toolchain's
	GoVersion    string            // version of the toolchain
	GOOS, GOARCH string            // target
	Alias        map[string]string // import path in the source -> package path, if they differ
	Archives     map[string]string // package path -> archive of the compiled import
}

// input returns the inputs of the call.
func (c *call) input() (*Input, error) {
	in := &Input{
		Path: c.set["p"], Main: c.set["p"] == "main", Files: c.files, Std: c.on("std"), Lang: c.set["lang"], GoVersion: c.set["goversion"],
		GOOS: goos(), GOARCH: goarch(), Alias: map[string]string{}, Archives: map[string]string{},
	}
	name := c.set["importcfg"]
	if name == "" {
		return in, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		verb, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		from, to, ok := strings.Cut(strings.TrimSpace(rest), "=")
		switch {
		case !ok:
		case verb == "importmap":
			in.Alias[from] = to
		case verb == "packagefile":
			in.Archives[from] = to
		}
	}
	return in, lines.Err()
}

// Plan plans the package by itself, as its compilation with these options does. The names
// in referenced are those to which the package's assembly refers. A package without checks
// has no result.
func (in *Input) Plan(o option.Set, referenced map[string]bool) (*unit.Result, error) {
	if skip(in.Path) {
		return nil, nil
	}
	out, patched, err := patchStd(in, o)
	if err != nil {
		return nil, err
	}
	sources := unchanged(in.Files)
	if patched {
		sources = out.sources
	}
	k, err := typeCheck(in, sources)
	if err != nil {
		return nil, err
	}
	return in.plan(o, k, referenced)
}

// typeCheck parses and type-checks the sources of the package; see package typecheck about
// errors.
func typeCheck(in *Input, sources []source) (*typecheck.Package, error) {
	var files []typecheck.File
	for _, s := range sources {
		name := s.orig
		if name == "" {
			name = s.name
		}
		files = append(files, typecheck.File{Name: name, Text: s.data})
	}
	k, err := typecheck.Parse(token.NewFileSet(), files)
	if err != nil {
		return nil, err
	}
	config := typecheck.Config{Path: in.Path, Lang: in.Lang, GOARCH: in.GOARCH, Alias: in.Alias}
	if err := k.Check(config, typecheck.NewImports(k.Fset, in.Archives)); err != nil {
		return nil, err
	}
	return k, nil
}

// plan plans the type-checked package.
func (in *Input) plan(o option.Set, k *typecheck.Package, referenced map[string]bool) (*unit.Result, error) {
	p := unit.Package{
		Fset: k.Fset, Files: k.Files, Texts: k.Texts, Path: in.Path, Main: in.Main, Types: k.Types, Info: k.Info,
		Sizes: types.SizesFor("gc", in.GOARCH), Archives: in.Archives, Referenced: referenced,
		Partial: !scope.Everything(o.Pkgs), Explain: o.Stats == option.StatsChecks,
	}
	if !in.Std {
		p.Module = &packages.Module{Path: in.Path, GoVersion: strings.TrimPrefix(in.Lang, "go")}
	}
	passes := o.Passes
	if in.Path == site.RuntimeChecked {
		// The compiler allows no variable of the runtime on the heap, and the variables that
		// gather adds are on it where the compiler does not inline the helpers.
		passes = passes.Without("gather")
	}
	return unit.Make(p, passes)
}

// unchanged returns sources for files, all unchanged.
func unchanged(files []string) []source {
	var s []source
	for _, f := range files {
		s = append(s, source{orig: f, name: filepath.Base(f)})
	}
	return s
}
