// Package graph builds the computation graph of an execution and looks for data
// races in it by transitive closure: the analysis of Nakade, Mercer, Aldous and
// McCarthy (Model-Checking Task Parallel Programs for Data-Race, NFM 2018), which
// package detector/zipper is the fast form of.
//
// # Terms
//
// A node is a run of events of one task between two events of order. An Async node
// stands for a fork, a Wait node for the end of a finish scope that tasks belong to;
// neither has accesses. An Isolated node lies in a critical section, an Other node
// does not; both carry the sets of bytes that the task reads and writes there. Nodes
// without accesses are made for sections, and for what promises need, and nowhere
// else.
//
// Edges are the order: Continue from a node to the next one of its task, Spawn from
// an Async node to the first node of the child, Join from the last node of a task to
// the Wait node of its scope, Promise from the node that ends with a Set to the node
// that begins with a Get, and Isolation between sections: from the node in which a
// section ended to the node that begins the next section of the same lock, in the
// order that the execution had. A shared section follows the last exclusive one; an
// exclusive section follows the shared ones since, too.
//
// Nodes are numbered in the order of the trace, and each edge leads to a greater
// number. Two nodes are parallel if no path leads from one to the other, and they
// race if, besides, one of them writes a byte that the other accesses (not both
// atomically).
//
// # What a clean graph proves
//
// The graph speaks for all schedules of the execution's operations that keep the
// order of its sections. What a task does after a section may depend on that order,
// so a proof for an input needs the graphs of all orders: package
// detector/zipper/orders. [Graph.Commuting] is the graph that speaks for the orders
// which differ only in sections that commute, too.
//
// # Departures
//
// The paper has one lock, the isolation. Here each lock has its own edges, and
// promises have edges, too: the closure does not care where edges come from. Sets
// are lists of disjoint intervals of bytes, each of which remembers one access, so a
// report can name it. Memory that is allocated again gets another name inside the
// graph, so that its past life does not race with its present one.
//
// The closure takes a bit for each pair of nodes: [Graph.Closure] refuses graphs for
// which that is more than a gigabyte.
package graph
