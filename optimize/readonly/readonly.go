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
		own, reason := obstacle(b, w, i, s)
		switch {
		case reason != "":
			b.Keep(i, reason)
		case own:
			b.Prove(i, "only the call that made it writes it")
		default:
			b.Prove(i, "nobody writes it while tasks run")
		}
	}
}

// obstacle returns the reason why site i keeps its check, "" if there is none, and whether
// an access reads a variable that its own call made (ByMaker).
func obstacle(b *builder.Builder, w *writers, i int, s *ssapass.Site) (own bool, reason string) {
	a := b.Analysis
	for _, c := range s.Accesses {
		set := a.Where(s, c)
		switch {
		case a.ByMaker(c.Addr, set):
			own = true
		case a.WrittenBeside(c.Instr, set):
			reason := "may be written in parallel"
			if j := w.of(set); j >= 0 {
				reason += " at " + b.Position(j, i)
			}
			return own, reason
		case a.FilledInParallel(set) && b.Unchecked(set):
			return own, "its first value may be made known by code without checks"
		}
		if a.Outside(set) {
			return own, "a finalizer or callback may touch it"
		}
	}
	return own, ""
}
