package stationary

import (
	"go/token"

	"taskinstr/optimize/builder"
	"taskinstr/ssapass"
)

// Run removes the checks of reads of stationary fields.
func Run(b *builder.Builder) {
	if b.Partial() {
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
		name, why := typeOf(fields, s)
		switch {
		case name != "":
			b.Final(i, name, "only new memory gets values of this field")
		case why.IsValid() && b.Explains():
			b.Keep(i, "the field is written besides first values at "+b.Place(why))
		}
	}
}

// typeOf returns the name of the struct type of which all accesses of the site read stationary fields. If there is none, name is "",
// and why is a place that keeps such a field from being stationary, if there is one.
func typeOf(fields *ssapass.Stationary, s *ssapass.Site) (name string, why token.Pos) {
	for _, c := range s.Accesses {
		t, why := fields.TypeOf(c.Instr)
		if t == nil || name != "" && name != t.Name() || t.Pkg().Path() != s.Pkg.Path() {
			return "", why
		}
		name = t.Name()
	}
	return name, token.NoPos
}
