package dominate

import (
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"taskinstr/optimize/step"
	"taskinstr/ssapass"
	"taskinstr/ssapass/instrs"
)

// Covers across calls: the rules of dominate for accesses in two activations, one of
// which called the other, or both of which a third one called.
//
//   - A callee before: each return of the callee has the cover before it (certain.go,
//     leaves), and the call dominates the access.
//   - The callers before: all calls of the function are known, and each has a cover before
//     it. The covers may differ, so that a removed check may have several (Fate.More). A
//     recursive call that hands on the values that name the address has the cover of the
//     outermost activation.
//   - A callee behind: the callee begins with a write that is certain (certain.go,
//     enters), and the call follows the access for certain.
//
// The conditions on the instructions between cover and access are those of dominate, for
// the whole path: the rest of the callee, the part of the caller, and the beginning of
// the next callee.
//
// Both addresses are seen from one activation (view.go): a parameter of a callee is its
// argument, a free variable the value with which the closure was made. Fields, elements
// and arithmetic that a callee computes from these have numbers as if the caller computed
// them. A pointer that is loaded on the way must be in memory that nothing on the whole
// path writes, and no other task.
//
// The certain accesses of a function are collected from its callees up, when they are
// first asked for. Recursive calls contribute none.
//
// Source: TaskChecker, section 6.5, with dominate's conditions on the instructions
// between.
//
// Limits: the call names the function, or calls a literal where it stands. A callee that
// defers calls has no covers, since a panic may leave it while its call returns all the
// same; neither has a function marked go:nosplit. Cover and access are of one package: of
// two, one may be built without checks. A function that external code, an interface, a
// function value, go or defer may run has no known callers. A write of the caller behind
// the call covers nothing.

// sweepCalls looks for covers in other functions.
func (d *dominator) sweepCalls(f *function) {
	d.sweep(f, func(a *access) bool { return !a.write && d.coverCalled(a) })
	d.sweep(f, func(a *access) bool { return d.coverAround(a) })
	d.sweep(f, func(a *access) bool { return a.write && d.coverCalled(a) })
}

// A calls holds the results about functions as callees and callers.
type calls struct {
	frames   map[*ssa.Function]*function
	static   map[*ssa.Function][]*ssa.Call
	leaving  map[*ssa.Function][]certain
	entering map[*ssa.Function][]certain
	byAddr   map[*ssa.Call]map[int][]certain // of leaving, by the number that the caller gives the address
}

func newCalls() calls {
	return calls{
		frames: map[*ssa.Function]*function{}, static: map[*ssa.Function][]*ssa.Call{}, leaving: map[*ssa.Function][]certain{},
		entering: map[*ssa.Function][]certain{}, byAddr: map[*ssa.Call]map[int][]certain{},
	}
}

// Limits of the search.
const (
	maxDepth   = 4  // calls between cover and access, in each direction
	maxCertain = 64 // accesses of a function that its callers know of
	maxCovers  = 8  // of one access
	maxTries   = 64 // calls searched for one access
	maxParts   = 32 // of the expression of an address: values used twice count twice
)

// sameStep reports whether an instruction orders no tasks and changes no locks.
func sameStep(in ssa.Instruction, sync ssapass.Sync) bool { return sync&step.Separates == 0 }

// frame returns the accesses and numbers of a function, also if it has no accesses.
func (d *dominator) frame(f *ssa.Function) *function {
	if g := d.funcs[f]; g != nil {
		return g
	}
	g := d.frames[f]
	if g == nil {
		g = newFunction(f)
		d.frames[f] = g
	}
	return g
}

// target returns the only function that the call may run, nil if it is not certain, not
// named in the call, or not in scope.
func (d *dominator) target(c *ssa.Call) *ssa.Function {
	f := c.Call.StaticCallee()
	if f == nil || len(f.Blocks) == 0 || !d.inScope(f) {
		return nil
	}
	if list, external := d.a.Callees(c); external || len(list) != 1 || list[0] != f {
		return nil
	}
	return f
}

// inScope reports whether f has source of its own, in a package in scope.
func (d *dominator) inScope(f *ssa.Function) bool {
	if f.Syntax() == nil || f.Synthetic == "range-over-func yield" {
		return false
	}
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	return f.Pkg != nil && d.b.InScope(f.Pkg.Pkg.Path())
}

// called returns the calls in f that have a target.
func (d *dominator) called(f *ssa.Function) []*ssa.Call {
	list, ok := d.static[f]
	if !ok {
		for in := range instrs.Of(f) {
			if c, ok := in.(*ssa.Call); ok && d.target(c) != nil {
				list = append(list, c)
			}
		}
		d.static[f] = list
	}
	return list
}

// returnsPlainly reports whether f returns only by its return statements, and has checks
// like other functions.
func returnsPlainly(f *ssa.Function) bool { return f.Recover == nil && !nosplit(f) }

// nosplit reports whether f has the checks of functions marked go:nosplit.
func nosplit(f *ssa.Function) bool {
	n, ok := f.Syntax().(*ast.FuncDecl)
	return ok && n.Doc != nil && slices.ContainsFunc(n.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, "//go:nosplit") })
}
