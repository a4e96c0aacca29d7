package bench

import (
	"fmt"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/optimize"
)

// A mode is a way to build test binaries.
type mode struct {
	name    string
	checked bool         // by taskinstr
	set     optimize.Set // the passes, if it is checked
	counts  bool         // the program counts the checks that it executes; its times are of no use
}

const (
	plainMode = "plain"
	raceMode  = "race"
	noneMode  = "none"
	allMode   = "all"
	without   = "no-" // prefix of a pass: all passes except it
)

// Groups of modes that -modes takes beside single ones.
const (
	aloneGroup   = "alone"
	withoutGroup = "without"
)

// defaultModes is the default of -modes.
const defaultModes = "plain,race,none,alone,without,all"

// allModes returns every mode in the order in which they are shown.
func allModes() []mode {
	list := []mode{{name: plainMode}, {name: raceMode}, {name: noneMode, checked: true}}
	for _, p := range optimize.Names() {
		list = append(list, mode{name: p, checked: true, set: optimize.Set{}.With(p)})
	}
	for _, p := range optimize.Names() {
		list = append(list, mode{name: without + p, checked: true, set: optimize.All().Without(p)})
	}
	return append(list, mode{name: allMode, checked: true, set: optimize.All()})
}

// parseModes reads a list of modes and groups. plain is always among the result,
// since everything is compared with it.
func parseModes(text string) ([]mode, error) {
	chosen := map[string]bool{plainMode: true}
	var known []string
	for _, m := range allModes() {
		known = append(known, m.name)
	}
	for name := range strings.SplitSeq(text, ",") {
		switch name = strings.TrimSpace(name); {
		case name == aloneGroup:
			for _, p := range optimize.Names() {
				chosen[p] = true
			}
		case name == withoutGroup:
			for _, p := range optimize.Names() {
				chosen[without+p] = true
			}
		case slices.Contains(known, name):
			chosen[name] = true
		default:
			return nil, fmt.Errorf("unknown mode %q; there are %s, and the groups %s (each pass alone) and %s (all passes but one)",
				name, strings.Join(known, ", "), aloneGroup, withoutGroup)
		}
	}
	return slices.DeleteFunc(allModes(), func(m mode) bool { return !chosen[m.name] }), nil
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
		line = append(m.tool(e), "test", "-c", "-passes="+m.set.String())
	case m.name == raceMode:
		line = append(line, "-race")
	}
	line = append(append(line, "-o", exe), e.opts.build...)
	return append(line, pkg)
}

// standard returns the command line that builds packages of the standard library for the
// mode. Passes do not change these packages.
func (m mode) standard(e *env, pkgs []string) []string {
	line := []string{e.goPath, "build"}
	switch {
	case m.checked:
		line = append(m.tool(e), "build")
	case m.name == raceMode:
		line = append(line, "-race")
	}
	return append(append(line, e.opts.build...), pkgs...)
}

// family returns the name of the modes with which m shares the compiled standard library.
func (m mode) family() string {
	switch {
	case m.counts:
		return "counting"
	case m.checked:
		return "checked"
	}
	return m.name
}
