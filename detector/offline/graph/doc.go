// Package graph builds the computation graph of an execution and finds data races in it
// by transitive closure. This is the analysis of Nakade, Mercer, Aldous and McCarthy
// (Model-Checking Task Parallel Programs for Data-Race, NFM 2018); package
// detector/offline/zipper is a faster algorithm for it.
//
// # Terms
//
// A node is a run of events of one task between two events that establish order. An Async
// node represents a fork, a Wait node the end of a finish scope with tasks; neither has
// accesses. An Isolated node lies in a critical section, an Other node does not; both
// carry the sets of bytes that the task reads and writes there. Nodes without accesses
// exist only at sections and where promises need them.
//
// The edges represent the order:
//
//   - Continue: from a node to the next node of its task.
//   - Spawn: from an Async node to the first node of the child.
//   - Join: from the last node of a task to the Wait node of its scope.
//   - Promise: from the node that ends with a Set to the node that begins with a Get.
//   - Isolation: from the last node of a section to the first node of the next section of the
//     same lock, in the order of the execution. A shared section follows the last exclusive
//     one; an exclusive section also follows the shared ones since then.
//
// Nodes are numbered in the order of the trace, and each edge leads to a greater number.
// Two nodes are parallel if no path leads from one to the other. They race if they are
// parallel and one of them writes a byte that the other accesses (not both atomically).
//
// # The theorem of a clean graph
//
// The graph covers all schedules of the execution's operations that keep the order of its
// sections. The operations of a task after a section may depend on that order, so that a
// proof for an input needs the graphs of all orders: package detector/offline/zipper/orders.
// [Graph.Commuting] also covers the orders that differ only in sections that commute.
//
// # Departures
//
// The paper has one lock, the isolation. Here each lock has its own edges, and promises
// have edges as well: the closure does not depend on the origin of edges. The sets are
// lists of disjoint intervals of bytes. Each interval remembers one access, so that a
// report can name it. Memory that is allocated again gets another name inside the graph,
// so that accesses before and after the allocation do not race.
//
// The closure takes a bit for each pair of nodes. [Graph.Closure] refuses graphs for
// which this exceeds a gigabyte.
package graph
