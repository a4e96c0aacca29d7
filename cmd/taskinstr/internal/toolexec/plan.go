package toolexec

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"os"
	"strings"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/cmd/taskinstr/internal/unit"
	"taskinstr/internal/splice"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// planOf returns the plan of the package that a call compiles, nil if it is
// checked whole, and in package scope the facts for its archive.
func planOf(c *call, o option.Set, path string, k *checked) (*splice.Plan, []byte, error) {
	if o.Scope == option.ScopePackage {
		return planUnit(c, o, path, k)
	}
	plan, err := planOfProgram(c, o)
	return plan, nil, err
}

// planUnit plans the package by itself.
func planUnit(c *call, o option.Set, path string, k *checked) (*splice.Plan, []byte, error) {
	if o.Passes == (optimize.Set{}) {
		return nil, nil, nil
	}
	r, err := unit.Make(unit.Package{
		Fset: k.fset, Files: k.files, Texts: k.src, Path: path, Types: k.pkg, Info: k.info,
		Sizes: types.SizesFor("gc", goarch()), GoVersion: c.set["lang"], Archives: k.archives,
		Symabis: c.set["symabis"], Partial: !scope.Everything(o.Pkgs) || o.Wrapper != "",
	}, o.Passes)
	if err != nil {
		return nil, nil, defect(c, err.Error())
	}
	if r == nil {
		return nil, nil, nil
	}
	return r.Plan.Package(path), r.Facts, nil
}

// planOfProgram returns the plan that the analysis of the whole program has left for the
// package, nil if there is none.
func planOfProgram(c *call, o option.Set) (*splice.Plan, error) {
	if c.fact != "" {
		return planner.At(o.Plans).Plan(c.fact)
	}
	if o.Passes == (optimize.Set{}) || o.Wrapper != "" {
		return nil, nil
	}
	s, facts, err := readFacts()
	if err != nil || facts == nil {
		return nil, err
	}
	d := facts[strings.TrimSuffix(packagePath(c), "_test")]
	if d == "" {
		return nil, nil
	}
	return s.Plan(d)
}

// planBuild makes the plans of what the running go command is about to build, from
// its command line, and leaves them where the calls for each package find them.
// It returns what they add to the compiler's identity. Where the command line
// cannot be read everything is checked.
func planBuild(o option.Set) (string, error) {
	if o.Passes == (optimize.Set{}) || o.Wrapper != "" || o.Scope == option.ScopePackage {
		return "", nil
	}
	name := factsName()
	if name == "" || os.Getenv(cacheVar) == "" {
		return "", nil
	}
	r, err := requested(o)
	if err != nil || r == nil {
		return "", err
	}
	r.Partial = !scope.Everything(o.Pkgs)
	s := planner.Open(os.Getenv(cacheVar))
	facts, err := planner.Plan(s, *r)
	var load *ssapass.LoadError
	if errors.As(err, &load) {
		return "", nil // the go command will say it
	}
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(facts)
	if err == nil {
		err = s.PutRun(name, text)
	}
	return "\npasses " + planner.Digest(facts), err
}

// requested returns what the running go command is about to build, from its command
// line; nil where that cannot be read.
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

// cacheVar holds the go command's build cache: that command sets it for its tools,
// wherever it has it from.
const cacheVar = "GOCACHE"

// factsName names the running go command: its process id and when it began.
func factsName() string {
	start := parentStart(os.Getppid())
	if start == "" {
		return ""
	}
	return fmt.Sprintf("%d-%s", os.Getppid(), start)
}

// readFacts returns what planBuild left.
func readFacts() (planner.Store, map[string]string, error) {
	var facts map[string]string
	name, cache := factsName(), os.Getenv(cacheVar)
	if name == "" || cache == "" {
		return planner.Store{}, nil, nil
	}
	s := planner.Open(cache)
	text, err := s.Run(name)
	if err != nil || text == nil {
		return s, nil, err
	}
	return s, facts, json.Unmarshal(text, &facts)
}
