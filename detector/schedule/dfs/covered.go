package dfs

import "fmt"

// Coverage is what an exploration has seen so far.
type Coverage struct {
	Runs   int
	Orders int  // different ones among the runs
	Left   int  // runs that are known to be necessary; each may lead to further ones
	Late   bool // at some choice the clock or the system could have made another task a candidate
}

// Covered returns what e has seen.
func (e *Explorer) Covered() Coverage {
	c := Coverage{Runs: e.Runs, Orders: e.Orders, Late: e.late}
	if !e.begun {
		c.Left = 1
	}
	for _, n := range e.nodes {
		for task := range n.todo {
			if !n.done[task] && !n.sleep[task] {
				c.Left++
			}
		}
	}
	return c
}

// String says what was covered. "All orders" is a statement about the program with its input: each run of it has one
// of these orders, apart from what the clock and the system decide.
func (c Coverage) String() string {
	s := fmt.Sprintf("all %d orders, in %d runs", c.Orders, c.Runs)
	if c.Left > 0 {
		s = fmt.Sprintf("%d orders in %d runs, at least %d left", c.Orders, c.Runs, c.Left)
	}
	if c.Late {
		s += "; not those in which the clock or the system is earlier"
	}
	return s
}
