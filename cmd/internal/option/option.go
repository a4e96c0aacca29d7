package option

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/internal/nearest"
	"taskinstr/optimize"
	"taskinstr/rt"
)

// Set holds the values of all options.
type Set struct {
	// Pkgs lists the package patterns whose accesses are checked; empty means
	// every package of the build.
	Pkgs []string
	// Locks is LocksAll or LocksHB.
	Locks string
	// Stats is "" or StatsChecks.
	Stats string
	// Detector is "" for the parallel engine, or one of rt.Detectors.
	Detector string
	// Branches is "" or BranchesOn: simple if statements record the accesses of the side
	// that is not taken.
	Branches string
	// Passes chooses the static optimizations. Passes that one package suffices for are a part
	// of the compiler's identity; the others decide through the plans of the whole program.
	Passes optimize.Set
	chosen bool // by -passes
	// Inline is "" or InlineOff: whether the compiler inlines functions with checks as those without.
	Inline string
	// Scope is ScopePackage or ScopeProgram: the part of the program that the passes see.
	Scope string
	// Plans is the folder where the wrapper has stored the packages' plans.
	Plans string
	// Wrapper is "" in bare mode, else ByMark, ByName or Judged.
	Wrapper string
	// Progress is the file in which tool calls note the packages that they compile, "" for
	// none.
	Progress string
	// Own is "" or OwnOn: Passes and Stats hold for the packages outside of the standard
	// library alone, which keeps the defaults. For the wrapper only.
	Own string
	// Tag is "", TagOn or TagOff: whether the build tag RaceTag is set.
	Tag string
}

// The values of -locks.
const (
	LocksAll = "all" // happens-before races and predicted races
	LocksHB  = "hb"  // happens-before races only
)

// RaceTag is the build tag that -race sets, and TagOn (the default) and TagOff are the
// values of -racetag.
const (
	RaceTag = "race"
	TagOn   = "on"
	TagOff  = "off"
)

// DetectorParallel is the default of -detector.
const DetectorParallel = "parallel"

// StatsChecks is the value of -stats.
const StatsChecks = "checks"

// The values of -scope.
const (
	ScopePackage = "package" // each package by itself, with facts of its imports
	ScopeProgram = "program" // the packages of the main module together; see package planner
)

// OwnOn is the value of Set.Own.
const OwnOn = "on"

// BranchesOn and BranchesOff are the values of -branches.
const (
	BranchesOn  = "on"
	BranchesOff = "off"
)

// InlineOn and InlineOff are the values of -inline.
const (
	InlineOn  = "on"
	InlineOff = "off"
)

// Default returns the options of a command line that names none.
func Default() Set { return Set{Locks: LocksAll, Passes: optimize.All(), Scope: ScopePackage} }

// passes returns the default of -passes beside the other options. The diagnosis of branches
// reads the values that a program loads and stores; removed checks record none.
func (s *Set) passes() optimize.Set {
	if s.Branches == BranchesOn {
		return optimize.Set{}
	}
	return Default().Passes
}

// Optimized reports whether passes run.
func (s Set) Optimized() bool { return s.Passes != (optimize.Set{}) }

// ByPackage returns the options of the tool calls for packages that are planned by themselves.
func (s Set) ByPackage() Set {
	s.Scope, s.Tag, s.Plans = ScopePackage, "", ""
	return s.Tools()
}

// Tools returns the options of tool calls for all packages: with Own, compiler flags of the
// packages say the rest (mark.go).
func (s Set) Tools() Set {
	if s.Own != "" {
		s.Passes, s.Stats, s.Own = s.passes(), "", ""
	}
	return s
}

// WholeProgram reports whether the passes see the whole program.
func (s Set) WholeProgram() bool { return s.Optimized() && s.Scope == ScopeProgram }

// Option is one row of the table.
type Option struct {
	Name  string // without the dash
	Value string // form of its value, for the help text
	Text  string // its effect, for the help text
	set   func(s *Set, value string) error
	get   func(s *Set) string // "" if the option has its default
	build bool                // it changes the compiler's output, so it is part of the cache key
	Own   bool                // for this program's own use: not in help
}

// oneOf completes the row of an option that takes one of the values; its field has the default none,
// or "" for it.
func oneOf(o Option, field func(*Set) *string, none string, values ...string) Option {
	o.Value = strings.Join(values, "|")
	o.set = func(s *Set, v string) error {
		if !slices.Contains(values, v) {
			return noneOf(v, values)
		}
		if v == none {
			d := Default()
			v = *field(&d)
		}
		*field(s) = v
		return nil
	}
	o.get = func(s *Set) string {
		if v := *field(s); v != none {
			return v
		}
		return ""
	}
	return o
}

// noneOf returns the error for a value v outside of the values of an option.
func noneOf(v string, values []string) error {
	switch len(values) {
	case 1:
		return fmt.Errorf("%q is not %s", v, values[0])
	case 2:
		return fmt.Errorf("%q is neither %s nor %s", v, values[0], values[1])
	}
	return fmt.Errorf("%q is none of %s", v, strings.Join(values, ", "))
}

// Table returns the options in the order in which help lists them.
func Table() []Option {
	return slices.DeleteFunc(slices.Clone(table), func(o Option) bool { return o.Own })
}

var table = []Option{
	{
		Name: "pkgs", Value: "PATTERNS", build: true,
		Text: "check accesses only in the packages that match these comma-separated patterns\n" +
			"(./... and ../x are relative to the go command's directory, others are import\n" +
			"paths as in `go help packages`; std and all work). Each must match a package of\n" +
			"the build. Synchronization is still tracked everywhere: races inside of other\n" +
			"packages are missed, none is invented.",
		set: func(s *Set, v string) error {
			for _, p := range strings.Split(v, ",") {
				if p = strings.TrimSpace(p); p != "" {
					s.Pkgs = append(s.Pkgs, p)
				}
			}
			if len(s.Pkgs) == 0 {
				return fmt.Errorf("it needs at least one package pattern, for example -pkgs=./...")
			}
			return nil
		},
		get: func(s *Set) string { return strings.Join(s.Pkgs, ",") },
	},
	oneOf(Option{
		Name: "locks", // for the linker
		Text: "all (the default): report races, and predicted races, which were hidden in this\n" +
			"run only by the order in which locks were taken. hb: report races only. The\n" +
			"environment (TASKINSTR=locks=all) overrides this at run time.",
	}, func(s *Set) *string { return &s.Locks }, LocksAll, LocksAll, LocksHB),
	oneOf(Option{
		Name: "stats", build: true,
		Text: "checks: the program counts the checks that it executes, including repetitions\n" +
			"that cost almost nothing; TASKINSTR=stats=1 prints the sum at exit, and\n" +
			"TASKINSTR=checks=FILE writes them by site, with the reason why the passes have\n" +
			"left each check. The program runs slower.",
	}, func(s *Set) *string { return &s.Stats }, "", StatsChecks),
	{
		Name: "detector", Value: "parallel|espbags|drdp", build: true,
		Text: "parallel (the default): all of Go, on all processors. espbags: programs of tasks\n" +
			"that WaitGroups, errgroups or rt/task wait for, one task at a time, depth-first:\n" +
			"faster, and exact for all schedules of the input. Its model has no other\n" +
			"synchronization (channels, atomics, Cond); TASKINSTR=verdict=1 lists such\n" +
			"operations. drdp: the same for programs that also have promises and futures, of\n" +
			"rt/task, or as channels that are closed or have one sender and one receiver: a\n" +
			"clean run shows that the result is determinate. TASKINSTR=verdict=1 lists\n" +
			"operations outside of the model.",
		set: func(s *Set, v string) error {
			if v == DetectorParallel {
				v = ""
			}
			if !slices.Contains(rt.Detectors(), v) {
				return fmt.Errorf("%q is none of %s%s", v, DetectorParallel, strings.Join(rt.Detectors(), ", "))
			}
			s.Detector = v
			return nil
		},
		get: func(s *Set) string { return s.Detector },
	},
	{
		Name: "branches", Value: "on|off", build: true,
		Text: "on: each simple if statement (in no loop and no other branch) records the\n" +
			"accesses that its other side would have made, for traces (TASKINSTR=trace=FILE)\n" +
			"and `taskinstr detect -detector=ptracer`. `taskinstr lint -branches` lists the\n" +
			"statements, and those that are left out. off (the default): nothing is recorded.",
		set: func(s *Set, v string) error {
			switch v {
			case BranchesOn:
				s.Branches = v
				if !s.chosen {
					s.Passes = s.passes()
				}
			case BranchesOff:
				s.Branches = ""
			default:
				return noneOf(v, []string{BranchesOn, BranchesOff})
			}
			return nil
		},
		get: func(s *Set) string { return s.Branches },
	},
	{
		Name: "passes", Value: "SET",
		Text: "which static optimizations remove checks: all (the default; none with\n" +
			"-branches=on), none, a list of names, or all,-NAME; see `taskinstr help passes`.",
		set: func(s *Set, v string) error {
			p, err := optimize.Parse(v)
			s.Passes, s.chosen = p, true
			return err
		},
		get: func(s *Set) string {
			if s.Passes == s.passes() {
				return ""
			}
			return s.Passes.String()
		},
	},
	oneOf(Option{
		Name: "inline", build: true,
		Text: "on (the default): the compiler inlines the calls that it inlines in a build without\n" +
			"checks. off: checks count in its budget, and most functions with more than two\n" +
			"are not inlined. Packages that you compile with -pgo keep your profile alone.",
	}, func(s *Set) *string { return &s.Inline }, InlineOn, InlineOn, InlineOff),
	oneOf(Option{
		Name: "scope",
		Text: "how much the passes see. package (the default): each package by itself, while it\n" +
			"is compiled, with what is known of the functions that it imports. program: the\n" +
			"packages of the main module together, before they are compiled; more checks go,\n" +
			"and the build takes longer. Packages of the standard library, and of other modules\n" +
			"if these are large, are optimized each by itself in both scopes.",
	}, func(s *Set) *string { return &s.Scope }, ScopePackage, ScopePackage, ScopeProgram),
	oneOf(Option{
		Name: "racetag",
		Text: "on (the default): set the build tag race, as -race does, so that code that\n" +
			"adapts to race detection (//go:build race: longer time-outs, no counts of\n" +
			"allocations) adapts. It is added to -tags, yours or that in GOFLAGS. off: leave\n" +
			"-tags alone. Only `taskinstr build|install|run|test` can set a tag; add -tags=race\n" +
			"yourself to go build -toolexec=taskinstr.",
	}, func(s *Set) *string { return &s.Tag }, "", TagOn, TagOff),
	{
		Name: "plans", Value: "DIR", Own: true,
		Text: "the folder of the packages' plans",
		set:  func(s *Set, v string) error { s.Plans = v; return nil },
		get:  func(s *Set) string { return s.Plans },
	},
	{
		Name: "progress", Value: "FILE", Own: true,
		Text: "the file for notes on the progress of a build",
		set:  func(s *Set, v string) error { s.Progress = v; return nil },
		get:  func(s *Set) string { return s.Progress },
	},
	oneOf(Option{
		Name: "own", Own: true,
		Text: "-passes and -stats hold outside of the standard library only",
	}, func(s *Set) *string { return &s.Own }, "", OwnOn),
	oneOf(Option{
		Name: "wrapper", Own: true,
		Text: "how the wrapper tells which packages get checks",
	}, func(s *Set) *string { return &s.Wrapper }, "", ByMark, ByName, Judged),
}

// UnknownError reports a flag that is not in the table.
type UnknownError struct{ Flag string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("unknown option %s%s; the options of taskinstr are %s (see `taskinstr help options`)", e.Flag, nearest.FlagHint(e.Flag, names()), Names())
}

// names returns the options without dash.
func names() (list []string) {
	for _, o := range Table() {
		list = append(list, o.Name)
	}
	return list
}

// Hint returns a hint (package nearest), or "", for a flag that is neither an option, nor the go command's, nor
// one of the others.
func Hint(written string, others ...string) string {
	return nearest.FlagHint(written, slices.Concat(names(), gocmd.BuildFlags(), others))
}

// Names returns the options as help shows them, separated by commas.
func Names() string {
	var list []string
	for _, o := range Table() {
		list = append(list, o.Usage())
	}
	return strings.Join(list, ", ")
}

// Usage returns the option as the help text shows it.
func (o *Option) Usage() string { return "-" + o.Name + "=" + o.Value }

func lookup(name string) *Option {
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

// Known reports whether there is an option of that name, and whether it takes a value (all
// options do).
func Known(name string) (known, value bool) {
	known = lookup(name) != nil
	return known, known
}

// Set gives an option its value. written is the option as the user typed it, for errors.
func (s *Set) Set(name, value, written string) error {
	o := lookup(name)
	if o == nil {
		return &UnknownError{written}
	}
	if value == "" {
		return fmt.Errorf("option %s needs a value: %s", written, o.Usage())
	}
	if err := o.set(s, value); err != nil {
		return fmt.Errorf("option %s: %w", written, err)
	}
	return nil
}

// Split reads the options at the front of args and returns the rest, which
// starts at the first argument that is not a flag. A flag outside the table is
// an *UnknownError.
func Split(args []string) (Set, []string, error) {
	s := Default()
	for len(args) > 0 {
		name, value, given, ok := gocmd.Cut(args[0])
		if !ok {
			break
		}
		written := args[0]
		args = args[1:]
		if known, _ := Known(name); known && !given && len(args) > 0 {
			value, args = args[0], args[1:]
			written += " " + value
		}
		if err := s.Set(name, value, written); err != nil {
			return s, args, err
		}
	}
	return s, args, nil
}

// Args writes the options that differ from their defaults as a command line.
func (s Set) Args() []string {
	var args []string
	for i := range table {
		if v := table[i].get(&s); v != "" {
			args = append(args, "-"+table[i].Name+"="+v)
		}
	}
	return args
}

// Key describes the options that change the compiler's output: with equal keys the output
// for a package is equal.
func (s Set) Key() string {
	s = s.Tools()
	if s.Wrapper == ByMark {
		s.Pkgs = []string{"@" + ByMark} // each package's own flags hold the mark
	}
	var key []string
	for i := range table {
		if v := table[i].get(&s); v != "" && table[i].build {
			key = append(key, table[i].Name+"="+v)
		}
	}
	// The plan of a package by itself is a function of the compiler's inputs and of these
	// passes. In program scope packages of std have this plan as well, so both scopes share
	// them. The flags of other packages (mark.go) hold digests of their plans.
	if own := s.Passes.And(optimize.Local()); own != Default().Passes.And(optimize.Local()) {
		key = append(key, "passes="+own.String())
	}
	sort.Strings(key)
	return strings.Join(key, " ")
}
