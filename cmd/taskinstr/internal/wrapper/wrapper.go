package wrapper

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"taskinstr/cmd/taskinstr/internal/gocmd"
	"taskinstr/cmd/taskinstr/internal/option"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/cmd/taskinstr/internal/scope"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// Commands are the sub-commands that are passed on to the go command.
var Commands = []string{"build", "install", "run", "test"}

// Main runs `go name` on instrumented code. base holds the options before the sub-command,
// args the arguments behind it.
func Main(base option.Set, name string, args []string, stderr io.Writer) int {
	line, err := plan(base, name, args, stderr)
	if err == nil {
		var code int
		if code, err = start(line); err == nil {
			return code
		}
	}
	fmt.Fprintf(stderr, "taskinstr %s: %v\n", name, err)
	var usage *usageError
	if errors.As(err, &usage) {
		return 2
	}
	return 1
}

// WantsHelp reports whether the flags among the arguments of `taskinstr name` include
// -h. Arguments behind `run PACKAGE` or `test -args` belong to the program.
func WantsHelp(name string, args []string) bool {
	asks := func(name string) bool { return name == "h" || name == "help" }
	flags, _ := gocmd.Line(name, args, func(name string) (known, value bool) {
		if asks(name) {
			return true, false
		}
		return option.Known(name)
	})
	return slices.ContainsFunc(flags, func(f gocmd.Flag) bool { return asks(f.Name) })
}

// usageError is an error in the command line.
type usageError struct{ error }

// plan returns the command line to run. It writes warnings to stderr.
func plan(o option.Set, name string, args []string, stderr io.Writer) ([]string, error) {
	flags, rest := gocmd.Line(name, args, option.Known)
	flags, chdir, err := own(&o, flags)
	if err != nil {
		return nil, &usageError{err}
	}
	if err := gocmd.Refuse(flags, "on the command line"); err != nil {
		return nil, &usageError{err}
	}
	if len(rest) > 0 && strings.HasPrefix(rest[0], "-") && rest[0] != "--" && rest[0] != "-args" && name != "test" {
		return nil, &usageError{fmt.Errorf("unknown option %s: neither go %s nor taskinstr has it (the options of taskinstr are %s)", rest[0], name, option.Names())}
	}
	goPath, err := gocmd.Find()
	if err != nil {
		return nil, err
	}
	env, err := gocmd.Env(goPath, chdir.Value, append([]string{"GOCACHE"}, planner.Settings...)...)
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
	pass := gocmd.Args(flags)
	marks, err := selected(&o, env, append(slices.Clone(fixed), flags...), chdir.Value, name, append(slices.Clone(pass), rest...), stderr)
	if err != nil {
		return nil, err
	}
	tool, err := gocmd.Toolexec(o.Args())
	if err != nil {
		return nil, err
	}
	// The go command wants -C first.
	line := append([]string{goPath, name}, chdir.Args...)
	line = append(line, tool)
	line = append(line, pass...)
	line = append(line, marks...)
	return append(line, rest...), nil
}

// selected carries out -pkgs and -passes. It returns compiler flags for the packages and
// leaves in the options only the settings that such flags cannot express. env holds the
// settings of the go command, user the flags of GOFLAGS and the command line.
func selected(o *option.Set, env map[string]string, user []gocmd.Flag, dir, name string, args []string, stderr io.Writer) ([]string, error) {
	judged := o.Wrapper == option.Judged
	o.Wrapper = ""
	if scope.Everything(o.Pkgs) {
		o.Pkgs = nil
	}
	planned := o.WholeProgram()
	if len(o.Pkgs) == 0 && !planned {
		return nil, nil
	}
	o.Wrapper = option.ByName
	self, err := toolexec.Identity()
	if err != nil {
		return nil, err
	}
	r, err := planner.FromLine(env, self, dir, name, args, o.Passes)
	if err != nil {
		return nil, err
	}
	if len(o.Pkgs) == 0 {
		return planFlags(o, r, user, env["GOCACHE"], nil)
	}
	flags := mark(o, user)
	if judged && !planned {
		return flags, nil
	}
	pkgs, err := r.List()
	if err != nil {
		return flags, nil // the go command reports the same error
	}
	// A plan's flag stands behind the marks and is the last that matches its package, so it
	// repeats the package's mark.
	marked := map[string]bool{}
	if o.Wrapper == option.ByMark {
		for _, p := range scope.Judge(o.Pkgs, pkgs, scope.ByFolder(r.Dir)).Selected {
			marked[p.Path] = true
		}
	}
	plans, err := planFlags(o, r, user, env["GOCACHE"], marked)
	if err != nil {
		return nil, err
	}
	flags = append(flags, plans...)
	if judged {
		return flags, nil
	}
	return flags, judge(o, r.Dir, pkgs, stderr)
}

// own sets the options of taskinstr among the flags. It returns the other flags, and
// separately -C, which changes the folder.
func own(o *option.Set, flags []gocmd.Flag) (pass []gocmd.Flag, chdir gocmd.Flag, err error) {
	for i, f := range flags {
		known, _ := option.Known(f.Name)
		switch {
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
