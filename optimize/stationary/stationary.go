package stationary

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/builder"
)

// Run removes the checks of reads of stationary fields.
func Run(b *builder.Builder) {
	if b.Analysis.Partial() {
		return
	}
	fields := b.Analysis.Stationary(b.InScope)
	if fields == nil {
		return
	}
	b.Overwrite(fields.Overwritten())
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
