package maintask

import (
	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// Run removes the checks of accesses that no other task runs beside.
func Run(b *builder.Builder) {
	if b.Analysis.InUnit() && !b.Analysis.HasInvocations() {
		return
	}
	for i, s := range b.Open() {
		if reason := obstacle(b.Analysis, s); reason != "" {
			b.Keep(i, reason)
		} else {
			b.Prove(i, "no other task exists")
		}
	}
}

// obstacle returns the reason why the site keeps its check, "" if there is none.
func obstacle(a *ssapass.Analysis, s *ssapass.Site) string {
	for _, c := range s.Accesses {
		if a.AloneWithin(c.Instr, a.Where(s, c)) {
			continue
		}
		if a.InUnit() || a.Parallel(c.Instr) {
			return "other tasks may run"
		}
		if a.Outside(a.Where(s, c)) {
			return "a finalizer or callback may touch it"
		}
	}
	return ""
}
