package optimize

import (
	"fmt"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"taskinstr/ssapass"
	"taskinstr/ssapass/pointsto"
)

// A maker is a plan in the making, as passes see it.
type maker struct {
	*Plan
	a       *ssapass.Analysis
	opt     Options
	pass    *Pass           // that runs
	scope   map[string]bool // import paths whose sites may have fates
	checked []bool          // by site: gets a check that a plan can speak of
	part    []bool          // by site: that check is not all of the access: it has no flag and stands for nothing
	covers  []bool          // by site: stands for others, and so stays Kept
	twins   map[twinKey][2]int
	indexes map[*ssapass.Site]int
	unsure  map[int]string   // why a site was kept, if a pass knows
	spared  map[int][]string // loops whose calls do without its check

	knownUnchecked func(pointsto.Set) bool // see unchecked
}

// A twinKey is where op= or ++ reads and writes: one place, two sites, one check.
type twinKey struct {
	file      string
	line, col int
	expr      string
}

func newMaker(p *Plan, o Options) (*maker, error) {
	m := &maker{
		Plan: p, a: p.Analysis, opt: o, scope: map[string]bool{}, covers: make([]bool, len(p.Fates)),
		twins: map[twinKey][2]int{}, indexes: make(map[*ssapass.Site]int, len(p.Fates)), unsure: map[int]string{}, spared: map[int][]string{},
	}
	for _, pkg := range p.Analysis.Program().Packages {
		if o.Std || !standard(pkg) {
			m.scope[pkg.PkgPath] = true
		}
	}
	for i, s := range p.Analysis.Sites.List {
		p.Fates[i].By = -1
		m.indexes[s] = i
		if k := s.Key; !k.Elems {
			t, ok := m.twins[twinKey{k.File, k.Line, k.Col, k.Expr}]
			if !ok {
				t = [2]int{-1, -1}
			}
			if k.Write {
				t[1] = i
			} else {
				t[0] = i
			}
			m.twins[twinKey{k.File, k.Line, k.Col, k.Expr}] = t
		}
	}
	return m, m.findChecked()
}

// standard reports whether the package comes with Go.
func standard(pkg *packages.Package) bool {
	return pkg.Module == nil && pkg.PkgPath != "command-line-arguments"
}

// wide reports whether the program is compiled for 64 bits.
func (m *maker) wide() bool {
	for _, p := range m.a.Program().Packages {
		const wordSize = 8
		if m.scope[p.PkgPath] && p.TypesSizes != nil && p.TypesSizes.Sizeof(types.Typ[types.Int]) != wordSize {
			return false
		}
	}
	return true
}

// inScope reports whether the site may have a fate.
func (m *maker) inScope(s *ssapass.Site) bool { return m.scope[s.Pkg.Path()] }

// open calls f for each site that isOpen.
func (m *maker) open(f func(i int, s *ssapass.Site)) {
	for i, s := range m.a.Sites.List {
		if m.isOpen(i) {
			f(i, s)
		}
	}
}

// isOpen reports whether site i has a check, is Kept, stands for no other, may
// have a fate, of the kind that the pass gives, and may run.
func (m *maker) isOpen(i int) bool {
	s := m.a.Sites.List[i]
	if s.Fresh && !m.pass.Proves {
		return false // where the memory is made is not where its check is
	}
	return m.checked[i] && !(m.part[i] && m.pass.Guards) && m.Fates[i].Kind == Kept && !m.covers[i] && len(s.Accesses) > 0 && m.inScope(s)
}

// unchecked returns whether code without checks may make memory at an address of a set
// known.
func (m *maker) unchecked() func(pointsto.Set) bool {
	if m.knownUnchecked == nil {
		m.knownUnchecked = m.a.Unchecked(func(string) bool { return m.opt.Partial })
	}
	return m.knownUnchecked
}

// twin returns the other site of op= or ++, or -1. splice makes one check for
// both, that of the write: only its fate has effect, and the read is not checked
// for itself.
func (m *maker) twin(i int) int {
	k := m.a.Sites.List[i].Key
	if k.Elems {
		return -1
	}
	t := m.twins[twinKey{k.File, k.Line, k.Col, k.Expr}]
	if k.Write {
		return t[0]
	}
	return t[1]
}

// prove removes the check of site i, whose accesses cannot race.
func (m *maker) prove(i int, reason string) {
	m.Fates[i] = Fate{Kind: Removed, Pass: m.pass.Name, Reason: reason, By: -1}
}

// cover removes the check of site i, for which that of site by stands, or on other
// ways to it one of more.
func (m *maker) cover(i, by int, reason string, more ...int) {
	m.Fates[i] = Fate{Kind: Removed, Pass: m.pass.Name, Reason: reason, By: by, More: more}
	for _, c := range m.Fates[i].standing() {
		m.covers[c] = true
	}
}

// guard makes the check of site i depend on the flag, which an Insert of
// the same pass declares.
func (m *maker) guard(i int, flag string, once bool, reason string) {
	m.Fates[i] = Fate{Kind: Guarded, Pass: m.pass.Name, Reason: reason, By: -1, Flag: flag, Once: once}
}

// insert adds code in front of a loop.
func (m *maker) insert(in Insert) {
	in.Pass = m.pass.Name
	m.Inserts = append(m.Inserts, in)
}

// spare notes that calls in the loop of an Insert do without the check of site i.
func (m *maker) spare(i int, in *Insert) {
	at := fmt.Sprintf("%s:%d", filepath.Base(in.File), in.Line)
	if !slices.Contains(m.spared[i], at) {
		m.spared[i] = append(m.spared[i], at)
	}
}

// keep notes why site i is kept; the last word counts.
func (m *maker) keep(i int, reason string) { m.unsure[i] = reason }

// explain gives each kept site its reason.
func (m *maker) explain() {
	for i, s := range m.a.Sites.List {
		f := &m.Fates[i]
		switch {
		case f.Kind != Kept:
		case !m.inScope(s):
			f.Reason = "its package is checked whole"
		case len(s.Accesses) == 0:
			f.Reason = "never runs"
		default:
			if f.Reason = m.unsure[i]; f.Reason == "" {
				f.Reason = "no pass speaks of it"
			}
			if w := m.twin(i); w >= 0 && !s.Key.Write && !m.checked[i] {
				f.Reason = "one check with the write"
			} else if !m.checked[i] {
				f.Reason = noCheck
			}
			if list := m.spared[i]; list != nil {
				f.Reason += "; not made for calls in the loop at " + strings.Join(list, ", ") + ", whose elements are checked in front of it"
			}
		}
	}
}

// noCheck is the reason of sites that have no check a plan could speak of.
const noCheck = "not a check of its own: initial value, variable of one goroutine, or seen by a hook"

// count fills in the plan's figures.
func (m *maker) count() {
	for i, s := range m.a.Sites.List {
		if !m.inScope(s) || !m.checked[i] {
			continue
		}
		m.Stats.Sites++
		switch f := &m.Fates[i]; {
		case f.Kind == Removed:
			m.Stats.Removed[f.Pass]++
		case f.Kind == Guarded:
			m.Stats.Guarded[f.Pass]++
		case len(s.Accesses) == 0:
			m.Stats.Dead++
		}
	}
}

// at returns where site i stands, in the words of a reason of site from.
func (m *maker) at(i, from int) string {
	a, b := m.a.Sites.List[i], m.a.Sites.List[from]
	return place(a, b)
}

func place(s, from *ssapass.Site) string {
	file := filepath.Base(s.Key.File)
	if from != nil && s.Pkg != from.Pkg {
		file = s.Pkg.Path() + "/" + file
	}
	return fmt.Sprintf("%s:%d:%d", file, s.Key.Line, s.Key.Col)
}
