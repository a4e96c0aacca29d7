package ssapass

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"taskinstr/ssapass/pointsto"
)

// An Analysis holds all facts of a program.
type Analysis struct {
	prog   *Program
	Sites  *Sites
	Points *pointsto.Result

	summaries   map[*ssa.Function]*Summary
	order       [][]*ssa.Function // components of the call graph, callees first
	onceKnown   bool              // each call of Once.Do has a known function
	callers     map[*ssa.Function][]ssa.CallInstruction
	entered     map[*ssa.Function]bool // functions that may start without a call of the program
	testCalls   map[*ssa.Go]bool       // go statements that count as calls
	contracts   map[*ssa.Function]*contract
	owned       map[ownedAt]bool
	behind      map[*ssa.Call]bool             // see Behind
	fieldFuncs  map[*types.Var][]*ssa.Function // see fieldCallees
	escapedOf   map[*candidates]*candidates    // see escapedOnly
	invocations []invocation                   // of a unit; see findInvocations
	deepMemory
	tasks
	locks
}

// Analyze computes the facts of the program.
func (p *Program) Analyze() *Analysis {
	a := &Analysis{prog: p}
	p.begin("sites") // before points-to: both take much memory
	a.Sites = p.Sites()
	p.begin("points-to")
	a.Points = p.PointsTo()
	p.begin("summaries")
	a.findTestCalls()
	a.summarize()
	p.begin("tasks")
	a.findTasks()
	return a
}

// Program returns the analysed program.
func (a *Analysis) Program() *Program { return a.prog }

// Partial reports whether packages outside of the standard library may have no checks.
func (a *Analysis) Partial() bool { return a.prog.partial() }

// Where returns the memory that the access of the site may read or write.
func (a *Analysis) Where(s *Site, c Access) pointsto.Set {
	if s.Key.Elems {
		return a.Points.Elems(c.Addr)
	}
	return a.Points.Points(c.Addr)
}
