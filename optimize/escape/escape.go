package escape

import (
	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// Run removes the checks of accesses to memory that no other task can name.
func Run(b *builder.Builder) {
	keep := filled(b)
	for i, s := range b.Open() {
		switch reason, local := local(b, s); {
		case local && keep[s]:
			b.Keep(i, "no other task knows it yet, but the slice is sorted afterwards: one check of all elements spares many")
		case local:
			b.Prove(i, reason)
		default:
			b.Keep(i, reason)
		}
	}
	redirect(b)
	lend(b)
}

// local reports whether all accesses of the site are to memory of their own task, and why
// or why not.
func local(b *builder.Builder, s *ssapass.Site) (reason string, ok bool) {
	a := b.Analysis
	reason = "no other task reaches it"
	for _, c := range s.Accesses {
		switch {
		case !a.SharedAt(a.Where(s, c)):
		case a.Private(c.Instr) || a.Owned(c) && !b.Unchecked(a.Where(s, c)):
			reason = "no other task knows it yet"
		default:
			return "other tasks may reach it" + known(b, s, c), false
		}
	}
	return reason, true
}
