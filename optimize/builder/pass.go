package builder

import "go/ast"

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
	// Claims, if not nil, returns a test for the loops in which the pass checks
	// neighbouring elements together. Other passes leave such elements to it.
	Claims func(*Builder) func(loop ast.Node) bool
	// Run decides about sites.
	Run func(*Builder)
}
