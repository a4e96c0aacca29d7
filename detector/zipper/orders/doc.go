// Package orders proves that a program has no data race for an input, or finds one
// with its order of isolated sections: it runs the program in all orders that
// differ, and looks at the computation graph of each execution.
//
// # Terms
//
// A program is given as a [Run], which executes it in a controlled order: all tasks
// run until each has ended, waits for other tasks or stands in front of a section.
// There, at a point, one of the tasks that stand in front of a section enters it. A
// choice is that task, by name. A run is told its first choices; behind these it
// takes the first task of each point. So each order of sections that the program can
// have is the order of one list of choices.
//
// Two sections commute if neither writes what the other accesses. Two orders are
// equivalent if exchanging neighbours that commute leads from one to the other. Then
// all reads of the two executions see the same values, and the graph with isolation
// edges between sections that conflict ([graph.Graph.Commuting]) is the same: two
// nodes are parallel in it if and only if they are parallel in some equivalent order
// under the edges between all sections. That order is built from the graph: first the
// sections that precede one of the two nodes, then all others.
//
// # Algorithm
//
// [Explore] follows Flanagan and Godefroid (Dynamic Partial-Order Reduction for Model
// Checking Software, POPL 2005). After each run it looks for sections of different
// tasks that conflict and that the order of tasks leaves open; the later one's task is
// a choice for the point of the earlier one, or, if that task did not stand there,
// each task that did. Sleep sets (Godefroid) leave out choices that lead to an order
// that an earlier one is equivalent to: a choice that has been explored at a point is
// asleep in what follows the later choices there until a section conflicts with its
// section.
//
// With [Config].All each order is run, as in the paper on Zipper, and the graph has
// edges between all sections.
//
// # What it proves
//
// If no graph has a race then no schedule of the program for this input has one: up to
// the first race of a schedule all values that tasks read are decided by the order of
// sections, and that order, or an equivalent one, was run. The proof holds if the
// program has no other source of choices (see package detector/zipper for the model)
// and if the run was complete: no limit was met.
package orders
