package lint

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"
)

// A Profile tells how much processor time a checked program spent in its checks.
type Profile struct {
	Total  float64 `json:"total_ns"`
	Checks float64 `json:"checks_ns"` // in checks, anywhere in the program
	Listed float64 `json:"listed_ns"` // in the checks of listed sites

	lines map[profileLine]float64 // nanoseconds of the checks of a line
}

type profileLine struct {
	file string
	line int
}

// readProfile reads a CPU profile in the format of pprof.
func readProfile(name string) (*Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p, err := profile.Parse(f)
	if err != nil {
		return nil, fmt.Errorf("%s is no profile of pprof: %w", name, err)
	}
	r, err := newProfile(p)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

func newProfile(p *profile.Profile) (*Profile, error) {
	value := -1
	for i, t := range p.SampleType {
		if t.Type == "cpu" && t.Unit == "nanoseconds" {
			value = i
		}
	}
	if value < 0 {
		return nil, errors.New("it is no CPU profile")
	}
	r := &Profile{lines: map[profileLine]float64{}}
	for _, s := range p.Sample {
		ns := float64(s.Value[value])
		r.Total += ns
		if at, ok := checkedLine(s); ok {
			r.Checks += ns
			r.lines[at] += ns
		}
	}
	if r.Checks == 0 {
		return nil, errors.New("it has no check: take the profile of a program that is built with taskinstr (taskinstr test -bench=. -cpuprofile=cpu.out)")
	}
	return r, nil
}

// checkedLine returns the line whose check a sample was in; ok is false if it was in none. A
// check is a call of a helper, which may be inlined into the function of the line.
func checkedLine(s *profile.Sample) (at profileLine, ok bool) {
	for _, loc := range s.Location { // the innermost frame first
		for _, l := range loc.Line {
			switch {
			case l.Function == nil:
			case isCheck(l.Function.Name):
				ok = true
			case ok:
				return profileLine{l.Function.Filename, int(l.Line)}, true
			}
		}
	}
	return profileLine{}, false
}

// isCheck reports whether a function is a helper that makes a check: of the generated file
// of a package, or of the runtime.
func isCheck(name string) bool {
	_, last, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	return strings.HasPrefix(last, "_ti_") || strings.HasPrefix(name, "runtime.taskinstr_")
}

// apply gives each site its part of the time of the checks in its line. Sites of one line
// share the time.
func (p *Profile) apply(r *Report) {
	r.Profile = p
	byLine := map[profileLine][]*Site{}
	for _, s := range r.Sites {
		if s.executed() || s.Fate == Guarded {
			for _, file := range []string{s.abs, path.Join(s.Package, filepath.Base(s.abs))} { // the second with -trimpath
				l := profileLine{file, s.Line}
				byLine[l] = append(byLine[l], s)
			}
		}
	}
	for l, ns := range p.lines {
		sites := byLine[l]
		for _, s := range sites {
			s.Time += ns / float64(len(sites))
		}
		if len(sites) > 0 {
			p.Listed += ns
		}
	}
}

func (p *Profile) text() string {
	return fmt.Sprintf("Of the profile's %.2f s, %.2f s are in checks, and %.2f s of these in the checks listed here",
		p.Total/1e9, p.Checks/1e9, p.Listed/1e9)
}
