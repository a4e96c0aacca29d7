package main

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"taskinstr/benchmarks/measure"
	"taskinstr/benchmarks/micro/kernels"
	"taskinstr/benchmarks/modules"
)

// A subject is a program to be measured: a kernel, a paper's program, or a recipe of a module.
type subject struct {
	name string
	kind string
	// build returns the program in each mode in which it can be run, and the reason for
	// each other mode.
	build func(ctx context.Context) (map[mode]modules.Program, map[mode]error)
	// done removes the results of build.
	done func()
}

// A builder builds programs in all modes of the options.
type builder struct {
	options
	tmp  string
	tool string // the taskinstr command, if a mode needs it
}

func newBuilder(ctx context.Context, o options, tmp string) (*builder, error) {
	b := &builder{options: o, tmp: tmp}
	for _, m := range o.modes {
		if m != plain && m != race && m != raceHooks && m != raceEnters {
			var err error
			b.tool, err = measure.Tool(ctx, o.tool, tmp)
			return b, err
		}
	}
	return b, nil
}

// subjects builds and returns the programs that the options select, in the order of the
// table. The kernels share one executable for each mode, and so do the papers' programs.
func (b *builder) subjects(ctx context.Context) ([]subject, error) {
	var list []subject
	if len(b.kernels) > 0 {
		exes, err := b.buildShared(ctx, "micro")
		if err != nil {
			return nil, err
		}
		for _, k := range b.kernels {
			list = append(list, b.kernel(k, exes))
		}
	}
	if len(b.papers) > 0 {
		exes, err := b.buildShared(ctx, "run")
		if err != nil {
			return nil, err
		}
		for _, p := range b.papers {
			args := []string{"-program", p.String(), "-size", string(b.size)}
			list = append(list, shared(p.String(), p.Suite, exes, args))
		}
	}
	host := &modules.Host{Go: "go", Dir: b.tmp, Exec: execIn}
	for _, r := range b.recipes {
		list = append(list, b.recipe(host, r))
	}
	return list, nil
}

// flags returns the flags of go build for a mode.
func (b *builder) flags(m mode) []string {
	switch m {
	case race:
		return []string{"-race"}
	case taskinstr:
		return []string{b.toolexec("-passes=none")}
	case packages:
		return []string{b.toolexec("-passes=all -scope=package")}
	case hooks:
		return []string{b.toolexec("-pkgs=" + tiny)}
	}
	if pass, ok := m.less(); ok {
		return []string{b.toolexec("-passes=all,-" + pass + " -scope=package")}
	}
	return nil
}

// toolexec returns the flag of go build for these options of taskinstr.
func (b *builder) toolexec(options string) string {
	return "-toolexec=" + strings.Join(append([]string{b.tool, options}, b.counting()...), " ")
}

// counting returns the option for programs that count their checks, if they shall.
func (b *builder) counting() []string {
	if !b.checks {
		return nil
	}
	return []string{"-stats=checks"}
}

// buildShared builds a folder of benchmarks in each mode.
func (b *builder) buildShared(ctx context.Context, folder string) (map[mode]string, error) {
	exes := map[mode]string{}
	for _, m := range b.modes {
		if slices.Contains(strategies, m) {
			exes[m] = exes[packages]
			continue
		}
		exes[m] = filepath.Join(b.tmp, folder+"-"+string(m)+".exe")
		command := append([]string{"go", "build", "-o", exes[m]}, b.flags(m)...)
		if m == passes {
			// Through the wrapper, which compiles std once for all choices of passes.
			command = append([]string{b.tool, "build", "-passes=all", "-scope=program", "-o", exes[m]}, b.counting()...)
		}
		if m == branches {
			command = []string{b.tool, "build", "-branches=on", "-passes=none", "-o", exes[m]}
		}
		if err := measure.Run(ctx, append(command, "taskinstr/benchmarks/"+folder)...); err != nil {
			return nil, err
		}
	}
	return exes, nil
}

func (b *builder) kernel(k kernels.Kernel, exes map[mode]string) subject {
	args := []string{"-kernel", k.Name}
	if b.workers > 0 {
		args = append(args, "-workers", strconv.Itoa(b.workers))
	}
	return shared(k.Name, string(k.Kind), exes, args)
}

// shared returns a subject that runs one program of a shared executable.
func shared(name, kind string, exes map[mode]string, args []string) subject {
	programs := map[mode]modules.Program{}
	for m, exe := range exes {
		programs[m] = modules.Program{Args: append([]string{exe}, args...)}
	}
	return subject{
		name:  name,
		kind:  kind,
		build: func(context.Context) (map[mode]modules.Program, map[mode]error) { return programs, nil },
		done:  func() {},
	}
}

// recipe returns a subject that is built when its turn comes and removed after its
// measurements: the executables of all recipes take gigabytes.
func (b *builder) recipe(host *modules.Host, r modules.Recipe) subject {
	done := func() {}
	return subject{
		name: r.Name,
		kind: string(r.Group()),
		build: func(ctx context.Context) (map[mode]modules.Program, map[mode]error) {
			programs, failed := map[mode]modules.Program{}, map[mode]error{}
			s, err := host.Prepare(ctx, r)
			if err == nil {
				done = func() { s.Remove() }
			}
			for _, m := range b.modes {
				if err != nil {
					failed[m] = err
					continue
				}
				if p, err := b.buildRecipe(ctx, s, m); err != nil {
					failed[m] = err
				} else {
					programs[m] = p
				}
			}
			return programs, failed
		},
		done: func() { done() },
	}
}

// buildRecipe builds a recipe's program in a mode.
func (b *builder) buildRecipe(ctx context.Context, s *modules.Source, m mode) (modules.Program, error) {
	if m.blanked() != nil {
		return b.buildBlanked(ctx, s, m)
	}
	flags := b.flags(m)
	switch m {
	case plain, race:
	case passes:
		// Through the wrapper, which sets the tag itself and compiles std once for all programs.
		return s.BuildBy(ctx, b.tool, string(m), append(b.counting(), "-passes=all", "-scope=program")...)
	default:
		flags = append(flags, "-tags=race") // selects the files that -race compiles
	}
	return s.Build(ctx, string(m), flags...)
}

// execIn runs a command outside of this repository's workspace, if there is one.
func execIn(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return measure.Outside(ctx, dir, args...).CombinedOutput()
}
