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
// Go programs also have tasks that no scope waits for, or another scope than the
// innermost one. Such a task escapes: its node is marked, and [Tree.Precedes] knows
// that no scope above orders the task's own steps. The tree says nothing about the
// scope that does wait for the task; a detector with other joins adds that order.
//
// The tree lies in one slice; a node is an index. A path to the root is never
// changed by what happens later, so a query may run beside other queries, though not
// beside [Tree.Add].
//
// Nodes that nobody needs any more are given back by mark and sweep: see
// [Tree.Mark]. A step below scopes that have ended can be named by the outermost of
// them instead ([Tree.Summary]), so that what happened inside need not be kept.
package dpst
