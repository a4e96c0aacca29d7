package optimize

import (
	"fmt"
	"time"

	"taskinstr/internal/splice"
	"taskinstr/ssapass"
)

// FateKind is what becomes of a check.
type FateKind uint8

const (
	Kept    FateKind = iota // made where the access stands
	Removed                 // not made
	Guarded                 // made unless a flag is set
)

func (k FateKind) String() string { return [...]string{"kept", "removed", "guarded"}[k] }

// A Fate is what becomes of the check of one site, and why.
type Fate struct {
	Kind   FateKind
	Pass   string // that decided; "" if Kept
	Reason string // one clause for people: "covered by the write at bank.go:10:3"
	By     int    // index of the site whose check stands for this one, -1 if there is none
	More   []int  // further ones, where the ways to the access have each their own
	Len    int64  // Kept: the check is one of so many bytes; 0: those of the access
	Flag   string // Guarded: the variable
	Once   bool   // Guarded: the first check sets the flag
	Gather bool   // Guarded: the variable is no flag but gathers elements; the check may stand for others
}

// standing returns all sites whose checks stand for this one.
func (f *Fate) standing() []int {
	if f.By < 0 {
		return nil
	}
	return append([]int{f.By}, f.More...)
}

// An Insert is code in front of a loop or statement; see splice.Insert.
type Insert struct {
	Pass      string
	Pkg       string // import path
	File      string // as in ssapass.Key
	Line, Col int    // of the keyword for, or of the statement
	Flat      bool
	Text      string
	Sites     [][]int       // by index: what the checks at $0, $1, ... stand for, the one named in reports first
	Flags     []string      // the variables that Text declares
	Gathers   []string      // those that gather elements in the loop
	Calls     []splice.Call // while the flag is set, these make no checks
}

// A Plan has a fate for each site of Analysis.Sites.List, by index.
type Plan struct {
	Analysis *ssapass.Analysis
	Set      Set
	Fates    []Fate
	Inserts  []Insert
	Stats    Stats
}

// Stats counts sites that have a check, those of packages in scope.
type Stats struct {
	Sites   int                      // all
	Dead    int                      // in functions that never run; kept
	Removed map[string]int           // by pass
	Guarded map[string]int           // by pass
	Time    map[string]time.Duration // of each pass that ran
}

// Kept returns how many sites keep their check.
func (s *Stats) Kept() int {
	n := s.Sites
	for _, m := range []map[string]int{s.Removed, s.Guarded} {
		for _, k := range m {
			n -= k
		}
	}
	return n
}

// Options of Make.
type Options struct {
	// Std lets sites of the standard library have fates, too.
	Std bool
	// Partial: not all packages of the program get checks.
	Partial bool
	// Check verifies the plan behind each pass, and not only at the end.
	Check bool
	// Shuffle, if not 0, seeds another order of passes that the constraints
	// allow.
	Shuffle uint64
}

// Make runs the passes of s over the program.
func Make(a *ssapass.Analysis, s Set, o Options) (*Plan, error) {
	p := &Plan{Analysis: a, Set: s, Fates: make([]Fate, len(a.Sites.List))}
	p.Stats = Stats{Removed: map[string]int{}, Guarded: map[string]int{}, Time: map[string]time.Duration{}}
	m, err := newMaker(p, o)
	if err != nil {
		return nil, err
	}
	for _, i := range order(o.Shuffle) {
		pass := &Passes[i]
		if !s.Has(pass.Name) {
			continue
		}
		start := time.Now()
		m.pass = pass
		pass.run(m)
		p.Stats.Time[pass.Name] = time.Since(start)
		if o.Check {
			if err := p.Check(); err != nil {
				return nil, fmt.Errorf("after pass %s: %w", pass.Name, err)
			}
		}
	}
	m.explain()
	m.count()
	return p, p.Check()
}
