// Package orders proves that a program has no data race for an input, or finds a race and
// an order of isolated sections under which it occurs. It runs the program in all orders
// of sections that differ and analyses the computation graph of each execution.
//
// # Terms
//
// A program is given as a [Run], which executes it in a controlled order: all tasks run
// until each has ended, waits for other tasks or is about to enter a section. This
// situation is a point: one of the tasks that are about to enter a section enters it. A
// choice is the name of that task. A run is given its first choices; after these it
// takes the first task of each point. Each possible order of sections is therefore the
// order of one list of choices.
//
// Two sections commute if neither writes a byte that the other accesses. Two orders are
// equivalent if exchanging neighbouring sections that commute leads from one to the
// other. All reads of two equivalent executions see the same values, and the two
// executions have the same graph with isolation edges between conflicting sections only
// ([graph.Graph.Commuting]): two nodes are parallel in it if and only if they are
// parallel, under the edges between all sections, in some equivalent order. The graph
// determines such an order: first the sections that precede one of the two nodes, then
// all others.
//
// # Algorithm
//
// [Explore] asks package detector/schedule/dfs for the choices of each run. Its sections are the
// isolated sections, with the accesses that the graph has for them.
//
// With [Config].All, Explore runs each order, as in the paper on Zipper, and the graph
// has edges between all sections.
//
// # The theorem of a clean exploration
//
// If no graph has a race, no schedule of the program for this input has one. Up to the
// first race of a schedule, the order of sections determines all values that tasks read,
// and that order, or an equivalent one, was run. The proof holds if the program has no
// other source of choices (see package detector/offline/zipper for the model) and if the
// exploration was complete, that is, met no limit.
package orders
