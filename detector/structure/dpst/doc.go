// Package dpst implements the dynamic program structure tree of an execution with async
// and finish (Raman, Zhao, Sarkar, Vechev and Yahav: Scalable and Precise Dynamic
// Datarace Detection for Structured Parallelism, PLDI 2012). SPD3, PTRacer and DRDP use
// it to decide whether two steps may run in parallel.
//
// Inner nodes are tasks (async) and finish scopes. Leaves are steps, the parts of a task
// between two structural events. Children are in the order in which their parent's task
// made them. Two steps may run in parallel if and only if the child of their lowest
// common ancestor on the path to the left step is a task. Then nothing below that
// ancestor makes the right step wait for the left one.
//
// Go programs also contain tasks for which no scope waits, or a scope other than the
// innermost one. Such a task escapes: its node is marked, and [Tree.Precedes] then knows
// that no scope above orders the task's own steps. The tree does not represent the scope
// that does wait for the task; a detector with other joins adds that order.
//
// The tree is stored in one slice, and a node is an index. Later events never change a
// path to the root, so queries may run concurrently, but not concurrently with
// [Tree.Add].
//
// Mark and sweep free the nodes that are no longer needed: see [Tree.Mark]. The outermost
// of the ended scopes around a step can replace the step in later queries
// ([Tree.Summary]), so that the nodes inside the scope need not be kept.
package dpst
