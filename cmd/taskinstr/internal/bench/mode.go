package bench

import (
	"fmt"
	"slices"
	"strings"

	"taskinstr/cmd/internal/option"
	"taskinstr/internal/nearest"
	"taskinstr/optimize"
)

// A mode is a way to build test binaries.
type mode struct {
	name    string
	checked bool         // by taskinstr
	set     optimize.Set // the passes, if it is checked
	scope   string       // the passes' scope
	counts  bool         // the program counts the checks that it executes; its times are of no use
}

const (
	plainMode   = "plain"
	raceMode    = "race"
	noneMode    = "none"
	allMode     = "all"
	packageMode = "package" // all passes in package scope
	programMode = "program" // all passes in program scope
	without     = "no-"     // prefix of a pass: all passes except it
)

// Groups of modes that -modes takes beside single ones.
const (
	aloneGroup   = "alone"
	withoutGroup = "without"
)

// defaultModes is the default of -modes.
const defaultModes = "plain,race,none,package,program"

// allModes returns every mode in the order in which they are shown. The passes of a mode that
// names no scope run in the given one.
func allModes(scope string) []mode {
	list := []mode{{name: plainMode}, {name: raceMode}, {name: noneMode, checked: true, scope: scope}}
	for _, p := range optimize.Names() {
		list = append(list, mode{name: p, checked: true, set: optimize.Set{}.With(p), scope: scope})
	}
	for _, p := range optimize.Names() {
		list = append(list, mode{name: without + p, checked: true, set: optimize.All().Without(p), scope: scope})
	}
	return append(list,
		mode{name: allMode, checked: true, set: optimize.All(), scope: scope},
		mode{name: packageMode, checked: true, set: optimize.All(), scope: option.ScopePackage},
		mode{name: programMode, checked: true, set: optimize.All(), scope: option.ScopeProgram})
}

// parseModes reads a list of modes and groups. plain is always among the result, since
// everything is compared with it. In package scope the groups have no passes that need the
// whole program.
func parseModes(text, scope string) ([]mode, error) {
	passes := optimize.Names()
	if scope == option.ScopePackage {
		passes = optimize.Local().Names()
	}
	chosen := map[string]bool{plainMode: true}
	var known []string
	for _, m := range allModes(scope) {
		known = append(known, m.name)
	}
	for name := range strings.SplitSeq(text, ",") {
		switch name = strings.TrimSpace(name); {
		case name == aloneGroup:
			for _, p := range passes {
				chosen[p] = true
			}
		case name == withoutGroup:
			for _, p := range passes {
				chosen[without+p] = true
			}
		case slices.Contains(known, name):
			chosen[name] = true
		default:
			return nil, fmt.Errorf("unknown mode %q%s; there are %s, and the groups %s (each pass alone) and %s (all passes but one)",
				name, nearest.Hint(name, append(known, aloneGroup, withoutGroup)), strings.Join(known, ", "), aloneGroup, withoutGroup)
		}
	}
	return slices.DeleteFunc(allModes(scope), func(m mode) bool { return !chosen[m.name] }), nil
}

// wholeProgram reports whether the passes of the mode see the whole program.
func (m mode) wholeProgram() bool {
	return option.Set{Passes: m.set, Scope: m.scope}.WholeProgram()
}

// counting returns the mode m with binaries that count checks.
func (m mode) counting() mode {
	m.counts = true
	return m
}

// tool returns this program with its own options.
func (m mode) tool(e *env) []string {
	line := append([]string{e.self}, e.opts.base...)
	if m.counts {
		line = append(line, "-stats="+option.StatsChecks)
	}
	return line
}

// build returns the command line that builds the test binary of a package.
func (m mode) build(e *env, exe, pkg string) []string {
	line := []string{e.goPath, "test", "-c"}
	switch {
	case m.checked:
		line = append(m.tool(e), "test", "-c", "-passes="+m.set.String(), "-scope="+m.scope)
	case m.name == raceMode:
		line = append(line, "-race")
	}
	line = append(append(line, "-o", exe), e.opts.build...)
	return append(line, pkg)
}

// standard returns the command line that builds packages of the standard library for the
// mode. Passes that need the whole program do not change these packages.
func (m mode) standard(e *env, pkgs []string) []string {
	line := []string{e.goPath, "build"}
	switch {
	case m.checked:
		line = append(m.tool(e), "build", "-passes="+m.set.And(optimize.Local()).String(), "-scope="+option.ScopePackage)
	case m.name == raceMode:
		line = append(line, "-race")
	}
	return append(append(line, e.opts.build...), pkgs...)
}

// family returns the name of the modes with which m shares the compiled standard library.
func (m mode) family() string {
	switch {
	case m.counts:
		return "counting-" + m.set.And(optimize.Local()).String()
	case m.checked:
		return "checked-" + m.set.And(optimize.Local()).String()
	}
	return m.name
}
