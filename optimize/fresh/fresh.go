package fresh

import (
	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// Run removes the checks of first values in memory that only checked code publishes.
func Run(b *builder.Builder) {
sites:
	for i, s := range b.Open() {
		if behind(b, s) {
			b.Prove(i, "nobody else knows these elements yet")
			continue
		}
		if !s.Fresh {
			continue
		}
		for _, c := range s.Accesses {
			if b.Unchecked(b.Analysis.Where(s, c)) {
				b.Keep(i, "code without checks may make it known")
				continue sites
			}
		}
		b.Prove(i, "nobody else knows it yet")
	}
}

// behind reports whether the site appends elements behind the length of a slice that alone
// leads to them.
func behind(b *builder.Builder, s *ssapass.Site) bool {
	if b.Analysis.Partial() || !s.Key.Write || len(s.Accesses) == 0 {
		return false
	}
	for _, c := range s.Accesses {
		if !b.Analysis.Behind(c) {
			return false
		}
	}
	return true
}
