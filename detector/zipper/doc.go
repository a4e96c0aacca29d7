// Package zipper finds the data races of a computation graph by the Zipper algorithm
// (Storey, Powell, Ogles, Hooker, Aldous and Mercer: Optimized Sound and Complete
// Data Race Detection in Structured Parallel Programs): it decides which nodes are
// parallel from the nesting of tasks and the numbers of their isolated sections,
// without a closure.
//
// # Terms
//
// Without its isolation edges the graph of a program with async and finish is
// series-parallel. An Async node has two branches, the task that it makes and what
// its own task does until it waits for the scope; both meet at the Wait node. A
// branch is a chain: its nodes, and those behind a Wait node that closes a scope
// within it, follow each other. Isolated sections are numbered in the order of the
// execution, and each is ordered before the next.
//
// The down slider of a node is the number of the last section that lies at or before
// it in the order of tasks; the up slider is the number of the first that lies at or
// behind it. So a path from n to m through the isolation exists if and only if
//
//	up(n) < down(m)
//
// and two nodes are parallel if they lie in parallel branches and neither inequality
// holds. Along a branch both sliders rise. The zipper of a branch is its nodes with
// both: ↓ has their up sliders, by which a later branch tells which of them do not
// precede it; ↑ has their down sliders, by which it tells which of them it does not
// precede. Nodes without a section behind (or before) them are the ends of the two
// lists, the paper's lambda zippers.
//
// The bag of a node is the branches that are parallel to it and were traversed
// before. C is what is left of a branch of the bag by both checks; since both lists
// are sorted, that is one run of neighbours.
//
// # Algorithm
//
// Two passes over the edges give each node its sliders. A depth-first traversal with
// a stack of its own gives branches their numbers; the bag is a stack of ranges of
// these, since the branches below a branch have consecutive numbers. Then there are
// two methods:
//
//   - Pairs, the paper's: each node intersects its sets with those of all nodes in
//     C, for each branch of its bag.
//   - Index: accesses are grouped by address first. The two orders in
//     which a depth-first traversal can take the branches (the child first, or what
//     follows the fork) decide whether two nodes lie in parallel branches: they do if
//     the orders disagree. So any two nodes are compared in constant time, and the
//     accesses of one byte, in the order of the trace, need only the last write and
//     the reads since: if something older were parallel to a new access, then the
//     last write would be, too.
//
// Pairs reports each pair of nodes that races, once. Index reports for each byte that
// races at least one pair. Both take longer than the closure of package graph as long
// as that needs one word for a node, so Auto leaves graphs of up to 64 nodes to it.
//
// With M nodes, T branches and K intervals of accesses, Pairs takes O(M T log M)
// steps and an intersection for each parallel pair of nodes; Index O(M + K log K),
// where an interval counts once for each part that the ends of others cut it into.
//
// # Departures
//
// The paper fills the zippers of a branch during the traversal, and a node that waits
// for its scope puts the nodes without a later section of their own branch in a
// lambda zipper: sections below a nested branch, or behind the Wait node, do not
// order these. Sliders from the edges are exact there. The pseudo-code of checkUp
// passes over indices up to the slider; as the text says, those beyond it are the
// ones that are ordered. Bags hold the branches below a finished branch, too.
//
// Comparing byte by byte is what the paper's conclusion hopes for from TARDIS: the
// number of intersections is linear in the accesses, not in the parallel pairs.
//
// A section may have forks and scopes inside: it is ordered by its first and its last
// node. Atomic accesses do not conflict with each other.
//
// # Model
//
// Async and finish, properly nested, and one lock, which need not be the isolation.
// Promises and further locks do no harm where they add nothing to the order of tasks,
// such as what main does before it makes tasks. [New] returns an error for all others,
// for shared sections that matter, and for tasks that leave the scope in which they
// were made: package detector/graph has edges for them.
package zipper
