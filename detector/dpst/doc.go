// Package dpst holds the dynamic program structure tree of an execution with async
// and finish (Raman, Zhao, Sarkar, Vechev and Yahav: Scalable and Precise Dynamic
// Datarace Detection for Structured Parallelism, PLDI 2012), which SPD3, PTRacer and
// DRDP decide parallelism with.
//
// Inner nodes are the tasks (async) and the finish scopes; leaves are steps, the runs
// of one task between two structural events. Children stand in the order in which
// their parent's task made them. Two steps may run in parallel if and only if the
// child of their lowest common ancestor that leads to the left one is a task: then
// nothing to the right of it, below that ancestor, waits for it.
//
// The tree lies in one slice; a node is an index. A path to the root is never
// changed by what happens later, so a query may run beside other queries, though not
// beside [Tree.Add].
package dpst
