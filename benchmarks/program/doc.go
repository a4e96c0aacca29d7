// Package program defines the common parts of the papers' benchmark programs.
//
// A program is a parallel Go program in a package of its own. It has three sizes of
// input: small for tests, medium for quick comparisons (below a second when built
// plainly) and large, the size in its paper. It makes its own input, always the same, and
// checks its own result.
//
// Each program has a racy variant with one seeded bug. Every run executes the two
// conflicting accesses, and no schedule orders them, so that every race detector has to
// report them. The result of the racy variant is not checked. (-race may miss the race if
// more than about 250 tasks separate the two accesses, because it reuses the slots of
// tasks. If a task runs on for long after its access, -race has lost the access's stack
// and drops the report. The small sizes stay below these limits.) The bug is seeded in
// the inputs of the tasks or in the conditions for which they wait, not in their inner
// loops, so that the variant without the bug is neither slower nor harder to analyse for
// it.
//
// Package suites lists, tests and benchmarks all programs, and the command run executes one in
// a process of its own.
package program

import "fmt"

// A Program is a benchmark program.
type Program struct {
	Suite string // the paper's tool, which is also the name of the folder
	Name  string
	Doc   string // the computation
	Seed  string // the bug of its racy variant
	// Run makes the input of size s, does the work and checks the result.
	Run func(s Size, racy bool) error
}

func (p Program) String() string { return p.Suite + "/" + p.Name }

// Size names an input of a program.
type Size string

const (
	Small  Size = "small"
	Medium Size = "medium"
	Large  Size = "large"
)

// AllSizes lists the sizes in ascending order.
var AllSizes = []Size{Small, Medium, Large}

// ParseSize returns the size with a name.
func ParseSize(name string) (Size, error) {
	for _, s := range AllSizes {
		if string(s) == name {
			return s, nil
		}
	}
	return "", fmt.Errorf("no size %q; there are %v", name, AllSizes)
}

// A Spec describes a program whose input has the parameters T.
type Spec[T any] struct {
	Suite, Name, Doc, Seed string // as in Program
	Small, Medium, Large   T
	Run                    func(in T, racy bool) error
}

// Program returns the program.
func (p Spec[T]) Program() Program {
	run := func(s Size, racy bool) error {
		in, ok := map[Size]T{Small: p.Small, Medium: p.Medium, Large: p.Large}[s]
		if !ok {
			panic(fmt.Sprintf("program: no size %q", s))
		}
		return p.Run(in, racy)
	}
	return Program{p.Suite, p.Name, p.Doc, p.Seed, run}
}

// Alive bounds the number of living tasks in a program with very many tasks: the program
// waits for the last batch of that many tasks before it starts the next. -race
// distinguishes at most 255 tasks reliably (its slots), and gives up at 8128.
const Alive = 128
