// Package program defines what the papers' benchmark programs have in common.
//
// A program is a parallel Go program in a package of its own. It has three
// sizes of input: small for tests, medium for quick comparisons (below a second
// when built plainly) and large, the size that its paper used. It makes its own
// input, always the same one, and checks its own result.
//
// Each program has a racy variant with one seeded bug. The two conflicting
// accesses are executed in every run and unordered in every schedule, so every
// race detector has to report them. What the racy variant computes is not
// checked. (Where more than some 250 tasks separate the two, -race may miss it: it
// gives their slots to others; where a task goes on for long behind its access, -race has
// lost the access's stack, and drops the report. The small sizes stay below that.) The bugs are seeded in what the tasks are given to do or to wait for,
// not in their inner loops, so that the program without the bug is not slower,
// nor harder to analyse, for having it at hand.
//
// The tests and benchmarks of a program are made by package programtest, package
// suites lists all programs, and the command run executes one in a process of
// its own.
package program

import "fmt"

// A Program is one benchmark program.
type Program struct {
	Suite string // the paper's tool, and the folder
	Name  string
	Doc   string // what it computes
	Seed  string // what its racy variant does wrong
	// Run makes the input of that size, does the work and checks the result.
	Run func(s Size, racy bool) error
}

func (p Program) String() string { return p.Suite + "/" + p.Name }

// Size names one of a program's inputs.
type Size string

const (
	Small  Size = "small"
	Medium Size = "medium"
	Large  Size = "large"
)

// AllSizes lists the sizes in ascending order.
var AllSizes = []Size{Small, Medium, Large}

// ParseSize returns the size of that name.
func ParseSize(name string) (Size, error) {
	for _, s := range AllSizes {
		if string(s) == name {
			return s, nil
		}
	}
	return "", fmt.Errorf("no size %q; there are %v", name, AllSizes)
}

// Inputs holds a program's parameters for each size.
type Inputs[T any] struct{ Small, Medium, Large T }

// Of returns the parameters of one size.
func (in Inputs[T]) Of(s Size) T {
	switch s {
	case Small:
		return in.Small
	case Medium:
		return in.Medium
	case Large:
		return in.Large
	}
	panic(fmt.Sprintf("program: no size %q", s))
}

// Alive bounds the tasks that a program with very many of them lets live at
// once: it waits for the last batch of that many before it starts the next. Nor
// does -race tell more than 255 tasks apart for sure (its slots), and it gives up
// at 8128.
const Alive = 128
