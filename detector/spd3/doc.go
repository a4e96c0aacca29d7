// Package spd3 decides races of programs with async and finish (Raman, Zhao, Sarkar,
// Vechev and Yahav: Scalable and Precise Dynamic Datarace Detection for Structured
// Parallelism, PLDI 2012).
//
// Each byte remembers the last step that wrote it and at most two steps that read
// it: of all steps that have read the byte since a write and may run in parallel
// with what is to come, the two whose lowest common ancestor in the program
// structure tree is highest. Every later step that is parallel to any of the readers
// is parallel to one of these two.
//
// Exact claim: in a program of async and finish alone, the bytes with a reported
// race are those with a race, the first race reported of a byte is made by the first
// access that races with an earlier one, and every pair reported is unordered. The
// order of events need not be depth-first.
//
// The paper's algorithm runs in parallel and updates a location atomically; events
// come one after the other here. What the paper leaves out is counted: locks,
// promises, atomic accesses, scopes that do not nest. Pairs that a lock protects or
// that are both atomic are not reported; promises are passed over, so that a pair
// that only a promise orders is.
package spd3
