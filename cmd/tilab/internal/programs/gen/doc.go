// Package gen writes random Go programs whose races are known by construction.
//
// A program has many cases; a case is a handful of tasks that fork, join
// (sync.WaitGroup), exchange messages over channels, close channels, set and
// await atomic flags, take locks, and access variables. A case is drawn by
// simulating it: in each step one live task executes one operation. The sequence of all
// these operations is the script of the case. It is one of the executions of the
// generated text.
//
// # Probes
//
// A probe is a variable that is accessed exactly twice, so that the result does not depend
// on the history that a detector keeps: the two accesses race or they do not.
// Probes lie close together (fields of every width in one struct, elements of
// one byte slice), so that every mistake about bytes becomes a false report.
// Guards are variables that are accessed often, always under their lock.
//
// # Tiers
//
// The events of the script are the nodes of a graph, and the three orders of
// docs/architecture.md are its transitive closures with
//
//   - structural: program order, forks, joins, messages, closes, flags;
//   - weak: also an edge between two conflicting accesses under one lock;
//   - happens-before: also an edge from each critical section to the later
//     ones of its lock (between readers of an RWMutex there is none).
//
// A probe is a race if happens-before leaves its accesses unordered. It is a predicted
// race if only the weak order leaves them unordered and they have no common lock.
//
// # Two kinds of cases
//
// In a free case the scheduler decides, and the expected reports must not depend on it:
// channels have one sender and one receiver, and a probe is dropped if some order of the
// critical sections could order its accesses. In a scripted case every statement waits for
// its turn in the script, on a word that no detector watches. There locks may be taken in
// any order, and predicted races are known exactly.
package gen
