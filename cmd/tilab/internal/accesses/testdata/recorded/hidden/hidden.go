// Package hidden embeds a field that other packages cannot name.
package hidden

type valuer interface{ Value() int }

// A Number is a valuer.
type Number int

// Value returns n.
func (n Number) Value() int { return int(n) }

// A Holder has the methods of what it holds.
type Holder struct{ valuer }

// New returns a holder of n.
func New(n Number) *Holder { return &Holder{n} }

// Set makes h hold n.
//
//go:noinline
func (h *Holder) Set(n Number) { h.valuer = n }
