package lint

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/internal/nearest"
	"taskinstr/optimize"
)

// options are the values of the flags and the arguments.
type options struct {
	filter
	base     option.Set // the options before the word lint
	set      optimize.Set
	scope    string
	format   string
	source   bool
	summary  bool
	tests    bool
	deps     bool
	check    bool
	branches bool
	all      bool
	profile  string
	since    string   // -new-from
	failOn   []string // of failures
	dir      string   // -C
	build    []string // flags of the build, for go list
	untagged bool     // the build tag race is not added to build
	patterns []string
}

// A format is one way to print a report.
var formats = []string{"text", "json", "sarif", "checkstyle", "html"}

var ownFlags gocmd.Owns[options]

func init() {
	ownFlags = gocmd.Owns[options]{
		{Name: "all", Text: "list every access, also those whose check is removed; -kept, -removed, -guarded, -pass and -source list a part of them", Set: on(func(o *options) *bool { return &o.all })},
		{Name: "profile", Value: "FILE", Text: "order by what a program did, in place of estimates: a CPU profile of a program or test that was built with taskinstr, or the executed checks of one built with -stats=checks (TASKINSTR=checks=FILE)", Set: gocmd.Text(func(o *options) *string { return &o.profile })},
		{Name: "new-from", Value: "REV", Text: "only accesses in lines that differ from this commit of git, such as HEAD or main", Set: gocmd.Text(func(o *options) *string { return &o.since })},
		{Name: "fail-on", Value: "LIST", Text: "end with exit code 3 if a listed access is one of these: " + failureText(), Set: func(o *options, v string) error {
			for name := range strings.SplitSeq(v, ",") {
				if failures[name].is == nil {
					return fmt.Errorf("%q is none of %s", name, strings.Join(slices.Sorted(maps.Keys(failures)), ", "))
				}
				o.failOn = append(o.failOn, name)
			}
			return nil
		}},
		{Name: "json", Text: "the same as -format=json", Set: func(o *options, v string) error {
			if isOn(v) {
				o.format = "json"
			}
			return nil
		}},
		{Name: "format", Value: strings.Join(formats, "|"), Text: "how to print; text is the default", Set: func(o *options, v string) error {
			if !slices.Contains(formats, v) {
				return fmt.Errorf("%q is no format; there are %s", v, strings.Join(formats, ", "))
			}
			o.format = v
			return nil
		}},
		{Name: "passes", Value: "all|none|LIST|all,-NAME", Text: "the passes to run (all by default), of " + strings.Join(optimize.Names(), ", "), Set: func(o *options, v string) (err error) {
			o.set, err = optimize.Parse(v)
			return err
		}},
		{Name: "scope", Value: option.ScopePackage + "|" + option.ScopeProgram, Text: "how much the passes see, as in a build (package by default)", Set: func(o *options, v string) error {
			if v != option.ScopePackage && v != option.ScopeProgram {
				return fmt.Errorf("%q is neither %s nor %s", v, option.ScopePackage, option.ScopeProgram)
			}
			o.scope = v
			return nil
		}},
		{Name: "kept", Text: "print only accesses whose check is kept", Set: on(func(o *options) *bool { return &o.kept })},
		{Name: "removed", Text: "print only accesses whose check is removed", Set: on(func(o *options) *bool { return &o.removed })},
		{Name: "guarded", Text: "print only accesses whose check is guarded; these three add up", Set: on(func(o *options) *bool { return &o.guarded })},
		{Name: "pass", Value: "LIST", Text: "print only accesses whose check one of these passes removed or guards", Set: func(o *options, v string) error {
			for name := range strings.SplitSeq(v, ",") {
				if !slices.Contains(optimize.Names(), name) {
					return fmt.Errorf("%q is no pass; there are %s", name, strings.Join(optimize.Names(), ", "))
				}
				o.passes = append(o.passes, name)
			}
			return nil
		}},
		{Name: "func", Value: "REGEXP", Text: "print only accesses in functions whose name matches, such as '(*Account).Deposit' or '^parse', with -all, the reasons of all passes stand below a kept check", Set: func(o *options, v string) (err error) {
			o.fn, err = funcPattern(v)
			return err
		}},
		{Name: "source", Text: "print the line of each access below it (text)", Set: on(func(o *options) *bool { return &o.source })},
		{Name: "summary", Text: "print only the table of passes and packages, with all packages of the program (text, json, html)", Set: on(func(o *options) *bool { return &o.summary })},
		{Name: "branches", Text: "print, instead of accesses, each if statement and what -branches=on would record of its other side (text, json)", Set: on(func(o *options) *bool { return &o.branches })},
		{Name: "tests", Text: "the program is the packages' tests, as in `taskinstr test`", Set: on(func(o *options) *bool { return &o.tests })},
		{Name: "deps", Text: "print the accesses of all packages of the program, the standard library's too", Set: on(func(o *options) *bool { return &o.deps })},
		{Name: "racetag", Value: "on|off", Text: "on (the default): with the build tag race, as `taskinstr build` sets it", Set: func(o *options, v string) error {
			var s option.Set
			err := s.Set("racetag", v, "-racetag="+v)
			o.untagged = s.Tag == option.TagOff
			return err
		}},
		{Name: "check", Text: "verify the plan behind each pass", Set: on(func(o *options) *bool { return &o.check })},
	}
}

// on returns the Set of a switch. Any value but those for off switches it on.
func on(field func(*options) *bool) func(*options, string) error {
	return func(o *options, v string) error {
		*field(o) = isOn(v)
		return nil
	}
}

func isOn(value string) bool { return gocmd.Flag{Value: value}.On() }

// funcPattern returns the regular expression of -func, in which (*T) stands for itself: the
// receiver in the name of a function, which is no regular expression.
func funcPattern(text string) (*regexp.Regexp, error) {
	receiver := regexp.MustCompile(`\(\*(\w+)\)`)
	return regexp.Compile(receiver.ReplaceAllString(text, `\(\*$1\)`))
}

// A failure is a kind of access that -fail-on names.
type failure struct {
	text string
	is   func(*Site) bool
}

var failures = map[string]failure{
	"kept":   {"its check is executed at each access", (*Site).executed},
	"loop":   {"the same in a loop", func(s *Site) bool { return s.executed() && s.Loops > 0 }},
	"advice": {"a change is known with which the check would go", func(s *Site) bool { return s.executed() && s.Advice != "" }},
}

func failureText() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(failures)) {
		list = append(list, name+" ("+failures[name].text+")")
	}
	return strings.Join(list, ", ")
}

// fails returns the first listed access on which the command shall fail, with the word of
// -fail-on; nil if there is none.
func (o *options) fails(sites []*Site) (*Site, string) {
	for _, s := range sites {
		for _, name := range o.failOn {
			if s.Ignored == "" && failures[name].is(s) {
				return s, name
			}
		}
	}
	return nil, ""
}

// list reports whether the text is a list of accesses.
func (o *options) list() bool {
	return o.all || o.kept || o.removed || o.guarded || len(o.passes) > 0 || o.source
}

// buildFlags are go's flags that select the files to compile. unread are go's flags that do
// not; they have no effect here.
var (
	buildFlags = []string{"tags", "mod", "modfile", "overlay", "installsuffix", "modcacherw", "buildvcs", "compiler"}
	unread     = []string{"a", "v", "x", "work", "p", "ldflags", "gcflags", "asmflags", "trimpath", "pgo", "buildmode", "cover", "covermode", "coverpkg"}
)

// errHelp asks for the usage text.
var errHelp = errors.New("help requested")

// parse reads the command line; flags and packages may be mixed.
func parse(base option.Set, args []string) (*options, error) {
	o := &options{format: "text", base: base, set: base.Passes, scope: base.Scope}
	o.untagged = base.Tag == option.TagOff
	if len(base.Pkgs) > 0 {
		return nil, errors.New("option -pkgs has no place here; name the packages behind lint")
	}
	own := func(name string) (known, value bool) {
		d := ownFlags.Find(name)
		return d != nil || name == "h" || name == "help", d != nil && d.Value != ""
	}
	for len(args) > 0 {
		flags, rest := gocmd.Split(args, own)
		for _, f := range flags {
			if err := o.take(f); err != nil {
				return nil, err
			}
		}
		if args = rest; len(args) == 0 {
			break
		}
		if strings.HasPrefix(args[0], "-") {
			return nil, unknownFlag(args[0])
		}
		o.patterns, args = append(o.patterns, args[0]), args[1:]
	}
	if len(o.patterns) == 0 {
		o.patterns = []string{"."}
	}
	if o.branches && (o.profile != "" || o.since != "" || len(o.failOn) > 0) {
		return nil, errors.New("-profile, -new-from and -fail-on have no place beside -branches")
	}
	if o.branches && o.format != "text" && o.format != "json" {
		return nil, fmt.Errorf("-branches prints text or json, not %s", o.format)
	}
	return o, nil
}

func (o *options) take(f gocmd.Flag) error {
	d := ownFlags.Find(f.Name)
	switch {
	case f.Name == "h" || f.Name == "help":
		return errHelp
	case d != nil:
		return d.Apply(o, f)
	case f.Name == "C":
		o.dir = f.Value
	case slices.Contains(buildFlags, f.Name):
		o.build = append(o.build, f.Args...)
	case slices.Contains(unread, f.Name):
	default:
		return unknownFlag(strings.Join(f.Args, " "))
	}
	return nil
}

func unknownFlag(written string) error {
	var usages []string
	for _, f := range ownFlags {
		usages = append(usages, f.Usage())
	}
	return fmt.Errorf("unknown flag %s%s; the flags are %s, and go's build flags", written, nearest.FlagHint(written, append(ownFlags.Names(), buildFlags...)), strings.Join(usages, ", "))
}

// Help is the text of "taskinstr help lint".
func Help() string {
	var b strings.Builder
	b.WriteString(`Lint

	taskinstr lint [flags] [packages]

Shows where a build with the same options leaves checks that cost time, and what to
change so that they go: the functions with the most executed checks, and in them each
check that is left, why, and how often it is executed. It runs nothing: the numbers are
estimates from the bounds of loops, unless -profile names a CPU profile.

	taskinstr lint ./...
	taskinstr lint -all -func='(*Account).Deposit' .
	taskinstr lint -new-from=main -fail-on=advice ./...
	taskinstr lint -format=html ./... >lint.html

With a profile of the checks, the functions come in the order of the time that their
checks take:

	taskinstr test -bench=. -cpuprofile=cpu.out -o p.test ./p
	taskinstr lint -profile=cpu.out -tests ./p

The exact number of executed checks, by site, comes from a program that counts them:

	TASKINSTR=checks=/tmp/checks.%p taskinstr test -stats=checks ./p
	taskinstr lint -profile=/tmp/checks.PID -tests ./p

With -all each access has a line:

	bank.go:30:14: read of acct.balance: check kept: other tasks may reach it
	bank.go:40:2: read of b.total: check removed (dominate: covered by the write at bank.go:38:2)

A check is kept, and made at each access; removed, since the access cannot race or
another check covers it; or guarded, and made unless another check has covered it
("taskinstr help passes"). In package scope, the default, each package is analysed by
itself. With -scope=program the packages of the main module are analysed together;
without a main package they count as a library, which any code may call.

A comment excludes accesses from the digest and from -fail-on, with a reason: those of
its line, of the line below it, or of the function below it.

	total += n //taskinstr:ignore measured: not in a hot path

The flags are, beside go's build flags (-tags, -mod, ...):

`)
	for _, f := range ownFlags {
		b.WriteString(terminal.Flag(f.Usage(), f.Text))
	}
	b.WriteString(`
Formats: text (coloured on terminals unless NO_COLOR is set), json, sarif
(version 2.1.0), checkstyle, html (one page that holds the source).

Exit codes:

	0	the packages were analysed, whatever the fates are
	1	the packages do not compile or cannot be analysed
	2	the command line was wrong
	3	an access is one of those that -fail-on names

The same as a tool of go vet, with its exit codes:

	go vet -vettool=$(which taskinstr) [-taskinstr.passes=SET] [-taskinstr.kept|-taskinstr.removed] ./...

go vet shows its tools one package at a time, so only passes run that need no more
(` + strings.Join(optimize.Local().Names(), ", ") + `). It analyses the sources of the
standard library without taskinstr's patches.
`)
	return b.String()
}
