package toolexec

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/cmd/taskinstr/internal/typecheck"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/internal/splice"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// A planned package is a package with the decision about its checks.
type planned struct {
	plan    *splice.Plan // nil: all accesses are checked
	members []unit.Bytes // for the package's archive
	own     bool         // the package is planned by itself
	failure *unit.Failure
}

// fallback returns the decision that the package gets every check, because of the failure.
// Only a package that is planned by itself may get it: with its facts gone, no plan of
// another package relies on its plan. In program scope the plans of other packages may.
func fallback(f *unit.Failure) planned {
	return planned{members: unit.FallbackMembers(), own: true, failure: f}
}

// planOf returns the decision about the package that a call compiles. In program scope the planner has
// planned the packages of the main module together. All other packages are planned here, each by
// itself: such a plan holds in every program.
func planOf(c *call, o option.Set, in *Input, k *typecheck.Package) (planned, error) {
	if o.WholeProgram() {
		plan, has, err := planOfProgram(c, o)
		if has || err != nil {
			return planned{plan: plan}, err
		}
	}
	if o.Passes.And(optimize.Local()) == (optimize.Set{}) {
		return planned{}, nil
	}
	return planUnit(c, o, in, k)
}

// planUnit plans the package by itself.
func planUnit(c *call, o option.Set, in *Input, k *typecheck.Package) (planned, error) {
	var referenced map[string]bool
	if file := c.set["symabis"]; file != "" {
		var err error
		if referenced, err = unit.Symabis(file, in.Path); err != nil {
			return planned{}, err
		}
	}
	r, err := in.plan(o, k, referenced)
	var failure *unit.Failure
	switch {
	case errors.As(err, &failure):
		return fallback(failure), nil
	case err != nil || r == nil:
		return planned{}, err
	}
	members, err := r.Members()
	return planned{plan: r.Splice, members: members, own: true}, err
}

// planOfProgram returns the plan that the analysis of the whole program has stored for the
// package. If the analysis has planned no such package, planned is false.
func planOfProgram(c *call, o option.Set) (plan *splice.Plan, planned bool, err error) {
	if c.planDigest != "" {
		plan, err = planner.At(o.Plans).Plan(c.planDigest)
		return plan, true, err
	}
	if o.Wrapper != "" {
		return nil, false, nil
	}
	s, digests, err := readDigests()
	if err != nil {
		return nil, false, err
	}
	d := digests[strings.TrimSuffix(packagePath(c), "_test")]
	if d == "" {
		return nil, false, nil
	}
	plan, err = s.Plan(d)
	return plan, true, err
}

// planBuild plans the packages that the running go command's line names and stores the
// plans for the compile calls of these packages. It returns the plans' part of the
// compiler's identity. If the command line cannot be read, there are no such plans, and each
// package is planned by itself.
func planBuild(o option.Set) (string, error) {
	if !o.WholeProgram() || o.Wrapper != "" {
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
	return planner.FromLine(env, self, "", line[1], line[2:], o)
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
