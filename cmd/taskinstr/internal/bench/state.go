package bench

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"taskinstr/cmd/taskinstr/internal/outfile"
	"taskinstr/cmd/taskinstr/internal/toolexec"
)

// A state keeps the runs of a command line in a file, so that -resume continues: after an
// interrupt, or with a larger -count. A run counts if its binary and the plain one are still
// the same.
type state struct {
	file  string
	old   *Report // nil: nothing to continue
	saved time.Time
}

// saveEvery is the time between two writes of the file.
const saveEvery = 2 * time.Second

// openState returns the state of the command line.
func (e *env) openState() (*state, error) {
	o := e.opts
	id, err := toolexec.Identity()
	if err != nil {
		return nil, err
	}
	var modes []string
	for _, m := range o.modes {
		modes = append(modes, m.name)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %q %q %q %d %v %d %q %v", id, e.dir, o.base, o.build, o.patterns, o.bench, o.fixed, o.time, o.cpus, modes, o.std)
	dir := filepath.Join(e.vars["GOCACHE"], "taskinstr", "benchmarks")
	s := &state{file: filepath.Join(dir, fmt.Sprintf("%x.json", h.Sum(nil)[:12]))}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if !o.resume {
		return s, nil
	}
	text, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("-resume: no runs are kept of a command with these packages and flags (only -count and -format may differ)")
	}
	if err == nil {
		s.old = new(Report)
		err = json.Unmarshal(text, s.old)
	}
	if err != nil {
		return nil, fmt.Errorf("-resume: %w; leave -resume out to begin anew", err)
	}
	return s, nil
}

// benchmarks returns the benchmarks of a package that the state knows, nil if it has to be
// asked again. They have no runs yet.
func (s *state) benchmarks(t *target) (list []*Benchmark) {
	if s == nil || !s.same(t, plainMode) {
		return nil
	}
	for _, b := range s.old.Benchmarks {
		if b.Package == t.path {
			list = append(list, &Benchmark{Package: b.Package, Name: b.Name, Iterations: b.Iterations, Modes: map[string]*Series{}})
		}
	}
	return list
}

func (s *state) series(t *target, b *Benchmark, mode string) *Series {
	n := &Series{Runs: []Run{}}
	if !s.same(t, mode) || !s.same(t, plainMode) {
		return n
	}
	for _, old := range s.old.Benchmarks {
		if old.Package == b.Package && old.Name == b.Name && old.Iterations == b.Iterations && old.Modes[mode] != nil {
			n.Runs = slices.Clip(old.Modes[mode].Runs)
		}
	}
	return n
}

// same reports whether the binary of a mode is the one whose runs the state has.
func (s *state) same(t *target, mode string) bool {
	if s.old == nil {
		return false
	}
	for _, p := range s.old.Packages {
		if p.Path == t.path && p.Modes[mode] != nil {
			now := t.result.Modes[mode]
			return now != nil && now.Binary != "" && now.Binary == p.Modes[mode].Binary
		}
	}
	return false
}

// saveNow writes the runs, if the last time was a while ago. The last write, at the end,
// reports errors.
func (s *state) saveNow(r *Report) {
	if time.Since(s.saved) > saveEvery {
		s.save(r)
		s.saved = time.Now()
	}
}

// save writes the runs.
func (s *state) save(r *Report) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return outfile.WriteText(s.file, text)
}
