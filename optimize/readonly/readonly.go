package readonly

import (
	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// Run removes the checks of reads of memory that no task writes in parallel.
func Run(b *builder.Builder) {
	w := &writers{b: b}
	for i, s := range b.Open() {
		if s.Key.Write {
			continue
		}
		if reason := obstacle(b, w, i, s); reason != "" {
			b.Keep(i, reason)
		} else {
			b.Prove(i, "nobody writes it while tasks run")
		}
	}
}

// obstacle returns the reason why site i keeps its check, "" if there is none.
func obstacle(b *builder.Builder, w *writers, i int, s *ssapass.Site) string {
	a := b.Analysis
	for _, c := range s.Accesses {
		set := a.Where(s, c)
		if a.WrittenBeside(c.Instr, set) {
			reason := "may be written in parallel"
			if j := w.of(set); j >= 0 {
				reason += " at " + b.Position(j, i)
			}
			return reason
		}
		if a.FilledInParallel(set) && b.Unchecked(set) {
			return "its first value may be made known by code without checks"
		}
		if a.Outside(set) {
			return "a finalizer or callback may touch it"
		}
	}
	return ""
}
