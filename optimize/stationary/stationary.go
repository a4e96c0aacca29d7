package stationary

import (
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/builder"
)

// Run removes the checks of reads of stationary fields, and the records of atomic loads.
func Run(b *builder.Builder) {
	if b.Analysis.Partial() {
		return
	}
	fields := b.Analysis.Stationary(b.InScope)
	if fields == nil {
		return
	}
	b.Overwrite(fields.Overwritten())
	loads := fields.Loads()
	for _, pos := range slices.Sorted(maps.Keys(loads)) {
		if b.HasLineDirective(pos) {
			continue
		}
		t := loads[pos]
		b.Quiet(builder.QuietLoad{Pkg: t.Pkg().Path(), File: b.Analysis.Program().Fset.PositionFor(pos, false).Filename, At: b.At(pos), Type: t.Name()})
	}
	for i, s := range b.Open() {
		if s.Key.Write || s.Key.Elems {
			continue
		}
		why := token.NoPos
		name := b.TypeOf(s, func(in ssa.Instruction) (t *types.TypeName) {
			t, why = fields.TypeOf(in)
			return t
		})
		switch {
		case name != "":
			b.Final(i, name, "only new memory gets values of this field")
		case why.IsValid() && b.Explains():
			b.Keep(i, "the field is written besides first values at "+b.Place(why))
		}
	}
}
