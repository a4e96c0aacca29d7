package lint

import (
	"regexp"
	"slices"
)

// A filter chooses the sites to print. The zero filter chooses all.
type filter struct {
	kept, removed, guarded bool
	passes                 []string
	fn                     *regexp.Regexp
}

// match reports whether the report shows s. -pass selects sites about which a pass decided;
// together with -kept it shows kept sites as well.
func (f *filter) match(s *Site) bool {
	if f.fn != nil && !f.fn.MatchString(s.Func) {
		return false
	}
	if s.Fate == Kept {
		return f.kept || !f.removed && !f.guarded && len(f.passes) == 0
	}
	if len(f.passes) > 0 && !slices.Contains(f.passes, s.Pass) {
		return false
	}
	if f.removed || f.guarded {
		return f.removed && s.Fate == Removed || f.guarded && s.Fate == Guarded
	}
	return !f.kept || len(f.passes) > 0
}
