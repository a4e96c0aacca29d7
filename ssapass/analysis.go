package ssapass

import (
	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// An Analysis holds all facts of a program.
type Analysis struct {
	prog   *Program
	Sites  *Sites
	Points *pointsto.Result

	summaries map[*ssa.Function]*Summary
	order     [][]*ssa.Function // components of the call graph, callees first
	tasks
}

// Analyze computes the facts of the program.
func (p *Program) Analyze() *Analysis {
	a := &Analysis{prog: p, Sites: p.Sites(), Points: p.PointsTo()}
	a.summarize()
	a.findTasks()
	return a
}
