package toolexec

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/internal/splice"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// planOf returns the plan of the package that a call compiles, nil if all its accesses
// are checked. In package scope it also returns the members for the package's archive.
func planOf(c *call, o option.Set, path string, k *typeChecked) (*splice.Plan, []unit.Bytes, error) {
	if o.Scope == option.ScopePackage {
		return planUnit(c, o, path, k)
	}
	plan, err := planOfProgram(c, o)
	return plan, nil, err
}

// planUnit plans the package by itself.
func planUnit(c *call, o option.Set, path string, k *typeChecked) (*splice.Plan, []unit.Bytes, error) {
	if o.Passes == (optimize.Set{}) {
		return nil, nil, nil
	}
	p := unit.Package{
		Fset: k.fset, Files: k.files, Texts: k.src, Path: path, Types: k.pkg, Info: k.info,
		Sizes: types.SizesFor("gc", goarch()), Archives: k.archives, Partial: !scope.Everything(o.Pkgs) || o.Wrapper != "",
	}
	if !c.on("std") {
		p.Module = &packages.Module{Path: path, GoVersion: strings.TrimPrefix(c.set["lang"], "go")}
	}
	if file := c.set["symabis"]; file != "" {
		var err error
		if p.Referenced, err = unit.Symabis(file, path); err != nil {
			return nil, nil, err
		}
	}
	r, err := unit.Make(p, o.Passes)
	if err != nil {
		return nil, nil, defect(c, err.Error())
	}
	if r == nil {
		return nil, nil, nil
	}
	members, err := r.Members()
	return r.Splice, members, err
}

// planOfProgram returns the plan that the analysis of the whole program has stored for the
// package, nil if there is none.
func planOfProgram(c *call, o option.Set) (*splice.Plan, error) {
	if c.planDigest != "" {
		return planner.At(o.Plans).Plan(c.planDigest)
	}
	if o.Passes == (optimize.Set{}) || o.Wrapper != "" {
		return nil, nil
	}
	s, digests, err := readDigests()
	if err != nil || digests == nil {
		return nil, err
	}
	d := digests[strings.TrimSuffix(packagePath(c), "_test")]
	if d == "" {
		return nil, nil
	}
	return s.Plan(d)
}

// planBuild plans the packages that the running go command's line names and stores the
// plans for the compile calls of these packages. It returns the plans' part of the
// compiler's identity. If the command line cannot be read, there are no plans and every
// access is checked.
func planBuild(o option.Set) (string, error) {
	if o.Passes == (optimize.Set{}) || o.Wrapper != "" || o.Scope == option.ScopePackage {
		return "", nil
	}
	name := runName()
	if name == "" || os.Getenv(cacheVar) == "" {
		return "", nil
	}
	r, err := requested(o)
	if err != nil || r == nil {
		return "", err
	}
	r.Partial = !scope.Everything(o.Pkgs)
	s := planner.Open(os.Getenv(cacheVar))
	digests, err := planner.Plan(s, *r)
	var load *ssapass.LoadError
	if errors.As(err, &load) {
		return "", nil // the go command reports the same error
	}
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(digests)
	if err == nil {
		err = s.PutRun(name, text)
	}
	return "\npasses " + planner.Digest(digests), err
}

// requested returns the build that the running go command's line requests, nil if that
// line cannot be read.
func requested(o option.Set) (*planner.Request, error) {
	line := parentLine(os.Getppid())
	if len(line) < 2 || toolName(line[0]) != "go" {
		return nil, nil
	}
	goPath, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	env, err := gocmd.Env(goPath, "", planner.Settings...)
	if err != nil {
		return nil, err
	}
	self, err := Identity()
	if err != nil {
		return nil, err
	}
	return planner.FromLine(env, self, "", line[1], line[2:], o.Passes)
}

// cacheVar is the variable that holds the go command's build cache. The go command sets
// it for its tools in any case.
const cacheVar = "GOCACHE"

// runName returns a name for the running go command, made of its process id and the time
// when it began, or "" if these are not known.
func runName() string {
	start := parentStart(os.Getppid())
	if start == "" {
		return ""
	}
	return fmt.Sprintf("%d-%s", os.Getppid(), start)
}

// readDigests returns the store and the digests of plans, by import path, that planBuild
// has left for the running go command; the digests are nil if there are none.
func readDigests() (planner.Store, map[string]string, error) {
	var digests map[string]string
	name, cache := runName(), os.Getenv(cacheVar)
	if name == "" || cache == "" {
		return planner.Store{}, nil, nil
	}
	s := planner.Open(cache)
	text, err := s.Run(name)
	if err != nil || text == nil {
		return s, nil, err
	}
	return s, digests, json.Unmarshal(text, &digests)
}
