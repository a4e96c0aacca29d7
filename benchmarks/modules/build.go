package modules

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// TestLimit is the time after which the test binary of a recipe prints its stacks and
// fails.
const TestLimit = 5 * time.Minute

// A Host provides the environment in which recipes are built.
type Host struct {
	Go  string // the go command
	Dir string // a temporary folder, which the caller removes
	// Exec runs a command in dir and returns its output. An error means that the command
	// did not end with status 0.
	Exec func(ctx context.Context, dir string, args ...string) (output []byte, err error)
}

// A Source is the folder of a recipe's program.
type Source struct {
	host   *Host
	recipe Recipe
	dir    string // the module's root, where the go command runs
}

// A Program is a built program with its arguments and folder.
type Program struct {
	Args []string // the executable first
	Dir  string   // the folder in which it must run
}

// Prepare fetches the modules of r and sets up its folder, which Remove deletes.
func (h *Host) Prepare(ctx context.Context, r Recipe) (*Source, error) {
	s := &Source{host: h, recipe: r, dir: filepath.Join(h.Dir, r.Name)}
	var err error
	if r.Tests != nil {
		err = h.Copy(ctx, r.Module, r.Version, s.dir)
	} else {
		err = s.write(ctx)
	}
	if err != nil {
		s.Remove()
		return nil, err
	}
	return s, nil
}

// Remove deletes the folder of s.
func (s *Source) Remove() error { return os.RemoveAll(s.dir) }

// Download returns the folder of a module in the module cache, which is read-only.
func (h *Host) Download(ctx context.Context, module, version string) (dir string, err error) {
	out, err := h.Exec(ctx, h.Dir, h.Go, "mod", "download", "-json", module+"@"+version)
	var info struct{ Dir, Error string }
	if e := json.Unmarshal(out, &info); err != nil || e != nil || info.Dir == "" {
		if info.Error != "" {
			out = []byte(info.Error)
		}
		return "", notFetched(module+"@"+version, out, err)
	}
	return info.Dir, nil
}

// Copy downloads a module and copies it to dir.
func (h *Host) Copy(ctx context.Context, module, version, dir string) error {
	from, err := h.Download(ctx, module, version)
	if err != nil {
		return err
	}
	return os.CopyFS(dir, os.DirFS(from))
}

func notFetched(what string, out []byte, err error) error {
	// A command may succeed without output.
	err = cmp.Or(err, errors.New("the go command names no folder"))
	return fmt.Errorf("cannot fetch %s through the module proxy or from the module cache: %w\n%s", what, err, out)
}

// write makes a module of the driver and the common files of all drivers.
func (s *Source) write(ctx context.Context) error {
	text, err := s.recipe.driver()
	if err != nil {
		return err
	}
	if err := os.Mkdir(s.dir, 0o777); err != nil {
		return err
	}
	common, err := drivers.ReadFile(shared)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"main.go": text, "shared.go": common} {
		if err := os.WriteFile(filepath.Join(s.dir, name), text, 0o666); err != nil {
			return err
		}
	}
	if out, err := s.goTool(ctx, "mod", "init", "recipe"); err != nil {
		return fmt.Errorf("go mod init: %w\n%s", err, out)
	}
	required := append([]string{s.recipe.at()}, s.recipe.Also...)
	if out, err := s.goTool(ctx, append([]string{"get"}, required...)...); err != nil {
		return notFetched(strings.Join(required, " and "), out, err)
	}
	return nil
}

// Build compiles the program with the given flags of go build. Each build of a source
// needs a name of its own.
func (s *Source) Build(ctx context.Context, name string, flags ...string) (Program, error) {
	return s.BuildBy(ctx, s.host.Go, name, flags...)
}

// BuildBy is Build with another command in place of the go command: the wrapper of
// taskinstr, which takes the same arguments.
func (s *Source) BuildBy(ctx context.Context, command, name string, flags ...string) (Program, error) {
	exe := filepath.Join(s.dir, "recipe-"+name+".exe")
	p := Program{Args: []string{exe}, Dir: s.dir}
	args, pkg := []string{"build"}, "."
	if t := s.recipe.Tests; t != nil {
		args, pkg = []string{"test", "-c", "-vet=off"}, "./"+t.Package
		p.Dir = filepath.Join(s.dir, filepath.FromSlash(t.Package))
		p.Args = append(p.Args, "-test.short", "-test.timeout="+TestLimit.String())
		p.Args = append(p.Args, t.Flags...)
	}
	// The build adds the checksums of the indirect dependencies.
	args = append(args, "-mod=mod", "-o", exe)
	args = append(args, addTags(flags, s.recipe.Tags)...)
	if out, err := s.host.Exec(ctx, s.dir, append(append([]string{command}, args...), pkg)...); err != nil {
		return Program{}, fmt.Errorf("%s does not build: %w\n%s", s.recipe.at(), err, out)
	}
	return p, nil
}

// addTags adds build tags to flags. They join those of a flag -tags=LIST, since the go
// command heeds the last such flag only.
func addTags(flags, tags []string) []string {
	const flag = "-tags="
	if len(tags) == 0 {
		return flags
	}
	all, added := slices.Clone(flags), strings.Join(tags, ",")
	for i, f := range all {
		if strings.HasPrefix(f, flag) {
			all[i] = f + "," + added
			return all
		}
	}
	return append(all, flag+added)
}

func (s *Source) goTool(ctx context.Context, args ...string) ([]byte, error) {
	return s.host.Exec(ctx, s.dir, append([]string{s.host.Go}, args...)...)
}
