package fresh

import "taskinstr/optimize/builder"

// Run removes the checks of first values in memory that only checked code publishes.
func Run(b *builder.Builder) {
sites:
	for i, s := range b.Open() {
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
