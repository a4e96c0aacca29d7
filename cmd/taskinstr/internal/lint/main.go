package lint

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/cmd/internal/exitcode"
	"taskinstr/cmd/internal/gocmd"
	"taskinstr/cmd/internal/option"
	"taskinstr/cmd/internal/terminal"
	"taskinstr/cmd/taskinstr/internal/planner"
	"taskinstr/internal/pace"
	"taskinstr/optimize"
	"taskinstr/ssapass"
)

// Main runs "taskinstr lint" with the arguments that follow the word lint and returns the
// exit code. base holds the options in front of the word; version is the version of
// taskinstr.
func Main(base option.Set, version string, args []string, stdout, stderr io.Writer) int {
	o, err := parse(base, args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, Help())
		return exitcode.OK
	case err != nil:
		fmt.Fprintf(stderr, "taskinstr lint: %v\nRun 'taskinstr help lint' for usage.\n", err)
		return exitcode.Usage
	}
	progress := terminal.NewProgress(stderr)
	var r *Report
	switch {
	case o.branches:
		err = listBranches(o, progress, stdout)
	case o.scope == option.ScopePackage:
		r, err = analyzeUnits(o, progress)
	default:
		r, err = analyze(o, progress)
	}
	if r != nil && err == nil {
		if err = o.choose(r); err == nil {
			err = r.write(stdout, o, version)
		}
	}
	var failed *buildError
	switch {
	case errors.As(err, &failed):
		fmt.Fprint(stderr, failed.text)
		return exitcode.Failed
	case err != nil:
		fmt.Fprintf(stderr, "taskinstr lint: %v\n", err)
		return exitcode.Failed
	}
	if r != nil {
		if s, name := o.fails(r.Sites); s != nil {
			fmt.Fprintf(stderr, "taskinstr lint: -fail-on=%s: %s: %s: %s; exclude it with a comment %s REASON\n", name, s.Place, s.Subject(), s.Verdict(), ignoreMark)
			return exitcode.Found
		}
	}
	return exitcode.OK
}

// choose reads the inputs that choose and order sites, and leaves the chosen sites in the
// report.
func (o *options) choose(r *Report) error {
	r.ignore()
	if o.profile != "" {
		p, err := readProfile(o.profile)
		if err != nil {
			return fmt.Errorf("-profile: %w", err)
		}
		p.apply(r)
	}
	if o.since != "" {
		c, err := changedSince(r.Dir, o.since)
		if err != nil {
			return fmt.Errorf("-new-from=%s: %w", o.since, err)
		}
		r.Sites = slices.DeleteFunc(r.Sites, func(s *Site) bool { return !c.has(s.abs, s.Line) })
	}
	r.Sites = slices.DeleteFunc(r.Sites, func(s *Site) bool { return !o.match(s) })
	return nil
}

// prepare returns the folder of the packages and completes the flags of the build.
func prepare(o *options) (dir string, err error) {
	if dir, err = filepath.Abs(o.dir); err != nil {
		return "", err
	}
	if fi, err := os.Stat(dir); err != nil {
		return "", fmt.Errorf("flag -C: %w", err)
	} else if !fi.IsDir() {
		return "", fmt.Errorf("flag -C: %s is not a directory", o.dir)
	}
	if !o.untagged {
		o.build, err = gocmd.Tagged(dir, o.build, option.RaceTag)
	}
	return dir, err
}

func load(o *options, progress *terminal.Progress) (p *ssapass.Program, dir string, err error) {
	if dir, err = prepare(o); err != nil {
		return nil, "", err
	}
	progress.Show("loading %s", strings.Join(o.patterns, " "))
	p, err = ssapass.Load(ssapass.Config{Dir: dir, Flags: o.build, Patterns: o.patterns, Tests: o.tests})
	var broken *ssapass.LoadError
	if errors.As(err, &broken) {
		return nil, "", explain(o, dir, o.patterns, o.tests, broken)
	}
	return p, dir, err
}

// request returns the request of a build of the packages in dir.
func (o *options) request(dir string) (*planner.Request, error) {
	env, err := gocmd.Env("", dir, planner.Settings...)
	if err != nil {
		return nil, err
	}
	name := "build"
	if o.tests {
		name = "test"
	}
	return planner.FromLine(env, "", dir, name, slices.Concat(o.build, o.patterns), o.own())
}

// analyze loads the program, makes its plan and lists the sites.
func analyze(o *options, progress *terminal.Progress) (*Report, error) {
	defer progress.Clear()
	defer pace.Follow()()
	dir, err := prepare(o)
	if err != nil {
		return nil, err
	}
	req, err := o.request(dir)
	if err != nil {
		return nil, err
	}
	progress.Show("loading %s", strings.Join(o.patterns, " "))
	req.Show = progress.Show
	p, err := planner.Load(req, false)
	var broken *ssapass.LoadError
	if errors.As(err, &broken) {
		return nil, explain(o, dir, o.patterns, o.tests, broken)
	}
	if err != nil {
		return nil, err
	}
	r, own := newReport(o.set, dir), []*packages.Package{}
	if p.Program != nil {
		progress.Show("analysing %d packages", len(p.Packages))
		a := p.Analyze()
		progress.Show("running the passes (%s) on %d accesses", o.set, len(a.Sites.List))
		plan, err := optimize.Make(a, o.set, optimize.Options{Check: o.check})
		if err != nil {
			return nil, err
		}
		progress.Show("listing")
		for _, pkg := range listedPackages(p.Program, o.deps || o.summary) {
			if !planner.Standard(pkg) {
				own = append(own, pkg)
			}
		}
		if r, err = report(plan, own, dir); err != nil {
			return nil, err
		}
	}
	others, patterns := o.others(p)
	if len(patterns) == 0 {
		return r, nil
	}
	err = addUnits(r, o, progress, patterns, o.tests && len(own) == 0, func(l *listed) bool { return others[l.path()] })
	r.sort()
	return r, err
}

// others returns the paths of the packages to list that the build plans by themselves, and the
// patterns for the go command.
func (o *options) others(p *planner.Program) (paths map[string]bool, patterns []string) {
	named := map[string]bool{}
	for _, pkg := range p.Named {
		named[pkg.PkgPath] = true
	}
	paths = map[string]bool{}
	for _, pkg := range p.Others {
		if !o.deps && !o.summary && !named[pkg.PkgPath] {
			continue
		}
		paths[pkg.PkgPath] = true
		if !strings.HasPrefix(pkg.PkgPath, "vendor/") { // the go command takes no such pattern
			patterns = append(patterns, pkg.PkgPath)
		}
	}
	return paths, patterns
}

func (r *Report) write(w io.Writer, o *options, version string) error {
	switch o.format {
	case "json":
		return r.writeJSON(w, o)
	case "sarif":
		return r.writeSARIF(w, version)
	case "checkstyle":
		return r.writeCheckstyle(w)
	case "html":
		return r.writeHTML(w, o)
	}
	if !o.summary && !o.list() {
		return r.writeDigest(w, terminal.Colors(w))
	}
	return r.writeText(w, o, terminal.Colors(w))
}

// A buildError is the message of the go command about packages that do not compile.
type buildError struct{ text string }

func (e *buildError) Error() string { return strings.TrimSpace(e.text) }

// explain returns the message of the go command about the packages, whose wording users
// know. The go command links nothing, since compiling fails first. If it compiles the
// packages, explain returns broken.
func explain(o *options, dir string, patterns []string, tests bool, broken error) error {
	goPath, err := gocmd.Find()
	if err != nil {
		return broken
	}
	args := []string{"build"}
	if tests {
		args = []string{"test", "-c"}
	}
	args = append(append(args, "-o", os.DevNull), o.build...)
	cmd := exec.Command(goPath, append(append(args, "--"), patterns...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil || len(out) == 0 {
		return broken
	}
	return &buildError{string(out)}
}
