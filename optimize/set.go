package optimize

import (
	"fmt"
	"strings"

	"taskinstr/internal/nearest"
)

// A Set is a choice of passes. The zero Set is none. Sets can be compared.
type Set struct{ bits uint64 }

// All returns the set of all passes.
func All() (s Set) {
	for _, p := range Passes {
		s = s.With(p.Name)
	}
	return s
}

func index(name string) int {
	for i := range Passes {
		if Passes[i].Name == name {
			return i
		}
	}
	return -1
}

// Local returns the set of the passes that need no more than one package and facts
// about its imports.
func Local() (s Set) {
	for _, p := range Passes {
		if p.Local {
			s = s.With(p.Name)
		}
	}
	return s
}

// passes returns the rows of the chosen passes.
func (s Set) passes() (list []Pass) {
	for _, p := range Passes {
		if s.Has(p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// And returns the passes that both sets have.
func (s Set) And(t Set) Set { return Set{s.bits & t.bits} }

// Has reports whether the pass is chosen.
func (s Set) Has(name string) bool {
	i := index(name)
	return i >= 0 && s.bits>>i&1 != 0
}

// With returns the set with the pass added. A name that is no pass changes nothing.
func (s Set) With(name string) Set {
	if i := index(name); i >= 0 {
		s.bits |= 1 << i
	}
	return s
}

// Without returns the set without the pass.
func (s Set) Without(name string) Set {
	if i := index(name); i >= 0 {
		s.bits &^= 1 << i
	}
	return s
}

// Names returns the names of the chosen passes in the order of the table.
func (s Set) Names() (list []string) {
	for _, p := range s.passes() {
		list = append(list, p.Name)
	}
	return list
}

// String returns the set as Parse reads it: "all", "none", or the names in the
// order of the table. Equal sets have equal strings.
func (s Set) String() string {
	names := s.Names()
	switch len(names) {
	case 0:
		return "none"
	case len(Passes):
		return "all"
	}
	return strings.Join(names, ",")
}

// Names returns the names of all passes in the order of the table.
func Names() []string { return All().Names() }

// Parse reads a choice of passes: "all", "none", names separated by commas, and -NAME,
// which leaves one out of the choice so far. If the first word leaves one out, all others
// are chosen.
func Parse(spec string) (s Set, err error) {
	for i, w := range strings.Split(spec, ",") {
		w = strings.TrimSpace(w)
		name, minus := strings.CutPrefix(w, "-")
		switch {
		case w == "all":
			s = All()
		case w == "none":
			s = Set{}
		case index(name) < 0:
			hint := nearest.Hint(name, append(Names(), "all", "none"))
			return Set{}, fmt.Errorf("passes %q: unknown pass %q%s; known are all, none, %s, and -NAME to leave one out", spec, w, hint, strings.Join(Names(), ", "))
		case minus:
			if i == 0 {
				s = All()
			}
			s = s.Without(name)
		default:
			s = s.With(name)
		}
	}
	return s, nil
}
