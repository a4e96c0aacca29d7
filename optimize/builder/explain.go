package builder

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Explain gives each kept site its reason, once all passes have run.
func (b *Builder) Explain() {
	for i, s := range b.Analysis.Sites.List {
		f := &b.fates[i]
		switch {
		case f.Kind != Kept:
		case !b.scope[s.Pkg.Path()]:
			f.Reason = "its package is checked whole"
		case s.Unseen:
			f.Reason = "other packages may instantiate it, with type arguments that nothing here represents"
		case len(s.Accesses) == 0:
			f.Reason = "never runs"
		default:
			f.Notes = b.kept[i]
			f.Reason = "no pass speaks of it"
			for _, n := range f.Notes {
				f.Reason = n.Reason
			}
			if w := b.Twin(i); w >= 0 && !s.Key.Write && !b.checked[i] {
				f.Reason = "one check with the write"
			} else if !b.checked[i] {
				f.Reason = "not a check of its own: initial value, variable of one goroutine, or seen by a hook"
			}
			if list := b.spared[i]; list != nil {
				f.Reason += "; not made for calls in the loop at " + strings.Join(list, ", ") + ", whose elements are checked in front of it"
			}
		}
	}
}

// Position returns the position of site i, for a reason of site from: with the import
// path where the packages differ.
func (b *Builder) Position(i, from int) string {
	s := b.Analysis.Sites.List[i]
	file := filepath.Base(s.Key.File)
	if s.Pkg != b.Analysis.Sites.List[from].Pkg {
		file = s.Pkg.Path() + "/" + file
	}
	return fmt.Sprintf("%s:%d:%d", file, s.Key.Line, s.Key.Col)
}
