package lint

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"taskinstr/cmd/taskinstr/internal/frequency"
	"taskinstr/internal/executed"
)

// A Profile tells how much processor time a checked program spent in its checks, or how often
// it executed each of them.
type Profile struct {
	// Unit is "ns" for processor time and "checks" for executed checks.
	Unit   string  `json:"unit"`
	Total  float64 `json:"total,omitempty"` // of a program's time
	Checks float64 `json:"checks"`          // all checks of the program
	Listed float64 `json:"listed"`          // the checks of listed sites
	Lone   float64 `json:"lone,omitempty"`  // executed checks of tasks that were alone, which cost little

	lines    map[profileLine]float64 // nanoseconds of the checks of a line
	executed *executed.Profile       // nil for processor time
}

const (
	unitTime   = "ns"
	unitChecks = "checks"
)

type profileLine struct {
	file string
	line int
}

// readProfile reads a CPU profile in the format of pprof, or a file of executed checks (package
// executed).
func readProfile(name string) (*Profile, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(text, []byte("taskinstr checks ")) {
		counts, err := executed.Read(bytes.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sum := counts.Total()
		return &Profile{Unit: unitChecks, Checks: float64(sum.Executed), Lone: float64(sum.Lone), executed: counts}, nil
	}
	p, err := profile.ParseData(text)
	if err != nil {
		return nil, fmt.Errorf("%s is neither a profile of pprof nor a file of TASKINSTR=checks=FILE: %w", name, err)
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
	r := &Profile{Unit: unitTime, lines: map[profileLine]float64{}}
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
	if p.executed != nil {
		find := p.executed.Find()
		for _, s := range r.Sites {
			for _, file := range s.files() {
				if c, ok := find(executed.Site{File: file, Line: s.Line, Col: s.Column, Expr: s.Expr}); ok && s.Fate != Removed {
					s.Executed = c.Executed
					p.Listed += float64(c.Executed)
					break
				}
			}
		}
		return
	}
	byLine := map[profileLine][]*Site{}
	for _, s := range r.Sites {
		if s.executed() || s.Fate == Guarded {
			for _, file := range s.files() {
				l := profileLine{file, s.Line}
				byLine[l] = append(byLine[l], s)
			}
		}
	}
	for l, ns := range p.lines {
		sites := byLine[l]
		if len(sites) == 0 {
			sites = inFront(r.Sites, l)
		}
		for _, s := range sites {
			s.Time += ns / float64(len(sites))
		}
		if len(sites) > 0 {
			p.Listed += ns
		}
	}
}

// inFront returns the guarded sites of a loop that begins in the line: the checks in front of a
// loop stand for them.
func inFront(sites []*Site, l profileLine) (list []*Site) {
	for _, s := range sites {
		if s.Fate != Guarded || !slices.Contains(s.files(), l.file) {
			continue
		}
		if slices.ContainsFunc(s.loops, func(x *frequency.Loop) bool { return x.Start.Line == l.line }) {
			list = append(list, s)
		}
	}
	return list
}

// files returns the names that a program may have for the file of the site: the second with
// -trimpath.
func (s *Site) files() []string {
	return []string{s.abs, path.Join(s.Package, filepath.Base(s.abs))}
}

func (p *Profile) text() string {
	if p.Unit == unitChecks {
		return fmt.Sprintf("Of the %s executed checks, %s by lone tasks, %s are listed here", grouped(fmt.Sprintf("%.0f", p.Checks)),
			grouped(fmt.Sprintf("%.0f", p.Lone)), grouped(fmt.Sprintf("%.0f", p.Listed)))
	}
	return fmt.Sprintf("Of the profile's %.2f s, %.2f s are in checks, and %.2f s of these in the checks listed here",
		p.Total/1e9, p.Checks/1e9, p.Listed/1e9)
}
