// Package zipper finds the data races of a computation graph by the Zipper algorithm
// (Storey, Powell, Ogles, Hooker, Aldous and Mercer: Optimized Sound and Complete Data
// Race Detection in Structured Parallel Programs). It derives from the nesting of tasks
// and the numbers of their isolated sections which nodes are parallel, without a closure.
//
// # Terms
//
// Without its isolation edges, the graph of a program with async and finish is
// series-parallel. An Async node has two branches: the task that it forks, and the
// operations of its own task until that task waits for the scope. Both meet at the Wait
// node. A branch is a chain: its nodes, including the nodes after a Wait node that
// closes a scope within it, follow each other. Isolated sections are numbered in the
// order of the execution, and each is ordered before the next.
//
// The down slider of a node is the number of the last section at or before it in the
// order of tasks. The up slider is the number of the first section at or after it. A
// path from n to m through the isolation therefore exists if and only if
//
//	up(n) < down(m)
//
// Two nodes are parallel if they lie in parallel branches and neither inequality holds.
// Both sliders rise along a branch. The zipper of a branch is the list of its nodes with
// both sliders. Its ↓ part has the up sliders: they tell a node of a later branch which
// nodes of the zipper do not precede it. Its ↑ part has the down sliders: they tell the
// node which nodes of the zipper it does not precede. Nodes without a section after (or
// before) them form the ends of the two lists, the paper's lambda zippers.
//
// The bag of a node contains the branches that are parallel to it and were traversed
// before. C is the part of a branch of the bag that passes both checks; since both lists
// are sorted, it is one run of consecutive nodes.
//
// # Algorithm
//
// Two passes over the edges compute the sliders of all nodes. A depth-first traversal
// with an explicit stack numbers the branches. The bag is a stack of ranges of these
// numbers, because the branches below a branch have consecutive numbers. There are two
// methods:
//
//   - Pairs, the paper's method: each node intersects its sets with the sets of all nodes in
//     C, for each branch of its bag.
//   - Index: accesses are first grouped by address. A depth-first traversal can take the
//     child's branch first or last. Two nodes lie in parallel branches if and only if the
//     two traversals visit them in different orders. So comparing two nodes takes constant
//     time. The accesses of one byte are examined in the order of the trace, against the
//     last write and the reads since: if an older access were parallel to a new one, the
//     last write would be parallel to it as well.
//
// Pairs reports each pair of racing nodes once. Index reports at least one pair for each
// byte that races. Both are slower than the closure of package graph while the closure
// needs only one word for a node, so that Auto uses the closure for graphs of up to 64
// nodes.
//
// With M nodes, T branches and K intervals of accesses, Pairs takes O(M T log M) steps
// and one intersection for each parallel pair of nodes. Index takes O(M + K log K) steps,
// where an interval counts once for each part into which the ends of other intervals
// divide it.
//
// # Departures
//
// The paper fills the zippers of a branch during the traversal. A node that waits for its
// scope puts the nodes that no section of their own branch follows into a lambda zipper;
// sections below a nested branch, or after the Wait node, then do not order these nodes.
// The sliders computed from the edges are exact in this case. The pseudo-code of checkUp
// skips the indices up to the slider; according to the text, the nodes beyond it are the
// ordered ones. The bags also hold the branches below a finished branch.
//
// The comparison by bytes realizes the hope that the paper's conclusion puts in TARDIS:
// the number of intersections is linear in the number of accesses, not in the number of
// parallel pairs.
//
// A section may have forks and scopes inside: its first and its last node order it.
// Atomic accesses do not conflict with each other.
//
// # Model
//
// The model is properly nested async and finish with one lock, which need not be the
// isolation. Promises and further locks are permitted if they add nothing to the order of
// tasks, such as operations of main before it forks tasks. [Order.Reset] returns an error
// for all others, for shared sections that matter, and for tasks that leave the scope in
// which they were forked. Package detector/offline/graph has edges for these.
package zipper
