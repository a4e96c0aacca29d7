package planner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"taskinstr/cmd/taskinstr/internal/outfile"
	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// A Store is a folder with plans.
type Store struct{ dir string }

// Open returns the store below a build cache (GOCACHE).
func Open(gocache string) Store { return Store{filepath.Join(gocache, "taskinstr")} }

// Dir returns the store's folder.
func (s Store) Dir() string { return s.dir }

// At returns the store whose folder is dir.
func At(dir string) Store { return Store{dir} }

func (s Store) planFile(digest string) string { return filepath.Join(s.dir, "plan", digest) }

func (s Store) put(p *splice.Plan) (string, error) {
	text, err := p.Encode()
	if err != nil {
		return "", err
	}
	d := site.Digest(text)
	name := s.planFile(d)
	if old, err := os.ReadFile(name); err == nil && site.Digest(old) == d {
		return d, nil
	}
	return d, storeFile(name, text)
}

// Plan returns the plan with this digest.
func (s Store) Plan(d string) (*splice.Plan, error) {
	name := s.planFile(d)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the plan %s is missing: the build cache was emptied while it was in use; build again", name)
	}
	if err != nil {
		return nil, err
	}
	if site.Digest(text) != d {
		return nil, fmt.Errorf("the plan %s is damaged; remove this file and build again", name)
	}
	return splice.DecodePlan(text)
}

func storeFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	if err := outfile.WriteText(name, text); err != nil {
		return fmt.Errorf("cannot store a plan: %w; the build cache (GOCACHE) must be writable and have space left", err)
	}
	return nil
}

// runKeep is the time for which the store keeps the texts of a run of the go command.
const runKeep = 24 * time.Hour

// PutRun stores text for the tools of one run of the go command, and removes the texts of
// old runs.
func (s Store) PutRun(name string, text []byte) error {
	dir := filepath.Join(s.dir, "run")
	removeOld(dir, runKeep)
	return storeFile(filepath.Join(dir, name), text)
}

// Fresh makes a new folder in the folder of this name, and removes those older than keep.
func (s Store) Fresh(name string, keep time.Duration) (string, error) {
	dir := filepath.Join(s.dir, name)
	removeOld(dir, keep)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	return os.MkdirTemp(dir, time.Now().Format("20060102-150405-"))
}

// removeOld removes the entries of a folder that are older than keep.
func removeOld(dir string, keep time.Duration) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if i, err := e.Info(); err == nil && time.Since(i.ModTime()) > keep {
			os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// Run returns the text that PutRun has stored, or nil if there is none.
func (s Store) Run(name string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(s.dir, "run", name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
