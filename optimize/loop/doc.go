// Package loop is the common ground of the passes on loops: the source files in which a
// plan puts code in front of loops, the effects of a loop, and the expressions that have
// one value all through it.
//
// # Terms
//
// A File is a source file of a package that the plan decides about. A Loop is a loop
// statement (or several statements in a row) together with the effects of its header and
// body: variables it assigns to, memory it may write, callees and their synchronization.
//
// An Invariant is an expression that has one value all through a loop, as source text for
// code in front of it. Evaluating that text may need conditions: a pointer must not be
// nil, an index must be in range.
//
// A variable is in memory if statements of other functions or tasks may reach it. All
// other variables change only where the file assigns to them.
//
// # Algorithm
//
// The code in front of a loop stands in the source. So loops and expressions are found in
// the syntax trees. SSA is asked about calls (ssapass summaries) and about memory
// (points-to sets), by position.
//
// A pass that looks into calls gives the loop expressions of its own, which replace the
// calls: copies of the callee's statements (Copies). Their types are kept in an Info of
// the loop, so that the types.Info of the package never changes.
package loop
