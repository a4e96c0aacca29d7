package planner

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"time"

	"golang.org/x/tools/go/packages"

	"taskinstr/ssapass/splice"
)

// An index remembers what was planned for a request, and of which files.
type index struct {
	Made  time.Time
	Facts map[string]string // import path -> digest of its plan
	Files []fileState
	Dirs  []fileState // a file that comes or goes changes its folder
}

type fileState struct {
	Name   string
	Size   int64     `json:",omitempty"`
	Time   time.Time // of the last change
	Digest string    `json:",omitempty"`
}

// settled is how much older than the index a file must be for its time to prove
// that it has not changed since; file systems keep times that coarse.
const settled = 2 * time.Second

// lookup returns what is known for a request, nil if nothing or if a file has
// changed.
func (s Store) lookup(request string) *index {
	text, err := os.ReadFile(filepath.Join(s.dir, "index", request))
	if err != nil {
		return nil
	}
	var x index
	if json.Unmarshal(text, &x) != nil {
		return nil
	}
	for _, f := range x.Files {
		if !f.same(x.Made) {
			return nil
		}
	}
	for _, d := range x.Dirs {
		i, err := os.Stat(d.Name)
		if err != nil || !i.ModTime().Equal(d.Time) {
			return nil
		}
	}
	for _, d := range x.Facts {
		if _, err := os.Stat(s.planFile(d)); err != nil {
			return nil
		}
	}
	return &x
}

func (f fileState) same(made time.Time) bool {
	i, err := os.Stat(f.Name)
	if err != nil || i.Size() != f.Size {
		return false
	}
	if i.ModTime().Equal(f.Time) && f.Time.Before(made.Add(-settled)) {
		return true
	}
	text, err := os.ReadFile(f.Name)
	return err == nil && splice.Digest(text) == f.Digest
}

// remember stores the index of a request.
func (s Store) remember(request string, x *index) error {
	text, err := json.Marshal(x)
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(s.dir, "index", request), text)
}

// note adds what the plan of these packages depends on. Packages of Go itself
// change with its version alone.
func (x *index) note(pkgs []*packages.Package) error {
	files, dirs := map[string]bool{}, map[string]bool{}
	for _, p := range pkgs {
		if p.Module == nil && p.PkgPath != "command-line-arguments" {
			continue
		}
		if p.Module != nil && p.Module.GoMod != "" {
			files[p.Module.GoMod] = true
		}
		for _, list := range [][]string{p.GoFiles, p.OtherFiles} {
			for _, f := range list {
				files[f] = true
				dirs[filepath.Dir(f)] = true
			}
		}
	}
	for f := range files {
		i, err := os.Stat(f)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		x.Files = append(x.Files, fileState{f, i.Size(), i.ModTime(), splice.Digest(text)})
	}
	for d := range dirs {
		i, err := os.Stat(d)
		if err != nil {
			return err
		}
		x.Dirs = append(x.Dirs, fileState{Name: d, Time: i.ModTime()})
	}
	for _, l := range [][]fileState{x.Files, x.Dirs} {
		sort.Slice(l, func(i, j int) bool { return l[i].Name < l[j].Name })
	}
	return nil
}
