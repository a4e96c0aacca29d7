package builder

import (
	"fmt"
	"go/token"
	"path/filepath"
	"strings"
)

// Reasons of kept sites whose check is never executed, or is that of another site.
const (
	NeverRuns = "never runs"
	WithWrite = "one check with the write"
	NoCheck   = "not a check of its own: initial value, variable of one goroutine, or seen by a hook"
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
			f.Reason = NeverRuns
		default:
			f.Notes = b.kept[i]
			f.Reason = "no pass speaks of it"
			for _, n := range f.Notes {
				f.Reason = n.Reason
			}
			if w := b.Twin(i); w >= 0 && !s.Key.Write && !b.checked[i] {
				f.Reason = WithWrite
			} else if !b.checked[i] {
				f.Reason = NoCheck
			}
			if list := b.spared[i]; list != nil {
				f.Reason += "; not made for calls in the loop at " + strings.Join(list, ", ") + ", whose elements are checked in front of it"
			}
			if list := b.called[i]; list != nil {
				f.Reason += "; " + strings.Join(list, ", ")
			}
		}
	}
}

// Place returns a position of the program, for a reason.
func (b *Builder) Place(pos token.Pos) string {
	p := b.Analysis.Program().Fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", filepath.Base(p.Filename), p.Line, p.Column)
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
