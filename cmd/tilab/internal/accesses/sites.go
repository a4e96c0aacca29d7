package accesses

import (
	"go/token"

	"taskinstr/internal/site"
	"taskinstr/internal/splice"
)

// A Kind is the kind of an access.
type Kind string

const (
	Read   Kind = "read"
	Write  Kind = "write"
	Atomic Kind = "atomic" // an operation of sync/atomic
)

var kindOf = map[site.Kind]Kind{site.Read: Read, site.Write: Write, site.Atomic: Atomic}

// A spliced is a check of a rewritten package.
type spliced struct {
	position token.Position // line directives applied
	pos      token.Pos
	expr     string
	kind     Kind
	wrapper  bool // the runtime checks the reads of a method wrapper
}

// sites lists the checks of a rewritten package.
func sites(r *splice.Result, fset *token.FileSet) (list []spliced) {
	for _, s := range r.Sites {
		list = append(list, spliced{fset.PositionFor(s.Pos, true), s.Pos, s.Expr, kindOf[s.Kind], s.Wrapper})
	}
	return list
}
