package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"taskinstr/benchmarks/micro/kernels"
	"taskinstr/benchmarks/modules"
)

// A subject is a program to be measured: a kernel, or a recipe of a module.
type subject struct {
	name string
	kind string
	// build returns how the program is run in each mode, and why it cannot be run in the
	// others.
	build func(ctx context.Context) (map[mode]modules.Program, map[mode]error)
	// done removes what build left.
	done func()
}

// A builder builds programs in all modes of the options.
type builder struct {
	options
	tmp  string
	tool string // the taskinstr command, where it is needed
}

func newBuilder(ctx context.Context, o options, tmp string) (*builder, error) {
	b := &builder{options: o, tmp: tmp}
	for _, m := range o.modes {
		if m != taskinstr {
			continue
		}
		if o.tool == "" {
			o.tool = filepath.Join(tmp, "taskinstr.exe")
			if err := goTool(ctx, "build", "-o", o.tool, "taskinstr/cmd/taskinstr"); err != nil {
				return nil, err
			}
		}
		var err error
		if b.tool, err = filepath.Abs(o.tool); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// subjects returns the programs that the options choose, in order of the table. The
// kernels share one executable a mode, which it builds.
func (b *builder) subjects(ctx context.Context) ([]subject, error) {
	var list []subject
	if len(b.kernels) > 0 {
		exes, err := b.buildKernels(ctx)
		if err != nil {
			return nil, err
		}
		for _, k := range b.kernels {
			list = append(list, b.kernel(k, exes))
		}
	}
	host := &modules.Host{Go: "go", Dir: b.tmp, Exec: execIn}
	for _, r := range b.recipes {
		list = append(list, b.recipe(host, r))
	}
	return list, nil
}

// flags are those of go build for a mode.
func (b *builder) flags(m mode) []string {
	switch m {
	case race:
		return []string{"-race"}
	case taskinstr:
		return []string{"-toolexec=" + b.tool}
	}
	return nil
}

// buildKernels returns the program of benchmarks/micro of each mode.
func (b *builder) buildKernels(ctx context.Context) (map[mode]string, error) {
	exes := map[mode]string{}
	for _, m := range b.modes {
		exes[m] = filepath.Join(b.tmp, "micro-"+string(m)+".exe")
		args := append([]string{"build", "-o", exes[m]}, b.flags(m)...)
		if err := goTool(ctx, append(args, "taskinstr/benchmarks/micro")...); err != nil {
			return nil, err
		}
	}
	return exes, nil
}

func (b *builder) kernel(k kernels.Kernel, exes map[mode]string) subject {
	programs := map[mode]modules.Program{}
	for m, exe := range exes {
		args := []string{exe, "-kernel", k.Name}
		if b.workers > 0 {
			args = append(args, "-workers", strconv.Itoa(b.workers))
		}
		programs[m] = modules.Program{Args: args}
	}
	return subject{
		name:  k.Name,
		kind:  string(k.Kind),
		build: func(context.Context) (map[mode]modules.Program, map[mode]error) { return programs, nil },
		done:  func() {},
	}
}

// recipe is built when its turn comes, and its folder removed behind its measurements:
// the executables of all recipes take gigabytes.
func (b *builder) recipe(host *modules.Host, r modules.Recipe) subject {
	done := func() {}
	return subject{
		name: r.Name,
		kind: modulesKind,
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
				flags := b.flags(m)
				if m == taskinstr {
					flags = append(flags, "-tags=race") // the files that -race compiles
				}
				if p, err := s.Build(ctx, string(m), flags...); err != nil {
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

// execIn runs a command outside of this repository's workspace, if there is one.
func execIn(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "PWD="+dir)
	return cmd.CombinedOutput()
}

func goTool(ctx context.Context, args ...string) error {
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
