package planner

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"taskinstr/internal/site"
)

// An index has the plans for a request, and the state of the files that they depend on.
type index struct {
	Made  time.Time
	Plans map[string]string // import path -> digest of its plan
	Files []fileState
	Dirs  []fileState // folders with source files; their Digest is of the names of these files
	Trees []fileState // modules, for patterns with ...; their Digest is of the names of the folders below
}

type fileState struct {
	Name   string
	Size   int64     `json:",omitempty"`
	Time   time.Time // time of the last change
	Digest string    `json:",omitempty"`
}

// settled is the age, relative to the index, from which a file's time proves that the file
// has not changed since the index was made. File systems may record times that coarsely.
const settled = 2 * time.Second

// lookup returns the index of a request, or nil if there is none, a file has changed, or
// a plan is missing or damaged.
func (s Store) lookup(request string) *index {
	text, err := os.ReadFile(filepath.Join(s.dir, "index", request))
	if err != nil {
		return nil
	}
	var x index
	if json.Unmarshal(text, &x) != nil {
		return nil
	}
	if !same(x.Files, x.Made, contents) || !same(x.Dirs, x.Made, sourceNames) || !same(x.Trees, x.Made, packageDirs) {
		return nil
	}
	for _, d := range x.Plans {
		if text, err := os.ReadFile(s.planFile(d)); err != nil || site.Digest(text) != d {
			return nil // missing or damaged: the plan is made anew
		}
	}
	return &x
}

// Standard reports whether the package comes with Go.
func Standard(p *packages.Package) bool {
	return p.Module == nil && p.PkgPath != "command-line-arguments"
}

// states returns the states of files or of folders.
func states(names map[string]bool, digest func(name string) (string, error)) ([]fileState, error) {
	var list []fileState
	for _, name := range slices.Sorted(maps.Keys(names)) {
		i, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		d, err := digest(name)
		if err != nil {
			return nil, err
		}
		list = append(list, fileState{name, i.Size(), i.ModTime(), d})
	}
	return list, nil
}

// same reports whether files or folders are as they were when the index was made.
func same(list []fileState, made time.Time, digest func(name string) (string, error)) bool {
	return !slices.ContainsFunc(list, func(f fileState) bool {
		i, err := os.Stat(f.Name)
		if err != nil || i.Mode().IsRegular() && i.Size() != f.Size {
			return true
		}
		if i.ModTime().Equal(f.Time) && f.Time.Before(made.Add(-settled)) {
			return false
		}
		d, err := digest(f.Name)
		return err != nil || d != f.Digest
	})
}

func contents(name string) (string, error) {
	text, err := os.ReadFile(name)
	return site.Digest(text), err
}

// sourceNames returns a digest of the names of a folder's source files, including files that
// no build selects. Other files may come and go: go build writes its binary there.
func sourceNames(dir string) (string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, e := range list {
		switch filepath.Ext(e.Name()) {
		case ".go", ".s", ".S", ".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".swig", ".swigcxx", ".syso":
			fmt.Fprintf(&b, "%q\n", e.Name())
		}
	}
	return site.Digest([]byte(b.String())), nil
}

// packageDirs returns a digest of the folders of a module that may hold packages.
func packageDirs(root string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || path == root {
			return err
		}
		if name := e.Name(); name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
			return filepath.SkipDir
		}
		fmt.Fprintf(&b, "%q\n", path)
		return nil
	})
	return site.Digest([]byte(b.String())), err
}

func (s Store) remember(request string, x *index) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return storeFile(filepath.Join(s.dir, "index", request), text)
}

// note sets the files that the plans for r depend on; pkgs are the packages that r builds.
// The packages of Go itself change only with its version.
func (x *index) note(r Request, pkgs []*packages.Package) error {
	files, dirs, trees := map[string]bool{}, map[string]bool{}, map[string]bool{}
	many := slices.ContainsFunc(r.Patterns, func(p string) bool { return strings.Contains(p, "...") || p == "all" || p == "work" })
	for _, f := range r.Files {
		files[f] = true
	}
	for _, p := range pkgs {
		if Standard(p) {
			continue
		}
		if p.Module != nil && p.Module.GoMod != "" {
			files[p.Module.GoMod] = true
		}
		if p.Module != nil && p.Module.Main && many {
			trees[p.Module.Dir] = true
		}
		for _, list := range [][]string{p.GoFiles, p.OtherFiles} {
			for _, f := range list {
				if filepath.Ext(f) == "" {
					continue // the main function of a test binary; the go command generates it into its cache
				}
				files[f] = true
				dirs[filepath.Dir(f)] = true
			}
		}
	}
	var err error
	if x.Files, err = states(files, contents); err != nil {
		return err
	}
	if x.Dirs, err = states(dirs, sourceNames); err != nil {
		return err
	}
	x.Trees, err = states(trees, packageDirs)
	for i := range x.Trees {
		x.Trees[i].Time = time.Time{} // the time of a folder says nothing of the folders further below
	}
	return err
}
