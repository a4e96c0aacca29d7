package wrapper

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// Commands are the sub-commands that are passed on to the go command.
var Commands = []string{"build", "install", "run", "test"}

// Main runs `go name` on instrumented code. base holds the options before the sub-command,
// args the arguments behind it.
func Main(base option.Set, name string, args []string, stderr io.Writer) int {
	code, err := run(base, name, args, stderr)
	if err == nil {
		return code
	}
	fmt.Fprintf(stderr, "taskinstr %s: %v\n", name, err)
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(stderr, "Run 'taskinstr help %s' for usage.\n", name)
		return 2
	}
	return 1
}

// run runs the go command and returns its exit code.
func run(base option.Set, name string, args []string, stderr io.Writer) (int, error) {
	l, err := read(base, name, args)
	if err != nil {
		return 0, err
	}
	watch, err := l.first(stderr)
	if err != nil {
		return 0, err
	}
	line, err := l.plan(stderr)
	if err != nil {
		return 0, err
	}
	if l.name == "test" {
		return l.test(line, watch, stderr)
	}
	if watch != nil {
		state, err := watch.child(line, os.Environ(), stderr)
		if err != nil {
			return 0, err
		}
		return end(state), nil
	}
	return start(line)
}

// WantsHelp reports whether the flags among the arguments of `taskinstr name` include
// -h. Arguments behind `run PACKAGE` or `test -args` belong to the program.
func WantsHelp(name string, args []string) bool {
	asks := func(name string) bool { return name == "h" || name == "help" }
	flags, _ := gocmd.Line(name, args, func(flag string) (known, value bool) {
		if asks(flag) {
			return true, false
		}
		return own(name)(flag)
	})
	return slices.ContainsFunc(flags, func(f gocmd.Flag) bool { return asks(f.Name) })
}

// usageError is an error in the command line.
type usageError struct{ error }

// A line is a command line, read.
type line struct {
	options option.Set
	name    string // of the go command
	goPath  string
	env     map[string]string // settings of the go command
	fixed   []gocmd.Flag      // flags of GOFLAGS
	flags   []gocmd.Flag      // the other flags, without taskinstr's and -C
	chdir   gocmd.Flag        // -C
	rest    []string          // packages, and arguments for programs
	known   known
	pkgs    []string // -pkgs, which options loses
}

// args returns the arguments of the go command behind its name and -C.
func (l *line) args() []string { return append(gocmd.Args(l.flags), l.rest...) }

func read(o option.Set, name string, args []string) (*line, error) {
	flags, rest := gocmd.Line(name, args, own(name))
	var k known
	flags, chdir, err := take(name, &o, &k, flags)
	if err == nil {
		err = k.check()
	}
	if err != nil {
		return nil, &usageError{err}
	}
	if err := gocmd.Refuse(flags, "on the command line"); err != nil {
		return nil, &usageError{err}
	}
	if len(rest) > 0 && strings.HasPrefix(rest[0], "-") && rest[0] != "--" && rest[0] != "-args" && name != "test" {
		return nil, &usageError{fmt.Errorf("unknown option %s%s: neither go %s nor taskinstr has it (the options of taskinstr are %s)", rest[0], option.Hint(rest[0]), name, option.Names())}
	}
	if name != "test" { // a test binary has flags of its own
		for _, f := range flags {
			if hint := option.Hint(f.Name); hint != "" && !gocmd.Known(f.Name) {
				return nil, &usageError{fmt.Errorf("unknown option %s%s; see `taskinstr help options` and `go help build`", f.Args[0], hint)}
			}
		}
	}
	goPath, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	env, err := gocmd.Env(goPath, chdir.Value, append([]string{"GOCACHE", "GOMOD"}, planner.Settings...)...)
	if err != nil {
		return nil, err
	}
	fixed, _ := gocmd.Split(gocmd.Fields(env["GOFLAGS"]), gocmd.None)
	if err := checkGoflags(fixed); err != nil {
		return nil, err
	}
	if o.Tag != option.TagOff {
		flags = gocmd.WithTag(fixed, flags, option.RaceTag)
	}
	o.Tag = "" // no tool needs it
	return &line{o, name, goPath, env, fixed, flags, chdir, rest, k, o.Pkgs}, nil
}

// Request returns the request by which the command line plans the whole program.
func Request(base option.Set, name string, args []string) (*planner.Request, error) {
	l, err := read(base, name, args)
	if err != nil {
		return nil, err
	}
	r, err := l.request()
	if err == nil {
		r.Partial = !scope.Everything(l.options.Pkgs)
	}
	return r, err
}

// request returns the request of the program.
func (l *line) request() (*planner.Request, error) {
	self, err := toolexec.Identity()
	if err != nil {
		return nil, err
	}
	return planner.FromLine(l.env, self, l.chdir.Value, l.name, l.args(), l.options)
}

// plan returns the command line to run. It writes warnings to stderr.
func (l *line) plan(stderr io.Writer) ([]string, error) {
	marks, err := selected(l, stderr)
	if err != nil {
		return nil, err
	}
	tool, err := gocmd.Toolexec(l.options.Args())
	if err != nil {
		return nil, err
	}
	// The go command wants -C first.
	run := append([]string{l.goPath, l.name}, l.chdir.Args...)
	run = append(run, tool)
	run = append(run, gocmd.Args(l.flags)...)
	run = append(run, marks...)
	return append(run, l.rest...), nil
}

// selected carries out -pkgs, -scope and -own. It returns compiler flags for the packages and
// leaves in the line's options only the settings that such flags cannot express.
func selected(l *line, stderr io.Writer) ([]string, error) {
	o := &l.options
	judged := o.Wrapper == option.Judged
	o.Wrapper = ""
	if scope.Everything(o.Pkgs) {
		o.Pkgs = nil
	}
	planned, own := o.WholeProgram(), o.Own != ""
	if len(o.Pkgs) == 0 && !planned && !own {
		return nil, nil
	}
	o.Wrapper = option.ByName
	r, err := l.request()
	if err != nil {
		return nil, err
	}
	progress := terminal.NewProgress(stderr)
	r.Show = progress.Show
	defer progress.Clear()
	f, err := l.flagging(r, judged && !planned && !own)
	if err != nil || f.unlisted {
		return f.marks, err
	}
	r.Marks = slices.Concat(f.marks, f.flags(nil))
	r.Options, r.Partial = *o, len(o.Pkgs) > 0
	plans, err := makePlans(o, r, l.env["GOCACHE"])
	if err != nil {
		return nil, err
	}
	if f.mixed && (len(plans) > 0 || own) {
		return nil, errors.New("-scope=program and taskinstr bench need -gcflags to be the same for all packages (-gcflags=all=...); give them so, or leave them out")
	}
	flags := slices.Concat(f.marks, f.flags(plans))
	*o = o.Tools()
	if judged || len(o.Pkgs) == 0 {
		return flags, nil
	}
	return flags, judge(o, r.Dir, f.pkgs, stderr)
}

// own returns which flags of a sub-command are taskinstr's, and whether they take a value.
func own(name string) func(flag string) (known, value bool) {
	return func(flag string) (known, value bool) {
		if name == "test" && (flag == baselineFlag || flag == updateFlag || flag == confirmFlag) {
			return true, flag == baselineFlag
		}
		return option.Known(flag)
	}
}

// take sets the options of taskinstr among the flags. It returns the other flags, and
// separately -C, which changes the folder.
func take(name string, o *option.Set, k *known, flags []gocmd.Flag) (pass []gocmd.Flag, chdir gocmd.Flag, err error) {
	for i, f := range flags {
		known, _ := own(name)(f.Name)
		switch {
		case known && f.Name == baselineFlag:
			k.file, k.given = f.Value, true
		case known && f.Name == updateFlag:
			k.update = f.On()
		case known && f.Name == confirmFlag:
			switch k.confirm = f.Value; {
			case !f.On():
				k.confirm = ""
			case f.Value == "", f.Value == "1", f.Value == "t", f.Value == "T":
				k.confirm = "true"
			}
		case known:
			if err := o.Set(f.Name, f.Value, strings.Join(f.Args, " ")); err != nil {
				return nil, chdir, err
			}
		case f.Name == "toolexec":
			return nil, chdir, fmt.Errorf("-toolexec is taken: taskinstr itself is the program that runs the tools; leave out %s", strings.Join(f.Args, " "))
		case f.Name == "C" && i == 0:
			chdir = f
		default:
			pass = append(pass, f)
		}
	}
	return pass, chdir, nil
}

// checkGoflags refuses settings in GOFLAGS that contradict an instrumented build.
func checkGoflags(flags []gocmd.Flag) error {
	if err := gocmd.Refuse(flags, "in GOFLAGS"); err != nil {
		return err
	}
	for _, f := range flags {
		if f.Name != "toolexec" {
			continue
		}
		words := gocmd.Fields(f.Value)
		if len(words) > 0 && !strings.HasPrefix(filepath.Base(words[0]), "taskinstr") {
			return fmt.Errorf("GOFLAGS sets -toolexec=%s, and only one program can run the tools; unset it for this command", f.Value)
		}
	}
	return nil
}
