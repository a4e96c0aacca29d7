package optimize

import (
	"fmt"
	"time"

	"taskinstr/internal/pace"
	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// The decisions of a plan are declared where the passes make them.
type (
	// FateKind is the kind of a Fate.
	FateKind = builder.FateKind
	// A Fate is the decision about the check of one site, with its reason.
	Fate = builder.Fate
	// An Insert is code in front of a loop or statement.
	Insert = builder.Insert
	// A Redirect is a call that goes to a copy of the called function.
	Redirect = builder.Redirect
	// A Borrower is a function with a copy. The copy lacks the checks of the first operand's memory.
	Borrower = builder.Borrower
	// A QuietLoad is an atomic load that needs no record.
	QuietLoad = builder.QuietLoad
	// A Lent is a call that goes to such a copy.
	Lent = builder.Lent
	// A Leak is a statement behind which other code may know an object of a pooled type.
	Leak = builder.Leak
)

// The kinds of fates.
const (
	Kept    = builder.Kept
	Removed = builder.Removed
	Guarded = builder.Guarded
)

// A Plan has a fate for each site of Analysis.Sites.List, by index.
type Plan struct {
	Analysis  *ssapass.Analysis
	Set       Set
	Fates     []Fate
	Inserts   []Insert
	Redirects []Redirect
	Borrowers []Borrower
	Lent      []Lent
	// Overwrites are the types of other packages whose values the packages overwrite, as PATH.NAME.
	Overwrites []string
	QuietLoads []QuietLoad // atomic loads that need no record
	Leaks      []Leak      // statements behind which other code may know objects of pooled types
	Stats      Stats
	explain    bool
}

// Stats counts the sites in scope that have a check.
type Stats struct {
	Sites   int                      // all
	Dead    int                      // in functions that never run; kept
	Removed map[string]int           // by pass
	Guarded map[string]int           // by pass
	Time    map[string]time.Duration // of each pass that ran
}

// Options of Make.
type Options struct {
	// Std: the plan decides about sites of the standard library, too.
	Std bool
	// Explain: kept checks get the reasons of all passes (Fate.Notes), which takes time, and the
	// plans of packages have them (Plan.Package).
	Explain bool
	// Check verifies the plan behind each pass, and not only at the end.
	Check bool
	// Shuffle, if not 0, seeds another order of passes that the constraints
	// allow.
	Shuffle uint64
}

// Make runs the passes of s over the program.
func Make(a *ssapass.Analysis, s Set, o Options) (*Plan, error) {
	p := &Plan{Analysis: a, Set: s, Fates: make([]Fate, len(a.Sites.List)), explain: o.Explain}
	p.Stats = Stats{Removed: map[string]int{}, Guarded: map[string]int{}, Time: map[string]time.Duration{}}
	b, err := builder.New(a, p.Fates, s.passes(), builder.Scope{Std: o.Std, Explain: o.Explain})
	if err != nil {
		return nil, err
	}
	for _, i := range order(o.Shuffle) {
		pass := Passes[i]
		if !s.Has(pass.Name) {
			continue
		}
		start := time.Now()
		pace.Step()
		b.Begin(pass)
		runPass(pass, b)
		p.Inserts, p.Redirects = b.Inserts(), b.Redirects()
		p.Borrowers, p.Lent, p.Overwrites, p.Leaks, p.QuietLoads = b.Borrowers(), b.Lent(), b.Overwrites(), b.Leaks(), b.QuietLoads()
		p.Stats.Time[pass.Name] = time.Since(start)
		if o.Check {
			if err := p.Check(); err != nil {
				return nil, fmt.Errorf("after pass %s: %w", pass.Name, err)
			}
		}
	}
	b.Explain()
	p.count(b)
	return p, p.Check()
}

// runPass runs the pass. A panic of the pass gets its name.
func runPass(pass Pass, b *builder.Builder) {
	defer func() {
		if e := recover(); e != nil {
			panic(fmt.Sprintf("pass %s: %v", pass.Name, e))
		}
	}()
	pass.Run(b)
}

// count fills in the plan's figures.
func (p *Plan) count(b *builder.Builder) {
	for i, s := range p.Analysis.Sites.List {
		if !b.InScope(s.Pkg.Path()) || !b.Checked(i) {
			continue
		}
		p.Stats.Sites++
		switch f := &p.Fates[i]; {
		case f.Kind == Removed:
			p.Stats.Removed[f.Pass]++
		case f.Kind == Guarded:
			p.Stats.Guarded[f.Pass]++
		case len(s.Accesses) == 0:
			p.Stats.Dead++
		}
	}
}
