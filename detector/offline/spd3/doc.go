// Package spd3 detects the races of programs with async and finish (Raman, Zhao, Sarkar,
// Vechev and Yahav: Scalable and Precise Dynamic Datarace Detection for Structured
// Parallelism, PLDI 2012).
//
// Each byte remembers the last step that wrote it and at most two steps that read it. Of
// all steps that have read the byte and may be parallel to later steps, these are the two
// whose lowest common ancestor in the program structure tree is highest. Every later step
// that is parallel to any of the readers is parallel to one of the two.
//
// Exact claim for programs of async and finish alone: the bytes with a reported race are
// the bytes with a race; the first race reported on a byte is made by the first access
// that races with an earlier one; every reported pair is unordered. The order of events
// need not be depth-first.
//
// The paper's algorithm runs in parallel and updates a location atomically; here the
// events come one after the other. The detector counts the events that the paper leaves
// out: locks, promises, atomic accesses, scopes that do not nest. It does not report
// pairs that a lock protects or whose accesses are both atomic. It ignores promises, so
// that it reports a pair that only a promise orders.
package spd3
