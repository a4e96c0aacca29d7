package builder

import "go/ast"

// A Claim says that a pass checks neighbouring elements together: in a loop, or in an access. Other
// passes leave such elements to it, where they would gain less.
type Claim int

const (
	Unclaimed Claim = iota
	Claimed
	Stepwise // an access that reaches the neighbours one after the other
)

// A Pass is a row of the table of passes: its name, its rights, and its code.
type Pass struct {
	Name string
	Doc  string // one line for the command's help
	// Proves: the pass removes checks without a cover, because their accesses cannot race.
	Proves bool
	// Guards: the pass makes checks depend on flags.
	Guards bool
	// Local: one package and facts about its imports are enough for the pass, so that
	// go vet can run it.
	Local bool
	// Claims, if not nil, returns a function that says which loops and accesses the pass claims.
	Claims func(*Builder) func(ast.Node) Claim
	// Run decides about sites.
	Run func(*Builder)
}
